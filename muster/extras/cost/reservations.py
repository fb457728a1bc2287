"""The cost of reservations, which are billed in full to one account, and of instances that run on demand beside them.

A reservation costs the on-demand price of its instances, used or not, while it is provisioned. In a shared reservation,
the account that runs an instance pays for it. The owner pays for unused instances, or the account that the owner has
assigned (`UnusedReservationBillingOwnerId`). EC2 user guide, "Capacity Reservation pricing and billing", "Billing
assignment for shared Amazon EC2 Capacity Reservations".
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from muster.blueprint.cluster import ClusterBlueprint, Group
from muster.config.description.capacity import (
    BLOCKS_CHANGE_AT,
    CapacityBlock,
    Reservation,
    ReservationGroup,
    TrainingPlan,
)
from muster.extras.cost.lines import Basis, Line, Pricing, Span
from muster.extras.cost.prices import Item, Kind, Price
from muster.fleet.facts import RESERVATION_NOT_STARTED, RESERVATION_OVER, Facts, ReservationFacts, reserved_instances


def nodes_of(group: Group) -> Span:
    """The number of a group's nodes."""
    count = group.described.nodes_now
    return Span(count.min, count.start, count.max)


@dataclass(frozen=True, slots=True)
class HeldCapacity:
    """Groups that use one reservation, group of reservations, block or plan, with instances of one type."""

    name: str
    """Its id or ARN; else the ids of its members, or its offering."""
    instance: str
    count: int
    """The number of its instances in the description."""
    groups: tuple[Group, ...]
    reservations: tuple[str, ...] | None = None
    """The ids of reservations that the description lists: itself, or the members of a group that the stack creates.
    None for an existing group of reservations."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the groups that use it."""
        return tuple(group.name for group in self.groups)


def groups_on(groups: Sequence[Group], *kinds: type) -> Iterable[HeldCapacity]:
    """The groups by their capacity, in the order of the first group of each."""
    by: dict[tuple[str, str], list[Group]] = {}
    for group in groups:
        held = group.described.capacity.held
        if held is not None and isinstance(held, kinds):
            by.setdefault((_capacity_name(held), group.described.instance), []).append(group)
    for (name, instance), members in by.items():
        every = [each.described.capacity.held for each in members if each.described.capacity.held]
        yield HeldCapacity(
            name, instance, max(each.count for each in every), tuple(members), _reservation_ids(every[0])
        )


def _capacity_name(held: Reservation | ReservationGroup | CapacityBlock | TrainingPlan) -> str:
    if isinstance(held, Reservation):
        return held.id
    if isinstance(held, TrainingPlan):
        return held.arn
    if isinstance(held, ReservationGroup):
        return held.arn or ", ".join(held.create or ())
    return held.id or (held.buy.offering if held.buy else "")


def _reservation_ids(held: Reservation | ReservationGroup | CapacityBlock | TrainingPlan) -> tuple[str, ...] | None:
    if isinstance(held, Reservation):
        return (held.id,)
    made = held.create if isinstance(held, ReservationGroup) else None
    return None if made is None else tuple(each.rpartition("/")[2] for each in made)


_SECONDS = 3600


class PrepaidKind(StrEnum):
    """The kinds of capacity that are paid in advance."""

    CAPACITY_BLOCK = "capacity-block"
    TRAINING_PLAN = "training-plan"


@dataclass(frozen=True, slots=True)
class Prepaid:
    """A block, or a plan."""

    way: PrepaidKind
    name: str
    """Its id, ARN or offering."""
    instance: str
    count: int
    groups: tuple[str, ...]
    moment: datetime
    """The start of the remaining hours, in UTC."""
    starts: datetime | None = None
    ends: datetime | None = None
    """None if unknown."""
    over: bool = False
    """Whether AWS states that it has ended."""
    to_buy: bool = False
    """Whether `pulumi up` buys it."""
    each: Price | None = None
    """The price of a new one of its kind, per instance and hour. The price of this one was fixed at its purchase."""

    @property
    def hours(self) -> Decimal | None:
        """Its total duration."""
        return _hours(self.starts, self.ends) if self.starts and self.ends else None

    @property
    def ended(self) -> bool:
        """Whether it has ended, so that it commits no cost."""
        return self.over or (self.ends is not None and self.ends <= self.moment)

    @property
    def hours_left(self) -> Decimal | None:
        """Its remaining hours; all hours if it has not begun."""
        if self.ended:
            return Decimal(0)
        if self.ends is None:
            return None
        return _hours(max(self.moment, self.starts) if self.starts else self.moment, self.ends)

    @property
    def begun(self) -> bool | None:
        """Whether it has begun; None if its start is unknown."""
        return None if self.starts is None else self.starts <= self.moment

    @property
    def worth(self) -> Decimal | None:
        """The current full price of an equal one; None if its price or its end is unknown."""
        return self.each.usd * self.count * self.hours if self.each and self.hours is not None else None


