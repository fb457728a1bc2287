"""What AWS itself refuses and forgets, where Muster's programs can run into it; not a copy of AWS's checks."""

from datetime import datetime

from tests.pulumi_engine.wire import Properties

SCHEDULE = "aws:autoscaling/schedule:Schedule"
BLOCK = "aws:ec2/capacityBlockReservation:CapacityBlockReservation"


class RefusedError(Exception):
    """AWS says no; the text is AWS's own, as far as it is known."""


def refusal(token: str, inputs: Properties, now: datetime) -> str | None:
    """Why AWS does not make or change such a resource, None where it does."""
    if token == SCHEDULE and (starts := inputs.get("startTime")) and datetime.fromisoformat(starts) <= now:
        return f"ValidationError: Given start time is in the past ({starts})"
    return None


def is_forgotten(token: str, outputs: Properties, now: datetime) -> bool:
    """Whether AWS no longer lists what once was there: a scheduled action that ran, a Capacity Block that is over."""
    ends = {SCHEDULE: "startTime", BLOCK: "endDate"}.get(token)
    return ends is not None and ends in outputs and datetime.fromisoformat(outputs[ends]) <= now
