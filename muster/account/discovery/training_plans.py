"""A training plan as a new stack takes it."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from muster.account import held
from muster.account.answer import Answer
from muster.account.ask import Inquiry
from muster.account.discovery.inquiry import Unsaid, Unusable, plainly, result
from muster.account.discovery.nearby import elsewhere, nearest_id
from muster.account.discovery.whole import whole
from muster.account.identity import WHO, account_of
from muster.account.question import Question
from muster.fleet.capacity_states import PLAN_OVER
from muster.fleet.hardware.hyperpod_types import ML
from muster.fleet.new_stack.held import Held, Kind
from muster.words import listed

EVERY = Question("sagemaker", "ListTrainingPlans", "the training plans there are")


def training_plan(arn: str, region: str) -> Inquiry[Held]:
    """What holds a new stack's instances, by its ARN.

    Args:
        arn: its own.
        region: where it is asked for; only where it is not there the other Regions are asked, too.

    Raises:
        Unusable: there is none, it has ended, is in several zones, or AWS did not say.
    """
    name = held.plan_name(arn)
    answer, who = yield [held.training_plan(arn), WHO]
    another = _of_another(arn, account_of(who) or "")
    if answer.absent:
        raise Unusable((yield from _unknown(arn, region, another)))
    if another and not answer.answered:
        raise Unusable(f"AWS does not show training plan {name}: {another}")
    return _held(arn, result(answer))


def told(answer: Answer) -> Answer:
    """An answer about training plans; none where it does not say which there are."""
    return whole(answer, "TrainingPlanSummaries", "TrainingPlanArn")


def every(said: Mapping[str, Any] | None) -> tuple[Held, ...]:
    """All training plans that hold instances, now or later, of an answer to `EVERY`."""
    plans = list((said or {}).get("TrainingPlanSummaries", ()))
    return tuple(_usable(sorted(plans, key=lambda each: str(each.get("TrainingPlanArn")))))


def _of_another(arn: str, account: str) -> str:
    """That it is of another account than who asks; empty where it is not, or AWS does not say who asks."""
    owner = arn.split(":")[4]
    if not account or owner == account:
        return ""
    return f"its ARN is of account {owner}, and who asks is of {account}; give a --profile of that one, or its own ARN"


def _unknown(arn: str, region: str, another: str) -> Inquiry[str]:
    """That AWS knows no such one, and which was probably meant: one here, one of another Region, another account's."""
    name = held.plan_name(arn)
    words = f"AWS knows no training plan {name} in {region} for this account"
    (said,) = yield [EVERY]
    here = told(said)
    if near := _nearest(name, _arns(here)):
        return f"{words}; did you mean {near}?"
    if another:
        return f"{words}: {another}"
    there, silent = yield from elsewhere(replace(EVERY, about="the training plans elsewhere"), region, told)
    if near := _nearest(name, [each for _, answer in there for each in _arns(answer)]):
        return f"{words}; did you mean {near}, which is in {near.split(':')[3]}?"
    known = sorted(held.plan_name(each) for each in _arns(here))
    which = f"there are: {listed(known)}" if known else "there are none"
    which = which if here.answered else f"AWS did not say which there are ({plainly(here)})"
    return f"{words} ({which}{silent}); give its ARN, or other credentials"


def _arns(answer: Answer) -> list[str]:
    return [str(each["TrainingPlanArn"]) for each in (answer.result or {}).get("TrainingPlanSummaries", ())]


def _nearest(name: str, arns: Iterable[str]) -> str | None:
    """By its name: of two accounts' plans of one name the ARNs are far from each other."""
    by_name = {held.plan_name(each): each for each in arns}
    near = nearest_id(name, by_name)
    return by_name[near] if near else None


def _usable(plans: Iterable[Mapping[str, Any]]) -> Iterator[Held]:
    for each in plans:
        with suppress(Unusable):
            yield _held(str(each["TrainingPlanArn"]), each)


def _held(arn: str, plan: Mapping[str, Any]) -> Held:
    name, state = held.plan_name(arn), plan.get("Status")
    if state in PLAN_OVER:
        raise Unusable(
            f"training plan {name} is {state}: it holds nothing any more; name one that is Active or Scheduled"
        )
    parts = list(plan.get("ReservedCapacitySummaries", ()))
    if "ReservedCapacitySummaries" not in plan or not all(each.get("AvailabilityZone") for each in parts):
        raise Unsaid(
            f"AWS does not say yet what training plan {name} holds, and where (it is {state}); ask again later"
        )
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
