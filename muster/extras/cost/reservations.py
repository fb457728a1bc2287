"""What reservations cost: billed whole to who pays for them, and what runs beside them on demand.

A reservation costs what its instances cost on demand, used or not, while it is provisioned. One that is shared: whoever
runs an instance in it pays for that, its owner for what is unused, or the account that the owner has it billed to
(`UnusedReservationBillingOwnerId`). EC2 user guide, "Capacity Reservation pricing and billing", "Billing assignment for
shared Amazon EC2 Capacity Reservations".
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
    """How many nodes a group has."""
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
    """The groups by the capacity that they name, in the order of each one's first group."""
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
    """What is paid in advance."""

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
    """From when on hours are left, in UTC."""
    starts: datetime | None = None
    ends: datetime | None = None
    """None: not known."""
    over: bool = False
    """Whether AWS states that it has ended."""
    to_buy: bool = False
    """Whether `pulumi up` buys it."""
    each: Price | None = None
    """What a new one of its kind is sold for, an instance and hour. What was paid for this one was fixed when it was
    bought."""

    @property
    def hours(self) -> Decimal | None:
        """How long it is, in all."""
        return _hours(self.starts, self.ends) if self.starts and self.ends else None

    @property
    def ended(self) -> bool:
        """Whether it is over: then nothing is committed by it."""
        return self.over or (self.ends is not None and self.ends <= self.moment)

    @property
    def hours_left(self) -> Decimal | None:
        """Hours that are left of it; all of them while it has not begun."""
        if self.ended:
            return Decimal(0)
        if self.ends is None:
            return None
        return _hours(max(self.moment, self.starts) if self.starts else self.moment, self.ends)

    @property
    def begun(self) -> bool | None:
        """Whether it has begun; None where its start is not known."""
        return None if self.starts is None else self.starts <= self.moment

    @property
    def worth(self) -> Decimal | None:
        """What one like it is sold for now, whole and in advance; None where no price, or no end, is known."""
        return self.each.usd * self.count * self.hours if self.each and self.hours is not None else None


def _hours(begin: datetime, end: datetime) -> Decimal:
    return Decimal(int((end - begin).total_seconds())) / _SECONDS


def is_over(known: ReservationFacts, moment: datetime) -> bool:
    """Whether AWS states that a reservation, or a block, has no instances any more."""
    return known.exists is False or known.state in RESERVATION_OVER or (known.end is not None and known.end <= moment)


def on_day(day: date) -> datetime:
    """When a block changes on a day."""
    return datetime.combine(day, BLOCKS_CHANGE_AT)


@dataclass(frozen=True, slots=True)
class Member:
    """One reservation; or a group of them whose members are not known, or which has none."""

    id: str
    ours: bool = True
    """Whether this account is billed for its unused instances."""
    payer: str | None = None
    """The account that is billed for unused instances; None where it is not known."""
    known: int | None = None
    """The number of its instances of the type; None where AWS does not state it."""
    over: bool = False
    """Whether it has ended."""
    why: str = ""
    """Why it has no instances of the type; empty where it has, or may have."""
    begins: str = ""
    """When billing begins, as text; empty where it has begun."""


