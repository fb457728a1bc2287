"""Fewer nodes at least than the Capacity Block holds."""

from typing import Any

from tests.policies.programs.pcluster import cluster, queue, reserved, resource
from tests.policies.programs.world import CR

AT = {"pcluster"}
ON_BLOCK: dict[str, Any] = {"CapacityReservationTarget": {"CapacityReservationId": CR}, "Networking": None}
FACTS = reserved("capacity-block")


def passing() -> None:
    cluster(queue(resource(**ON_BLOCK), CapacityType="CAPACITY_BLOCK"))


def failing() -> None:
    cluster(queue(resource(**ON_BLOCK, MinCount=0), CapacityType="CAPACITY_BLOCK"))
