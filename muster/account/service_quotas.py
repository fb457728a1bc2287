"""Queries to Service Quotas and CloudWatch: the values of quotas, and their use. Pure."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from muster.account.query import Answer, Inquiry, Query
from muster.hardware.quotas import Quota

_NONE = frozenset({"NoSuchResourceException"})
"""The error for a quota without an applied value."""

Values = Mapping[Quota, Mapping[str, Any]]
"""The entry of each quota in Service Quotas' answers: `Value`, `UsageMetric`."""


def query_quota_values(quotas: Sequence[Quota]) -> Inquiry[Values]:
    """The values of quotas: the applied ones, else the defaults."""
    found = dict(zip(quotas, (yield [_question("GetServiceQuota", each) for each in quotas]), strict=True))
    lacking = [quota for quota, answer in found.items() if answer.absent]
    if lacking:
        defaults = yield [_question("GetAWSDefaultServiceQuota", each) for each in lacking]
        found |= dict(zip(lacking, defaults, strict=True))
    return {quota: answer.result["Quota"] for quota, answer in found.items() if answer.result}


def _question(operation: str, quota: Quota) -> Query:
    parameters = {"ServiceCode": quota.service, "QuotaCode": quota.code}
    about = f"quota {quota.code} ({quota.name})"
    # If a service behind it fails, Service Quotas answers with an `ErrorReason` instead of a value.
    return Query("service-quotas", operation, about, parameters, absent=_NONE, needs=("Quota.Value",))


_SECONDS = 300
"""The period of the metric: CloudWatch has a point every few minutes."""

_WINDOW = timedelta(days=1)
_NOT_ANSWERED = frozenset({"InternalError", "Forbidden"})
"""A metric's `StatusCode` with which its latest points may be missing."""


_OF_A_METRIC = ("MetricNamespace", "MetricName", "MetricDimensions")
"""The parts of a metric's identity: if one is missing, the query would be for another metric, which has no points."""


def query_usage(known: Values, until: datetime) -> Inquiry[dict[Quota, int]]:
    """The latest use of those quotas that have a usage metric, in the day before a moment."""
    metrics = {quota: each.get("UsageMetric", {}) for quota, each in known.items()}
    measured = [quota for quota, metric in metrics.items() if all(metric.get(each) for each in _OF_A_METRIC)]
    if not measured:
        return {}
    parameters = {
        "MetricDataQueries": [_query(f"q{index}", metrics[quota]) for index, quota in enumerate(measured)],
        "StartTime": (until - _WINDOW).isoformat(),
        "EndTime": until.isoformat(),
        "ScanBy": "TimestampDescending",
    }
    needs = tuple(f"MetricDataResults[].{each}" for each in ("Id", "StatusCode", "Values"))
    (answer,) = yield [Query("cloudwatch", "GetMetricData", "the use of the quotas", parameters, needs=needs)]
    latest = {quota: _latest(f"q{index}", answer) for index, quota in enumerate(measured)}
    return {quota: value for quota, value in latest.items() if value is not None}


def _latest(id_: str, answer: Answer) -> int | None:
    """The latest value of one metric; 0 of one without points. Its answer may be in parts, the latest first; None if
    AWS did not answer all."""
    parts = [each for each in (answer.result or {}).get("MetricDataResults", ()) if each["Id"] == id_]
    if any(each["StatusCode"] in _NOT_ANSWERED for each in parts):
        return None
    values = [value for each in parts for value in each["Values"]]
    if values:
        return int(values[0])
    return 0 if parts and parts[-1]["StatusCode"] == "Complete" else None


def _query(id_: str, metric: Mapping[str, Any]) -> dict[str, Any]:
    dimensions = metric["MetricDimensions"]
    return {
        "Id": id_,
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
