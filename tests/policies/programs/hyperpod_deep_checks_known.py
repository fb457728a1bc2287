"""Checks of accelerators on instances that have none."""

from tests.policies.programs.hyperpod import a_group, cluster, ground

AT = {"hyperpod"}


def passing() -> None:
    on = ground()
    cluster(on, [a_group(on, on_start_deep_health_checks=["InstanceStress", "InstanceConnectivity"])])


def failing() -> None:
    on = ground()
    cluster(on, [a_group(on, instance_type="ml.m5.8xlarge", on_start_deep_health_checks=["InstanceStress"])])
