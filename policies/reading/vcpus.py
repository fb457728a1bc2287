"""What a fleet takes of the account's vCPU quotas.

EC2 counts an On-Demand Capacity Reservation of the account's as a whole from when it is made, in use or not, and each
instance outside of them (EC2 API, CreateCapacityReservation). So of one quota, in vCPUs:

    what AWS reports as used = the account's reservations, whole + instances outside of them
    what others use          = what AWS reports - the reservations that the stack names, whole - its own instances
                               outside of those
    what the stack takes     = the reservations that it names, whole + what its groups may grow to beyond them

Others' use and what the stack takes are what AWS will report once the stack has grown: neither a reservation nor a node
in it is counted twice, and what of a reservation no node uses is counted, too. A reservation that another account
shares counts there; its instances count here, like any other. `muster.account.own_capacity` has the second line.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from muster.fleet.facts import ReservationState
from muster.fleet.quotas import Quota, vcpu_quota, vcpus_of
from muster.fleet.resources import Fleet, HeadNode, Reference
from muster.fleet.resources.fleet import Ec2Group
from muster.fleet.unknown import UNKNOWN
from policies.reading.remembered import remembered
from policies.reading.targets import BLOCK_TYPE, Holding, short, target_of


@dataclass(frozen=True, slots=True)
class Taken:
    """What counts against one quota."""

    groups: tuple[str, ...]
    """By name; a head node is one of them."""
    unknown: tuple[str, ...]
    """Those of them of which it is not known how far they may grow."""
    grown: int
    """The vCPUs that the others may grow to."""
    unused: int
    """vCPUs of reservations of the account's that they name and will not use: these count all the same."""
    reservations: tuple[str, ...]
    """Those reservations, by id."""

    @property
    def vcpus(self) -> int:
        """All of it."""
        return self.grown + self.unused


@remembered(4)
def taken(fleet: Fleet) -> Mapping[Quota, Taken]:
    """Quota -> what counts against it. Each group asks for those of all."""
    of: dict[Quota, list[Ec2Group]] = {}
    for each in fleet.ec2_groups:
        if quota := quota_of(each, fleet):
            of.setdefault(quota, []).append(each)
    shares = _shares(fleet)
    return {quota: _together(quota, groups, shares, fleet) for quota, groups in of.items()}


def quota_of(group: Ec2Group, fleet: Fleet) -> Quota | None:
    """The quota that a group counts against. What a foreign program has beside it nobody knows here."""
    if group.capacity is None or group.capacity.capacity_block or vcpus_of(type_of(group, fleet)) is None:
        return None
    return vcpu_quota(type_of(group, fleet), spot=group.capacity.spot is not None)


def type_of(group: Ec2Group, fleet: Fleet) -> str:
    """A group's instance type; empty where it is not known."""
    instance = fleet.instance_of(group)
    return instance if isinstance(instance, str) else ""


@dataclass(frozen=True, slots=True)
class _Share:
    """Reservations, and the groups that launch into some of them and into none beside."""

    groups: list[Ec2Group]
    holdings: dict[Reference, Holding]


def _shares(fleet: Fleet) -> Sequence[_Share]:
    """Every group with a target is in one share, and so is every reservation that counts whole."""
    shares: list[_Share] = []
    for group in fleet.ec2_groups:
        target, _ = target_of(group, fleet)
        own = {each.ref: each for each in target.holdings if _counts_whole(each, fleet)} if target else {}
        if own:
            touched = [each for each in shares if not each.holdings.keys().isdisjoint(own)]
            for each in touched:
                own |= each.holdings
            shares = [each for each in shares if each not in touched]
            shares.append(_Share([*(one for each in touched for one in each.groups), group], own))
    return shares


def _counts_whole(holding: Holding, fleet: Fleet) -> bool:
    """Whether it is surely an On-Demand Capacity Reservation of this account that is there, or that the program
    makes."""
    known = holding.known
    if known.state is not ReservationState.ACTIVE or known.reservation_type == BLOCK_TYPE:
        return False
    account = fleet.facts.account_id if fleet.facts else None
    return not holding.observed or (account is not None and known.owner == account)


def _together(quota: Quota, groups: Sequence[Ec2Group], shares: Sequence[_Share], fleet: Fleet) -> Taken:
    heads = _heads(quota, fleet)
    named: list[str] = []
    unused = 0
    for share in shares:
        whole = {short(ref): vcpus for ref, each in share.holdings.items() if (vcpus := _whole(each, quota))}
        more = sum(whole.values()) - _grown([each for each in share.groups if each in groups], fleet)
        unused += max(0, more)
        named += whole if more > 0 else ()
    return Taken(
        (*(each.ref.name for each in groups), *("the head node" for _ in heads)),
        tuple(each.ref.name for each in groups if each.nodes_max is UNKNOWN),
        _grown(groups, fleet) + sum(heads),
        unused,
        tuple(named),
    )


def _grown(groups: Sequence[Ec2Group], fleet: Fleet) -> int:
    known = ((each.nodes_max, vcpus_of(type_of(each, fleet))) for each in groups)
    return sum(nodes * vcpus for nodes, vcpus in known if nodes is not UNKNOWN and vcpus is not None)


def _whole(holding: Holding, quota: Quota) -> int:
    """A reservation's vCPUs of one quota."""
    instance, count = holding.known.instance_type, holding.known.total_instances
    if instance is None or count is None or vcpu_quota(instance, spot=False) is not quota:
        return 0
    each = vcpus_of(instance)
    return 0 if each is None else count * each


def _heads(quota: Quota, fleet: Fleet) -> Sequence[int]:
    """The vCPUs of each head node that counts against a quota, but for types of which nobody knows how many: as for
    groups."""
    types = (str(each.instance) for each in fleet.of(HeadNode) if isinstance(each.instance, str))
    known = (vcpus_of(each) for each in types if vcpu_quota(each, spot=False) is quota)
    return [each for each in known if each is not None]
