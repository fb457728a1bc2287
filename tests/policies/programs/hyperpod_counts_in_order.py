"""A minimum that no number of instances asked for reaches."""

from tests.policies.programs.hyperpod import a_group, cluster, ground

AT = {"hyperpod"}


def passing() -> None:
    on = ground()
    cluster(on, [a_group(on, min_instance_count=1)], node_provisioning_mode="Continuous")


def failing() -> None:
    on = ground()
    cluster(on, [a_group(on, min_instance_count=4)], node_provisioning_mode="Continuous")