def _hours(begin: datetime, end: datetime) -> Decimal:
    return Decimal(int((end - begin).total_seconds())) / _SECONDS


def is_over(known: ReservationFacts, moment: datetime) -> bool:
    """Whether AWS states that a reservation, or a block, has no instances any more."""
    return known.exists is False or known.state in RESERVATION_OVER or (known.end is not None and known.end <= moment)


def on_day(day: date) -> datetime:
    """The time at which blocks start and end on a day."""
    return datetime.combine(day, BLOCKS_CHANGE_AT)


@dataclass(frozen=True, slots=True)
class Member:
    """One reservation; or a group of reservations without members, or with unknown members."""

    id: str
    ours: bool = True
    """Whether this account is billed for its unused instances."""
    payer: str | None = None
    """The account that is billed for unused instances; None if it is unknown."""
    known: int | None = None
    """The number of its instances of the type; None if AWS does not state it."""
    over: bool = False
    """Whether it has ended."""
    why: str = ""
    """Why it has no instances of the type; empty if it has, or may have."""
    begins: str = ""
    """When billing begins, as text; empty if it has begun."""


def members_of(held: HeldCapacity, facts: Facts | None, moment: datetime) -> Sequence[Member]:
    """The reservations of groups, with at least one entry.

    For a group of reservations that was not queried, the one entry has the group's name and no number. For a group that
    does not exist or is empty, the one entry has the group's name and no instances.
    """
    ids = held.reservations
    if ids is None:
        group = facts.reservation_groups.get(held.name) if facts else None
        if group and group.exists is False:
            return [_member(held.name, ReservationFacts(exists=False), held.instance, facts, moment)]
        ids = group.reservations if group else None
    if ids is None:
        return [Member(held.name)]
    if not ids:
        return [Member(held.name, known=0, over=True, why="it contains no reservations")]
    known = facts.reservations if facts else {}
    return [_member(each, known.get(each) or ReservationFacts(), held.instance, facts, moment) for each in ids]


def _member(id_: str, reservation: ReservationFacts, instance: str, facts: Facts | None, moment: datetime) -> Member:
    payer, over = reservation.unused_billed_to or reservation.owner, is_over(reservation, moment)
    us = facts.account_id if facts else None
    count = reserved_instances(reservation)
    why = _why_ended(reservation) if over else _why_unusable(id_, reservation, instance)
    return Member(
        id_,
        ours=us is None or payer is None or payer == us,
        payer=payer,
        known=0 if why else count,
        over=over,
        why=why or (f"{id_} has no instances" if count == 0 else ""),
        begins=_billing_start(reservation, moment),
    )


def _why_ended(known: ReservationFacts) -> str:
    day = f"ended on {known.end.date()}" if known.end else ""
    return ", ".join(filter(None, (known.state, day))) or "AWS has no reservation with that id"


def _why_unusable(id_: str, known: ReservationFacts, instance: str) -> str:
    """Why its instances do not count for the type. Blocks are paid in advance, even if they are in a group of
    reservations."""
    if known.reservation_type == "capacity-block":
        return f"{id_} is a Capacity Block, paid in advance"
    other = known.instance_type not in {None, instance}
    return f"{id_} is for {known.instance_type}" if other else ""


def _billing_start(known: ReservationFacts, moment: datetime) -> str:
    """When billing begins, as text; empty if it has begun. A future-dated reservation is billed once EC2 provisions it
    at its date (EC2 user guide, "Capacity Reservation pricing and billing")."""
    if known.state not in RESERVATION_NOT_STARTED and (known.start is None or known.start <= moment):
        return ""
    return f"its start on {known.start.date()}" if known.start else "its start"


# Groups that use the same reservations, by any name, and the instances of these reservations together.
#
# A group may use a reservation by its id, or by a group of reservations that contains it. It is still counted once.


