"""Judges what a stack file says, alone or with the other stacks of its cluster."""

from muster.fleet.description import AddonsOf
from muster.fleet.finding import NotEvaluated
from muster.fleet.resources import Addon, Fleet
from muster.fleet.stack_file import StackFile
from policies.catalogue import rules_about
from policies.judgement import Judgement, judge

ABOUT_ADDONS = "addons"


def judge_stack(opened: StackFile, fleet: Fleet) -> Judgement:
    """Asks every rule about a stack's cluster (`addons.judged.described_fleet`, or what its program registers).

    Of a cluster that is known by its outputs alone only the rules about add-ons: what it was made of is judged where it
    is described.

    Raises:
        RuleCrashed: a rule raised.
    """
    asked = rules_about(ABOUT_ADDONS) if opened.by_outputs else None
    return judge(fleet, opened.suppress, asked, opened.suppress_of_others)


def unjudged(opened: StackFile) -> Judgement:
    """Of add-ons for a cluster of which nothing is known: no rule about add-ons can be asked, and none has passed."""
    assert isinstance(opened.described, AddonsOf)
    names = opened.described.addons.chosen
    resources = [f"addons.{name}" for name in (*names, *(f"charts.{each}" for each in opened.described.addons.charts))]
    asked = [rule for rule in rules_about(ABOUT_ADDONS) if Addon in rule.kinds]
    missing = {NotEvaluated(rule.id, resource, opened.unknown_cluster) for rule in asked for resource in resources}
    return Judgement({rule.id: len(resources) for rule in asked}, (), tuple(sorted(missing)), ())
