"""Which subnets of a VPC a new stack would be in, or why the VPC does not fit. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from muster.account.discovery.landscape import MOST_ASKED, SubnetSeen, VpcSeen
from muster.account.discovery.need import CONTROL_PLANE_ZONES, Need
from muster.fleet.facts import WayOut
from muster.fleet.new_stack.networks import ExistingNetwork
from muster.fleet.new_stack.room import CONTROL_PLANE
from muster.fleet.zones import CONTROL_PLANE_REFUSED
from muster.words import counted


@dataclass(frozen=True, slots=True)
class WhyNot:
    """Why a VPC is not taken."""

    words: str
    known: bool = True
    """Whether it does not fit; else AWS did not say whether it does."""


@dataclass(frozen=True, slots=True)
class Taken:
    """The network that a VPC would be."""

    network: ExistingNetwork
    free: int
    """Addresses of the workers' subnet."""


def taken(vpc: VpcSeen, need: Need) -> Taken | WhyNot:
    """The network that a VPC would be, or why it is not taken.

    In the workers' zone the private subnet with a NAT gateway and most free addresses; where there is none with room,
    the one that another network leads out of. For EKS a second zone, two where it takes no control plane in the
    workers', those with most free addresses first.
    """
    zone = need.held.zone
    own = _subnet([each for each in vpc.subnets if each.zone == zone], zone, need.addresses)
    if isinstance(own, WhyNot):
        return own
    beside = _beside(vpc, own) if need.control_plane else []
    if isinstance(beside, WhyNot):
        return beside
    if vpc.dns is False:
        return WhyNot("it has no DNS resolution or no DNS hostnames, which nodes need to find their cluster")
    if vpc.dns is None and not vpc.asked:
        return WhyNot(f"only {MOST_ASKED} VPCs are asked about; --vpc names this one", known=False)
    if vpc.dns is None:
        return WhyNot("AWS did not say whether it has DNS resolution and DNS hostnames", known=False)
    every = [own, *beside]
    network = ExistingNetwork(
        vpc=vpc.id,
        private={each.zone: each.id for each in every},
        public=_public(vpc, [each.zone for each in every]),
        why_subnets={each.zone: _why(each, own, need) for each in every},
        zone_ids={each.zone: each.zone_id for each in every if each.zone_id},
    )
    return Taken(network, own.free)


def _public(vpc: VpcSeen, zones: Sequence[str]) -> dict[str, str]:
    """Of each zone the public subnet with most free addresses."""
    found = {}
    for zone in zones:
        among = [each for each in vpc.subnets if each.zone == zone and each.way_out is WayOut.INTERNET_GATEWAY]
        if among:
            found[zone] = min(among, key=lambda each: (-each.free, each.id)).id
    return found


def _subnet(among: Sequence[SubnetSeen], where: str, addresses: int) -> SubnetSeen | WhyNot:
    """The subnet of some with most free addresses that nodes can be in, or why there is none."""
    if not among:
        return WhyNot(f"no subnet in {where}")
    private = [each for each in among if not each.gives_public and each.way_out is not WayOut.INTERNET_GATEWAY]
    if not private:
        return WhyNot(f"only public subnets in {where}")
    if all(each.way_out is None for each in private):
        return WhyNot("AWS did not say which routes its subnets have", known=False)
    out = [each for each in private if each.way_out in {WayOut.NAT, WayOut.OTHER}]
    if not out:
        return WhyNot(f"no way out of its private subnets in {where}: no route to a NAT gateway")
    roomy = [each for each in out if each.free >= addresses]
    if roomy:
        return min(roomy, key=lambda each: (each.way_out is not WayOut.NAT, -each.free, each.id))
    widest = min(out, key=lambda each: (-each.free, each.id))
    free = f"{counted(widest.free, 'free address', 'free addresses')} in {widest.id} ({where})"
    return WhyNot(f"{free}, of {addresses} that nodes take")


def _beside(vpc: VpcSeen, own: SubnetSeen) -> list[SubnetSeen] | WhyNot:
    """What a control plane needs beside the workers' subnet."""
    wanted = CONTROL_PLANE_ZONES - (own.zone_id not in CONTROL_PLANE_REFUSED)
    found: list[SubnetSeen] = []
    why_nots: list[WhyNot] = []
    for zone in sorted({each.zone for each in vpc.subnets} - {own.zone}):
        among = [each for each in vpc.subnets if each.zone == zone and each.zone_id not in CONTROL_PLANE_REFUSED]
        one = _subnet(among, zone, CONTROL_PLANE) if among else WhyNot(f"EKS has no control plane in {zone}")
        if isinstance(one, WhyNot):
            why_nots.append(one)
        else:
            found.append(one)
    best = sorted(found, key=lambda each: (-each.free, each.id))[:wanted]
    if len(best) < wanted:
        because = f" ({'; '.join(each.words for each in why_nots)})" if why_nots else ""
        words = f"private subnets in too few zones: EKS wants a control plane in two{because}"
        return WhyNot(words, known=all(each.known for each in why_nots))
    return best


_WAYS = {WayOut.NAT: "out by a NAT gateway", WayOut.OTHER: "out by another network, which must reach AWS's services"}


def _why(subnet: SubnetSeen, own: SubnetSeen, need: Need) -> str:
    room = f"{counted(subnet.free, 'free address', 'free addresses')}, {_WAYS.get(subnet.way_out or WayOut.NONE, '')}"
    return f"{need.why_zone}: {room}" if subnet is own else f"EKS wants a second zone: {room}"
