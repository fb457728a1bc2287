"""Views of HyperPod clusters, their groups and the buckets of their scripts: half-known, written another way, or
wrong."""

from typing import Any

import pytest

from muster.fleet.registration import Registration
from muster.fleet.resources import (
    HyperPodCluster,
    InstanceGroup,
    Lifecycle,
    PossibleReferences,
    Ref,
    StorageVolume,
    Taint,
)
from muster.fleet.resources.hyperpod import INSTANCE_GROUP
from muster.fleet.resources.ref import BUCKET, CLUSTER, HYPERPOD, KEY, SECURITY_GROUP, SUBNET
from muster.unknown import UNKNOWN
from tests.policies.views.registrations import PREFIX, registered, seen

EKS, SUBNET_A, EFA, SCRIPTS = Ref(CLUSTER, "ml"), Ref(SUBNET, "a"), Ref(SECURITY_GROUP, "efa"), Ref(BUCKET, "scripts")
NEEDS = {"orchestrator": [EKS], "vpcConfig": [SUBNET_A, EFA], "instanceGroups": [SCRIPTS]}
AROUND = (registered(CLUSTER, "ml"), registered(SUBNET, "a"), registered(SECURITY_GROUP, "efa"))
LIFECYCLE = {"sourceS3Uri": UNKNOWN, "onCreate": "on_create.sh"}


def a_cluster(**inputs: Any) -> Registration:
    """A cluster as a preview shows it: ids unknown, what they are made of known."""
    said = {
        "clusterName": "ml-cluster",
        "orchestrator": {"eks": {"clusterArn": UNKNOWN}},
        "vpcConfig": {"subnets": [UNKNOWN], "securityGroupIds": [UNKNOWN]},
        "instanceGroups": [{"instanceGroupName": "workers", "instanceType": "ml.p5.48xlarge", "instanceCount": 4}],
    }
    return registered(HYPERPOD, "hyperpod", **{**said, "needs": NEEDS, **inputs})


def the_cluster(**inputs: Any) -> HyperPodCluster:
    (found,) = seen(*AROUND, a_cluster(**inputs)).of(HyperPodCluster)
    return found


def the_group(**said: Any) -> InstanceGroup:
    group = {"instanceGroupName": "workers", "instanceCount": 1, **said}
    made = a_cluster(instanceGroups=[group], needs={**NEEDS, "instanceGroups": [SCRIPTS, Ref(KEY, "ours")]})
    (found,) = seen(*AROUND, registered(BUCKET, "scripts"), registered(KEY, "ours"), made).of(InstanceGroup)
    return found


def test_a_cluster_in_a_preview() -> None:
    """Unknown ids are what the properties are made of; the groups have the cluster's network."""
    fleet = seen(*AROUND, a_cluster(nodeRecovery="Automatic", nodeProvisioningMode="Continuous"))
    (cluster,), (group,) = fleet.of(HyperPodCluster), fleet.of(InstanceGroup)
    assert (cluster.ref, cluster.name, cluster.orchestrator) == (Ref(HYPERPOD, "hyperpod"), "ml-cluster", EKS)
    assert (cluster.subnets, cluster.security_groups, cluster.slurm) == ((SUBNET_A,), (EFA,), False)
    assert (cluster.node_recovery, cluster.provisioning, cluster.groups_known) == ("Automatic", "Continuous", True)
    assert (group.ref, group.cluster) == (Ref(INSTANCE_GROUP, "workers"), cluster.ref)
    assert (group.instance_types, group.nodes_start, group.nodes_min) == (("ml.p5.48xlarge",), 4, 4)
    assert (group.subnets, group.security_groups, group.own_network) == ((SUBNET_A,), (EFA,), False)
    assert group.place == cluster.place


@pytest.mark.parametrize(
    ("orchestrator", "eks", "slurm"),
    [
        (None, None, True),
        ({}, None, False),
        ({"slurm": {}}, None, True),
        ({"eks": {"clusterArn": UNKNOWN}, "slurm": {}}, EKS, True),
        ({"eks": {"clusterArn": "arn:aws:eks:::cluster/x"}}, "arn:aws:eks:::cluster/x", False),
        (UNKNOWN, EKS, False),
        ({"eks": UNKNOWN}, EKS, False),
    ],
)
def test_who_orchestrates(orchestrator: Any, eks: Any, slurm: bool) -> None:
    """Who names no orchestrator has Slurm; who names an empty one has neither."""
    cluster = the_cluster(orchestrator=orchestrator)
    assert (cluster.orchestrator, cluster.slurm) == (eks, slurm)


