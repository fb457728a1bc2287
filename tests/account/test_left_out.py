"""What AWS's models do not require, left out of sound and of broken accounts' answers: no crash, and a missing member
is never taken for a value."""

import pytest

from tests.account.accounts import Account
from tests.account.broken_accounts import ACCOUNTS, Broken
from tests.account.left_out import Path, Recorded, leaving_out, members, optional, recording, without

STACKS = ("p5-odcr", "p5-capacity-block", "p5-join-existing", "hyperpod-existing-eks", "hyperpod-training-plan")
ROOMY = ("p5-efa", "g4dn", "hyperpod-p5", "hyperpod-trn1")
SLURM = ("pcluster-p4de-custom-ami", "pcluster-gpu")

BY_ABSENCE = {
    ("another-hyperpod-cluster", "sagemaker.DescribeCluster", ("Orchestrator",)): "Slurm's have none",
    ("another-hyperpod-cluster", "sagemaker.DescribeCluster", ("Orchestrator", "Eks")): "Slurm's have none",
    **{
        ("standard-support-over", "eks.DescribeClusterVersions", path): "then Muster's own calendar counts"
        for path in (
            ("clusterVersions",),
            *(("clusterVersions", each) for each in ("clusterVersion", "endOfExtendedSupportDate", "versionStatus")),
            ("clusterVersions", "endOfStandardSupportDate"),
        )
    },
}
"""(what is wrong, operation, member) -> why the rule finds nothing without that member."""


def test_what_may_be_left_out() -> None:
    """By botocore's model: of a training plan's answer its parts, and not its state."""
    plan = {
        "Status": "Active",
        "TrainingPlanArn": "a",
        "ReservedCapacitySummaries": [{"InstanceType": "b", "Status": "c"}],
    }
    assert optional("sagemaker.DescribeTrainingPlan", plan) == {("ReservedCapacitySummaries",)}
    said = {"Subnets": [{"SubnetId": "a", "Tags": [{"Key": "b"}]}]}
    paths = {("Subnets",), ("Subnets", "SubnetId"), ("Subnets", "Tags"), ("Subnets", "Tags", "Key")}
    assert optional("ec2.DescribeSubnets", said) == paths
    assert without(said, ("Subnets", "Tags", "Key")) == {"Subnets": [{"SubnetId": "a", "Tags": [{}]}]}
    assert without(said, ("Subnets",)) == {}


def every_member(account: Account) -> list[tuple[str, Path]]:
    """The optional members of all that AWS answers about an account."""
    said: Recorded = {}
    account.facts(recording(account.answers(), said))
    return members(said)


@pytest.mark.parametrize("stack", [*STACKS, *ROOMY, *SLURM])
def test_what_a_sound_account_leaves_out_is_no_fault(stack: str) -> None:
    """Nothing crashes, and no rule finds anything because a member is missing."""
    account = Account.of(stack)
    every = every_member(account)
    assert len(every) > 20
    found = {}
    for operation, path in every:
        facts = account.facts(leaving_out(account.answers(), operation, path))
        if findings := account.judged(facts).findings:
            found[operation, path] = {each.rule for each in findings}
    assert found == {}


@pytest.mark.parametrize("one", ACCOUNTS, ids=lambda one: one.name)
def test_what_a_broken_account_leaves_out_does_not_mend_it(one: Broken) -> None:
    """The rule still finds it, or is not evaluated."""
    account = Account.of(one.stack, one.change)
    one.wrong(account)
    passes = set()
    for operation, path in every_member(account):
        facts = account.facts(leaving_out(account.answers(), operation, path))
        judgement = account.judged(facts, one.rule)
        if not judgement.findings and not judgement.not_evaluated:
            passes.add((one.name, operation, path))
    assert passes - BY_ABSENCE.keys() == set()
