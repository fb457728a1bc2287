"""A training plan as a new stack takes it."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from muster.account import held
from muster.account.discovery.inquiry import Inquiry, Unusable, result
from muster.account.discovery.reservations import IDENTITY
from muster.account.question import Question
from muster.fleet.facts import TrainingPlanState
from muster.fleet.hardware.hyperpod_types import ML
from muster.fleet.new_stack.held import Held, Kind
from muster.words import listed

_OFFLINE = "with the right to ask that, or with --offline"
_ENDED = frozenset({TrainingPlanState.EXPIRED, TrainingPlanState.FAILED})


def training_plan(arn: str) -> Inquiry[Held]:
    """What holds a new stack's instances, by its ARN.

    Raises:
        Unusable: there is none, it has ended, is in several zones, or AWS did not say.
    """
    answer, _ = yield [held.training_plan(arn), IDENTITY]
    if answer.absent:
        raise Unusable(
            f"AWS knows no training plan {held.plan_name(arn)} for this account; give its ARN, or other credentials"
        )
    return _held(arn, result(answer, _OFFLINE))


def every() -> Inquiry[tuple[Held, ...]]:
    """All training plans that hold instances, now or later.

    Raises:
        Unusable: AWS did not say.
    """
    (answer,) = yield [Question("sagemaker", "ListTrainingPlans", "the training plans there are")]
    plans = list(result(answer, _OFFLINE).get("TrainingPlanSummaries", ()))
    return tuple(_usable(sorted(plans, key=lambda each: str(each.get("TrainingPlanArn")))))


def _usable(plans: Iterable[Mapping[str, Any]]) -> Iterator[Held]:
    for each in plans:
        with suppress(Unusable):
            yield _held(str(each["TrainingPlanArn"]), each)


def _held(arn: str, plan: Mapping[str, Any]) -> Held:
    name, state = arn.rpartition("/")[2], plan.get("Status")
    if state in _ENDED:
        raise Unusable(
            f"training plan {name} is {state}: it holds nothing any more; name one that is Active or Scheduled"
        )
    parts = list(plan.get("ReservedCapacitySummaries", ()))
    where = {(str(each.get("InstanceType", "")), str(each.get("AvailabilityZone", ""))) for each in parts}
    if len(where) != 1 or ("" in next(iter(where))):
        there = listed(f"{type_ or '?'} in {zone or '?'}" for type_, zone in sorted(where)) or "nothing yet"
        raise Unusable(f"training plan {name} holds {there}; a group has one type in one zone: describe it by hand")
    ((type_, zone),) = where
    total = plan.get("TotalInstanceCount") or sum(int(each.get("TotalInstanceCount") or 0) for each in parts)
    if not total:
        raise Unusable(
            f"AWS does not say how many instances training plan {name} holds (it is {state}); ask again later"
        )
    ids = {each.get("AvailabilityZoneId") for each in parts}
    return Held(
        kind=Kind.TRAINING_PLAN,
        id=arn,
        instance=type_.removeprefix(ML),
        zone=zone,
        zone_id=next(iter(ids)) if len(ids) == 1 else None,
        count=int(total),
        available=plan.get("AvailableInstanceCount"),
    )
