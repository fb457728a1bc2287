"""Spot instances in groups that come whole."""

from tests.policies.programs.hyperpod import Ground, a_group, cluster, ground

AT = {"hyperpod"}


def _on_spot(on: Ground) -> dict[str, object]:
    """Of a type with one EFA: it serves."""
    return a_group(on, instance_type="ml.g5.48xlarge", capacity_requirements={"spot": {}})


def passing() -> None:
    on = ground()
    cluster(on, [_on_spot(on)], node_provisioning_mode="Continuous")


def failing() -> None:
    on = ground()
    cluster(on, [_on_spot(on)])
