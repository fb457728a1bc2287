"""A reservation by its id beside a list of types."""

from typing import Any

from tests.policies.programs.pcluster import cluster, queue, reserved, resource
from tests.policies.programs.world import CR

AT = {"pcluster"}
ON: dict[str, Any] = {
    "CapacityReservationTarget": {"CapacityReservationId": CR},
    "Networking": {"PlacementGroup": {"Enabled": False}},
}
FACTS = reserved()


def passing() -> None:
    cluster(queue(resource(**ON)))


def failing() -> None:
    cluster(queue(resource(**ON, InstanceType=None, Instances=[{"InstanceType": "p4d.24xlarge"}])))
