"""The rules with their levels for a program of another team.

There, rules about general security are advisory, and they judge only resources that belong to a training cluster. The
configuration ``muster: {security: mandatory}`` makes them mandatory. The levels in the sheets are those for stacks of
Muster.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from muster.finding import Level
from muster.fleet.resources import Fleet, LaunchTemplate
from muster.fleet.resources.fleet import Judged, has_efa, may_train
from muster.policies.engine.rule import Rule, Verdict

SECURITY = "security"
"""The topic of the rules about general security."""


def for_other_programs(rules: Iterable[Rule], security: Level = Level.ADVISORY) -> tuple[Rule, ...]:
    """The rules as configured, with those about general security at most at the given level and about a training
    cluster alone."""
    return tuple(_narrowed(each, security) if each.topic == SECURITY else each for each in rules)


def _narrowed(rule: Rule, security: Level) -> Rule:
    ask = rule.predicate

    def judge(thing: Judged, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
        if belongs_to_training(thing, fleet):
            yield from ask(thing, fleet, rule)

    return replace(rule, level=rule.level if security is Level.MANDATORY else Level.ADVISORY, predicate=judge)


def belongs_to_training(thing: Judged, fleet: Fleet) -> bool:
    """Whether a thing is part of a training cluster of the program.

    A launch template is part of it if a node group uses it, or if its own instances train. Everything else that rules
    about security judge (security groups, buckets, pods, roles, access entries, outputs) is judged where the program
    has a training cluster.
    """
    if not fleet.has_training:
        return False
    if isinstance(thing, LaunchTemplate):
        return any(fleet.groups_of(thing)) or may_train(thing.instance) or has_efa(thing)
    return True
