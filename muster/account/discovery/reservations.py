"""A reservation or a Capacity Block as a new stack takes it; and all that there are, to choose one from."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from muster.account import held
from muster.account.discovery.inquiry import Inquiry, Unusable, plainly, result
from muster.account.discovery.nearby import elsewhere, nearest_id
from muster.account.identity import WHO
from muster.account.question import Question
from muster.account.topics.reservations import as_facts
from muster.fleet.description.capacity import NO_PLACEMENT_GROUP
from muster.fleet.facts import ReservationFacts, ReservationState
from muster.fleet.new_stack.held import Held, Kind
from muster.words import listed

_ENDED = frozenset(
    {
        ReservationState.EXPIRED,
        ReservationState.CANCELLED,
        ReservationState.CANCELLING,
        ReservationState.FAILED,
        ReservationState.PAYMENT_FAILED,
        ReservationState.UNSUPPORTED,
    }
)
"""Nothing will ever be launched into such a one."""

_TO_COME = (
    ReservationState.ACTIVE,
    ReservationState.SCHEDULED,
    ReservationState.PENDING,
    ReservationState.PAYMENT_PENDING,
    ReservationState.ASSESSING,
    ReservationState.DELAYED,
)

EVERY = Question(
    "ec2",
    "DescribeCapacityReservations",
    "the reservations there are",
    {"Filters": ({"Name": "state", "Values": tuple(each.value for each in _TO_COME)},)},
)

_REQUESTED = "aws:ec2capacityreservation:incrementalRequestedQuantity"
"""The tag that says how many instances a block holds, which is 0 by its own count until it begins (aws-parallelcluster,
`ec2_validators.py`, CapacityReservationSizeValidator)."""


def reservation(id: str, kind: Kind | None, as_of: date, region: str) -> Inquiry[Held]:
    """What holds a new stack's instances, by its id.

    Args:
        id: ``cr-0123456789abcdef0``.
        kind: which of the two it is to be; None where either will do.
        as_of: the day, by which a block has begun or not.
        region: where it is asked for; only where it is not there the other Regions are asked, too.

    Raises:
        Unusable: there is none, it has ended, is of another kind, or AWS did not say.
    """
    answer, who = yield [held.reservation(id, kind.words if kind else "reservation"), WHO]
    entries = _entries(answer.result)
    if answer.answered and not entries:
        raise Unusable((yield from _unknown(id, kind, region)))
    result(answer)
    account = str((who.result or {}).get("Account", ""))
    return _held(entries[0], kind, as_of, account)


def every(said: Mapping[str, Any] | None, as_of: date, account: str) -> tuple[Held, ...]:
    """All reservations and blocks that could be launched into, now or later, of an answer to `EVERY`."""
    return tuple(_usable(sorted(_entries(said), key=_id), as_of, account))


def _usable(entries: Sequence[Mapping[str, Any]], as_of: date, account: str) -> Iterator[Held]:
    """Without those of which AWS does not say yet where they are, or when."""
    for each in entries:
        with suppress(Unusable):
            yield _held(each, None, as_of, account)


def _entries(said: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    return list((said or {}).get("CapacityReservations", ()))


def _id(entry: Mapping[str, Any]) -> str:
    return str(entry.get("CapacityReservationId", ""))


def _unknown(id: str, kind: Kind | None, region: str) -> Inquiry[str]:
    """That AWS knows no such one, and which was probably meant: one here, or one of another Region."""
    words = f"AWS knows no {kind.words if kind else 'reservation'} {id} in {region} for this account"
    (here,) = yield [EVERY]
    known = {_id(each): each for each in _entries(here.result)}
    if near := nearest_id(id, known):
        return f"{words}; did you mean {_told(known[near])}? give --{_kind_of(known[near]).value} {near}"
    there, silent = yield from elsewhere(replace(EVERY, about="the reservations elsewhere", parameters={}), region)
    found = {_id(each): (where, each) for where, answer in there for each in _entries(answer.result)}
    if near := nearest_id(id, found):
        where, entry = found[near]
        if near == id:
            return f"{words}; it is in {where}: give --region {where}"
        option = f"--{_kind_of(entry).value} {near}"
        return f"{words}; did you mean {_told(entry)}? give {option} --region {where}"
    told = f"there are: {listed(sorted(_told(each) for each in known.values()))}" if known else "there are none"
    told = told if here.answered else f"AWS did not say which there are ({plainly(here)})"
    return f"{words} ({told}{silent}); give its id, its --region, or credentials of an account that it is shared with"


def _told(entry: Mapping[str, Any]) -> str:
    return f"{_id(entry)} ({entry.get('InstanceType')} in {entry.get('AvailabilityZone')})"


def _kind_of(entry: Mapping[str, Any]) -> Kind:
    return _kind(as_facts(entry, None))


def _kind(known: ReservationFacts) -> Kind:
    return Kind.CAPACITY_BLOCK if known.reservation_type == "capacity-block" else Kind.RESERVATION


def _held(entry: Mapping[str, Any], kind: Kind | None, as_of: date, account: str) -> Held:
    """One entry; of whichever kind where none is asked for."""
    known, name = as_facts(entry, entry.get("AvailableInstanceCount")), _id(entry)
    is_, state = _kind(known), known.state
    if kind not in {None, is_}:
        raise Unusable(f"{name} is a {is_.words}, not a {kind and kind.words}; give --{is_.value} {name}")
    if state in _ENDED:
        raise Unusable(f"{name} is {state}: nothing can be launched into it; name one that is active or scheduled")
    starts, ends, count = _day(known.start), _day(known.end), _count(entry)
    again = f"(it is {state}); ask again later"
    if is_ is Kind.CAPACITY_BLOCK and (starts is None or ends is None):
        raise Unusable(f"AWS does not say when the Capacity Block {name} starts and ends {again}")
    if known.zone is None or known.instance_type is None or not count:
        raise Unusable(f"AWS does not say yet where {name} is, or what it holds {again}")
    return Held(
        kind=is_,
        id=name,
        instance=known.instance_type,
        zone=known.zone,
        zone_id=known.zone_id,
        count=count,
        available=known.available_instances,
        starts=starts,
        ends=ends,
        begun=is_ is Kind.CAPACITY_BLOCK and state == "active" and starts is not None and starts <= as_of,
        placement_group=None if known.placement_group == NO_PLACEMENT_GROUP else known.placement_group,
        owner=known.owner if account and known.owner != account else None,
    )


def _count(entry: Mapping[str, Any]) -> int:
    tags = {str(each.get("Key")): str(each.get("Value")) for each in entry.get("Tags", ())}
    requested = tags.get(_REQUESTED, "")
    return int(entry.get("TotalInstanceCount") or 0) or (int(requested) if requested.isdecimal() else 0)


def _day(moment: datetime | None) -> date | None:
    return moment.astimezone(UTC).date() if moment else None
