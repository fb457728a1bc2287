"""Whether subnets have enough addresses for the nodes of the groups in them."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from pydantic import Field

from muster.edits import lower_to
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import (
    ControlPlane,
    Fleet,
    InstanceGroup,
    NodeGroup,
    Reference,
)
from muster.fleet.resources.fleet import AnyGroup, Ec2Group
from muster.hardware.interfaces import Addresses
from muster.message_text import count_noun
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list, name_list
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.machines import least_addresses
from muster.unknown import NotKnown, if_known, known, stored

CONTROL_PLANE = 6
"""Addresses that EKS needs in each of its subnets (EKS user guide, "network requirements"; it recommends 16)."""


class Wanted(NamedTuple):
    """What a group needs from its subnets."""

    nodes: Callable[[AnyGroup], int]
    each: Callable[[Addresses], int]
    """Addresses of one node."""
    when: str
    """``at the start``."""
    at: str
    """The field with the number of nodes."""


AT_FIRST = Wanted(lambda group: group.nodes_start, lambda node: node.working, "at the start", "nodes.start")
AT_MOST = Wanted(lambda group: group.nodes_max, lambda node: node.most, "at most", "nodes.max")


def _shortage(group: AnyGroup, fleet: Fleet, rule: Rule, wanted: Wanted, spare: int = 0) -> Verdict | None:
    """The finding about too few addresses in a group's subnets.

    It counts the control plane, and the groups that can only be in these subnets, as far as they are known. It does not
    count extra nodes of an update, endpoints and NAT gateways, so a shortage is certain. `spare` addresses are reserved
    for others.

    Raises:
        NotKnown: what the group needs, or what is free, is not known.
    """
    if not known(lambda: group.subnets) and if_known(lambda: _surely_room(group, fleet, wanted, spare)):
        return None
    if not group.subnets or any(fleet.gone(ResourceKind.SUBNET, each) for each in group.subnets):
        return None  # group-has-subnet's finding, or named-things-exist's
    taken, nodes = least_addresses(group, fleet), wanted.nodes(group)
    if taken is None or not nodes:
        return None
    subnets = fleet.subnets_of(group.subnets)
    unknown = [subnet.id for subnet in subnets if subnet.free_addresses is None]
    if unknown:
        raise NotKnown(fleet.missing(f"the free addresses of {and_list(unknown)}"))
    free = sum(subnet.free_addresses or 0 for subnet in subnets)
    beside, others = _beside(group, group.subnets, fleet, wanted)
    control_plane = CONTROL_PLANE * len({str(each) for each in group.subnets} & _control_plane(fleet))
    rest, each = others + control_plane + spare, wanted.each(taken)
    if nodes * each + rest <= free:
        return None
    with_ = [name for name in beside if name != group.ref.name] + ["the control plane"] * bool(control_plane)
    beside_them = f" and {and_list(with_)}" if with_ else ""
    got = f"{count_noun(nodes, 'node')}{beside_them} together need {nodes * each + rest} addresses {wanted.when}, "
    got += f"but only {free} are free in {name_list(group.subnets)}"
    created = group.place.described and any(each.created for each in subnets)
    larger = "set network.create.cidr to a larger range" if created else "give the group larger subnets"
    fitting = max(0, (free - rest) // each)
    at = "nodes" if isinstance(group, InstanceGroup) else wanted.at
    fewer = (lower_to(fitting, at=at),) if fitting else ()
    return rule.finding(group, "nodes", got=got, change=(larger, *fewer))


def _surely_room(group: AnyGroup, fleet: Fleet, wanted: Wanted, spare: int) -> bool:
    """Whether the nodes fit into whichever candidate subnets the group gets, with all other users of these subnets."""
    among = None if isinstance(group, NodeGroup) else group.subnets_among
    if among is None or not among.candidates:
        return False
    free = [each.free_addresses for each in fleet.subnets_of(among.candidates)]
    total = CONTROL_PLANE * len(free) + spare + sum(_uses(each, wanted, fleet) for each in fleet.groups)
    return total <= sum(sorted(each or 0 for each in free)[: among.count])


@cached_by_identity(2)
def _known_uses(_fleet: Fleet) -> dict[tuple[str, frozenset[str]], tuple[list[str], int]]:
    """The groups in subnets and the addresses that they use, by what is wanted and by the subnets; filled as they are
    asked for."""
    return {}


def _uses(group: AnyGroup, wanted: Wanted, fleet: Fleet) -> int:
    """The addresses that a group uses."""
    node = fleet.need(least_addresses(group, fleet), f"the instance type of {group.ref.name}")
    return wanted.nodes(group) * wanted.each(node)


def _surely_used(group: AnyGroup, wanted: Wanted, fleet: Fleet) -> int:
    return if_known(lambda: _uses(group, wanted, fleet), 0)


def _beside(group: AnyGroup, subnets: Iterable[Reference], fleet: Fleet, wanted: Wanted) -> tuple[list[str], int]:
    """The groups that are only in these subnets and use addresses, and the addresses of all but this group."""
    own = frozenset(map(str, subnets))
    known, key = _known_uses(fleet), (wanted.when, own)
    if key not in known:
        there = (
            (other.ref.name, _surely_used(other, wanted, fleet))
            for other in fleet.groups_beginning_in(own)
            if own.issuperset(map(str, other.subnets))
        )
        using = [(name, used) for name, used in there if used]
        known[key] = [name for name, _ in using], sum(used for _, used in using)
    names, total = known[key]
    return names, total - _surely_used(group, wanted, fleet)


@cached_by_identity(4)
def _control_plane(fleet: Fleet) -> set[str]:
    """The subnets of control planes that the program creates."""
    planes = (plane for plane in fleet.of(ControlPlane) if not plane.existing)
    return {str(subnet) for plane in planes for subnet in stored(plane, "subnets", ())}


def subnet_holds_nodes(group: AnyGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if found := _shortage(group, fleet, rule, AT_FIRST):
        yield found


class Spare(Options):
    """The addresses that the group must leave for others."""

    addresses: int = Field(
        default=0,
        ge=0,
        description="Number of addresses in a group's subnets that must stay free for others. Default: 0.",
    )


def subnet_holds_all_nodes(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    at_first = partial(_shortage, group, fleet, rule, AT_FIRST)
    at_most = partial(_shortage, group, fleet, rule, AT_MOST, Spare.of(rule.settings).addresses)
    if if_known(at_first):
        return  # too few even at the start: subnet-holds-nodes reports it
    # It also reports what is not known for both.
    if found := at_most() if known(at_first) else if_known(at_most):
        yield found
