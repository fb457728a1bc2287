"""Interfaces with EFA alone, on a type that has none."""

from tests.policies.programs.hyperpod import a_group, cluster, ground

AT = {"hyperpod"}

_ALONE = {"interface_type": "efa-only"}


def passing() -> None:
    on = ground()
    cluster(on, [a_group(on, network_interface=_ALONE)])


def failing() -> None:
    on = ground()
    cluster(on, [a_group(on, instance_type="ml.m5.2xlarge", network_interface=_ALONE)])
