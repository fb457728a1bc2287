"""Which VPC fits a new stack, and why the others do not; or one to be made. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from ipaddress import IPv4Network

from muster.account.discovery.inquiry import Unusable, said_nothing
from muster.account.discovery.landscape import Landscape, SubnetSeen, VpcSeen
from muster.fleet.facts import WayOut
from muster.fleet.new_stack.held import Held
from muster.fleet.new_stack.networks import AnyNetwork, ExistingNetwork, NewNetwork
from muster.fleet.new_stack.room import CONTROL_PLANE
from muster.fleet.zones import CONTROL_PLANE_REFUSED
from muster.words import counted, listed

_TWO = 2
"""Zones of a control plane."""


@dataclass(frozen=True, slots=True)
class Need:
    """What a new stack asks of its network."""

    held: Held
    addresses: int
    """Of the subnet in the workers' zone: all nodes that could be there, full of pods."""
    control_plane: bool
    """Whether EKS has a control plane there, which wants two zones."""
    region: str
    system: str = ""
    """The type of the nodes beside the workers: in a new VPC the other zone offers it, too."""

    @property
    def why_zone(self) -> str:
        """``where cr-0123456789abcdef0 is``."""
        return f"where {self.held.name} is"


@dataclass(frozen=True, slots=True)
class Fit:
    """A VPC, with the network that it would be, or why it does not fit."""

    vpc: str
    network: ExistingNetwork | None
    why_not: str = ""


def fits(vpcs: Iterable[VpcSeen], need: Need) -> tuple[Fit, ...]:
    """Each VPC, judged; those that fit first, with most free addresses for the workers first."""
    judged = [_fit(vpc, need) for vpc in vpcs]
    return tuple(sorted(judged, key=lambda each: (each.network is None, each.vpc)))


def chosen(seen: Landscape, need: Need, vpc: str | None, *, new: bool) -> AnyNetwork:
    """The VPC that was named; else the only one that fits; else one to be made.

    Raises:
        Unusable: the VPC that was named does not fit, or AWS did not say.
    """
    if vpc is not None:
        return _named(seen, need, vpc)
    if new:
        return planned(seen, need, "asked for with --new-vpc")
    if seen.vpcs is None:
        open_ = [said_nothing(each) for each in seen.unanswered if each.question.operation in _VPCS]
        return planned(seen, need, f"AWS did not say which VPCs there are ({listed(open_)})")
    judged = fits(seen.vpcs, need)
    fitting = [each for each in judged if each.network is not None]
    if len(fitting) == 1:
        return _only(fitting[0], judged)
    return planned(seen, need, _why_new(fitting, judged))


_VPCS = frozenset({"DescribeVpcs", "DescribeSubnets"})


def _named(seen: Landscape, need: Need, vpc: str) -> ExistingNetwork:
    if seen.vpcs is None:
        raise Unusable("; ".join(said_nothing(each) for each in seen.unanswered if each.question.operation in _VPCS))
    one = next((each for each in seen.vpcs if each.id == vpc), None)
    if one is None:
        raise Unusable(
            f"AWS knows no VPC {vpc} in {need.region} (there are: {listed(each.id for each in seen.vpcs) or 'none'})"
        )
    fit = _fit(one, need)
    if fit.network is None:
        raise Unusable(f"{vpc} does not fit: {fit.why_not}; name another with --vpc, or give --new-vpc")
    return _because(fit.network, "asked for with --vpc")


def _only(fit: Fit, judged: Sequence[Fit]) -> ExistingNetwork:
    assert fit.network is not None, "it fits"
    why = f"the only one of {counted(len(judged), 'VPC')} that fits ({_why_nots(judged)})"
    why = why if len(judged) > 1 else "the only VPC there is, and it fits"
    return _because(fit.network, why)


def _because(network: ExistingNetwork, why: str) -> ExistingNetwork:
    return replace(network, why=why)


def _why_new(fitting: Sequence[Fit], judged: Sequence[Fit]) -> str:
    if fitting:
        return f"{counted(len(fitting), 'VPC')} fit, and --vpc names none: {listed(each.vpc for each in fitting)}"
    if not judged:
        return "there is no VPC yet"
    return f"no VPC fits ({_why_nots(judged)})"


_MOST_TOLD = 5


def _why_nots(judged: Sequence[Fit]) -> str:
    """Why VPCs do not fit, as many as anybody reads in a comment."""
    told = [f"{each.vpc}: {each.why_not}" for each in judged if each.network is None]
    more = [f"and {len(told) - _MOST_TOLD} more"] if len(told) > _MOST_TOLD else []
    return "; ".join([*told[:_MOST_TOLD], *more])


def _fit(vpc: VpcSeen, need: Need) -> Fit:
    network, why_not = _network(vpc, need)
    return Fit(vpc.id, network, why_not)


def _network(vpc: VpcSeen, need: Need) -> tuple[ExistingNetwork | None, str]:
    """The network that a VPC would be, or why it does not fit."""
    zone = need.held.zone
    own, why_not = _subnet([each for each in vpc.subnets if each.zone == zone], zone, need.addresses)
    if own is None:
        return None, why_not
    taken = [own]
    if need.control_plane:
        beside, why_not = _beside(vpc, own)
        if why_not:
            return None, why_not
        taken += beside
    if vpc.dns is False:
        return None, "it has no DNS resolution or no DNS hostnames, which nodes need to find their cluster"
    if vpc.dns is None:
        return None, "AWS did not say whether it has DNS resolution and DNS hostnames"
    return (
        ExistingNetwork(
            vpc=vpc.id,
            private={each.zone: each.id for each in taken},
            public=_public(vpc, [each.zone for each in taken]),
            why_subnets={each.zone: _why(each, own, need) for each in taken},
            zone_ids={each.zone: each.zone_id for each in taken if each.zone_id},
        ),
        "",
    )


