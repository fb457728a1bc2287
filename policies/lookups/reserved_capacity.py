"""How many instances a target holds for a group, which other groups use them, and resource groups of reservations."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from muster.fleet.facts import ReservationGroupFacts, reserved_instances
from muster.fleet.resource_references import ResourceKind as Named
from muster.fleet.resources import Fleet, LaunchTemplate, Ref, Reference, ReservationGroup
from muster.fleet.resources.ec2 import POOL, RESERVATION_TYPE
from muster.fleet.resources.fleet import Ec2Group
from muster.message_text import count_noun
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list, singular_or_plural
from muster.policies.lookups.capacity_targets import (
    Holding,
    Kind,
    Target,
    declared_capacity,
    platform_of,
    reservation_faults,
    target_of,
    types_of,
)
from muster.unknown import any_of, if_known, known, stored

Sharing = tuple[tuple[Ec2Group, Target], ...]
"""Groups that share reservations, with their targets: one tuple for all of them, so that results are cached by
identity."""


@dataclass(frozen=True, slots=True)
class InstanceCount:
    """A number of instances."""

    count: int
    observed: bool
    """Whether AWS states it."""
    partly: bool = False
    """Whether the target has other instances, which the group cannot use."""


def instances_for(target: Target, group: Ec2Group, fleet: Fleet) -> InstanceCount | None:
    """The number of instances that a group can get from its target; the description's number if AWS's is not known."""
    fitting = _fitting(target, group, fleet)
    count = None if target.missing else _sum(fitting)
    if count is not None:
        observed = all(each.observed for each in fitting)
        return InstanceCount(count, observed, partly=len(fitting) < len(target.known))
    declared = declared_capacity(group)
    return InstanceCount(declared.count, observed=False) if declared else None


def instances_for_all(target: Target, group: Ec2Group, sharing: Sharing, fleet: Fleet) -> InstanceCount | None:
    """The number of instances that all groups that share its reservations can get together."""
    if together(sharing).targets == {target.ref}:
        return instances_for(target, group, fleet)
    others = [(each, other) for each, other in sharing if other.ref != target.ref]
    union = _union([(group, target), *others], fleet)
    known = _sum(union)
    if known is None or target.missing or any(other.missing for _, other in others):
        return None
    return InstanceCount(known, all(each.observed for each in union))


def free_instances(target: Target, group: Ec2Group, sharing: Sharing, fleet: Fleet) -> int | None:
    """The number of its instances that are free, or that the stack already uses; None if it is not stated."""
    others = [(each, other) for each, other in sharing if other.ref != target.ref]
    free = [each.known.available_instances for each in _union([(group, target), *others], fleet)]
    return None if None in free else sum(each for each in free if each is not None)


def _union(pairs: Iterable[tuple[Ec2Group, Target]], fleet: Fleet) -> list[Holding]:
    """All reservations that some of the groups can use, each once."""
    found: dict[Reference, Holding] = {
        holding.ref: holding for each, target in pairs for holding in _fitting(target, each, fleet)
    }
    return [*found.values()]


def groups_on_target(target: Target, fleet: Fleet) -> Sharing:
    """Every group that is launched into it, or into a reservation of it."""
    targets, into, inside, known = _targets(fleet)
    key = (target.ref, *(each.ref for each in target.known))
    if key not in known:
        found = {*into.get(target.ref, ()), *(index for each in target.known for index in inside.get(each.ref, ()))}
        known[key] = tuple(targets[index] for index in sorted(found))
    return known[key]


@dataclass(frozen=True, slots=True)
class Together:
    """What groups want that share reservations."""

    names: str
    wanted: int
    """The number of instances that they may grow to, as far as known."""
    growth: str
    """``have 4 nodes``"""
    targets: frozenset[Reference]

    @classmethod
    def of(cls, sharing: Sharing) -> Self:
        """These groups."""
        groups = [each for each, _ in sharing]
        return cls(
            and_list(each.ref.name for each in groups),
            sum(stored(each, "nodes_max", 0) for each in groups),
            growth_text(groups),
            frozenset(target.ref for _, target in sharing),
        )


@cached_by_identity(1024)
def together(sharing: Sharing) -> Together:
    """What groups want that share reservations."""
    return Together.of(sharing)


_Of = Mapping[Reference, list[int]]


@cached_by_identity(8)
def _targets(
    fleet: Fleet,
) -> tuple[list[tuple[Ec2Group, Target]], _Of, _Of, dict[tuple[Reference, ...], Sharing]]:
    """Every group with its target, the indexes of the groups by target and by reservation in a target, and the groups
    that were asked for. Cached, because the rules query it for each group."""
    targets = [(each, target) for each in fleet.ec2_groups if (target := if_known(lambda: target_of(each, fleet)))]
    into: dict[Reference, list[int]] = {}
    inside: dict[Reference, list[int]] = {}
    for index, (_, target) in enumerate(targets):
        into.setdefault(target.ref, []).append(index)
        for holding in target.known:
            inside.setdefault(holding.ref, []).append(index)
    return targets, into, inside, {}


def growth_text(groups: Iterable[Ec2Group]) -> str:
    """``has 4 nodes`` if the number is fixed, ``may grow to 4 nodes`` otherwise, for the instances that groups want."""
    every = list(groups)
    sizes = [(stored(each, "nodes_min"), each.nodes_max) for each in every if known(lambda: each.nodes_max)]
    fixed = all(least == most for least, most in sizes)
    wanted = sum(most for _, most in sizes)
    verb = singular_or_plural(every, "has", "have") if fixed else "may grow to"
    return f"{verb} {count_noun(wanted, 'node')}"


def _fitting(target: Target, group: Ec2Group, fleet: Fleet) -> list[Holding]:
    """The reservations that instances of the group match. If none matches, all of them: other rules report what is
    wrong with them."""
    types = if_known(lambda: types_of(group, fleet))
    zones = if_known(lambda: fleet.zones_of(group.subnets))
    platform = platform_of(group, fleet)

    def fits(holding: Holding) -> bool:
        known = holding.known
        return (
            (types is None or known.instance_type in {None, *types})
            and (zones is None or known.zone in {None, *zones})
            and not any(reservation_faults(known, target.kind, fleet.as_of, platform))
        )

    return [each for each in target.known if fits(each)] or list(target.known)


def _sum(holdings: Iterable[Holding]) -> int | None:
    totals = [reserved_instances(each.known) for each in holdings]
    return None if None in totals else sum(total for total in totals if total is not None)


def for_reservations(group: ReservationGroup, fleet: Fleet) -> bool:
    """Whether a resource group is for capacity reservations; groups of dedicated hosts have other entries."""
    users = (*fleet.of(LaunchTemplate), *fleet.ec2_groups)
    return any_of(
        lambda: POOL in group.configurations,
        lambda: RESERVATION_TYPE in group.allowed,
        lambda: group.ref in {if_known(lambda: each.target and each.target.group) for each in users},
    )


def existing_group(group: Ec2Group, fleet: Fleet) -> tuple[Target | None, ReservationGroupFacts | None]:
    """The resource group that a node group targets and the program does not create, and what AWS states about it.

    None if AWS does not know it: `named-things-exist` reports that.
    """
    target = target_of(group, fleet)
    if target is None or target.kind is not Kind.GROUP or isinstance(target.ref, Ref):
        return None, None
    if fleet.gone(Named.RESERVATION_GROUP, target.ref):
        return None, None
    return target, fleet.facts.reservation_groups.get(target.ref) if fleet.facts else None
