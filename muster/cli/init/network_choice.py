"""Which VPC and subnets a new stack uses, why others do not fit, or a VPC to create. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from ipaddress import IPv4Network

from muster.cli.init.account_networks import MAX_QUERIED_VPCS, AccountNetworks, AccountSubnet, AccountVpc
from muster.cli.init.choices import AnyNetwork, ExistingNetwork, NewNetwork, ReservedCapacity
from muster.cli.init.inquiry import Unusable, nearest_id
from muster.cli.init.stack_document import CONTROL_PLANE_ADDRESSES
from muster.fleet.facts import WayOut
from muster.hardware.zones import takes_control_plane
from muster.message_text import count_noun, list_names


@dataclass(frozen=True, slots=True)
class NetworkNeeds:
    """The requirements of a new stack for its network."""

    reserved: ReservedCapacity
    addresses: int
    """The addresses in the workers' subnet, for all nodes that could be there with all of their pods."""
    control_plane: bool
    """Whether the cluster has an EKS control plane, which needs two zones."""
    region: str
    system: str = ""
    """The instance type of the system nodes. In a new VPC, the second zone also offers it."""

    @property
    def why_zone(self) -> str:
        """``the zone of cr-0123456789abcdef0``."""
        return f"the zone of {self.reserved.name}"


CONTROL_PLANE_ZONES = 2
"""EKS user guide, "network requirements"."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why a VPC is not used."""

    words: str
    known: bool = True
    """Whether it is known not to fit; else this is unknown."""


@dataclass(frozen=True, slots=True)
class SelectedSubnets:
    """The network that a VPC would provide."""

    network: ExistingNetwork
    free: int
    """Addresses of the workers' subnet."""


def select_subnets(vpc: AccountVpc, need: NetworkNeeds) -> SelectedSubnets | Rejection:
    """The network in a VPC, or why the VPC is rejected.

    It has the private subnet in the workers' zone with a NAT gateway and the most free addresses. If none has enough,
    it has a subnet whose route leads through another network. For EKS it has a second zone, or two others if EKS does
    not support control planes in the workers' zone. Subnets with the most free addresses come first.
    """
    zone = need.reserved.zone
    own = _subnet([each for each in vpc.subnets if each.zone == zone], zone, need.addresses)
    if isinstance(own, Rejection):
        return own
    beside = _control_plane_subnets(vpc, own) if need.control_plane else []
    if isinstance(beside, Rejection):
        return beside
    if vpc.dns is False:
        return Rejection("it lacks DNS resolution or DNS hostnames, which nodes need to find their cluster")
    if vpc.dns is None and not vpc.queried:
        return Rejection(f"Muster checks only {MAX_QUERIED_VPCS} VPCs; to check this one, give --vpc", known=False)
    if vpc.dns is None:
        return Rejection("AWS did not return its DNS attributes (DNS resolution, DNS hostnames)", known=False)
    every = [own, *beside]
    network = ExistingNetwork(
        vpc=vpc.id,
        private={each.zone: each.id for each in every},
        public=_public(vpc, [each.zone for each in every]),
        why_subnets={each.zone: _why(each, own, need) for each in every},
        zone_ids={each.zone: each.zone_id for each in every if each.zone_id},
    )
    return SelectedSubnets(network, own.free)


def _public(vpc: AccountVpc, zones: Sequence[str]) -> dict[str, str]:
    """Zone -> its public subnet with the most free addresses."""
    found = {}
    for zone in zones:
        among = [each for each in vpc.subnets if each.zone == zone and each.way_out is WayOut.INTERNET_GATEWAY]
        if among:
            found[zone] = min(among, key=lambda each: (-each.free, each.id)).id
    return found


def _subnet(among: Sequence[AccountSubnet], where: str, addresses: int) -> AccountSubnet | Rejection:
    """The usable subnet for nodes with the most free addresses, or why there is none."""
    if not among:
        return Rejection(f"no subnet in {where}")
    private = [each for each in among if not each.gives_public and each.way_out is not WayOut.INTERNET_GATEWAY]
    if not private:
        return Rejection(f"only public subnets in {where}")
    out = [each for each in private if each.way_out in {WayOut.NAT, WayOut.OTHER}]
    if not out and any(each.way_out is None for each in private):
        return Rejection("AWS did not return the routes of its subnets", known=False)
    if not out:
        return Rejection(f"its private subnets in {where} have no internet access: no route to a NAT gateway")
    roomy = [each for each in out if each.free >= addresses]
    if roomy:
        return min(roomy, key=lambda each: (each.way_out is not WayOut.NAT, -each.free, each.id))
    widest = min(out, key=lambda each: (-each.free, each.id))
    free = f"{count_noun(widest.free, 'free address', 'free addresses')} in {widest.id} ({where})"
    return Rejection(f"only {free}, but the nodes need {addresses}")