def _public(vpc: VpcSeen, zones: Sequence[str]) -> dict[str, str]:
    """Of each zone the public subnet with most free addresses."""
    found = {}
    for zone in zones:
        among = [each for each in vpc.subnets if each.zone == zone and each.way_out is WayOut.INTERNET_GATEWAY]
        if among:
            found[zone] = min(among, key=lambda each: (-each.free, each.id)).id
    return found


def _subnet(among: Sequence[SubnetSeen], where: str, addresses: int) -> tuple[SubnetSeen | None, str]:
    """The subnet of some with most free addresses that nodes can be in, or why there is none."""
    if not among:
        return None, f"no subnet in {where}"
    private = [each for each in among if not each.gives_public and each.way_out is not WayOut.INTERNET_GATEWAY]
    if not private:
        return None, f"only public subnets in {where}"
    if all(each.way_out is None for each in private):
        return None, "AWS did not say which routes its subnets have"
    out = [each for each in private if each.way_out in {WayOut.NAT, WayOut.OTHER}]
    if not out:
        return None, f"no way out of its private subnets in {where}: no route to a NAT gateway"
    best = min(out, key=lambda each: (each.way_out is not WayOut.NAT, -each.free, each.id))
    widest = max(out, key=lambda each: each.free)
    best = best if best.free >= addresses else widest
    if best.free < addresses:
        free = f"{counted(best.free, 'free address', 'free addresses')} in {best.id} ({where})"
        return None, f"{free}, of {addresses} that nodes take"
    return best, ""


def _beside(vpc: VpcSeen, own: SubnetSeen) -> tuple[list[SubnetSeen], str]:
    """What a control plane needs beside the workers' subnet."""
    wanted = _TWO - (own.zone_id not in CONTROL_PLANE_REFUSED)
    others = sorted({each.zone for each in vpc.subnets} - {own.zone})
    found, why_nots = [], []
    for zone in others:
        among = [each for each in vpc.subnets if each.zone == zone and each.zone_id not in CONTROL_PLANE_REFUSED]
        one, why_not = _subnet(among, zone, CONTROL_PLANE) if among else (None, f"EKS has no control plane in {zone}")
        found += [one] if one else []
        why_nots += [] if one else [why_not]
    best = sorted(found, key=lambda each: (-each.free, each.id))[:wanted]
    if len(best) < wanted:
        because = f" ({'; '.join(why_nots)})" if why_nots else ""
        return [], f"private subnets in too few zones: EKS wants a control plane in two{because}"
    return best, ""


_WAYS = {WayOut.NAT: "out by a NAT gateway", WayOut.OTHER: "out by another network, which must reach AWS's services"}


def _why(subnet: SubnetSeen, own: SubnetSeen, need: Need) -> str:
    room = f"{counted(subnet.free, 'free address', 'free addresses')}, {_WAYS.get(subnet.way_out or WayOut.NONE, '')}"
    return f"{need.why_zone}: {room}" if subnet is own else f"EKS wants a second zone: {room}"


def planned(seen: Landscape, need: Need, why: str) -> NewNetwork:
    """A VPC to be made, apart from those there are."""
    cidr = free_cidr([each for vpc in seen.vpcs or () for each in vpc.cidrs])
    apart = "apart from the VPCs there are" if seen.vpcs else ""
    ids = dict(seen.zones)
    if need.held.zone_id:
        ids.setdefault(need.held.zone, need.held.zone_id)
    zones, why_zones = _zones(seen, need, ids)
    why_zones = f"{need.why_zone}{'; ' + why_zones if why_zones else ''}"
    return NewNetwork(cidr, zones, why, apart, why_zones, {each: ids[each] for each in zones if ids.get(each)})


def free_cidr(taken: Iterable[str]) -> str:
    """The first /16 of 10.0.0.0/8 that no other network overlaps: one can be peered with them later."""
    others = [IPv4Network(each, strict=False) for each in taken]
    every = IPv4Network("10.0.0.0/8").subnets(new_prefix=16)
    return str(next((each for each in every if not any(each.overlaps(other) for other in others)), "10.0.0.0/16"))


def _zones(seen: Landscape, need: Need, ids: dict[str, str]) -> tuple[tuple[str, ...], str]:
    zone = need.held.zone
    if not need.control_plane:
        return (zone,), ""
    wanted = _TWO - (ids.get(zone) not in CONTROL_PLANE_REFUSED)
    if not seen.zones:
        return (zone, *_by_letter(zone)[:wanted]), "EKS wants two zones (AWS did not say which there are)"
    accepted = [each for each in sorted(seen.zones) if each != zone and seen.zones[each] not in CONTROL_PLANE_REFUSED]
    offering = seen.offered.get(need.system, frozenset(accepted))
    best = sorted(accepted, key=lambda each: (each not in offering, each))[:wanted]
    if len(best) < wanted:
        raise Unusable(f"EKS wants a control plane in two zones, and {need.region} has too few that it takes")
    return (zone, *best), "EKS wants two zones"


def _by_letter(zone: str) -> list[str]:
    return [f"{zone[:-1]}{letter}" for letter in "abc" if not zone.endswith(letter)]
