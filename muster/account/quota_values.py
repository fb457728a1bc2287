"""Asks Service Quotas for values: the account's own, and AWS's default where the account has none. Pure."""

from collections.abc import Collection, Container, Mapping, Sequence
from typing import Any

from muster.account.answer import Answer
from muster.account.ask import Inquiry
from muster.account.question import Question
from muster.fleet.kept_facts import Step
from muster.fleet.quotas import Quota

RIGHTS = {"servicequotas:GetServiceQuota": "*", "servicequotas:GetAWSDefaultServiceQuota": "*"}

ASKED, OF_DEFAULTS = "service-quotas.GetServiceQuota", "service-quotas.GetAWSDefaultServiceQuota"
"""What is asked of each; and where the account has no value of its own, then."""

_NONE = frozenset({"NoSuchResourceException"})
"""What Service Quotas says of a quota that the account has no value of its own for."""

Values = Mapping[Quota, Mapping[str, Any]]
"""What Service Quotas says of each that was answered: `Value`, `QuotaName`, `UsageMetric`."""


def values(quotas: Sequence[Quota], beside: Sequence[Question] = ()) -> Inquiry[tuple[Values, Sequence[Answer]]]:
    """The values of quotas, in two rounds; and the answers to other questions, asked beside the first."""
    answers = yield [*(_question("GetServiceQuota", each) for each in quotas), *beside]
    told = dict(zip(quotas, answers, strict=False))
    lacking = [quota for quota, answer in told.items() if answer.absent]
    if lacking:
        told |= dict(
            zip(lacking, (yield [_question("GetAWSDefaultServiceQuota", each) for each in lacking]), strict=True)
        )
    said = {quota: answer.result.get("Quota", {}) for quota, answer in told.items() if answer.result}
    # Where a service behind it fails, Service Quotas answers with an `ErrorReason` in place of a value.
    return {quota: each for quota, each in said.items() if "Value" in each}, answers[len(quotas) :]


def open_of(asked: Collection[Quota], known: Container[Quota], used: Container[Quota]) -> frozenset[Step]:
    """The facts about quotas that were asked for and are not known.

    Args:
        asked: the quotas.
        known: those whose value is known: one whose service fails is answered without.
        used: those of which it is known how much others use.
    """
    values = {("quotas", each.code) for each in asked if each not in known}
    return frozenset(values | {("quotasUsed", each.code) for each in asked if each not in used})


def _question(operation: str, quota: Quota) -> Question:
    asked = {"ServiceCode": quota.service, "QuotaCode": quota.code}
    return Question("service-quotas", operation, f"quota {quota.code} ({quota.name})", asked, absent=_NONE)