ON = {"mode": "Enable", "instanceMemoryAllocationPercentage": 20}


@pytest.mark.parametrize(
    ("said", "field", "expected"),
    [
        ({"autoScaling": {"mode": "Enable"}}, "autoscaler", "Karpenter"),
        ({"autoScaling": {"mode": "Enable", "autoScalerType": UNKNOWN}}, "autoscaler", UNKNOWN),
        ({"autoScaling": {"mode": "Disable", "autoScalerType": "Karpenter"}}, "autoscaler", None),
        ({"autoScaling": {"mode": UNKNOWN}}, "autoscaler", UNKNOWN),
        ({"autoScaling": UNKNOWN}, "autoscaler", UNKNOWN),
        ({"tieredStorageConfig": ON}, "memory_percent", 20),
        ({"tieredStorageConfig": {**ON, "mode": "Disable"}}, "memory_percent", None),
    ],
)
def test_what_can_be_off(said: Any, field: str, expected: Any) -> None:
    """A mode that is off is none, one that is not known is not known."""
    assert getattr(the_cluster(**said), field) == expected


@pytest.mark.parametrize("groups", [UNKNOWN, [UNKNOWN], [{"instanceGroupName": "one"}, UNKNOWN]])
def test_groups_not_yet_known(groups: Any) -> None:
    """The cluster says so, and in their place is one of which nothing is known."""
    fleet = seen(*AROUND, a_cluster(instanceGroups=groups))
    (group,) = fleet.of(InstanceGroup)
    assert {group.name, group.instance_type, group.subnets, group.labels, group.lifecycle} == {UNKNOWN}
    assert [cluster.groups_known for cluster in fleet.of(HyperPodCluster)] == [False]


def test_groups_are_told_apart() -> None:
    """By their names where those are known and theirs alone, else by their place; each keeps the name it has."""
    groups = [{"instanceGroupName": name} for name in ("one", "two", "two", UNKNOWN, None)]
    other = registered(HYPERPOD, "other", instanceGroups=[{"instanceGroupName": "one"}])
    found = seen(*AROUND, a_cluster(instanceGroups=groups), other).of(InstanceGroup)
    assert [(each.ref.name, each.name) for each in found] == [
        ("hyperpod.instanceGroups[0]", "one"),
        ("hyperpod.instanceGroups[1]", "two"),
        ("hyperpod.instanceGroups[2]", "two"),
        ("hyperpod.instanceGroups[3]", UNKNOWN),
        ("hyperpod.instanceGroups[4]", None),
        ("other.instanceGroups[0]", "one"),
    ]


def test_a_network_of_its_own() -> None:
    """An override stands before the cluster's network."""
    own = {"subnets": ["subnet-0123456789abcdef0"], "securityGroupIds": ["sg-0123456789abcdef0"]}
    group = the_group(overrideVpcConfig=own)
    assert (group.subnets, group.own_network) == (("subnet-0123456789abcdef0",), True)
    assert group.security_groups == ("sg-0123456789abcdef0",)
    assert the_group(overrideVpcConfig=UNKNOWN).subnets is UNKNOWN


def test_groups_in_two_subnets() -> None:
    """All groups are one property: each of two unknown ids may be either, and is one."""
    subnet_b = Ref(SUBNET, "b")
    own = {"subnets": [UNKNOWN], "securityGroupIds": [UNKNOWN]}
    listed = [{"instanceGroupName": name, "overrideVpcConfig": own} for name in ("one", "two")]
    made = a_cluster(instanceGroups=listed, needs={**NEEDS, "instanceGroups": [SUBNET_A, subnet_b, EFA]})
    groups = seen(*AROUND, registered(SUBNET, "b"), made).of(InstanceGroup)
    assert [(each.subnets, each.subnets_among) for each in groups] == [
        (UNKNOWN, PossibleReferences(1, (SUBNET_A, subnet_b)))
    ] * 2
    assert [each.security_groups for each in groups] == [(EFA,)] * 2


def a_volume(**said: Any) -> dict[str, Any]:
    return {"instanceStorageConfigs": [{"ebsVolumeConfig": said}]}


def on_kubernetes(**said: Any) -> dict[str, Any]:
    return {"kubernetesConfig": said}


TAINTS = [{"key": "a", "value": "b", "effect": "NoExecute"}, {"key": "c", "effect": "NoSchedule"}]
TYPES = ["ml.p5.48xlarge", "ml.p5e.48xlarge"]


