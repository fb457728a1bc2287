"""Programs about HyperPod."""

from dataclasses import replace

import pulumi_aws as aws

from muster.fleet.facts import Facts
from muster.hardware.hyperpod_quotas import IN_ALL_CLUSTERS, IN_ONE_CLUSTER
from tests.factories import facts
from tests.policies.programs.hyperpod_cluster import (
    Ground,
    Untyped,
    a_group,
    cluster,
    ground,
    on_plan,
    one_group,
    own_network,
    plan,
    quotas,
    scripts,
)
from tests.policies.programs.kubernetes import a_release
from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.world import efa_group


@keeps(
    "hyperpod-alone-on-eks",
    "hyperpod-authentication-mode",
    "hyperpod-chart-before-cluster",
    "hyperpod-instance-type-taken",
    "hyperpod-kubernetes-version",
    "hyperpod-names-legal",
    "hyperpod-network-limits",
    "hyperpod-orchestrator-single",
    "hyperpod-private-subnets",
    "hyperpod-volumes-legal",
    "hyperpod-vpc-cni",
    "lifecycle-bundle-versioned",
    "lifecycle-entry-single",
    "lifecycle-script-in-bundle",
    "lifecycle-source-prefix",
)
@keeps("hyperpod-quota-covers-nodes", facts=quotas(p4d=2))
def a_cluster() -> None:
    cluster(ground())


@keeps("hyperpod-counts-in-order", "hyperpod-minimum-needs-continuous")
def a_minimum_under_continuous_provisioning() -> None:
    on = ground()
    cluster(on, [a_group(on, min_instance_count=1)], node_provisioning_mode="Continuous")


@keeps("training-plan-covers-nodes", "training-plan-type", "training-plan-usable", "training-plan-zone", facts=plan())
def a_cluster_on_a_training_plan() -> None:
    on = ground()
    cluster(on, [on_plan(on)])


@breaks("hyperpod-alone-on-eks", "A second HyperPod cluster on one EKS cluster.", at={"hyperpod", "second"})
def breaks_hyperpod_alone_on_eks() -> None:
    on = ground()
    cluster(on)
    cluster(on, [a_group(on, "others")], "second")


breaks(
    "hyperpod-authentication-mode",
    "An EKS cluster without access entries, which is the default.",
    at={"training"},
)(lambda: cluster(ground(mode=None)))


@keeps("hyperpod-autoscaling-complete")
def keeps_hyperpod_autoscaling_complete() -> None:
    on = ground()
    scaled = {"mode": "Enable", "auto_scaler_type": "Karpenter"}
    cluster(on, auto_scaling=scaled, cluster_role=on.role.arn, node_provisioning_mode="Continuous")


@breaks("hyperpod-autoscaling-complete", "Karpenter autoscaling without continuous provisioning.", at={"hyperpod"})
def breaks_hyperpod_autoscaling_complete() -> None:
    on = ground()
    cluster(on, auto_scaling={"mode": "Enable"}, cluster_role=on.role.arn)


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


@breaks("hyperpod-chart-before-cluster", "A cluster that does not wait for HyperPod's chart.", at={"hyperpod"})
def breaks_hyperpod_chart_before_cluster() -> None:
    on = ground()
    cluster(replace(on, chart=None))


@breaks("hyperpod-counts-in-order", "A minimum that is larger than the number of instances.", at={"hyperpod"})
def breaks_hyperpod_counts_in_order() -> None:
    on = ground()
    cluster(on, [a_group(on, min_instance_count=4)], node_provisioning_mode="Continuous")


keeps("hyperpod-deep-checks-known")(
    lambda: one_group(on_start_deep_health_checks=["InstanceStress", "InstanceConnectivity"])
)
breaks("hyperpod-deep-checks-known", "Checks of accelerators on instances that have none.", at={"hyperpod"})(
    lambda: one_group(instance_type="ml.m5.8xlarge", on_start_deep_health_checks=["InstanceStress"])
)


@keeps("hyperpod-groups-distinct")
def keeps_hyperpod_groups_distinct() -> None:
    on = ground()
    cluster(on, [a_group(on), a_group(on, "others")])


@breaks("hyperpod-groups-distinct", "Two groups with the same name.", at={"hyperpod"})
def breaks_hyperpod_groups_distinct() -> None:
    on = ground()
    cluster(on, [a_group(on), a_group(on)])


