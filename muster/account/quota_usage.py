"""How much of quotas is in use, by the metric that Service Quotas names for each: one question for all. Pure."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from muster.account.answer import Answer
from muster.account.question import Question
from muster.account.quota_values import Values
from muster.fleet.quotas import Quota

RIGHTS = {"cloudwatch:GetMetricData": "*"}

_SECONDS = 300
"""A point of the answer: AWS says every few minutes how much is in use."""

_WINDOW = timedelta(days=1)
_NOT_ANSWERED = frozenset({"InternalError", "Forbidden"})
"""What CloudWatch says of one metric (`StatusCode`): then the latest of its points may be missing."""


def measured(known: Values) -> tuple[Quota, ...]:
    """Those that have a metric."""
    return tuple(quota for quota, said in known.items() if said.get("UsageMetric", {}).get("MetricName"))


def question(quotas: Sequence[Quota], known: Values, until: datetime) -> Question:
    """The use of all in the day until a moment: the latest point counts."""
    return Question(
        "cloudwatch",
        "GetMetricData",
        "how much of the quotas is in use",
        {
            "MetricDataQueries": [_query(index, known[quota]["UsageMetric"]) for index, quota in enumerate(quotas)],
            "StartTime": (until - _WINDOW).isoformat(),
            "EndTime": until.isoformat(),
            "ScanBy": "TimestampDescending",
        },
    )


def used(quotas: Sequence[Quota], answer: Answer) -> dict[Quota, int]:
    """The latest value of each that was answered; what has no point is not in use."""
    results: Sequence[Mapping[str, Any]] = answer.result.get("MetricDataResults", ()) if answer.result else ()
    parts = {quota: [each for each in results if each["Id"] == _id(index)] for index, quota in enumerate(quotas)}
    latest = {quota: _latest(of_one) for quota, of_one in parts.items()}
    return {quota: value for quota, value in latest.items() if value is not None}


def _latest(parts: Sequence[Mapping[str, Any]]) -> int | None:
    """Of one metric, whose answer may be in parts, the latest first; None where AWS did not answer all of it."""
    if any(each.get("StatusCode") in _NOT_ANSWERED for each in parts):
        return None
    values = [value for each in parts for value in each.get("Values", ())]
    if values:
        return int(values[0])
    return 0 if parts and parts[-1].get("StatusCode") == "Complete" else None


def _id(index: int) -> str:
    """CloudWatch wants a lower-case letter first."""
    return f"q{index}"


def _query(index: int, metric: Mapping[str, Any]) -> dict[str, Any]:
    dimensions = metric.get("MetricDimensions", {})
    return {
        "Id": _id(index),
        "MetricStat": {
            "Metric": {
                "Namespace": metric.get("MetricNamespace", "AWS/Usage"),
                "MetricName": metric["MetricName"],
                "Dimensions": [{"Name": name, "Value": dimensions[name]} for name in sorted(dimensions)],
            },
            "Period": _SECONDS,
            "Stat": metric.get("MetricStatisticRecommendation", "Maximum"),
        },
    }
