"""A taint on nodes that HyperPod tries first."""

from tests.policies.programs.hyperpod import Ground, a_group, cluster, ground

AT = {"hyperpod"}


def _checked(on: Ground, effect: str) -> dict[str, object]:
    taints = [{"key": "team", "value": "ml", "effect": effect}]
    return a_group(on, on_start_deep_health_checks=["InstanceStress"], kubernetes_config={"taints": taints})


def passing() -> None:
    on = ground()
    cluster(on, [_checked(on, "PreferNoSchedule")])


def failing() -> None:
    on = ground()
    cluster(on, [_checked(on, "NoSchedule")])