@keeps("hyperpod-instance-type-stated-once")
def keeps_hyperpod_instance_type_stated_once() -> None:
    on = ground()
    types = {"instance_types": ["ml.p4d.24xlarge", "ml.p4de.24xlarge"]}
    cluster(on, [a_group(on, instance_type=None, instance_requirements=types)])


breaks("hyperpod-instance-type-stated-once", "One type, and a list of types beside it.", at={"hyperpod"})(
    lambda: one_group(instance_requirements={"instance_types": ["ml.p4d.24xlarge"]})
)

breaks("hyperpod-instance-type-taken", "EC2 has p3dn.24xlarge, but HyperPod does not.", at={"hyperpod"})(
    lambda: one_group(instance_type="ml.p3dn.24xlarge")
)

_ALONE = {"interface_type": "efa-only"}

keeps("hyperpod-interface-fits")(lambda: one_group(network_interface=_ALONE))
breaks("hyperpod-interface-fits", "Interfaces with EFA alone, on a type that has none.", at={"hyperpod"})(
    lambda: one_group(instance_type="ml.m5.2xlarge", network_interface=_ALONE)
)


def _keyed(on: Ground) -> dict[str, object]:
    volume = {"volume_size_in_gb": 500, "volume_kms_key_id": aws.kms.Key("volumes").arn}
    return a_group(on, instance_storage_configs=[{"ebs_volume_config": volume}])


@keeps("hyperpod-key-usable")
def keeps_hyperpod_key_usable() -> None:
    on = ground()
    cluster(on, [_keyed(on)], node_provisioning_mode="Continuous")


@breaks("hyperpod-key-usable", "The account's own KMS key, without continuous provisioning.", at={"hyperpod"})
def breaks_hyperpod_key_usable() -> None:
    on = ground()
    cluster(on, [_keyed(on)])


breaks("hyperpod-kubernetes-version", "A version that EKS has, but HyperPod does not have yet.", at={"training"})(
    lambda: cluster(ground(version="1.36"))
)


@keeps("hyperpod-labels-legal")
def keeps_hyperpod_labels_legal() -> None:
    on = ground()
    taints = [{"key": "dedicated", "effect": "NoSchedule"}]
    cluster(on, [a_group(on, kubernetes_config={"labels": {"team": "ml"}, "taints": taints})])


@breaks("hyperpod-labels-legal", "A taint with an invalid key.", at={"hyperpod"})
def breaks_hyperpod_labels_legal() -> None:
    on = ground()
    taints = [{"key": "-dedicated", "value": "training", "effect": "NoSchedule"}]
    cluster(on, [a_group(on, kubernetes_config={"taints": taints})])


keeps("hyperpod-labels-not-reserved")(lambda: one_group(kubernetes_config={"labels": {"example.com/team": "ml"}}))


@breaks(
    "hyperpod-labels-not-reserved", "A program that sets HyperPod's label for the health of a node.", at={"hyperpod"}
)
def breaks_hyperpod_labels_not_reserved() -> None:
    on = ground()
    labels = {"sagemaker.amazonaws.com/node-health-status": "Schedulable"}
    cluster(on, [a_group(on, kubernetes_config={"labels": labels})])


breaks(
    "hyperpod-minimum-needs-continuous",
    "A minimum number of instances without continuous provisioning.",
    at={"hyperpod"},
)(lambda: one_group(min_instance_count=1))


@breaks("hyperpod-names-legal", "An underscore in a group's name.", at={"hyperpod"})
def breaks_hyperpod_names_legal() -> None:
    on = ground()
    cluster(on, [a_group(on, "gpu_workers")])


@breaks("hyperpod-network-limits", "Six security groups.", at={"hyperpod"})
def breaks_hyperpod_network_limits() -> None:
    on = ground()
    groups = [on.world.cluster_group, *(efa_group(on.world, f"efa-{index}").id for index in range(5))]
    cluster(on, vpc_config={"subnets": [on.world.subnets[0].id], "security_group_ids": groups})


keeps("hyperpod-node-recovery-known")(lambda: Untyped(ground(), nodeRecovery="None"))
breaks("hyperpod-node-recovery-known", "A value for node recovery that the API does not have.", at={"hyperpod"})(
    lambda: Untyped(ground(), nodeRecovery="Manual")
)


