"""Finds reservations, Capacity Blocks and training plans that a new stack can use."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from muster.account import capacity_queries
from muster.account.caller_identity import GET_CALLER_IDENTITY, account_of
from muster.account.query import Answer, Inquiry, Query
from muster.account.topics.capacity import reservation_facts
from muster.cli.init.choices import CapacityKind, ReservedCapacity
from muster.cli.init.inquiry import (
    UnansweredInquiry,
    Unusable,
    nearest_id,
    query_other_regions,
    require_members,
    require_result,
    short_reason,
)
from muster.config.description.capacity import NO_PLACEMENT_GROUP
from muster.fleet.facts import PLAN_OVER, RESERVATION_NOT_STARTED, RESERVATION_OVER, ReservationFacts, ReservationState
from muster.hardware.hyperpod_types import ML
from muster.message_text import list_names

_ENDED = RESERVATION_OVER | {ReservationState.CANCELLING}
"""EC2 will never launch instances into a reservation in such a state."""

_NOW_OR_LATER = tuple(sorted(RESERVATION_NOT_STARTED | {ReservationState.ACTIVE}))

ALL_RESERVATIONS = Query(
    "ec2",
    "DescribeCapacityReservations",
    "the list of reservations",
    {"Filters": ({"Name": "state", "Values": tuple(each.value for each in _NOW_OR_LATER)},)},
)

_REQUESTED = "aws:ec2capacityreservation:incrementalRequestedQuantity"
"""The tag with the number of instances of a block, whose count is 0 until it begins (aws-parallelcluster,
`ec2_validators.py`, CapacityReservationSizeValidator)."""


def find_reservation(id: str, kind: CapacityKind | None, as_of: date, region: str) -> Inquiry[ReservedCapacity]:
    """A reservation or Capacity Block by its id.

    Args:
        id: ``cr-0123456789abcdef0``.
        kind: the required kind; None for either.
        as_of: the date that determines whether a block has begun.
        region: its expected Region; if it is not there, the other Regions are also queried.

    Raises:
        Unusable: it does not exist, has ended, is of another kind, or AWS did not answer.
    """
    listing, who = yield [
        capacity_queries.query_reservation(id, kind.words if kind else "reservation"),
        GET_CALLER_IDENTITY,
    ]
    answer = complete_reservations(listing)
    entries = _entries(answer.result)
    if answer.answered and not entries:
        raise Unusable((yield from _unknown_reservation(id, kind, region)))
    require_result(answer)
    account = account_of(who) or ""
    return _reservation_capacity(entries[0], kind, as_of, account)


def complete_reservations(answer: Answer) -> Answer:
    """An answer about reservations; unanswered if one lacks its id, its type or its state."""
    return require_members(answer, "CapacityReservations", "CapacityReservationId", "ReservationType", "State")


def usable_reservations(result: Mapping[str, Any] | None, as_of: date, account: str) -> tuple[ReservedCapacity, ...]:
    """All reservations and blocks in an answer that accept instances, now or later."""
    return tuple(_launchable(sorted(_entries(result), key=_id), as_of, account))


def _launchable(entries: Sequence[Mapping[str, Any]], as_of: date, account: str) -> Iterator[ReservedCapacity]:
    """The answer without entries whose zone or dates are unknown."""
    for each in entries:
        with suppress(Unusable):
            yield _reservation_capacity(each, None, as_of, account)


def _entries(result: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    return list((result or {}).get("CapacityReservations", ()))


def _id(entry: Mapping[str, Any]) -> str:
    return str(entry.get("CapacityReservationId", ""))


def _unknown_reservation(id: str, kind: CapacityKind | None, region: str) -> Inquiry[str]:
    """The message that a reservation does not exist, with the closest match in this Region, else in another."""
    words = f"this account has no {kind.words if kind else 'reservation'} {id} in {region}"
    (listing,) = yield [ALL_RESERVATIONS]
    here = complete_reservations(listing)
    known = {_id(each): each for each in _entries(here.result)}
    if near := nearest_id(id, known):
        return f"{words}; did you mean {_reservation_text(known[near])}? give --{_kind_of(known[near]).value} {near}"
    everywhere = replace(ALL_RESERVATIONS, about="the list of reservations in other Regions", parameters={})
    there, others = yield from query_other_regions(everywhere, region, complete_reservations)
    found = {_id(each): (where, each) for where, answer in there for each in _entries(answer.result)}
    if near := nearest_id(id, found):
        where, entry = found[near]
        if near == id:
            return f"{words}; it is in {where}: give --region {where}"
        option = f"--{_kind_of(entry).value} {near}"
        return f"{words}; did you mean {_reservation_text(entry)}? give {option} --region {where}"
    which = (
        f"it has {list_names(sorted(_reservation_text(each) for each in known.values()))}" if known else "it has none"
    )
    which = which if here.answered else f"AWS did not list its reservations ({short_reason(here)})"
    return f"{words} ({which}{others}); give another id, its --region, or credentials of an account that can use it"


def _reservation_text(entry: Mapping[str, Any]) -> str:
    type_, zone = (entry.get(each, "?") for each in ("InstanceType", "AvailabilityZone"))
    return f"{_id(entry)} ({type_} in {zone})"


def _kind_of(entry: Mapping[str, Any]) -> CapacityKind:
    return _kind(reservation_facts(entry, None))


def _kind(known: ReservationFacts) -> CapacityKind:
    return CapacityKind.CAPACITY_BLOCK if known.reservation_type == "capacity-block" else CapacityKind.RESERVATION


def _reservation_capacity(
    entry: Mapping[str, Any], kind: CapacityKind | None, as_of: date, account: str
) -> ReservedCapacity:
    """One entry; of either kind if `kind` is None."""
    known, name = reservation_facts(entry, entry.get("AvailableInstanceCount")), _id(entry)
    is_, state = _kind(known), known.state
    if state is None or known.reservation_type is None:
        strange = entry["State"] if state is None else entry["ReservationType"]
        raise Unusable(
            f"Muster does not support the state or type '{strange}' of {name}; write the stack file by hand, or give "
            "--offline"
        )
    if kind not in {None, is_}:
        raise Unusable(f"{name} is a {is_.words}, not a {kind and kind.words}; give --{is_.value} {name}")
    if state in _ENDED:
        raise Unusable(f"{name} is {state}, so it accepts no instances; give one that is active or scheduled")
    starts, ends, count = _day(known.start), _day(known.end), _count(entry)
    again = f"(its state is {state}); try again later"
    if is_ is CapacityKind.CAPACITY_BLOCK and (starts is None or ends is None):
        raise Unusable(f"AWS does not return the dates of Capacity Block {name} {again}")
    if known.zone is None or known.instance_type is None or not count:
        raise Unusable(f"AWS does not return the zone or the instances of {name} yet {again}")
    return ReservedCapacity(
        kind=is_,
        id=name,
        instance=known.instance_type,
        zone=known.zone,
        zone_id=known.zone_id,
        count=count,
        available=known.available_instances,
        starts=starts,
        ends=ends,
        begun=is_ is CapacityKind.CAPACITY_BLOCK and state == "active" and starts is not None and starts <= as_of,
        placement_group=None if known.placement_group == NO_PLACEMENT_GROUP else known.placement_group,
        owner=known.owner if account and known.owner != account else None,
    )


def _count(entry: Mapping[str, Any]) -> int:
    tags = {str(each.get("Key")): str(each.get("Value")) for each in entry.get("Tags", ())}
    requested = tags.get(_REQUESTED, "")
    return int(entry.get("TotalInstanceCount") or 0) or (int(requested) if requested.isdecimal() else 0)


def _day(moment: datetime | None) -> date | None:
    return moment.date() if moment else None


ALL_TRAINING_PLANS = Query("sagemaker", "ListTrainingPlans", "the list of training plans")


def find_training_plan(arn: str, region: str) -> Inquiry[ReservedCapacity]:
    """A training plan by its ARN.

    Args:
        arn: the ARN.
        region: its expected Region; if it is not there, the other Regions are also queried.

    Raises:
        Unusable: it does not exist, has ended, is in several zones, or AWS did not answer.
    """
    name = capacity_queries.plan_name(arn)
    answer, who = yield [capacity_queries.query_training_plan(arn), GET_CALLER_IDENTITY]
    another = _of_another(arn, account_of(who) or "")
    if answer.absent:
        raise Unusable((yield from _unknown_plan(arn, region, another)))
    if another and not answer.answered:
        raise Unusable(f"AWS does not show training plan {name}: {another}")
    return _plan_capacity(arn, require_result(answer))


def complete_training_plans(answer: Answer) -> Answer:
    """An answer about training plans; unanswered if it lacks the list, or an ARN."""
    return require_members(answer, "TrainingPlanSummaries", "TrainingPlanArn")


def usable_training_plans(result: Mapping[str, Any] | None) -> tuple[ReservedCapacity, ...]:
    """All training plans in an answer that hold instances, now or later."""
    plans = list((result or {}).get("TrainingPlanSummaries", ()))
    return tuple(_usable_plans(sorted(plans, key=lambda each: str(each.get("TrainingPlanArn")))))


def _of_another(arn: str, account: str) -> str:
    """The text for a plan of another account than the caller's; empty for one account, or an unknown caller."""
    owner = arn.split(":")[4]
    if not account or owner == account:
        return ""
    return f"its ARN is of account {owner}, but your credentials are of {account}; give a --profile of account {owner}"