def _control_plane_subnets(vpc: AccountVpc, own: AccountSubnet) -> list[AccountSubnet] | Rejection:
    """The subnets that a control plane needs in addition to the workers' subnet, or why there are none."""
    wanted = CONTROL_PLANE_ZONES - takes_control_plane(own.zone, own.zone_id)
    found: list[AccountSubnet] = []
    why_nots: list[Rejection] = []
    for zone in sorted({each.zone for each in vpc.subnets} - {own.zone}):
        among = [each for each in vpc.subnets if each.zone == zone and takes_control_plane(zone, each.zone_id)]
        one = (
            _subnet(among, zone, CONTROL_PLANE_ADDRESSES) if among else Rejection(f"EKS has no control plane in {zone}")
        )
        if isinstance(one, Rejection):
            why_nots.append(one)
        else:
            found.append(one)
    best = sorted(found, key=lambda each: (-each.free, each.id))[:wanted]
    if len(best) < wanted:
        because = f" ({'; '.join(each.words for each in why_nots)})" if why_nots else ""
        words = f"private subnets in too few zones: EKS needs two for the control plane{because}"
        return Rejection(words, known=all(each.known for each in why_nots))
    return best


_WAYS = {
    WayOut.NAT: "route through a NAT gateway",
    WayOut.OTHER: "route through another network, which must reach AWS's services",
}


def _why(subnet: AccountSubnet, own: AccountSubnet, need: NetworkNeeds) -> str:
    room = (
        f"{count_noun(subnet.free, 'free address', 'free addresses')}, {_WAYS.get(subnet.way_out or WayOut.NONE, '')}"
    )
    return f"{need.why_zone}: {room}" if subnet is own else f"EKS needs a second zone: {room}"


_PRIVATE = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")
"""RFC 1918."""

_TAKEN = "172.17.0.0/16"
"""The network of Docker's bridge (VPC user guide, VPC CIDR blocks)."""

USUAL = "10.0.0.0/16"
"""The block to use if none is free, or if the VPCs are unknown."""

_WIDEST = 16
"""The largest VPC that AWS supports (VPC user guide, VPC CIDR blocks)."""


def free_cidr(taken: Iterable[str]) -> str | None:
    """The first /16 of the private ranges that overlaps no network of `taken`, so that the two can be peered later.

    10.0.0.0/8 comes first, then 172.16.0.0/12 without Docker's network, then 192.168.0.0/16. None if all are in use.
    """
    others = [IPv4Network(each, strict=False) for each in (*taken, _TAKEN)]
    every = (each for private in _PRIVATE for each in IPv4Network(private).subnets(new_prefix=_WIDEST))
    return next((str(each) for each in every if not any(each.overlaps(other) for other in others)), None)


@dataclass(frozen=True, slots=True)
class VpcFit:
    """A VPC, with the network that it would provide, or the reason why it is not used."""

    vpc: str
    network: ExistingNetwork | None
    why_not: str = ""
    known: bool = True
    """Whether it is known not to fit; else this is unknown."""
    free: int = 0
    """Addresses of the workers' subnet, if it fits."""

    @property
    def why(self) -> str:
        """``vpc-1: only public subnets in us-west-2a``."""
        return f"{self.vpc}: {self.why_not}"


def rank_vpcs(vpcs: Iterable[AccountVpc], need: NetworkNeeds) -> tuple[VpcFit, ...]:
    """Each VPC with its result. Those that fit come first, ordered by free addresses for the workers."""
    judged = [_fit(vpc, need) for vpc in vpcs]
    return tuple(sorted(judged, key=lambda each: (each.network is None, -each.free, each.vpc)))


def _fit(vpc: AccountVpc, need: NetworkNeeds) -> VpcFit:
    made = select_subnets(vpc, need)
    if isinstance(made, Rejection):
        return VpcFit(vpc.id, None, made.words, made.known)
    return VpcFit(vpc.id, made.network, free=made.free)


def select_network(seen: AccountNetworks, need: NetworkNeeds, vpc: str | None, *, new: bool) -> AnyNetwork:
    """The named VPC; else the only one that fits; else a new one.

    Raises:
        Unusable: the named VPC does not fit, or that is unknown.
    """
    if vpc is not None:
        return _network_by_vpc(seen, need, vpc)
    if new:
        return plan_network(seen, need, "given with --new-vpc")
    if seen.vpcs is None:
        return plan_network(seen, need, f"it is unknown which VPCs fit ({unanswered_operations(seen)})")
    judged = rank_vpcs(seen.vpcs, need)
    fitting = [each for each in judged if each.network is not None]
    if len(fitting) == 1:
        return _only(fitting[0], judged)
    return plan_network(seen, need, _why_new(fitting, judged))


def unanswered_operations(seen: AccountNetworks) -> str:
    """The unanswered queries about VPCs, for a file's comment."""
    return list_names(seen.open_of("DescribeVpcs", "DescribeSubnets"))


