"""The capacity that a node group's launch template, or a compute resource, targets, and what is known about it.

A target is a reservation or a Capacity Block by its id, a block that the program buys, or a resource group of
reservations. What AWS states about each, and what the program sets for those that it creates, have one type here.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

from muster.config.description.capacity import (
    BLOCKS_CHANGE_AT,
    NO_PLACEMENT_GROUP,
    CapacityBlock,
    Reservation,
    ReservationGroup,
)
from muster.fleet.facts import ReservationFacts, ReservationState
from muster.fleet.resource_references import ResourceKind as Named
from muster.fleet.resources import (
    CapacityBlockPurchase,
    CapacityReservation,
    CapacityTarget,
    ComputeResource,
    Fleet,
    LaunchTemplate,
    Ref,
    Reference,
)
from muster.fleet.resources import ReservationGroup as MadeGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.fleet.resources.ref import CAPACITY_BLOCK
from muster.hardware.ami import LINUX
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import name_of
from muster.policies.lookups import parallelcluster
from muster.policies.lookups.launch_templates import template_of
from muster.unknown import NotKnown, any_of, if_known

T = TypeVar("T")

BLOCK_MARKET, BLOCK_CAPACITY, BLOCK_TYPE = "capacity-block", "CAPACITY_BLOCK", "capacity-block"
"""The words for "Capacity Block" in a launch template, a managed node group and EC2's `ReservationType`."""

PLATFORM, TENANCY = LINUX, "default"
"""The platform and tenancy that a reservation must have for EKS's Linux nodes and most of ParallelCluster's."""


class Kind(StrEnum):
    """What is targeted, in the description's word: findings name their places by it."""

    RESERVATION = "reservation"
    GROUP = "reservation-group"
    BLOCK = "capacity-block"


_NOUNS = {Kind.RESERVATION: "reservation", Kind.GROUP: "reservation group", Kind.BLOCK: "Capacity Block"}


class Holding(NamedTuple):
    """One reservation, or one Capacity Block."""

    ref: Reference
    known: ReservationFacts
    """What AWS states about it; for one that the program creates, what the program sets. Empty if nothing is known."""
    observed: bool
    """Whether AWS states it."""
    placement_group: Reference | None = None
    """The placement group that it was created in; None if that is not stated."""


class Target(NamedTuple):
    """What instances of a group are launched into."""

    kind: Kind
    ref: Reference
    known: tuple[Holding, ...]
    """The reservations in it, as far as they are known."""
    missing: str = ""
    """Why it is not known which reservations are in it."""

    @property
    def holdings(self) -> tuple[Holding, ...]:
        """The reservations in it.

        Raises:
            NotKnown: it is not known which.
        """
        if self.missing:
            raise NotKnown(self.missing)
        return self.known

    @property
    def bought(self) -> bool:
        """Whether it is a Capacity Block that the program buys."""
        return isinstance(self.ref, Ref) and self.ref.type == CAPACITY_BLOCK

    @property
    def empty(self) -> bool:
        """Whether it is known to hold nothing, or not to exist. `reservation-group-usable` or
        `named-things-exist` reports it."""
        return not self.known and not self.missing

    @property
    def noun(self) -> str:
        """``reservation``, ``reservation group`` or ``Capacity Block``."""
        return _NOUNS[self.kind]

    @property
    def name(self) -> str:
        """``Capacity Block cr-0123456789abcdef0``."""
        return f"{self.noun} {short_name(self.ref)}"

    @property
    def at(self) -> str:
        """The key in the description: ``capacity.capacity-block``."""
        return f"capacity.{self.kind}"

    @property
    def named_at(self) -> str:
        """The key of its id in the description: ``capacity.capacity-block.id``."""
        made = isinstance(self.ref, Ref)
        by = {Kind.RESERVATION: "id", Kind.GROUP: "create" if made else "arn", Kind.BLOCK: "buy" if made else "id"}
        return f"{self.at}.{by[self.kind]}"

    def need(self, fact: T | None, what: str, fleet: Fleet) -> T:
        """A fact about it. Of a block to buy only AWS's offering states it.

        Raises:
            NotKnown: it is missing; with how to get it.
        """
        if fact is None and self.missing:
            raise NotKnown(self.missing)
        if fact is None and self.bought:
            how = "run `aws ec2 describe-capacity-block-offerings`"
            raise NotKnown(f"{what}, which only its offering states: {how}")
        return fleet.need(fact, what)


def short_name(reference: Reference) -> str:
    """A thing's name or id; of an ARN the last part, without the suffix that resource groups have."""
    name = name_of(reference)
    return name.partition(":group/")[2].partition("/")[0] if ":group/" in name else name.rpartition("/")[2]


