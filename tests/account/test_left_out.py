"""What AWS's models do not require, left out of sound and of broken accounts' answers, and whole answers denied: no
crash, and what is missing is never taken for a value."""

import pytest

from muster.fleet.facts import Facts
from tests.account.accounts import Account
from tests.account.aws import Answers, Refused
from tests.account.broken_accounts import ACCOUNTS, Broken
from tests.account.left_out import Path, Recorded, leaving_out, members, recording

STACKS = ("p5-odcr", "p5-capacity-block", "p5-join-existing", "hyperpod-existing-eks", "hyperpod-training-plan")
ROOMY = ("p5-efa", "g4dn", "hyperpod-p5", "hyperpod-trn1")
SLURM = ("pcluster-p4de-custom-ami", "pcluster-gpu")

BY_ABSENCE = {
    ("another-hyperpod-cluster", "sagemaker.DescribeCluster", ("Orchestrator",)): "Slurm's have none",
    ("another-hyperpod-cluster", "sagemaker.DescribeCluster", ("Orchestrator", "Eks")): "Slurm's have none",
    **{
        ("standard-support-over", "eks.DescribeClusterVersions", path): "then Muster's own calendar counts"
        for path in (
            (),
            ("clusterVersions",),
            *(("clusterVersions", each) for each in ("clusterVersion", "endOfExtendedSupportDate", "versionStatus")),
            ("clusterVersions", "endOfStandardSupportDate"),
        )
    },
}
"""(what is wrong, operation, member) -> why the rule finds nothing without that member."""


def parts(account: Account) -> list[tuple[str, Path]]:
    """The operations that an account is queried by, and the optional members of their answers; () for the whole."""
    said: Recorded = {}
    account.facts(recording(account.answers(), said))
    return [*((operation, ()) for operation in sorted(said)), *members(said)]


def facts_without(account: Account, operation: str, path: Path) -> Facts:
    """The facts where a member of an operation's answers is missing, or the operation is denied."""
    answers = account.answers()
    denied: dict[str, Answers] = {**answers, operation: Refused("AccessDenied")}
    return account.facts(leaving_out(answers, operation, path) if path else denied)


@pytest.mark.parametrize("stack", [*STACKS, *ROOMY, *SLURM])
def test_what_a_sound_account_leaves_out_is_no_fault(stack: str) -> None:
    """Nothing crashes, and no rule finds anything because a member is missing."""
    account = Account.of(stack)
    every = parts(account)
    assert len(every) > 20
    whole = account.facts()
    found = {}
    for operation, path in every:
        facts = facts_without(account, operation, path)
        if facts == whole:  # which tests/account/test_sound_accounts.py judges
            continue
        if findings := account.judged(facts).findings:
            found[operation, path] = {each.rule for each in findings}
    assert found == {}


@pytest.mark.parametrize("one", ACCOUNTS, ids=lambda one: one.name)
def test_what_a_broken_account_leaves_out_does_not_mend_it(one: Broken) -> None:
    """The rule still finds it, or is not evaluated."""
    account = Account.of(one.stack, one.change)
    one.wrong(account)
    whole = account.facts()
    passes = set()
    for operation, path in parts(account):
        facts = facts_without(account, operation, path)
        if facts == whole:  # in which tests/account/test_broken_accounts.py finds what is wrong
            continue
        judgement = account.judged(facts, one.rule)
        if not judgement.findings and not judgement.not_evaluated:
            passes.add((one.name, operation, path))
    assert passes - BY_ABSENCE.keys() == set()
