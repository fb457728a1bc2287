"""Spot instances on a reservation."""

from tests.policies.programs.pcluster import cluster, plain, queue, reserved
from tests.policies.programs.world import CR

AT = {"pcluster"}
FAILING_FACTS = reserved(instanceType="c5.2xlarge")


def passing() -> None:
    cluster(queue(plain(), CapacityType="SPOT"))


def failing() -> None:
    target = {"CapacityReservationId": CR}
    cluster(queue(plain(CapacityReservationTarget=target), CapacityType="SPOT"))