def target_of(group: Ec2Group, fleet: Fleet) -> Target | None:
    """What a group's template targets; None where it targets nothing.

    Raises:
        NotKnown: it is not known whether it has a target, or which.
    """
    given = _capacity_target(group, fleet)
    if given is None or not given.has_target:
        return None
    if given.reservation is not None:
        kind = Kind.BLOCK if if_known(lambda: on_block(group, fleet)) else Kind.RESERVATION
        # A reservation that AWS does not know holds nothing: `named-things-exist` reports it.
        there = not fleet.gone(Named.RESERVATION, given.reservation)
        return Target(kind, given.reservation, (_holding(given.reservation, fleet),) if there else ())
    assert given.group is not None, "has_target"
    try:
        return Target(Kind.GROUP, given.group, tuple(_holding(each, fleet) for each in _members(given.group, fleet)))
    except NotKnown as missing:
        return Target(Kind.GROUP, given.group, (), missing.on(None, fleet.terms.later))


def _capacity_target(group: Ec2Group, fleet: Fleet) -> CapacityTarget | None:
    """The setting that targets a group's reservations."""
    if isinstance(group, ComputeResource) or group.target is not None:
        return group.target
    template = template_of(group, fleet)
    return template.target if template else None


def on_block(group: Ec2Group, fleet: Fleet) -> bool:
    """Whether a group is for a Capacity Block, by its description or by its resources. For a compute resource the
    capacity type of its queue decides, whatever it targets.

    Raises:
        NotKnown: nothing states that it is, and something that may is not known.
    """
    if group.capacity is not None:
        return group.capacity.capacity_block is not None
    if isinstance(group, ComputeResource):
        return group.capacity_type == BLOCK_CAPACITY
    return any_of(
        lambda: group.capacity_type == BLOCK_CAPACITY,
        lambda: (template := fleet.template_of(group)) is not None and template_on_block(template, fleet),
        lambda: group.target is not None and _is_block(group.target, fleet),
    )


def template_on_block(template: LaunchTemplate, fleet: Fleet) -> bool:
    """Whether a template is for a Capacity Block: by its market type, or by what it targets."""
    return any_of(lambda: template.market_type == BLOCK_MARKET, lambda: _is_block(template.target, fleet))


def _is_block(target: CapacityTarget, fleet: Fleet) -> bool:
    return target.reservation is not None and _holding(target.reservation, fleet).known.reservation_type == BLOCK_TYPE


def _members(several: Reference, fleet: Fleet) -> tuple[Reference, ...]:
    if fleet.gone(Named.RESERVATION_GROUP, several):
        return ()  # named-things-exist reports it
    made = fleet.find(MadeGroup, several)
    if made is not None:
        return made.members
    known = fleet.facts.reservation_groups.get(str(several)) if fleet.facts else None
    return fleet.need(known.reservations if known else None, f"the reservations of {name_of(several)}")


def declared_capacity(group: Ec2Group) -> Reservation | ReservationGroup | CapacityBlock | None:
    """What the description states about what a group is launched into."""
    own = group.capacity
    return (own.on_demand_reservation or own.capacity_block) if own else None


def block_of(group: Ec2Group) -> CapacityBlock | None:
    """What the description states about a group's Capacity Block."""
    return group.capacity.capacity_block if group.capacity else None


def block_end(group: Ec2Group, target: Target | None) -> datetime | None:
    """When a group's Capacity Block ends: by AWS, else by the description."""
    observed = target.known[0].known.end if target and target.known else None
    if observed is not None:
        return observed
    block = block_of(group)
    return datetime.combine(block.ends, BLOCKS_CHANGE_AT) if block else None


def block_days(block: CapacityBlock, group: Ec2Group, target: Target | None) -> tuple[date, date]:
    """The days on which a group's Capacity Block starts and ends: by AWS, else by the description."""
    starts = target.known[0].known.start if target and target.known else None
    last = block_end(group, target)
    return (starts.date() if starts else block.starts), (last.date() if last else block.ends)


def block_not_begun(group: Ec2Group, target: Target | None, as_of: date) -> bool:
    """Whether its block has not begun by the description, and AWS does not state otherwise."""
    block = block_of(group)
    return block is not None and as_of < min(block.starts, block_days(block, group, target)[0])


def block_is_over(group: Ec2Group, target: Target | None, as_of: date) -> bool:
    """Whether its block is over by the description, and AWS does not state a later end: blocks can be extended. The
    day on which it ends counts as over: EC2 takes the instances back from 11:00 UTC on."""
    block = block_of(group)
    return block is not None and as_of >= max(block.ends, block_days(block, group, target)[1])


def platform_of(group: Ec2Group, fleet: Fleet) -> str | None:
    """The platform of a group's instances; None if it is not known."""
    if isinstance(group, ComputeResource):
        return if_known(lambda: parallelcluster.platform_of(group, fleet))
    return PLATFORM


