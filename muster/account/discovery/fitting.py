"""Which VPC a new stack takes, and why the others are not taken; or one to be made. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from muster.account.discovery.address_range import USUAL, free_cidr
from muster.account.discovery.inquiry import Unusable
from muster.account.discovery.landscape import Landscape, VpcSeen
from muster.account.discovery.nearby import nearest_id
from muster.account.discovery.need import CONTROL_PLANE_ZONES, Need
from muster.account.discovery.subnets import WhyNot, taken
from muster.fleet.new_stack.networks import AnyNetwork, ExistingNetwork, NewNetwork
from muster.fleet.zones import CONTROL_PLANE_REFUSED
from muster.words import counted, listed


@dataclass(frozen=True, slots=True)
class Fit:
    """A VPC, with the network that it would be, or why it is not taken."""

    vpc: str
    network: ExistingNetwork | None
    why_not: str = ""
    known: bool = True
    """Whether it does not fit; else AWS did not say whether it does."""
    free: int = 0
    """Addresses of the workers' subnet, where it fits."""

    @property
    def why(self) -> str:
        """``vpc-1: only public subnets in us-west-2a``."""
        return f"{self.vpc}: {self.why_not}"


def fits(vpcs: Iterable[VpcSeen], need: Need) -> tuple[Fit, ...]:
    """Each VPC, judged; those that fit first, of these the one with most free addresses for the workers first."""
    judged = [_fit(vpc, need) for vpc in vpcs]
    return tuple(sorted(judged, key=lambda each: (each.network is None, -each.free, each.vpc)))


def _fit(vpc: VpcSeen, need: Need) -> Fit:
    made = taken(vpc, need)
    if isinstance(made, WhyNot):
        return Fit(vpc.id, None, made.words, made.known)
    return Fit(vpc.id, made.network, free=made.free)


def chosen(seen: Landscape, need: Need, vpc: str | None, *, new: bool) -> AnyNetwork:
    """The VPC that was named; else the only one that fits; else one to be made.

    Raises:
        Unusable: the VPC that was named does not fit, or AWS did not say whether it does.
    """
    if vpc is not None:
        return _named(seen, need, vpc)
    if new:
        return planned(seen, need, "asked for with --new-vpc")
    if seen.vpcs is None:
        return planned(seen, need, f"AWS did not say which VPCs fit ({unsaid(seen)})")
    judged = fits(seen.vpcs, need)
    fitting = [each for each in judged if each.network is not None]
    if len(fitting) == 1:
        return _only(fitting[0], judged)
    return planned(seen, need, _why_new(fitting, judged))


def unsaid(seen: Landscape) -> str:
    """Which questions were not answered by which VPCs would be known, for a file's comment."""
    return listed(seen.open_of("DescribeVpcs", "DescribeSubnets"))


_INSTEAD = "ask with the right to ask that, or give --new-vpc, or --offline, which takes it as it is named"


def _named(seen: Landscape, need: Need, vpc: str) -> ExistingNetwork:
    if seen.vpcs is None:
        raise Unusable(f"--vpc: AWS did not say whether {vpc} fits ({unsaid(seen)}); {_INSTEAD}")
    one = next((each for each in seen.vpcs if each.id == vpc), None)
    if one is None:
        ids = [each.id for each in seen.vpcs]
        known = f"there are: {listed(ids)}" if ids else "there are none"
        near = nearest_id(vpc, ids)
        meant = f"; did you mean {near}?" if near else ""
        raise Unusable(f"AWS knows no VPC {vpc} in {need.region} ({known}){meant}")
    fit = _fit(one, need)
    if fit.network is not None:
        return replace(fit.network, why="asked for with --vpc")
    if not fit.known:
        raise Unusable(f"--vpc: whether {vpc} fits is not known: {fit.why_not}; {_INSTEAD}")
    raise Unusable(f"{vpc} does not fit: {fit.why_not}; name another with --vpc, or give --new-vpc")


def _only(fit: Fit, judged: Sequence[Fit]) -> ExistingNetwork:
    assert fit.network is not None, "it fits"
    fits = "fits" if all(each.known for each in judged) else "is known to fit"
    why = f"the only one of {counted(len(judged), 'VPC')} that {fits} ({_why_nots(judged)})"
    return replace(fit.network, why=why if len(judged) > 1 else "the only VPC there is, and it fits")


def _why_new(fitting: Sequence[Fit], judged: Sequence[Fit]) -> str:
    if fitting:
        return f"{counted(len(fitting), 'VPC')} fit, and --vpc names none: {listed(each.vpc for each in fitting)}"
    if not judged:
        return "there is no VPC yet"
    known = all(each.known for each in judged)
    return f"no VPC {'fits' if known else 'is known to fit'} ({_why_nots(judged)})"


_MOST_TOLD = 5


def _why_nots(judged: Sequence[Fit]) -> str:
    """Why VPCs are not taken, as many as anybody reads in a comment."""
    told = [each.why for each in judged if each.network is None]
    more = [f"and {len(told) - _MOST_TOLD} more"] if len(told) > _MOST_TOLD else []
    return "; ".join([*told[:_MOST_TOLD], *more])


def planned(seen: Landscape, need: Need, why: str) -> NewNetwork:
    """A VPC to be made, apart from those there are, as far as AWS said which they are and a range is free.

    Raises:
        Unusable: the Region has too few zones that EKS takes.
    """
    cidr, why_cidr = _range(seen)
    ids = dict(seen.zones)
    if need.held.zone_id:
        ids.setdefault(need.held.zone, need.held.zone_id)
    zones, why_zones = _zones(seen, need, ids)
    why_zones = f"{need.why_zone}{'; ' + why_zones if why_zones else ''}"
    return NewNetwork(cidr, zones, why, why_cidr, why_zones, {each: ids[each] for each in zones if ids.get(each)})


def _range(seen: Landscape) -> tuple[str, str]:
    """The addresses of a new VPC, and why these."""
    if seen.cidrs is None:
        return USUAL, f"AWS did not say which VPCs there are ({unsaid(seen)}): it may overlap one"
    free = free_cidr(seen.cidrs)
    if free is None:
        return USUAL, "no private /16 is free: it overlaps a VPC there is, and cannot be peered with that one"
    return free, "apart from the VPCs there are" if seen.cidrs else ""


def _zones(seen: Landscape, need: Need, ids: dict[str, str]) -> tuple[tuple[str, ...], str]:
    zone = need.held.zone
    if not need.control_plane:
        return (zone,), ""
    wanted = CONTROL_PLANE_ZONES - (ids.get(zone) not in CONTROL_PLANE_REFUSED)
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
