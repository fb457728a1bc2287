"""Judging as a whole: suppressions, crashes, counts."""

from datetime import date

import pytest

from muster.fleet.description.cluster import Suppression
from muster.fleet.finding import Finding, Level
from muster.fleet.resources import ControlPlane, Fleet, Place, Ref
from muster.fleet.resources.place import CLUSTER
from policies.judgement import RuleCrashed, judge
from policies.rule import rule
from policies.suppressions import covers

PLANE = ControlPlane(Ref(CLUSTER, "cluster"), "1.29", ("subnet-a", "subnet-b"), Place(""))
TODAY = date(2026, 11, 21)
FLEET = Fleet((PLANE,), as_of=TODAY)
RULE = "kubernetes-version-supported"


def suppression(**changes: object) -> Suppression:
    given = {"rule": RULE, "at": "kubernetes", "reason": "an upgrade is under way", "until": TODAY, **changes}
    return Suppression.model_validate(given)


def covered(at: str, where: str) -> bool:
    """Whether a suppression at one place covers a finding at another."""
    return covers(suppression(at=at), Finding(where, RULE, Level.MANDATORY, "", ""))


def rules_found(*suppressions: Suppression) -> set[tuple[str, str]]:
    return {(each.rule, each.where) for each in judge(FLEET, suppressions).findings if each.where != ""}


def test_a_suppressed_finding_is_counted_not_lost() -> None:
    """It leaves the findings, with its reason and its end."""
    judgement = judge(FLEET, [suppression()])
    assert RULE not in {each.rule for each in judgement.findings}
    (kept,) = judgement.suppressed
    assert (kept.finding.rule, kept.reason, kept.until) == (RULE, "an upgrade is under way", TODAY)


def test_an_ended_suppression_is_itself_a_finding() -> None:
    """The day after its end it covers nothing, and says so."""
    ended = suppression(until=date(2026, 11, 20))
    assert {(RULE, "kubernetes"), ("suppression", "suppress[0].until")} <= rules_found(ended)
    assert judge(FLEET, [ended]).suppressed == ()


@pytest.mark.parametrize(
    ("change", "place", "words", "level"),
    [
        ({"rule": "kubernetes-version-suported"}, "suppress[0].rule", "did you mean", Level.MANDATORY),
        ({"at": "groups.workers"}, "suppress[0]", "suppresses nothing", Level.ADVISORY),
    ],
)
def test_a_suppression_that_covers_nothing_says_so(change, place: str, words: str, level: Level) -> None:
    """A misspelt rule is refused, an idle one mentioned; neither hides the finding."""
    findings = judge(FLEET, [suppression(**change)]).findings
    (about,) = [each for each in findings if each.rule == "suppression"]
    assert about.where == place
    assert words in about.got
    assert about.level is level
    assert RULE in {each.rule for each in findings}


def test_a_suppression_covers_its_place_and_what_is_below_not_its_neighbours() -> None:
    """`groups.workers` covers `groups.workers.zone`, not `groups.workers-2`."""
    assert covered("groups.workers", "groups.workers")
    assert covered("groups.workers", "groups.workers.zone")
    assert covered("access", "access[0].policy")
    assert not covered("groups.workers", "groups.workers-2")
    assert not covered("groups.workers.zone", "groups.workers")


def test_a_rule_that_raises_is_our_bug_under_its_name() -> None:
    """Never the user's fault."""

    @rule("bad", title="", judges=ControlPlane, why="", source="", remedy="", facts=())
    def bad(plane, fleet, rule):
        raise KeyError("oops")

    with pytest.raises(RuleCrashed, match=r"rule bad crashed on .*KeyError"):
        judge(FLEET, rules=[bad])


def test_every_rule_is_counted_even_with_nothing_to_judge() -> None:
    """A rule asked about nothing shows 0, not silence; one that is for other clusters is not asked."""
    from policies.catalogue import rules

    for backend in ("eks", "hyperpod"):
        judged = judge(Fleet((), backend=backend)).judged
        assert set(judged) == {each.id for each in rules() if backend in each.backends}
        assert set(judged.values()) == {0}
