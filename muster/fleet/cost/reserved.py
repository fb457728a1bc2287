"""What reservations cost: billed whole to who pays for them, and what runs beside them on demand.

A reservation costs what its instances cost on demand, used or not, while it is provisioned. One that is shared: whoever
runs an instance in it pays for that, its owner for what is unused, or the account that the owner has it billed to
(`UnusedReservationBillingOwnerId`). EC2 user guide, "Capacity Reservation pricing and billing", "Billing assignment for
shared Amazon EC2 Capacity Reservations".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from muster.fleet.blueprint import ClusterBlueprint
from muster.fleet.cost.amounts import Span
from muster.fleet.cost.held import Held, groups_on, nodes_of
from muster.fleet.cost.line import Basis, Line, Pricing
from muster.fleet.cost.prepaid import is_over
from muster.fleet.description.capacity import Reservation, ReservationGroup
from muster.fleet.facts import Facts, ReservationFacts
from muster.fleet.prices import Item, Kind


@dataclass(frozen=True, slots=True)
class _Paid:
    """Who pays for what a group's nodes are held in."""

    ours: int
    """Instances that this account is billed for, used or not."""
    note: str = ""
    """Why not for all of them; empty: it is."""


def reserved(blueprint: ClusterBlueprint, pricing: Pricing, moment: datetime) -> Iterator[Line]:
    """Each reservation, or group of them, on one line, whoever is on it; and nodes that it does not hold on another.

    The law: a node is counted once, and what is reserved by us is counted whole: together they are
    ``max(nodes, reserved)``.
    """
    for held in groups_on(blueprint.groups, Reservation, ReservationGroup):
        paid = _paid(held, blueprint.facts, moment)
        item, names = Item(Kind.INSTANCE, held.instance), ", ".join(held.names)
        if paid.ours:
            note = f"{held.name}: billed whole, used or not, until it ends or you cancel it"
            count = Span.fixed(paid.ours)
            yield pricing.line(held.instance, item, count, group=names, basis=Basis.COMMITTED, note=note)
        nodes = sum(map(nodes_of, held.groups), Span.fixed(0))
        beside = nodes.beyond(paid.ours)
        if beside.most or not paid.ours:
            why = paid.note or f"beyond the {paid.ours} of {held.name}, which is full then: EC2 starts none in it"
            yield pricing.line(held.instance, item, beside, group=names, note=why)


def _paid(held: Held, facts: Facts | None, moment: datetime) -> _Paid:
    ids = _members(held, facts)
    known = {each: facts.reservations[each] for each in ids if facts and each in facts.reservations}
    live = {each: said for each, said in known.items() if not is_over(said, moment)}
    if known and len(known) == len(ids) and not live:
        return _Paid(0, f"{held.name} holds nothing any more ({_ended(known)}): on demand, where EC2 starts it at all")
    theirs = {each: said for each, said in live.items() if not _is_ours(said, facts)}
    note = f"{held.name}: {_owners(theirs)} pays for what is unused, you for what you run" if theirs else ""
    if len(theirs) == len(ids):
        return _Paid(0, note)
    totals = [said.total_instances for each, said in live.items() if each not in theirs]
    if len(known) < len(ids) or None in totals:
        return _Paid(held.count, note)
    return _Paid(sum(each or 0 for each in totals), note)


def _members(held: Held, facts: Facts | None) -> Sequence[str]:
    """The reservations by id; of a group that nobody asked about its own name, of which nothing is known."""
    if held.arns:
        return [each.rpartition("/")[2] for each in held.arns]
    group = facts.reservation_groups.get(held.name) if facts else None
    return group.reservations if group and group.reservations else [held.name]


def _is_ours(said: ReservationFacts, facts: Facts | None) -> bool:
    """Whether this account is billed for what is unused of it; so it is taken for, where nobody said who we are."""
    us = facts.account.id if facts and facts.account else None
    payer = said.unused_billed_to or said.owner
    return us is None or payer is None or payer == us


def _owners(theirs: dict[str, ReservationFacts]) -> str:
    accounts = sorted({str(each.unused_billed_to or each.owner) for each in theirs.values()})
    return f"account {' and '.join(accounts)}"


def _ended(known: dict[str, ReservationFacts]) -> str:
    states = {str(each.state) for each in known.values() if each.state}
    days = {f"ended on {each.end.date()}" for each in known.values() if each.end}
    return ", ".join(sorted(states | days)) or "AWS knows none of that name"
