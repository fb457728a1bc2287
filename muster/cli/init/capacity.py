"""The capacity of a new stack: read from the account by its id, or assumed from options."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Any

from muster.account import capacity_queries
from muster.account.query import Answer, Query
from muster.account.topics.capacity import plan_facts, reservation_facts
from muster.config.description.capacity import NO_PLACEMENT_GROUP
from muster.fleet.facts import PLAN_OVER, RESERVATION_OVER
from muster.hardware.hyperpod_types import ML
from muster.whole_number import whole_number


class CapacityKind(StrEnum):
    """The kinds of capacity, by their keys in a description."""

    RESERVATION = "reservation"
    CAPACITY_BLOCK = "capacity-block"
    TRAINING_PLAN = "training-plan"
    ON_DEMAND = "on-demand"


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """Instances of one type in one zone."""

    kind: CapacityKind
    id: str = ""
    """A reservation's id, a training plan's ARN."""
    instance: str
    """EC2's name of the type, also for training plans."""
    zone: str
    count: int
    free: int | None = None
    """The number of instances that are free now; None if it is unknown."""
    starts: date | None = None
    ends: date | None = None
    active: bool = False
    """For a Capacity Block: whether it has begun."""
    placement_group: str | None = None
    """For a reservation of the account: the name of its placement group, or `none`. None if it is unknown."""
    from_aws: bool = False


class Unusable(Exception):
    """No stack can use this capacity, or AWS's answer is not sufficient."""


_ASSUMED_DAYS = 14

_REQUESTED = "aws:ec2capacityreservation:incrementalRequestedQuantity"
"""The tag with the number of instances of a block, whose count is 0 until it begins (aws-parallelcluster,
`ec2_validators.py`, CapacityReservationSizeValidator)."""


def assumed(kind: CapacityKind, id_: str, instance: str, zone: str, count: int, today: date) -> Capacity:
    """Capacity from options alone. A Capacity Block is assumed to start tomorrow."""
    block = kind is CapacityKind.CAPACITY_BLOCK
    starts = today + timedelta(days=1)
    ends = starts + timedelta(days=_ASSUMED_DAYS)
    when: dict[str, Any] = {"starts": starts, "ends": ends} if block else {}
    return Capacity(kind=kind, id=id_, instance=instance, zone=zone, count=count, **when)


def query(kind: CapacityKind, id_: str) -> Query:
    """The query for reserved capacity."""
    if kind is CapacityKind.TRAINING_PLAN:
        return capacity_queries.query_training_plan(id_)
    return capacity_queries.query_reservation(id_, kind.value)


def read(kind: CapacityKind, id_: str, answer: Answer, today: date) -> Capacity:
    """Reserved capacity from AWS's answer to its query.

    Args:
        kind: the kind that the user expects.
        id_: its id or ARN.
        answer: the answer, which is there or says that AWS has none.
        today: the date that determines whether a block has begun.

    Raises:
        Unusable: it does not exist, has ended, is of another kind, or the answer lacks a value.
    """
    result = answer.result or {}
    if kind is CapacityKind.TRAINING_PLAN:
        if answer.absent:
            raise Unusable(f"this account has no training plan {id_}; check the ARN, the account and the Region")
        return _plan(id_, result)
    entries = result.get("CapacityReservations", ())
    if answer.absent or not entries:
        raise Unusable(f"this account has no {kind} {id_}; check the id, the account and --region")
    return _reservation(kind, id_, entries[0], today)


def _reservation(kind: CapacityKind, id_: str, entry: Mapping[str, Any], today: date) -> Capacity:
    known = reservation_facts(entry, entry.get("AvailableInstanceCount"))
    block = known.reservation_type == "capacity-block"
    actual = CapacityKind.CAPACITY_BLOCK if block else CapacityKind.RESERVATION
    if known.reservation_type is not None and actual is not kind:
        raise Unusable(f"{id_} is a {actual}; give --{actual} {id_}")
    if known.state in RESERVATION_OVER:
        raise Unusable(f"{id_} is {known.state}, so it accepts no instances; give one that is active or scheduled")
    starts, ends = (moment and moment.date() for moment in (known.start, known.end))
    count = known.total_instances or _requested(entry)
    if not (known.zone and known.instance_type and count) or (block and not (starts and ends)):
        raise Unusable(f"AWS does not return the type, zone, number or dates of {id_}; give them, and --offline")
    return Capacity(
        kind=kind,
        id=id_,
        instance=known.instance_type,
        zone=known.zone,
        count=count,
        free=known.available_instances,
        starts=starts if block else None,
        ends=ends if block else None,
        active=block and known.state == "active" and starts is not None and starts <= today,
        placement_group=known.placement_group or NO_PLACEMENT_GROUP,
        from_aws=True,
    )


def _requested(entry: Mapping[str, Any]) -> int:
    tags = {each.get("Key"): str(each.get("Value")) for each in entry.get("Tags", ())}
    return whole_number(tags.get(_REQUESTED), 0) or 0


def _plan(arn: str, plan: Mapping[str, Any]) -> Capacity:
    known = plan_facts(plan, plan.get("AvailableInstanceCount"))
    if known.state in PLAN_OVER:
        raise Unusable(f"{arn} is {known.state}, so it holds no instances; give one that is Active or Scheduled")
    if not (known.instance_type and known.zone and known.total_instances):
        raise Unusable(f"AWS does not return one type, one zone and the number of {arn}; give them, and --offline")
    return Capacity(
        kind=CapacityKind.TRAINING_PLAN,
        id=arn,
        instance=known.instance_type.removeprefix(ML),
        zone=known.zone,
        count=known.total_instances,
        free=known.available_instances,
        from_aws=True,
    )
