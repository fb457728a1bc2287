"""Six security groups."""

from tests.policies.programs.hyperpod import cluster, ground
from tests.policies.programs.world import efa_group

AT = {"hyperpod"}


def passing() -> None:
    cluster(ground())


def failing() -> None:
    on = ground()
    groups = [on.world.cluster_group, *(efa_group(on.world, f"efa-{index}").id for index in range(5))]
    cluster(on, vpc_config={"subnets": [on.world.subnets[0].id], "security_group_ids": groups})
