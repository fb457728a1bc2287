"""A taint whose key is no name."""

from tests.policies.programs.hyperpod import a_group, cluster, ground

AT = {"hyperpod"}


def passing() -> None:
    on = ground()
    taints = [{"key": "dedicated", "effect": "NoSchedule"}]
    cluster(on, [a_group(on, kubernetes_config={"labels": {"team": "ml"}, "taints": taints})])


def failing() -> None:
    on = ground()
    taints = [{"key": "-dedicated", "value": "training", "effect": "NoSchedule"}]
    cluster(on, [a_group(on, kubernetes_config={"taints": taints})])