@keeps("hyperpod-one-cni")
def keeps_hyperpod_one_cni() -> None:
    cluster(ground())
    a_release("cilium", "cilium", "1.18.4", {"cni": {"chainingMode": "aws-cni", "exclusive": False}})


@breaks("hyperpod-one-cni", "Another CNI beside the VPC CNI.", at={"cilium"})
def breaks_hyperpod_one_cni() -> None:
    cluster(ground())
    a_release("cilium", "cilium", "1.18.4")


@breaks("hyperpod-orchestrator-single", "EKS and Slurm at once.", at={"hyperpod"})
def breaks_hyperpod_orchestrator_single() -> None:
    on = ground()
    eks = {"cluster_arn": on.world.cluster.arn}
    cluster(on, orchestrator={"eks": eks, "slurm": {"slurm_config_strategy": "Managed"}})


breaks("hyperpod-private-subnets", "Subnets that give public addresses.", at={"hyperpod"})(
    lambda: cluster(ground(map_public_ip_on_launch=True))
)

keeps("hyperpod-provisioning-known")(lambda: Untyped(ground(), nodeProvisioningMode="Continuous"))
breaks("hyperpod-provisioning-known", "A provisioning mode that the API does not have.", at={"hyperpod"})(
    lambda: Untyped(ground(), nodeProvisioningMode="AllAtOnce")
)


def limits(one: int) -> Facts:
    quota = {"ml.p4d.24xlarge for cluster usage": 2}
    return facts(hyperpodQuotas={**quota, IN_ONE_CLUSTER: one, IN_ALL_CLUSTERS: 30})


keeps("hyperpod-quota-covers-cluster", facts=limits(2))(a_cluster)
breaks(
    "hyperpod-quota-covers-cluster",
    "Two instances, but the quota allows one for a cluster.",
    at={"hyperpod"},
    facts=limits(1),
)(a_cluster)

breaks("hyperpod-quota-covers-nodes", "A quota of one instance for two nodes.", at={"hyperpod"}, facts=quotas(p4d=1))(
    a_cluster
)

EVERYWHERE = {"protocol": "-1", "from_port": 0, "to_port": 0, "cidr_blocks": ["0.0.0.0/0"]}
ITSELF = {"protocol": "-1", "from_port": 0, "to_port": 0, "self": True}


@keeps("hyperpod-security-groups-allow-themselves")
def keeps_hyperpod_security_groups_allow_themselves() -> None:
    on = ground()
    both = aws.ec2.SecurityGroup("both", vpc_id=on.world.vpc.id, ingress=[ITSELF], egress=[EVERYWHERE, ITSELF])
    cluster(on, [a_group(on, **own_network(on, both))])


@breaks(
    "hyperpod-security-groups-allow-themselves",
    "Egress to 0.0.0.0/0 in place of egress to the group itself.",
    at={"bare"},
)
def breaks_hyperpod_security_groups_allow_themselves() -> None:
    on = ground()
    bare = aws.ec2.SecurityGroup("bare", vpc_id=on.world.vpc.id, ingress=[ITSELF], egress=[EVERYWHERE])
    cluster(on, [a_group(on, **own_network(on, bare))])


def _on_spot(on: Ground) -> dict[str, object]:
    """Of a type with one EFA: it serves."""
    return a_group(on, instance_type="ml.g5.48xlarge", capacity_requirements={"spot": {}})


@keeps("hyperpod-spot-needs-continuous")
def keeps_hyperpod_spot_needs_continuous() -> None:
    on = ground()
    cluster(on, [_on_spot(on)], node_provisioning_mode="Continuous")


@breaks("hyperpod-spot-needs-continuous", "Spot Instances without continuous provisioning.", at={"hyperpod"})
def breaks_hyperpod_spot_needs_continuous() -> None:
    on = ground()
    cluster(on, [_on_spot(on)])


def _checked(on: Ground, effect: str) -> dict[str, object]:
    taints = [{"key": "team", "value": "ml", "effect": effect}]
    return a_group(on, on_start_deep_health_checks=["InstanceStress"], kubernetes_config={"taints": taints})


