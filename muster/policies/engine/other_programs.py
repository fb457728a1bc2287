"""The rules with their levels for a program of another team.

There, rules about general security are advisory, and they judge only resources that belong to a training cluster. The
configuration ``muster: {security: mandatory}`` makes them mandatory. The levels in the sheets are those for stacks of
Muster.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from muster.finding import Level
from muster.fleet.resources import (
    CapacityReservation,
    ControlPlane,
    Fleet,
    HyperPodCluster,
    LaunchTemplate,
    ParallelCluster,
)
from muster.fleet.resources.ec2 import CapacityBlockPurchase
from muster.fleet.resources.fleet import Judged
from muster.hardware.catalogue import UnknownInstance, hardware
from muster.hardware.hyperpod_types import ML
from muster.policies.engine.rule import Rule, Verdict
from muster.unknown import UNKNOWN, UnknownType

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
    if not has_training(fleet):
        return False
    if isinstance(thing, LaunchTemplate):
        return any(fleet.groups_of(thing)) or _trains(thing.instance) or _has_efa(thing)
    return True


def has_training(fleet: Fleet) -> bool:
    """Whether a program has a training cluster: HyperPod, ParallelCluster, reserved capacity, nodes with accelerators
    or EFA, or nodes of a type that is not known. A cluster without node groups may have them elsewhere."""
    kinds = (HyperPodCluster, ParallelCluster, CapacityReservation, CapacityBlockPurchase)
    if any(map(fleet.of, kinds)) or (fleet.of(ControlPlane) and not fleet.groups):
        return True
    templates = fleet.of(LaunchTemplate)
    used = {fleet.instance_of(group) for group in fleet.groups} | {each.instance for each in templates}
    return any(map(_trains, used)) or any(map(_has_efa, templates))


def _trains(instance: str | UnknownType | None) -> bool:
    """Whether a type has accelerators or EFA, as far as Muster knows it; a type that is not known yet may."""
    if instance is None:
        return False
    if instance is UNKNOWN:
        return True
    try:
        machine = hardware(instance.removeprefix(ML))
    except UnknownInstance:
        return False
    return machine.accelerators > 0 or machine.max_efa > 0


def _has_efa(template: LaunchTemplate) -> bool:
    return template.interfaces is not UNKNOWN and any(each.is_efa is True for each in template.interfaces)
