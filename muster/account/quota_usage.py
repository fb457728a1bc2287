"""How much of quotas is in use, by the metric that Service Quotas names for each: one question for all. Pure."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from muster.account.answer import Answer
from muster.account.question import Question
from muster.account.quota_values import Values
from muster.fleet.quotas import Quota

RIGHTS = {"cloudwatch:GetMetricData": "*"}

_SECONDS = 300
"""A point of the answer: AWS says every few minutes how much is in use."""


def measured(known: Values) -> tuple[Quota, ...]:
    """Those that have a metric."""
    return tuple(quota for quota, said in known.items() if said.get("UsageMetric", {}).get("MetricName"))


def question(quotas: Sequence[Quota], known: Values, as_of: date) -> Question:
    """The last two days' use of all. A day and not a moment: topics read no clock, and the latest point counts."""
    midnight = datetime.combine(as_of, time.min, UTC)
    return Question(
        "cloudwatch",
        "GetMetricData",
        "how much of the quotas is in use",
        {
            "MetricDataQueries": [_query(index, known[quota]["UsageMetric"]) for index, quota in enumerate(quotas)],
            "StartTime": (midnight - timedelta(days=1)).isoformat(),
            "EndTime": (midnight + timedelta(days=1)).isoformat(),
            "ScanBy": "TimestampDescending",
        },
    )


def used(quotas: Sequence[Quota], answer: Answer) -> dict[Quota, int]:
    """The latest value of each that has one."""
    results: Sequence[Mapping[str, Any]] = answer.result.get("MetricDataResults", ()) if answer.result else ()
    latest: dict[str, int] = {}
    for each in results:
        if each.get("Values"):
            latest.setdefault(each["Id"], int(each["Values"][0]))
    return {quota: latest[_id(index)] for index, quota in enumerate(quotas) if _id(index) in latest}


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
