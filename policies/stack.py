"""Judges what a stack file says, alone or with the other stacks of its cluster."""

from dataclasses import replace

from muster.fleet.description import AddonsOf
from muster.fleet.finding import NotEvaluated
from muster.fleet.resources import Addon, Fleet
from muster.fleet.stack_file import StackFile
from policies.configuration import Configuration
from policies.judgement import Judgement, RuleCrashed, judge
from policies.rule import Rule

ABOUT_ADDONS = "addons"

AS_IN_SHEETS = Configuration()
"""No configuration: every rule as its sheet has it."""


def judge_stack(
    opened: StackFile,
    fleet: Fleet,
    configuration: Configuration = AS_IN_SHEETS,
    *,
    crashes: list[RuleCrashed] | None = None,
) -> Judgement:
    """Asks every rule about a stack's cluster (`addons.judged.described_fleet`, or what its program registers).

    Of a cluster that is known by its outputs alone only the rules about add-ons: what it was made of is judged where it
    is described.

    Args:
        opened: the stack; the word of its own `muster:policies` stands over the configuration's.
        fleet: its cluster.
        configuration: how the rules are asked.
        crashes: as `judge` has them.

    Raises:
        RuleCrashed: a rule raised.
        Misconfigured: its `muster:policies` has faults.
    """
    asked = _asked(opened, configuration)
    if accounts := opened.allowed_accounts:
        fleet = replace(fleet, allowed_accounts=accounts)
    return judge(fleet, opened.suppress, asked, (*opened.suppress_of_others, *configuration.suppress), crashes=crashes)


def _asked(opened: StackFile, configuration: Configuration) -> tuple[Rule, ...]:
    """The rules that are asked about a stack, as they are configured."""
    rules = configuration.over(opened).rules
    return tuple(each for each in rules if each.topic == ABOUT_ADDONS) if opened.by_outputs else rules


def unjudged(opened: StackFile, configuration: Configuration = AS_IN_SHEETS) -> Judgement:
    """Of add-ons for a cluster of which nothing is known: no rule about add-ons can be asked, and none has passed."""
    assert isinstance(opened.described, AddonsOf)
    names = opened.described.addons.chosen
    resources = [f"addons.{name}" for name in (*names, *(f"charts.{each}" for each in opened.described.addons.charts))]
    rules = configuration.over(opened).rules
    asked = [rule for rule in rules if rule.topic == ABOUT_ADDONS and Addon in rule.kinds]
    missing = {NotEvaluated(rule.id, resource, opened.unknown_cluster) for rule in asked for resource in resources}
    return Judgement({rule.id: len(resources) for rule in asked}, (), tuple(sorted(missing)), ())
