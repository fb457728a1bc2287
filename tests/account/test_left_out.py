"""What AWS's models do not require, left out of sound and of broken accounts' answers: no crash, and nothing of it is
taken for fine."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from muster.account.preflight import TOPICS, merge_facts
from muster.account.topic import PreflightRequest, Topic
from muster.blueprint.derive.cluster import derive
from muster.fleet.facts import Facts
from policies.engine.catalogue import rule_of
from policies.engine.described_fleet import described_fleet
from policies.engine.judgement import Judgement, judge
from tests.account import test_services_judged as services
from tests.account.accounts import Account
from tests.account.aws import Answers
from tests.account.broken_accounts import ACCOUNTS, Broken
from tests.account.left_out import Path, leaving_out, members, optional, told, without
from tests.account.needs import needs

STACKS = ("p5-odcr", "p5-capacity-block", "p5-join-existing", "hyperpod-existing-eks", "hyperpod-training-plan")
ROOMY = ("p5-efa", "g4dn", "hyperpod-p5", "hyperpod-trn1")
SLURM = ("pcluster-p4de-custom-ami", "pcluster-gpu")

BY_ABSENCE = {
    ("another HyperPod cluster on it", "sagemaker.DescribeCluster", ("Orchestrator",)): "Slurm's have none",
    ("another HyperPod cluster on it", "sagemaker.DescribeCluster", ("Orchestrator", "Eks")): "Slurm's have none",
    **{
        ("standard support over", "eks.DescribeClusterVersions", path): "then Muster's own calendar stands"
        for path in (
            ("clusterVersions",),
            *(("clusterVersions", each) for each in ("clusterVersion", "endOfExtendedSupportDate", "versionStatus")),
            ("clusterVersions", "endOfStandardSupportDate"),
        )
    },
}
"""(what is wrong, operation, member) -> why it is fine without that member."""


def judged(wanted: PreflightRequest, facts: Facts, rule: str = "") -> Judgement:
    """What all rules, or one, make of what was heard."""
    asked = merge_facts((facts, Facts(observed=datetime(2026, 11, 21, 9, tzinfo=UTC))))
    described: Any = wanted.blueprint.described
    fleet = described_fleet(derive(described, wanted.blueprint.stack, wanted.region, asked), wanted.observed.date())
    return judge(fleet, rules=[rule_of(rule)] if rule else None)


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


@pytest.mark.parametrize("stack", [*STACKS, *ROOMY, *SLURM])
def test_what_a_sound_account_leaves_out_is_no_fault(stack: str) -> None:
    """Nothing crashes, and nothing is found for want of a member."""
    account = Account.of(stack)
    _, said = told(account.answers(), account.wanted, TOPICS)
    every = members(said)
    assert len(every) > 20
    found = {}
    for operation, path in every:
        facts, _ = told(leaving_out(account.answers(), operation, path), account.wanted, TOPICS)
        if findings := judged(account.wanted, facts).findings:
            found[operation, path] = {each.rule for each in findings}
    assert found == {}


def unfound(
    name: str, rule: str, wanted: PreflightRequest, answers: Mapping[str, Answers], topics: Sequence[Topic]
) -> set[tuple[str, str, Path]]:
    """What may be left out so that a broken account's rule finds nothing any more, and does not say why."""
    facts, said = told(answers, wanted, topics)
    assert judged(wanted, facts, rule).findings
    fine = set()
    for operation, path in members(said):
        facts, _ = told(leaving_out(answers, operation, path), wanted, topics)
        judgement = judged(wanted, facts, rule)
        if not judgement.findings and not judgement.not_evaluated:
            fine.add((name, operation, path))
    return fine - BY_ABSENCE.keys()


@pytest.mark.parametrize("one", ACCOUNTS, ids=lambda one: one.name)
def test_what_a_broken_account_leaves_out_does_not_mend_it(one: Broken) -> None:
    """The rule still finds it, or says that it was not evaluated."""
    account = Account.of(one.stack)
    one.wrong(account)
    rule = one.finding.partition(" @ ")[0]
    assert unfound(one.name, rule, account.wanted, account.answers(), TOPICS) == set()


@pytest.mark.parametrize("one", services.BROKEN, ids=lambda one: one[0])
def test_nor_what_services_leave_out(one: Any) -> None:
    """As of EC2."""
    name, stack, change, (rule, _) = one
    wanted = needs(*stack)
    answers = {**services.sound(wanted), **change(wanted)}
    assert unfound(name, rule, wanted, answers, services.TOPICS) == set()