@keeps("hyperpod-taints-beside-deep-checks")
def keeps_hyperpod_taints_beside_deep_checks() -> None:
    on = ground()
    cluster(on, [_checked(on, "PreferNoSchedule")])


@breaks("hyperpod-taints-beside-deep-checks", "A taint on nodes with deep health checks.", at={"hyperpod"})
def breaks_hyperpod_taints_beside_deep_checks() -> None:
    on = ground()
    cluster(on, [_checked(on, "NoSchedule")])


keeps("hyperpod-threads-per-core")(lambda: one_group(threads_per_core=2))
breaks("hyperpod-threads-per-core", "Four threads per core.", at={"hyperpod"})(lambda: one_group(threads_per_core=4))

breaks("hyperpod-volumes-legal", "A volume that is larger than the maximum.", at={"hyperpod"})(
    lambda: one_group(instance_storage_configs=[{"ebs_volume_config": {"volume_size_in_gb": 20000}}])
)

breaks("hyperpod-vpc-cni", "A VPC CNI that is older than HyperPod needs.", at={"vpc-cni"})(
    lambda: cluster(ground(cni="v1.18.2-eksbuild.1"))
)


@keeps("lifecycle-bundle-private")
def keeps_lifecycle_bundle_private() -> None:
    bucket = scripts()
    four = ("block_public_acls", "block_public_policy", "ignore_public_acls", "restrict_public_buckets")
    aws.s3.BucketPublicAccessBlock("scripts", bucket=bucket.id, **dict.fromkeys(four, True))
    cluster(ground(bucket=bucket))


@breaks("lifecycle-bundle-private", "A public access block with a gap.", at={"scripts"})
def breaks_lifecycle_bundle_private() -> None:
    bucket = scripts()
    aws.s3.BucketPublicAccessBlock("scripts", bucket=bucket.id, block_public_acls=True, ignore_public_acls=True)
    cluster(ground(bucket=bucket))


@breaks("lifecycle-bundle-versioned", "A bucket without versioning.", at={"scripts"})
def breaks_lifecycle_bundle_versioned() -> None:
    bucket = aws.s3.Bucket("scripts", bucket="sagemaker-scripts")
    aws.s3.BucketObjectv2("on-create", bucket=bucket.id, key="lifecycle/on_create.sh", content="#!/bin/bash")
    cluster(ground(bucket=bucket))


@breaks("lifecycle-entry-single", "A script before HyperPod's set-up and one after it.", at={"hyperpod"})
def breaks_lifecycle_entry_single() -> None:
    on = ground()
    both = {"on_create": "on_create.sh", "on_init_complete": "on_create.sh"}
    cluster(on, [a_group(on, life_cycle_config={"source_s3_uri": on.scripts, **both})])


@breaks("lifecycle-script-in-bundle", "A script that is not in the bundle.", at={"hyperpod"})
def breaks_lifecycle_script_in_bundle() -> None:
    on = ground()
    cluster(on, [a_group(on, life_cycle_config={"source_s3_uri": on.scripts, "on_create": "start.sh"})])


breaks("lifecycle-source-prefix", "Scripts in a bucket that HyperPod's instances may not read.", at={"scripts"})(
    lambda: cluster(ground(bucket=scripts("ml-platform-scripts")))
)


@breaks(
    "training-plan-covers-nodes",
    "A training plan of one instance for two nodes.",
    at={"hyperpod"},
    facts=plan(totalInstances=1),
)
def breaks_training_plan_covers_nodes() -> None:
    on = ground()
    cluster(on, [on_plan(on)])


@breaks(
    "training-plan-type",
    "An instance type that no training plan has, on a plan without facts.",
    at={"hyperpod"},
    facts=plan(instanceType=None),
)
def breaks_training_plan_type() -> None:
    on = ground()
    cluster(on, [on_plan(on, instance_type="ml.g5.48xlarge")])


@breaks(
    "training-plan-usable",
    "A plan that was bought for training jobs.",
    at={"hyperpod"},
    facts=plan(targets=["training-job"]),
)
def breaks_training_plan_usable() -> None:
    on = ground()
    cluster(on, [on_plan(on)])


@breaks("training-plan-zone", "A plan in another zone than the group.", at={"hyperpod"}, facts=plan(zone="us-west-2b"))
def breaks_training_plan_zone() -> None:
    on = ground()
    cluster(on, [on_plan(on)])
