"""A reservation or a Capacity Block as a new stack takes it; and all that there are, to choose one from."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Any

from muster.account import held
from muster.account.discovery.inquiry import Inquiry, Unusable, result
from muster.account.question import Question
from muster.account.topics.reservations import as_facts
from muster.fleet.description.capacity import NO_PLACEMENT_GROUP
from muster.fleet.facts import ReservationFacts, ReservationState
from muster.fleet.new_stack.held import Held, Kind
from muster.words import listed

_OFFLINE = "with the right to ask that, or with --offline"

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

IDENTITY = Question("sts", "GetCallerIdentity", "identity")

EVERY = Question(
    "ec2",
    "DescribeCapacityReservations",
    "the reservations there are",
    {"Filters": ({"Name": "state", "Values": tuple(each.value for each in _TO_COME)},)},
)

_REQUESTED = "aws:ec2capacityreservation:incrementalRequestedQuantity"
"""The tag that says how many instances a block holds, which is 0 by its own count until it begins (aws-parallelcluster,
`ec2_validators.py`, CapacityReservationSizeValidator)."""


def reservation(id: str, kind: Kind, as_of: date) -> Inquiry[Held]:
    """What holds a new stack's instances, by its id.

    Raises:
        Unusable: there is none, it has ended, is of another kind, or AWS did not say.
    """
    answer, who = yield [held.reservation(id, kind.words), IDENTITY]
    entries = _entries(answer.result)
    if answer.answered and not entries:
        (others,) = yield [EVERY]
        raise Unusable(_unknown(id, _entries(others.result)))
    result(answer, _OFFLINE)
    account = str((who.result or {}).get("Account", ""))
    return _held(entries[0], kind, as_of, account)


def every(as_of: date) -> Inquiry[tuple[Held, ...]]:
    """All reservations and blocks that could be launched into, now or later.

    Raises:
        Unusable: AWS did not say.
    """
    answer, who = yield [EVERY, IDENTITY]
    account = str((who.result or {}).get("Account", ""))
    found = _entries(result(answer, _OFFLINE))
    return tuple(_usable(sorted(found, key=_id), as_of, account))


def _usable(entries: Sequence[Mapping[str, Any]], as_of: date, account: str) -> Iterator[Held]:
    """Without those of which AWS does not say yet where they are, or when."""
    for each in entries:
        with suppress(Unusable):
            yield _held(each, None, as_of, account)


def _entries(said: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    return list((said or {}).get("CapacityReservations", ()))


def _id(entry: Mapping[str, Any]) -> str:
    return str(entry.get("CapacityReservationId", ""))


def _unknown(id: str, others: Sequence[Mapping[str, Any]]) -> str:
    known = [f"{_id(each)}, {each.get('InstanceType')} in {each.get('AvailabilityZone')}" for each in others]
    there = f"there are: {listed(sorted(known))}" if known else "there are none"
    return (
        f"AWS knows no reservation {id} in this Region for this account ({there}); give its id, its --region, or "
        "credentials of an account that it is shared with"
    )


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