@dataclass(frozen=True, slots=True)
class NamedCapacity:
    """The capacity that groups use, and its reservations."""

    held: HeldCapacity
    members: Sequence[Member]


@dataclass(frozen=True, slots=True)
class ReservationPool:
    """Groups of one instance type, on reservations that no other group of the type uses."""

    named: tuple[NamedCapacity, ...]

    @property
    def instance(self) -> str:
        """The type of its groups."""
        return self.named[0].held.instance

    @property
    def name(self) -> str:
        """The names of its groups' capacity, each once."""
        return ", ".join(each.held.name for each in self.named)

    @property
    def groups(self) -> tuple[Group, ...]:
        """Its groups."""
        return tuple(group for each in self.named for group in each.held.groups)

    @property
    def members(self) -> dict[str, Member]:
        """Its reservations by id."""
        return {member.id: member for each in self.named for member in each.members}

    def counts(self) -> dict[str, int]:
        """The number of instances of the type in each reservation: from AWS's answer, else from the description.

        The number in the description of a group of reservations is that of all members: the known numbers of some
        members are subtracted, and the rest counts for one of the others, preferably one that this account pays for.
        """
        members = self.members
        counts = {id_: each.known for id_, each in members.items() if each.known is not None}
        for each in sorted(self.named, key=lambda one: len(one.members)):
            uncounted = [member.id for member in each.members if member.id not in counts]
            rest = each.held.count - sum(counts.get(member.id, 0) for member in each.members)
            for id_ in sorted(uncounted, key=lambda one: not members[one].ours):
                counts[id_], rest = max(rest, 0), 0
        return counts


def reservation_pools(groups: Sequence[Group], facts: Facts | None, moment: datetime) -> Iterable[ReservationPool]:
    """Pools that contain every group on reservations once, and every reservation once for each type."""
    found: list[ReservationPool] = []
    for held in groups_on(groups, Reservation, ReservationGroup):
        own = NamedCapacity(held, members_of(held, facts, moment))
        touched = [each for each in found if each.instance == held.instance and _overlap(each, own)]
        joined = tuple(one for each in touched for one in each.named)
        if touched:
            at = found.index(touched[0])
            found[at] = ReservationPool((*joined, own))
            found = [each for each in found if each not in touched]
        else:
            found.append(ReservationPool((own,)))
    return found


def _overlap(share: ReservationPool, own: NamedCapacity) -> bool:
    return not share.members.keys().isdisjoint(each.id for each in own.members)


def reservation_lines(blueprint: ClusterBlueprint, pricing: Pricing, moment: datetime) -> Iterator[Line]:
    """One line for each reservation, or for the reservations of some groups together; and another for nodes beyond
    them.

    The law: a node is counted once, and reservations of this account are counted in full. Together they are
    ``max(nodes, reserved)``.
    """
    for share in reservation_pools(blueprint.groups, blueprint.facts, moment):
        counts, item = share.counts(), Item(Kind.INSTANCE, share.instance)
        ours = [each for each in share.members.values() if each.ours and counts[each.id]]
        paid = sum(counts[each.id] for each in ours)
        names = ", ".join(group.name for group in share.groups)
        if paid:
            note = f"{share.name}: billed in full, used or not, until it ends or you cancel it{_future_billing(ours)}"
            count = Span.fixed(paid)
            yield pricing.line(share.instance, item, count, group=names, basis=Basis.COMMITTED, note=note)
        beside = sum(map(nodes_of, share.groups), Span.fixed(0)).beyond(paid)
        if beside.most or not paid:
            yield pricing.line(share.instance, item, beside, group=names, note=_why_on_demand(share, paid))


def _future_billing(ours: Sequence[Member]) -> str:
    return "".join(f"; {each.id} is billed from {each.begins}" for each in ours if each.begins)


def _why_on_demand(share: ReservationPool, paid: int) -> str:
    """The reason why nodes are on demand."""
    members = share.members.values()
    theirs = sorted({str(each.payer) for each in members if not each.ours and not each.why})
    if theirs:
        return f"{share.name}: account {' and '.join(theirs)} pays for unused instances; you pay for those that you run"
    if paid:
        return f"nodes beyond the {paid} of {share.name}, which has no room for them"
    what = "no instances any more" if all(each.over for each in members) else f"no {share.instance}"
    why = ", ".join(sorted({each.why for each in members if each.why}))
    return f"{share.name} holds {what} ({why}); nodes are on demand, if EC2 starts them"
