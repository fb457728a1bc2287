"""The reservations behind what groups name, and what each of them has for instances of one type."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from muster.fleet.capacity_states import NOT_BEGUN
from muster.fleet.cost.held import Held
from muster.fleet.cost.prepaid import is_over
from muster.fleet.facts import Facts, ReservationFacts
from muster.fleet.reserved_count import instances_of


@dataclass(frozen=True, slots=True)
class Member:
    """One reservation; or a group of them whose members are not known, or which has none."""

    id: str
    ours: bool = True
    """Whether this account is billed for what is unused of it."""
    payer: str | None = None
    """Who else is."""
    known: int | None = None
    """How many instances of the type it holds; None where AWS does not say."""
    over: bool = False
    """Whether it holds nothing any more."""
    why: str = ""
    """Why it holds none, in words; empty: it does, or may."""
    begins: str = ""
    """When it is billed from, in words; empty: it has begun."""


def members_of(held: Held, facts: Facts | None, moment: datetime) -> Sequence[Member]:
    """The reservations that groups are on, at least one entry.

    Of a group of reservations that nobody asked about the entry has its own name, and nothing is known of it; of one
    that is gone or empty likewise, and it holds nothing.
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
    count = instances_of(said)
    why = _ended(said) if over else _unfit(id_, said, instance)
    return Member(
        id_,
        ours=us is None or payer is None or payer == us,
        payer=payer,
        known=0 if why else count,
        over=over,
        why=why or (f"{id_} has no instances" if count == 0 else ""),
        begins=_begins(said, moment),
    )


def _ended(said: ReservationFacts) -> str:
    day = f"ended on {said.end.date()}" if said.end else ""
    return ", ".join(filter(None, (said.state, day))) or "AWS knows none of that name"


def _unfit(id_: str, said: ReservationFacts, instance: str) -> str:
    """Why its instances are not those of the type; blocks are paid in advance, whatever names them."""
    if said.reservation_type == "capacity-block":
        return f"{id_} is a Capacity Block, paid in advance"
    other = said.instance_type not in {None, instance}
    return f"{id_} is of {said.instance_type}" if other else ""


def _begins(said: ReservationFacts, moment: datetime) -> str:
    """What is reserved for a future date is billed once EC2 provisions it at that date (EC2 user guide, "Capacity
    Reservation pricing and billing")."""
    if said.state not in NOT_BEGUN and (said.start is None or said.start <= moment):
        return ""
    return f"its start on {said.start.date()}" if said.start else "its start"
