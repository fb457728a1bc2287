"""Karpenter without the provisioning that it works by."""

from tests.policies.programs.hyperpod import cluster, ground

AT = {"hyperpod"}


def passing() -> None:
    on = ground()
    scaled = {"mode": "Enable", "auto_scaler_type": "Karpenter"}
    cluster(on, auto_scaling=scaled, cluster_role=on.role.arn, node_provisioning_mode="Continuous")


def failing() -> None:
    on = ground()
    cluster(on, auto_scaling={"mode": "Enable"}, cluster_role=on.role.arn)