_INSTEAD = "use credentials that allow these queries, or give --new-vpc, or --offline, which does not check the VPC"


def _network_by_vpc(seen: AccountNetworks, need: NetworkNeeds, vpc: str) -> ExistingNetwork:
    if seen.vpcs is None:
        raise Unusable(f"--vpc: it is unknown whether {vpc} fits ({unanswered_operations(seen)}); {_INSTEAD}")
    one = next((each for each in seen.vpcs if each.id == vpc), None)
    if one is None:
        ids = [each.id for each in seen.vpcs]
        known = f"VPCs: {list_names(ids)}" if ids else "it has no VPCs"
        near = nearest_id(vpc, ids)
        meant = f"; did you mean {near}?" if near else ""
        raise Unusable(f"this account has no VPC {vpc} in {need.region} ({known}){meant}")
    fit = _fit(one, need)
    if fit.network is not None:
        return replace(fit.network, why="given with --vpc")
    if not fit.known:
        raise Unusable(f"--vpc: it is unknown whether {vpc} fits: {fit.why_not}; {_INSTEAD}")
    raise Unusable(f"{vpc} does not fit: {fit.why_not}; give another VPC with --vpc, or give --new-vpc")


def _only(fit: VpcFit, judged: Sequence[VpcFit]) -> ExistingNetwork:
    assert fit.network is not None, "it fits"
    fits = "fits" if all(each.known for each in judged) else "is known to fit"
    why = f"the only one of {count_noun(len(judged), 'VPC')} that {fits} ({_why_nots(judged)})"
    return replace(fit.network, why=why if len(judged) > 1 else "the only VPC of the Region, and it fits")


def _why_new(fitting: Sequence[VpcFit], judged: Sequence[VpcFit]) -> str:
    if fitting:
        count = count_noun(len(fitting), "VPC")
        return f"{count} fit, and --vpc is not given: {list_names(each.vpc for each in fitting)}"
    if not judged:
        return "the Region has no VPC yet"
    known = all(each.known for each in judged)
    return f"no VPC {'fits' if known else 'is known to fit'} ({_why_nots(judged)})"


_MOST_TOLD = 5


def _why_nots(judged: Sequence[VpcFit]) -> str:
    """The reasons why VPCs are not used, at most `_MOST_TOLD` of them."""
    reasons = [each.why for each in judged if each.network is None]
    more = [f"and {len(reasons) - _MOST_TOLD} more"] if len(reasons) > _MOST_TOLD else []
    return "; ".join([*reasons[:_MOST_TOLD], *more])


def plan_network(seen: AccountNetworks, need: NetworkNeeds, why: str) -> NewNetwork:
    """A new VPC, with a CIDR block that no known VPC uses, if one is free.

    Raises:
        Unusable: the Region has too few zones with EKS control planes.
    """
    cidr, why_cidr = _range(seen)
    ids = dict(seen.zones)
    if need.reserved.zone_id:
        ids.setdefault(need.reserved.zone, need.reserved.zone_id)
    zones, why_zones = _zones(seen, need, ids)
    why_zones = f"{need.why_zone}{'; ' + why_zones if why_zones else ''}"
    return NewNetwork(cidr, zones, why, why_cidr, why_zones, {each: ids[each] for each in zones if ids.get(each)})


def _range(seen: AccountNetworks) -> tuple[str, str]:
    """The addresses of a new VPC, and the reason."""
    if seen.cidrs is None:
        return USUAL, f"it may overlap an existing VPC, because AWS did not list them ({unanswered_operations(seen)})"
    free = free_cidr(seen.cidrs)
    if free is None:
        return USUAL, "no private /16 is free: it overlaps an existing VPC, and cannot be peered with that VPC"
    return free, "does not overlap an existing VPC" if seen.cidrs else ""


def _zones(seen: AccountNetworks, need: NetworkNeeds, ids: dict[str, str]) -> tuple[tuple[str, ...], str]:
    zone = need.reserved.zone
    if not need.control_plane:
        return (zone,), ""
    wanted = CONTROL_PLANE_ZONES - takes_control_plane(zone, ids.get(zone))
    if not seen.zones:
        return (zone, *_by_letter(zone)[:wanted]), "EKS needs two zones (AWS did not list the zones)"
    accepted = [each for each in sorted(seen.zones) if each != zone and takes_control_plane(each, seen.zones[each])]
    offering = seen.offered.get(need.system, frozenset(accepted))
    best = sorted(accepted, key=lambda each: (each not in offering, each))[:wanted]
    if len(best) < wanted:
        raise Unusable(f"EKS needs two zones for a control plane, but {need.region} has too few zones that support it")
    return (zone, *best), "EKS needs two zones"


def _by_letter(zone: str) -> list[str]:
    return [f"{zone[:-1]}{letter}" for letter in "abc" if not zone.endswith(letter)]