def types_of(group: Ec2Group, fleet: Fleet) -> frozenset[str]:
    """The instance types of a group. A compute resource that sets none has its reservation's
    (`SlurmComputeResource.instance_type`).

    Raises:
        NotKnown: one of them is not known.
    """
    if group.instance_types:
        return frozenset(group.instance_types)
    if isinstance(group, ComputeResource):
        target = target_of(group, fleet)
        types = {each.known.instance_type for each in target.holdings} if target else set()
    else:
        types = {fleet.instance_of(group)}
    if not types or None in types:
        raise NotKnown("the instance type" + ", which its reservation determines" * isinstance(group, ComputeResource))
    return frozenset(each for each in types if each)


def _holding(reference: Reference, fleet: Fleet) -> Holding:
    if isinstance(reference, Ref):
        made = fleet.find(CapacityReservation, reference)
        if made is None:
            return Holding(reference, _bought(reference, fleet), observed=False)
        placed = if_known(lambda: made.placement_group or NO_PLACEMENT_GROUP)
        return Holding(reference, _made(made), observed=False, placement_group=placed)
    # A member's ARN ends in its id. A shared one has the account of its owner before the id.
    id_ = reference.rpartition("/")[2]
    known = fleet.reservation_facts(id_) or ReservationFacts()
    return Holding(id_, known, observed=True, placement_group=known.placement_group)


def _bought(reference: Ref, fleet: Fleet) -> ReservationFacts:
    if reference.type != CAPACITY_BLOCK:
        return ReservationFacts()
    made = fleet.find(CapacityBlockPurchase, reference)
    platform = if_known(lambda: made.platform) if made else None
    given: dict[str, Any] = {"platform": platform, "tenancy": TENANCY, "reservation_type": BLOCK_TYPE}
    return ReservationFacts.model_construct(**given)


def _made(reservation: CapacityReservation) -> ReservationFacts:
    """A reservation that the program creates, in the type of one that exists."""
    given: dict[str, Callable[[], Any]] = {
        "instance_type": lambda: reservation.instance,
        "zone": lambda: reservation.zone,
        "total_instances": lambda: reservation.count,
        "platform": lambda: reservation.platform,
        "tenancy": lambda: TENANCY if reservation.tenancy is None else reservation.tenancy,
        "reservation_type": lambda: "default",
        "state": lambda: ReservationState.ACTIVE if reservation.starts is None else None,
    }
    return ReservationFacts.model_construct(**{key: if_known(read) for key, read in given.items()})


WAITING = (ReservationState.SCHEDULED, ReservationState.PAYMENT_PENDING)
"""States of a Capacity Block that has not begun: its group waits (`capacity-block-dates`)."""


def reservation_faults(
    known: ReservationFacts, kind: Kind, as_of: date, platform: str | None = PLATFORM
) -> Iterator[str]:
    """What is wrong with it, as far as known: ``is expired``, ``is for platform Windows``.

    Args:
        known: what is known about it.
        kind: the kind that the description or the program targets it as.
        as_of: the day to judge by.
        platform: what the instances need; None if it is not known.
    """
    if known.exists is False:
        yield "does not exist"
        return
    block = known.reservation_type == BLOCK_TYPE if known.reservation_type else kind is Kind.BLOCK
    over = _end(known)
    if known.state not in (None, ReservationState.ACTIVE, *(WAITING if block else ())):
        yield f"is {known.state}"
    # A block's last day ends at 11:30 UTC, and EC2 takes its instances back from 11:00 on: that day counts as over.
    elif over is not None and (over <= as_of if block else over < as_of):
        yield f"{'ends' if over == as_of else 'ended'} on {over}"
    if platform is not None and known.platform not in (None, platform):
        yield f"is for platform {known.platform}"
    if known.tenancy not in (None, TENANCY):
        yield f"has tenancy {known.tenancy}"
    if kind is Kind.RESERVATION and block:
        yield "is a Capacity Block"
    if kind is Kind.BLOCK and not block:
        yield "is an On-Demand Capacity Reservation"


def _end(known: ReservationFacts) -> date | None:
    return known.end.date() if known.end else None


Sharing = tuple[tuple[Ec2Group, Target], ...]
"""Groups that share reservations, with their targets: one tuple for all of them, so that results are cached by
identity."""


def groups_on_target(target: Target, fleet: Fleet) -> Sharing:
    """Every group that is launched into it, or into a reservation of it."""
    targets, into, inside, known = _targets(fleet)
    key = (target.ref, *(each.ref for each in target.known))
    if key not in known:
        found = {*into.get(target.ref, ()), *(index for each in target.known for index in inside.get(each.ref, ()))}
        known[key] = tuple(targets[index] for index in sorted(found))
    return known[key]


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


def existing_group(group: Ec2Group, fleet: Fleet) -> Target | None:
    """The resource group that a node group targets and the program does not create. None if AWS does not know it:
    `named-things-exist` reports that."""
    target = target_of(group, fleet)
    existing = target is not None and target.kind is Kind.GROUP and not isinstance(target.ref, Ref)
    return target if target and existing and not fleet.gone(Named.RESERVATION_GROUP, target.ref) else None
