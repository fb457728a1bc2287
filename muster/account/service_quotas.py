"""Queries to Service Quotas and CloudWatch: the values of quotas, and their use. Pure."""

from collections.abc import Collection, Container, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from muster.account.query import Answer, Inquiry, Query
from muster.fleet.facts_merge import FactPath
from muster.hardware.quotas import Quota

QUOTA_RIGHTS = {"servicequotas:GetServiceQuota": "*", "servicequotas:GetAWSDefaultServiceQuota": "*"}

GET_SERVICE_QUOTA, GET_DEFAULT_QUOTA = "service-quotas.GetServiceQuota", "service-quotas.GetAWSDefaultServiceQuota"
"""The operations for a quota: its applied value, else its default."""

_NONE = frozenset({"NoSuchResourceException"})
"""The error for a quota without an applied value."""

Values = Mapping[Quota, Mapping[str, Any]]
"""The entry of each quota in Service Quotas' answers: `Value`, `QuotaName`, `UsageMetric`."""


def query_quota_values(
    quotas: Sequence[Quota], beside: Sequence[Query] = ()
) -> Inquiry[tuple[Values, Sequence[Answer]]]:
    """The values of quotas, queried in two rounds; and the answers to other queries, which run with the first round."""
    answers = yield [*(_question("GetServiceQuota", each) for each in quotas), *beside]
    by_quota = dict(zip(quotas, answers, strict=False))
    lacking = [quota for quota, answer in by_quota.items() if answer.absent]
    if lacking:
        by_quota |= dict(
            zip(lacking, (yield [_question("GetAWSDefaultServiceQuota", each) for each in lacking]), strict=True)
        )
    entries = {quota: answer.result.get("Quota", {}) for quota, answer in by_quota.items() if answer.result}
    # If a service behind it fails, Service Quotas answers with an `ErrorReason` instead of a value.
    return {quota: each for quota, each in entries.items() if "Value" in each}, answers[len(quotas) :]


def unknown_quota_facts(
    quotas: Collection[Quota], known: Container[Quota], used: Container[Quota]
) -> frozenset[FactPath]:
    """The paths of quota facts that were queried, but are unknown.

    Args:
        quotas: the quotas.
        known: the quotas with a known value.
        used: the quotas with a known use by others.
    """
    values = {("quotas", each.code) for each in quotas if each not in known}
    return frozenset(values | {("quotasUsed", each.code) for each in quotas if each not in used})


def _question(operation: str, quota: Quota) -> Query:
    parameters = {"ServiceCode": quota.service, "QuotaCode": quota.code}
    return Query("service-quotas", operation, f"quota {quota.code} ({quota.name})", parameters, absent=_NONE)


USAGE_RIGHTS = {"cloudwatch:GetMetricData": "*"}

_SECONDS = 300
"""The period of the metric: CloudWatch has a point every few minutes."""

_WINDOW = timedelta(days=1)
_NOT_ANSWERED = frozenset({"InternalError", "Forbidden", None})
"""A metric's `StatusCode` (or its absence) with which its latest points may be missing."""


_OF_A_METRIC = ("MetricNamespace", "MetricName", "MetricDimensions")
"""The parts of a metric's identity: if one is missing, the query would be for another metric, which has no points."""


def quotas_with_metric(known: Values) -> tuple[Quota, ...]:
    """The quotas with a usage metric in the answer."""
    return tuple(quota for quota, entry in known.items() if _has_metric(entry.get("UsageMetric", {})))


def _has_metric(metric: Mapping[str, Any]) -> bool:
    return bool(metric.get("MetricName")) and all(each in metric for each in _OF_A_METRIC)


def query_usage(quotas: Sequence[Quota], known: Values, until: datetime) -> Query:
    """The query for the use of all quotas in the day before a moment: the latest point counts."""
    return Query(
        "cloudwatch",
        "GetMetricData",
        "the use of the quotas",
        {
            "MetricDataQueries": [_query(index, known[quota]["UsageMetric"]) for index, quota in enumerate(quotas)],
            "StartTime": (until - _WINDOW).isoformat(),
            "EndTime": until.isoformat(),
            "ScanBy": "TimestampDescending",
        },
    )


def latest_usage(quotas: Sequence[Quota], answer: Answer) -> dict[Quota, int]:
    """The latest value of each metric in the answer; a metric without points is not in use. Empty if a result has no
    id."""
    results: Sequence[Mapping[str, Any]] = answer.result.get("MetricDataResults", ()) if answer.result else ()
    if not all("Id" in each for each in results):
        return {}
    parts = {quota: [each for each in results if each["Id"] == _id(index)] for index, quota in enumerate(quotas)}
    latest = {quota: _latest(of_one) for quota, of_one in parts.items()}
    return {quota: value for quota, value in latest.items() if value is not None}


def _latest(parts: Sequence[Mapping[str, Any]]) -> int | None:
    """The latest value of one metric. Its answer may be in parts, the latest first; None if AWS did not answer all."""
    if any("Values" not in each or each.get("StatusCode") in _NOT_ANSWERED for each in parts):
        return None
    values = [value for each in parts for value in each["Values"]]
    if values:
        return int(values[0])
    return 0 if parts and parts[-1]["StatusCode"] == "Complete" else None


def _id(index: int) -> str:
    """An id that begins with a lower-case letter, as CloudWatch requires."""
    return f"q{index}"


def _query(index: int, metric: Mapping[str, Any]) -> dict[str, Any]:
    dimensions = metric["MetricDimensions"]
    return {
        "Id": _id(index),
        "MetricStat": {
            "Metric": {
                "Namespace": metric["MetricNamespace"],
                "MetricName": metric["MetricName"],
                "Dimensions": [{"Name": name, "Value": dimensions[name]} for name in sorted(dimensions)],
            },
            "Period": _SECONDS,
            "Stat": metric.get("MetricStatisticRecommendation", "Maximum"),
        },
    }