def members_of(held: HeldCapacity, facts: Facts | None, moment: datetime) -> Sequence[Member]:
    """The reservations that groups are on, at least one entry.

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
        return [Member(held.name, known=0, over=True, why="no reservation is in it")]
    known = facts.reservations if facts else {}
    return [_member(each, known.get(each) or ReservationFacts(), held.instance, facts, moment) for each in ids]


def _member(id_: str, said: ReservationFacts, instance: str, facts: Facts | None, moment: datetime) -> Member:
    payer, over = said.unused_billed_to or said.owner, is_over(said, moment)
    us = facts.account_id if facts else None
    count = reserved_instances(said)
    why = _why_ended(said) if over else _why_unusable(id_, said, instance)
    return Member(
        id_,
        ours=us is None or payer is None or payer == us,
        payer=payer,
        known=0 if why else count,
        over=over,
        why=why or (f"{id_} has no instances" if count == 0 else ""),
        begins=_billing_start(said, moment),
    )


def _why_ended(said: ReservationFacts) -> str:
    day = f"ended on {said.end.date()}" if said.end else ""
    return ", ".join(filter(None, (said.state, day))) or "AWS knows none of that name"


def _why_unusable(id_: str, said: ReservationFacts, instance: str) -> str:
    """Why its instances do not count for the type. Blocks are paid in advance, also where a group of reservations names
    them."""
    if said.reservation_type == "capacity-block":
        return f"{id_} is a Capacity Block, paid in advance"
    other = said.instance_type not in {None, instance}
    return f"{id_} is of {said.instance_type}" if other else ""


def _billing_start(said: ReservationFacts, moment: datetime) -> str:
    """When billing begins, as text; empty where it has begun. A future-dated reservation is billed once EC2 provisions
    it at its date (EC2 user guide, "Capacity Reservation pricing and billing")."""
    if said.state not in RESERVATION_NOT_STARTED and (said.start is None or said.start <= moment):
        return ""
    return f"its start on {said.start.date()}" if said.start else "its start"


# Groups that are on the same reservations, by whichever name, and what these hold together.
#
# A reservation may be named by its id and by a group of reservations that it is in: it is counted once all the same.


@dataclass(frozen=True, slots=True)
class NamedCapacity:
    """What groups name, and the reservations behind it."""

    held: HeldCapacity
    members: Sequence[Member]


@dataclass(frozen=True, slots=True)
class ReservationPool:
    """Groups of one instance type on reservations that no other group of the type is on."""

    named: tuple[NamedCapacity, ...]

    @property
    def instance(self) -> str:
        """The type of its groups."""
        return self.named[0].held.instance

    @property
    def name(self) -> str:
        """What its groups name, each once."""
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
        """How many instances of the type each reservation has: by AWS's answer, else by the description.

        What is declared of a group of reservations is of all of them: what is known of some is taken off, and the rest
        is the others', whichever of them it is in; of our own, where some are another's.
        """
        members = self.members
        counts = {id_: each.known for id_, each in members.items() if each.known is not None}
        for each in sorted(self.named, key=lambda one: len(one.members)):
            untold = [member.id for member in each.members if member.id not in counts]
            rest = each.held.count - sum(counts.get(member.id, 0) for member in each.members)
            for id_ in sorted(untold, key=lambda one: not members[one].ours):
                counts[id_], rest = max(rest, 0), 0
        return counts


def reservation_pools(groups: Sequence[Group], facts: Facts | None, moment: datetime) -> Iterable[ReservationPool]:
    """Every group on reservations is in one share, and so is every reservation for each type that is on it."""
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
    """Each reservation, or all that some groups share, on one line; and nodes that these do not hold on another.

    The law: a node is counted once, and what is reserved by us is counted whole: together they are
    ``max(nodes, reserved)``.
    """
    for share in reservation_pools(blueprint.groups, blueprint.facts, moment):
        counts, item = share.counts(), Item(Kind.INSTANCE, share.instance)
        ours = [each for each in share.members.values() if each.ours and counts[each.id]]
        paid = sum(counts[each.id] for each in ours)
        names = ", ".join(group.name for group in share.groups)
        if paid:
            note = f"{share.name}: billed whole, used or not, until it ends or you cancel it{_future_billing(ours)}"
            count = Span.fixed(paid)
            yield pricing.line(share.instance, item, count, group=names, basis=Basis.COMMITTED, note=note)
        beside = sum(map(nodes_of, share.groups), Span.fixed(0)).beyond(paid)
        if beside.most or not paid:
            yield pricing.line(share.instance, item, beside, group=names, note=_why_on_demand(share, paid))


def _future_billing(ours: Sequence[Member]) -> str:
    return "".join(f"; {each.id} is billed from {each.begins}" for each in ours if each.begins)


def _why_on_demand(share: ReservationPool, paid: int) -> str:
    """Why nodes are on demand."""
    members = share.members.values()
    theirs = sorted({str(each.payer) for each in members if not each.ours and not each.why})
    if theirs:
        return f"{share.name}: account {' and '.join(theirs)} pays for what is unused, you for what you run"
    if paid:
        return f"beyond the {paid} of {share.name}, which is full then: EC2 starts none in it"
    what = "nothing any more" if all(each.over for each in members) else f"no {share.instance}"
    why = ", ".join(sorted({each.why for each in members if each.why}))
    return f"{share.name} holds {what} ({why}): on demand, where EC2 starts it at all"