def _unknown_plan(arn: str, region: str, another: str) -> Inquiry[str]:
    """The message that a training plan does not exist, with the closest match in this Region, or its Region or
    account."""
    name = capacity_queries.plan_name(arn)
    words = f"this account has no training plan {name} in {region}"
    (listing,) = yield [ALL_TRAINING_PLANS]
    here = complete_training_plans(listing)
    if near := _nearest_plan(name, _arns(here)):
        return f"{words}; did you mean {near}?"
    if another:
        return f"{words}: {another}"
    there, others = yield from query_other_regions(
        replace(ALL_TRAINING_PLANS, about=("the list of training plans in other Regions")),
        region,
        complete_training_plans,
    )
    if near := _nearest_plan(name, [each for _, answer in there for each in _arns(answer)]):
        return f"{words}; did you mean {near}, which is in {near.split(':')[3]}?"
    known = sorted(capacity_queries.plan_name(each) for each in _arns(here))
    which = f"it has {list_names(known)}" if known else "it has none"
    which = which if here.answered else f"AWS did not list its training plans ({short_reason(here)})"
    return f"{words} ({which}{others}); give another ARN, or other credentials"


def _arns(answer: Answer) -> list[str]:
    return [str(each["TrainingPlanArn"]) for each in (answer.result or {}).get("TrainingPlanSummaries", ())]


