"""What a sound account says of quotas, with other answers to some questions."""

from collections.abc import Mapping
from typing import Any

from tests.account.aws import Answers
from tests.account.sound_quotas import ACCOUNT, answers
from tests.factories import CR

NONE_HELD: dict[str, Any] = {
    "ec2.DescribeCapacityReservations": {"CapacityReservations": []},
    "resource-groups.ListGroupResources": {"Resources": []},
}
"""No reservation, and no group of them."""


def says(stack: str, **instead: Any) -> dict[str, Answers | None]:
    """A sound account's answers, with others to some operations (``ec2_DescribeVpcs=None``: denied)."""
    others = {key.replace("__", "-").replace("_", ".", 1): value for key, value in instead.items()}
    return {**answers(stack), **NONE_HELD, **others}


def reserved(**more: Any) -> dict[str, Any]:
    """What `DescribeCapacityReservations` says of the default reservation, for two."""
    made = {"OwnerId": ACCOUNT, "State": "active", "InstanceType": "p5.48xlarge", "TotalInstanceCount": 2}
    return {"CapacityReservations": [{"CapacityReservationId": CR, "ReservationType": "default", **made, **more}]}


A, B, ELSEWHERE = (f"subnet-0000000000000000{each}" for each in "abc")


def gateways(*those: Mapping[str, Any]) -> dict[str, Any]:
    """What `DescribeNatGateways` says."""
    return {"NatGateways": [{"State": "available", **each} for each in those]}
