"""A message of AWS's package is not repeated where a rule reports the fault, and only there."""

from datetime import date

import pytest

from muster.config.description.cluster import Suppression
from muster.finding import Finding, Level
from muster.fleet.resources import AuthorityReport, Fleet, Place, Ref, ValidatorMessage
from muster.policies.coverage.parallelcluster_validators import SCHEMA, SCHEMA_KEYS, VALIDATORS
from muster.policies.engine.catalogue import all_rules, rule_of
from muster.policies.engine.judgement import judge
from muster.policies.engine.repeated_messages import is_repeated
from tests.slurms import a_resource, a_slurm_fleet

TYPES = frozenset({"m5.8xlarge", "c5.2xlarge"})
EFA = "efa-fits-instance"
AT = "queues.train.groups.workers"


def _message(
    at: str = f"{AT}.instance", text: str = "no EFA", by: str = "EfaValidator", key: str = ""
) -> ValidatorMessage:
    return ValidatorMessage(by, "ERROR", text, key, at)


def _finding(where: str = f"{AT}.efa", got: str = "none", rule: str = EFA, level: Level = Level.MANDATORY) -> Finding:
    return Finding(where, rule, level, got, "take another")


@pytest.mark.parametrize(
    ("message", "finding", "repeated"),
    [
        (_message(), _finding(), True),
        (_message(), _finding(rule="zone-in-region"), False),
        (_message(), _finding(level=Level.ADVISORY), False),
        (_message(), _finding(f"{AT}2.efa"), False),
        (_message("queues.train"), _finding(), True),
        (_message("queues.training"), _finding(), False),
        (_message(), _finding("queues.train.zones"), True),
        (_message("head.instance"), _finding(), False),
        (_message(), _finding("network.vpc"), True),
        (_message(""), _finding(), True),
        (_message("image", "m5.8xlarge has another"), _finding(got="workers has c5.2xlarge"), False),
        (_message("image", "m5.8xlarge has another"), _finding(got="workers has m5.8xlarge"), True),
        (_message(by="UnknownValidator"), _finding(), False),
        (_message("tags", by=SCHEMA, key="Tags"), _finding("tags", rule="parallelcluster-tags-legal"), True),
        (_message("tags", by=SCHEMA, key="Tags"), _finding("tags", rule="zone-in-region"), False),
        (_message("tags", by=SCHEMA, key="Tags[0].Key"), _finding("tags", rule="parallelcluster-tags-legal"), True),
        (
            _message("queues.a.zones", by=SCHEMA, key="Scheduling.SlurmQueues[0].Networking.SubnetIds"),
            _finding("queues.b.zones", rule="group-has-subnet"),
            False,
        ),
    ],
)
def test_what_is_repeated(message: ValidatorMessage, finding: Finding, repeated: bool) -> None:
    """The same thing, of a rule that judges what the validator judges, which stops as much."""
    assert is_repeated(message, [finding], TYPES) is repeated


def test_a_warning_is_repeated_by_advice() -> None:
    """It stops nothing either."""
    warning = ValidatorMessage("EfaValidator", "WARNING", "no EFA", "", f"{AT}.efa")
    assert is_repeated(warning, [_finding(level=Level.ADVISORY)], TYPES)


def _without_efa() -> Fleet:
    report = AuthorityReport(Ref("muster:parallelcluster:Authority", "slurm"), Place(""), (_message(),))
    return a_slurm_fleet(a_resource(instances=("m5.8xlarge",)), report)


def _rules(suppressions: tuple[Suppression, ...] = (), level: Level = Level.MANDATORY) -> set[str]:
    rules = [each.configured(level) if each.id == EFA else each for each in all_rules()]
    found = judge(_without_efa(), suppressions, rules).findings
    return {each.rule for each in found} & {EFA, "parallelcluster-validator"}


def test_the_rule_is_reported() -> None:
    """And the validator is not."""
    assert _rules() == {EFA}


def test_what_a_suppression_covers_aws_refuses_all_the_same() -> None:
    """The message is then the only word about it."""
    suppressed = Suppression(rule=EFA, at=AT, reason="ours has some", until=date(2026, 12, 31))
    assert _rules((suppressed,)) == {"parallelcluster-validator"}


def test_advice_does_not_replace_an_error() -> None:
    """A configuration may make a rule advice; AWS refuses all the same."""
    assert _rules(level=Level.ADVISORY) == {EFA, "parallelcluster-validator"}


def test_rules_after_which_the_schema_refuses_are_there() -> None:
    """And are for ParallelCluster."""
    for rules in SCHEMA_KEYS.values():
        assert all("parallelcluster" in rule_of(each).backends for each in rules)


def test_the_schema_is_no_validator() -> None:
    """Its messages have a table of their own."""
    assert SCHEMA not in VALIDATORS