@pytest.mark.parametrize(
    ("said", "field", "expected"),
    [
        # in the order of their priority; an empty block lists none
        ({"instanceRequirements": {"instanceTypes": TYPES}}, "requirements", tuple(TYPES)),
        ({"instanceRequirements": {"instanceTypes": [*TYPES, UNKNOWN]}}, "requirements", UNKNOWN),
        ({"instanceRequirements": {}}, "requirements", ()),
        ({"instanceRequirements": UNKNOWN}, "requirements", UNKNOWN),
        ({}, "requirements", None),
        # a size in either spelling, the root volume, a key of the program; none of a list that is half known
        (a_volume(volumeSizeInGb=500), "volumes", (StorageVolume(500),)),
        (a_volume(volumeSizeInGB="500"), "volumes", (StorageVolume(500),)),
        (a_volume(volumeSizeInGb=UNKNOWN), "volumes", (StorageVolume(UNKNOWN),)),
        (a_volume(rootVolume=True, volumeKmsKeyId="key"), "volumes", (StorageVolume(None, True, "key"),)),
        (a_volume(rootVolume=UNKNOWN), "volumes", (StorageVolume(None, UNKNOWN),)),
        (a_volume(volumeKmsKeyId=UNKNOWN), "volumes", (StorageVolume(None, False, Ref(KEY, "ours")),)),
        ({"instanceStorageConfigs": UNKNOWN}, "volumes", UNKNOWN),
        ({"instanceStorageConfigs": [UNKNOWN]}, "volumes", UNKNOWN),
        # a taint may have no value; one thing unknown makes its list unknown
        (on_kubernetes(labels={"team": "ml"}), "labels", frozenset({("team", "ml")})),
        (on_kubernetes(labels={"team": UNKNOWN}), "labels", UNKNOWN),
        (on_kubernetes(labels=UNKNOWN), "labels", UNKNOWN),
        (on_kubernetes(labels=UNKNOWN), "taints", frozenset()),
        (
            on_kubernetes(taints=TAINTS),
            "taints",
            frozenset({Taint("a", "b", "NoExecute"), Taint("c", "", "NoSchedule")}),
        ),
        (on_kubernetes(taints=[{"key": "a", "value": UNKNOWN, "effect": "NoExecute"}]), "taints", UNKNOWN),
        ({"kubernetesConfig": UNKNOWN}, "labels", UNKNOWN),
        ({"kubernetesConfig": UNKNOWN}, "taints", UNKNOWN),
        # named by an empty block
        ({"capacityRequirements": {"spot": {}}}, "spot", True),
        ({"capacityRequirements": {"onDemand": {}}}, "spot", False),
        ({"capacityRequirements": {}}, "spot", False),
        ({"capacityRequirements": UNKNOWN}, "spot", UNKNOWN),
        ({}, "spot", False),
    ],
)
def test_what_a_group_has(said: Any, field: str, expected: Any) -> None:
    assert getattr(the_group(**said), field) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (LIFECYCLE, Lifecycle(SCRIPTS, "on_create.sh", None, UNKNOWN)),
        ({"sourceS3Uri": "s3://sagemaker-theirs/p5/"}, Lifecycle("s3://sagemaker-theirs/p5/", None, None, "p5")),
        ({"onInitComplete": "more.sh"}, Lifecycle(None, None, "more.sh")),
        ({"sourceS3Uri": UNKNOWN, "onCreate": UNKNOWN}, Lifecycle(SCRIPTS, UNKNOWN, None, UNKNOWN)),
        (UNKNOWN, UNKNOWN),
        (None, None),
    ],
)
def test_a_lifecycle(given: Any, expected: Any) -> None:
    """An unknown address is in the only bucket that the groups are made of."""
    found = the_group(lifeCycleConfig=given).lifecycle
    assert found == expected
    if isinstance(found, Lifecycle):
        assert found.folder == expected.folder


def test_what_comes_before_it() -> None:
    """All that the engine makes first, also by way of others."""
    chart = Registration(f"{PREFIX}a:b:Chart::chart", "a:b:Chart", "chart", {}, dependencies=(f"{PREFIX}a:b:Eks::eks",))
    eks = Registration(f"{PREFIX}a:b:Eks::eks", "a:b:Eks", "eks", {})
    made = Registration(f"{PREFIX}{HYPERPOD}::pod", HYPERPOD, "pod", {}, dependencies=(chart.urn,))
    (cluster,) = seen(made, chart, eks).of(HyperPodCluster)
    assert cluster.after == {Ref("a:b:Chart", "chart"), Ref("a:b:Eks", "eks")}
