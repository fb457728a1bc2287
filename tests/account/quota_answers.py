"""What a sound account says of quotas, with other answers to some questions; and stacks to ask about."""

from collections.abc import Mapping
from typing import Any

from muster.account.topic import PreflightRequest
from muster.hardware import quotas
from tests.account.aws import Answers
from tests.account.sound_quotas import ACCOUNT, answers
from tests.factories import CR, NOW, a_blueprint

NONE_HELD: dict[str, Any] = {
    "ec2.DescribeCapacityReservations": {"CapacityReservations": []},
    "resource-groups.ListGroupResources": {"Resources": []},
}
"""No reservation, and no group of them."""


def says(stack: str, **instead: Any) -> dict[str, Answers | None]:
    """A sound account's answers, with others to some operations (``ec2_DescribeVpcs=None``: denied)."""
    others = {key.replace("__", "-").replace("_", ".", 1): value for key, value in instead.items()}
    return {**answers(stack), **NONE_HELD, **others}


def with_reservation() -> PreflightRequest:
    """The default description: one p5.48xlarge on a reservation, a c5.2xlarge for the system."""
    return PreflightRequest(a_blueprint(), NOW)


def on_demand(nodes: int = 1) -> PreflightRequest:
    """The same without the reservation."""
    edits = {"groups.workers.capacity": "on-demand", "groups.workers.nodes": nodes}
    return PreflightRequest(a_blueprint(edits), NOW)


def instances(*those: Mapping[str, Any]) -> dict[str, Any]:
    """What `DescribeInstances` says of some that run."""
    return {"Reservations": [{"Instances": [{"State": {"Name": "running"}, **each} for each in those]}]}


def reserved(**more: Any) -> dict[str, Any]:
    """What `DescribeCapacityReservations` says of the default reservation, for two."""
    made = {"OwnerId": ACCOUNT, "State": "active", "InstanceType": "p5.48xlarge", "TotalInstanceCount": 2}
    return {"CapacityReservations": [{"CapacityReservationId": CR, "ReservationType": "default", **made, **more}]}


P, STANDARD = quotas.P.code, quotas.STANDARD.code


def on_a_group() -> PreflightRequest:
    """The default description on a resource group of reservations."""
    arn = f"arn:aws:resource-groups:us-west-2:{ACCOUNT}:group/p5"
    group = {"arn": arn, "zone": "us-west-2a", "count": 1, "provided-by": "aws"}
    return PreflightRequest(a_blueprint({"groups.workers.capacity": {"reservation-group": group}}), NOW)


A, B, ELSEWHERE = (f"subnet-0000000000000000{each}" for each in "abc")


def gateways(*those: Mapping[str, Any]) -> dict[str, Any]:
    """What `DescribeNatGateways` says."""
    return {"NatGateways": [{"State": "available", **each} for each in those]}
