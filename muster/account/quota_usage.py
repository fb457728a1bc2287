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
_NOT_ANSWERED = frozenset({"InternalError", "Forbidden", None})
"""What CloudWatch says of one metric (`StatusCode`), or does not say: then the latest of its points may be missing."""


_OF_A_METRIC = ("MetricNamespace", "MetricName", "MetricDimensions")
"""What makes it: with one of these left out another metric would be asked for, which has no points."""


def measured(known: Values) -> tuple[Quota, ...]:
    """Those whose metric AWS tells."""
    return tuple(quota for quota, said in known.items() if _told(said.get("UsageMetric", {})))


def _told(metric: Mapping[str, Any]) -> bool:
    return bool(metric.get("MetricName")) and all(each in metric for each in _OF_A_METRIC)


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
    """The latest value of each that was answered; what has no point is not in use. Nothing of any where AWS does not
    say whose a result is."""
    results: Sequence[Mapping[str, Any]] = answer.result.get("MetricDataResults", ()) if answer.result else ()
    if not all("Id" in each for each in results):
        return {}
    parts = {quota: [each for each in results if each["Id"] == _id(index)] for index, quota in enumerate(quotas)}
    latest = {quota: _latest(of_one) for quota, of_one in parts.items()}
    return {quota: value for quota, value in latest.items() if value is not None}


def _latest(parts: Sequence[Mapping[str, Any]]) -> int | None:
    """Of one metric, whose answer may be in parts, the latest first; None where AWS did not answer all of it."""
    if any("Values" not in each or each.get("StatusCode") in _NOT_ANSWERED for each in parts):
        return None
    values = [value for each in parts for value in each["Values"]]
    if values:
        return int(values[0])
    return 0 if parts and parts[-1]["StatusCode"] == "Complete" else None


def _id(index: int) -> str:
    """CloudWatch wants a lower-case letter first."""
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
