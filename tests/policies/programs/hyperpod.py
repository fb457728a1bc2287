"""Programs about HyperPod."""

from muster.fleet.facts import Facts
from muster.hardware.hyperpod_quotas import IN_ALL_CLUSTERS, IN_ONE_CLUSTER
from tests.factories import facts
from tests.policies.programs.hyperpod_cluster import (
    a_group,
    cluster,
    ground,
    scripts,
)
from tests.policies.programs.pairs import breaks, keeps


@keeps(
    "hyperpod-private-subnets",
    "lifecycle-source-prefix",
)
def a_cluster() -> None:
    cluster(ground())


@keeps("hyperpod-karpenter-has-a-group")
def keeps_hyperpod_karpenter_has_a_group() -> None:
    on = ground()
    checked = a_group(on, "checked", on_start_deep_health_checks=["InstanceStress"])
    scaled = {"mode": "Enable", "auto_scaler_type": "Karpenter"}
    cluster(
        on,
        [a_group(on), checked],
        auto_scaling=scaled,
        cluster_role=on.role.arn,
        node_provisioning_mode="Continuous",
    )


@breaks("hyperpod-karpenter-has-a-group", "Karpenter, where every group has deep health checks.", at={"hyperpod"})
def breaks_hyperpod_karpenter_has_a_group() -> None:
    on = ground()
    checked = a_group(on, on_start_deep_health_checks=["InstanceStress"])
    scaled = {"mode": "Enable", "auto_scaler_type": "Karpenter"}
    cluster(on, [checked], auto_scaling=scaled, cluster_role=on.role.arn, node_provisioning_mode="Continuous")


breaks("hyperpod-private-subnets", "Subnets that give public addresses.", at={"hyperpod"})(
    lambda: cluster(ground(map_public_ip_on_launch=True))
)


def limits(one: int) -> Facts:
    quota = {"ml.p4d.24xlarge for cluster usage": 2}
    return facts(hyperpodQuotas={**quota, IN_ONE_CLUSTER: one, IN_ALL_CLUSTERS: 30})


breaks("lifecycle-source-prefix", "Scripts in a bucket that HyperPod's instances may not read.", at={"scripts"})(
    lambda: cluster(ground(bucket=scripts("ml-platform-scripts")))
)
