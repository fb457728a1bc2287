"""Judgements: suppressions, crashes, counts."""

from dataclasses import replace
from datetime import date
from itertools import permutations

import pytest

from muster.config.description.suppression import Suppression
from muster.finding import Finding, Level
from muster.fleet.resources import ControlPlane, Fleet, Place, Ref
from muster.fleet.resources.ref import CLUSTER
from muster.policies.engine.catalogue import all_rules
from muster.policies.engine.judgement import RuleCrashed, judge
from muster.policies.engine.rule import Rule
from muster.policies.engine.suppressions import split
from tests.factories import CR, A, B, a_fleet, a_group, a_reservation, a_template, on
from tests.factories.parallelcluster import a_slurm_fleet
from tests.policies.findings import rule_of

PLANE = ControlPlane(Ref(CLUSTER, "cluster"), "1.29", ("subnet-a", "subnet-b"), Place(""))
TODAY = date(2026, 11, 21)
FLEET = Fleet((PLANE,), as_of=TODAY)
RULE = "kubernetes-version-supported"


def suppression(**changes: object) -> Suppression:
    given = {"rule": RULE, "at": "kubernetes", "reason": "an upgrade is under way", "until": TODAY, **changes}
    return Suppression.model_validate(given)


def rules_found(*suppressions: Suppression) -> set[tuple[str, str]]:
    return {(each.rule, each.where) for each in judge(FLEET, suppressions).findings if each.where != ""}


def test_a_suppressed_finding_is_counted_not_lost() -> None:
    """The judgement has it apart from the findings, with its reason and end."""
    judgement = judge(FLEET, [suppression()])
    assert RULE not in {each.rule for each in judgement.findings}
    (kept,) = judgement.suppressed
    assert (kept.finding.rule, kept.reason, kept.until) == (RULE, "an upgrade is under way", TODAY)


def test_an_ended_suppression_is_itself_a_finding() -> None:
    """The day after its end, it suppresses nothing, and is a finding."""
    ended = suppression(until=date(2026, 11, 20))
    assert {(RULE, "kubernetes"), ("suppression", "suppress[0].until")} <= rules_found(ended)
    assert judge(FLEET, [ended]).suppressed == ()


@pytest.mark.parametrize(
    ("change", "place", "level"),
    [
        ({"rule": "kubernetes-version-suported"}, "suppress[0].rule", Level.MANDATORY),
        ({"at": "groups.workers"}, "suppress[0]", Level.ADVISORY),
    ],
)
def test_a_suppression_that_covers_nothing_says_so(change, place: str, level: Level) -> None:
    """A misspelt rule is a mandatory finding, a suppression without a finding an advisory one. Both suppress
    nothing."""
    findings = judge(FLEET, [suppression(**change)]).findings
    (about,) = [each for each in findings if each.rule == "suppression"]
    assert (about.where, about.level) == (place, level)
    assert RULE in {each.rule for each in findings}


@pytest.mark.parametrize(
    ("at", "where", "is_covered"),
    [
        ("groups.workers", "groups.workers", True),
        ("groups.workers", "groups.workers.zone", True),
        ("access", "access[0].policy", True),
        ("groups.workers", "groups.workers-2", False),
        ("groups.workers.zone", "groups.workers", False),
    ],
)
def test_a_suppression_covers_its_place_and_what_is_below(at: str, where: str, *, is_covered: bool) -> None:
    """It suppresses findings at its path and below it, and none beside it."""
    found = Finding(where, RULE, Level.MANDATORY, "", "")
    assert bool(split([found], [suppression(at=at)], TODAY)[0]) != is_covered


def bad(plane, fleet, rule):
    raise KeyError("oops")


def worse(plane, fleet, rule):
    yield rule.finding(plane, "", got="half of it", change="")
    raise ValueError("oops")


def raising(name: str) -> Rule:
    """A rule whose predicate is a function of this module."""
    return replace(rule_of(RULE), id=name, module=__name__)


def test_a_rule_that_raises_is_our_bug_under_its_name() -> None:
    """It is not a finding: the error names the rule."""
    with pytest.raises(RuleCrashed, match=r"rule bad crashed on .*KeyError"):
        judge(FLEET, rules=[raising("bad")])


def test_a_rule_that_raises_hides_no_other() -> None:
    """With a list for crashes, all other rules judge, before it and after it."""
    sound = [rule_of(RULE), rule_of("control-plane-zones")]
    alone = judge(FLEET, rules=sound)
    wrong = (raising("bad"), raising("worse"))
    for order in permutations((*wrong, *sound)):
        crashes: list[RuleCrashed] = []
        assert judge(FLEET, rules=order, crashes=crashes) == alone
        assert [each.rule for each in crashes] == [each.id for each in order if each in wrong]


def test_every_rule_is_counted_even_with_nothing_to_judge() -> None:
    """A rule with nothing to judge counts 0; a rule of another backend is not in the counts."""
    for backend in ("eks", "hyperpod"):
        judged = judge(Fleet((), backend=backend)).judged
        assert set(judged) == {each.id for each in all_rules() if backend in each.backends}
        assert set(judged.values()) == {0}


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (("efa-single-zone", "reservation-zone-matches-subnet"), {"reservation-zone-matches-subnet"}),
        (("reservation-zone-matches-subnet",), {"reservation-zone-matches-subnet"}),
        (("efa-single-zone",), {"efa-single-zone"}),
    ],
)
@pytest.mark.parametrize("of_slurm", [False, True])
def test_what_a_rule_leaves_to_another_is_found_whichever_is_asked(
    asked: tuple[str, ...], found: set[str], of_slurm: bool
) -> None:
    """A group with EFA on a reservation in two zones is one finding if both rules judge it, and one if a configuration
    disables either of them."""
    judgement = judge(in_two_slurm_zones() if of_slurm else in_two_zones(), rules=map(rule_of, asked))
    assert {each.rule for each in judgement.findings} == found


def in_two_zones() -> Fleet:
    return a_fleet(a_template(**on()), a_group(subnets=(A, B), reservation=a_reservation()))


def in_two_slurm_zones() -> Fleet:
    reserved = {"id": CR, "zone": "us-west-2a", "count": 4, "provided-by": "you"}
    document = {
        "queues.train.zones": ["us-west-2a", "us-west-2b"],
        "queues.train.groups.workers.capacity": {"reservation": reserved},
    }
    return a_slurm_fleet(document)


def test_what_rules_leave_to_others_others_judge() -> None:
    """A sheet names other rules of the same backends: of the same thing, or of what goes with it, as plugins with the
    interfaces of a template. A rule can leave nothing to a rule that its sheet does not name."""
    for each in all_rules():
        for other in map(rule_of, each.leaves_to):
            assert set(each.backends) & set(other.backends), (each.id, other.id)
    with pytest.raises(ValueError, match="efa-single-zone does not list imds-out-of-pods in leaves_to"):
        rule_of("efa-single-zone").leaves("imds-out-of-pods")
