"""A reservation or a Capacity Block as a new stack takes it; and all that there are, to choose one from."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from muster.account import held
from muster.account.answer import Answer
from muster.account.ask import Inquiry
from muster.account.discovery.inquiry import Unusable, plainly, result
from muster.account.discovery.nearby import elsewhere, nearest_id
from muster.account.discovery.whole import whole
from muster.account.identity import WHO, account_of
from muster.account.question import Question
from muster.account.topics.reservations import as_facts
from muster.fleet.capacity_states import NOT_BEGUN, OVER
from muster.fleet.description.capacity import NO_PLACEMENT_GROUP
from muster.fleet.facts import ReservationFacts, ReservationState
from muster.fleet.new_stack.held import Held, Kind
from muster.words import listed

_ENDED = OVER | {ReservationState.CANCELLING}
"""Nothing will ever be launched into such a one."""

_NOW_OR_LATER = tuple(sorted(NOT_BEGUN | {ReservationState.ACTIVE}))

EVERY = Question(
    "ec2",
    "DescribeCapacityReservations",
    "the reservations there are",
    {"Filters": ({"Name": "state", "Values": tuple(each.value for each in _NOW_OR_LATER)},)},
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
    said, who = yield [held.reservation(id, kind.words if kind else "reservation"), WHO]
    answer = told(said)
    entries = _entries(answer.result)
    if answer.answered and not entries:
        raise Unusable((yield from _unknown(id, kind, region)))
    result(answer)
    account = account_of(who) or ""
    return _held(entries[0], kind, as_of, account)


def told(answer: Answer) -> Answer:
    """An answer about reservations; none where it does not say of each which it is, of what kind, in what state."""
    return whole(answer, "CapacityReservations", "CapacityReservationId", "ReservationType", "State")


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
    (said,) = yield [EVERY]
    here = told(said)
    known = {_id(each): each for each in _entries(here.result)}
    if near := nearest_id(id, known):
        return f"{words}; did you mean {_words(known[near])}? give --{_kind_of(known[near]).value} {near}"
    everywhere = replace(EVERY, about="the reservations elsewhere", parameters={})
    there, silent = yield from elsewhere(everywhere, region, told)
    found = {_id(each): (where, each) for where, answer in there for each in _entries(answer.result)}
    if near := nearest_id(id, found):
        where, entry = found[near]
        if near == id:
            return f"{words}; it is in {where}: give --region {where}"
        option = f"--{_kind_of(entry).value} {near}"
        return f"{words}; did you mean {_words(entry)}? give {option} --region {where}"
    which = f"there are: {listed(sorted(_words(each) for each in known.values()))}" if known else "there are none"
    which = which if here.answered else f"AWS did not say which there are ({plainly(here)})"
    return f"{words} ({which}{silent}); give its id, its --region, or credentials of an account that it is shared with"


def _words(entry: Mapping[str, Any]) -> str:
    type_, zone = (entry.get(each, "?") for each in ("InstanceType", "AvailabilityZone"))
    return f"{_id(entry)} ({type_} in {zone})"


def _kind_of(entry: Mapping[str, Any]) -> Kind:
    return _kind(as_facts(entry, None))


def _kind(known: ReservationFacts) -> Kind:
    return Kind.CAPACITY_BLOCK if known.reservation_type == "capacity-block" else Kind.RESERVATION


def _held(entry: Mapping[str, Any], kind: Kind | None, as_of: date, account: str) -> Held:
    """One entry; of whichever kind where none is asked for."""
    known, name = as_facts(entry, entry.get("AvailableInstanceCount")), _id(entry)
    is_, state = _kind(known), known.state
    if state is None or known.reservation_type is None:
        strange = entry["State"] if state is None else entry["ReservationType"]
        raise Unusable(f"Muster does not know what {name} is ('{strange}'); describe it by hand, or give --offline")
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
    return moment.date() if moment else None