def _nearest_plan(name: str, arns: Iterable[str]) -> str | None:
    """The plan with the closest name. The ARNs of plans with the same name in two accounts differ too much."""
    by_name = {capacity_queries.plan_name(each): each for each in arns}
    near = nearest_id(name, by_name)
    return by_name[near] if near else None


def _usable_plans(plans: Iterable[Mapping[str, Any]]) -> Iterator[ReservedCapacity]:
    for each in plans:
        with suppress(Unusable):
            yield _plan_capacity(str(each["TrainingPlanArn"]), each)


def _plan_capacity(arn: str, plan: Mapping[str, Any]) -> ReservedCapacity:
    name, state = capacity_queries.plan_name(arn), plan.get("Status")
    if state in PLAN_OVER:
        raise Unusable(
            f"training plan {name} is {state}, so it no longer holds instances; give one that is Active or Scheduled"
        )
    parts = list(plan.get("ReservedCapacitySummaries", ()))
    if "ReservedCapacitySummaries" not in plan or not all(each.get("AvailabilityZone") for each in parts):
        raise UnansweredInquiry(
            f"AWS does not return the instances and zones of training plan {name} yet (its state is {state}); try "
            "again later"
        )
    where = {(str(each.get("InstanceType", "")), str(each.get("AvailabilityZone", ""))) for each in parts}
    if len(where) != 1 or ("" in next(iter(where))):
        there = list_names(f"{type_ or '?'} in {zone or '?'}" for type_, zone in sorted(where)) or "no instances yet"
        raise Unusable(
            f"training plan {name} holds {there}, but a group has one type in one zone; write the stack file by hand"
        )
    ((type_, zone),) = where
    total = plan.get("TotalInstanceCount") or sum(int(each.get("TotalInstanceCount") or 0) for each in parts)
    if not total:
        raise Unusable(
            f"AWS does not return the number of instances of training plan {name} (its state is {state}); try again "
            "later"
        )
    ids = {each.get("AvailabilityZoneId") for each in parts}
    return ReservedCapacity(
        kind=CapacityKind.TRAINING_PLAN,
        id=arn,
        instance=type_.removeprefix(ML),
        zone=zone,
        zone_id=next(iter(ids)) if len(ids) == 1 else None,
        count=int(total),
        available=plan.get("AvailableInstanceCount"),
    )


def all_capacity(as_of: date) -> Inquiry[tuple[tuple[ReservedCapacity, ...], tuple[Answer, ...]]]:
    """All reservations, blocks and training plans that hold instances, now or later; and the unanswered queries."""
    reservations, plans, who = yield [ALL_RESERVATIONS, ALL_TRAINING_PLANS, GET_CALLER_IDENTITY]
    reservations, plans = answers = (complete_reservations(reservations), complete_training_plans(plans))
    account = account_of(who) or ""
    known = (*usable_reservations(reservations.result, as_of, account), *usable_training_plans(plans.result))
    return known, tuple(each for each in (*answers, who) if not each.answered)
