"""A group in an Auto Scaling group: who lets its nodes in, what they are told, who scales them."""

from functools import cache
from typing import Any

import pytest

from muster.fleet.resources import ref as types
from tests.factories import CR, DROP, A
from tests.infra.registered import Registered, node_config, registered

ENTRY, PROFILE = "aws:eks/accessEntry:AccessEntry", "aws:iam/instanceProfile:InstanceProfile"
SCHEDULE, ATTACHED = "aws:autoscaling/schedule:Schedule", "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
ROLE = "aws:iam/role:Role"
OWN = {"groups.workers.self-managed": True}
BLOCK = {"id": CR, "zone": "us-west-2a", "count": 2, "starts": "2026-12-01", "ends": "2026-12-15"}
EXISTING = {"name": "theirs", "security-group": "sg-0123456789abcdef0", "authentication": "api"}
JOINING = {"control-plane": {"existing": EXISTING}, "api": DROP, "groups.system": DROP}


@cache
def made(kind: str = "new") -> Registered:
    """With a new cluster, or joining one that exists."""
    return registered(OWN if kind == "new" else {**OWN, **JOINING})


def test_its_nodes_have_a_profile_and_are_let_in() -> None:
    """One role, in the profile and in an entry of type EC2_LINUX, which stands before any node."""
    program = made()
    role, profile = program.one(ROLE, "workers"), program.one(PROFILE, "workers")
    entry, group = program.one(ENTRY, "workers"), program.one(types.AUTO_SCALING_GROUP, "workers")
    cluster = program.one(types.CLUSTER, "cluster-eksCluster")
    assert profile.inputs["role"] == role.outputs["name"]
    assert program.one(types.LAUNCH_TEMPLATE, "workers").inputs["iamInstanceProfile"] == {
        "name": profile.outputs["name"]
    }
    assert {key: entry.inputs[key] for key in ("type", "principalArn", "clusterName")} == {
        "type": "EC2_LINUX",
        "principalArn": role.outputs["arn"],
        "clusterName": cluster.outputs["name"],
    }
    assert entry.urn in group.dependencies
    assert "workers" not in program.named(types.NODE_GROUP)


def test_a_managed_group_has_neither() -> None:
    """EKS gives the role, and makes the entry: a second one would be refused."""
    program = registered()
    assert program.named(ENTRY) == {}
    assert program.named(PROFILE) == {}
    assert "iamInstanceProfile" not in program.one(types.LAUNCH_TEMPLATE, "workers").inputs


def test_its_tags() -> None:
    """The cluster's mark on every node; what an autoscaler must know of a node that is not there yet, on the group."""
    tags = made().one(types.AUTO_SCALING_GROUP, "workers").inputs["tags"]
    assert len({each["key"] for each in tags}) == len(tags)
    assert {each["key"]: (each["value"], each["propagateAtLaunch"]) for each in tags} == {
        "kubernetes.io/cluster/test": ("owned", True),
        "k8s.io/cluster-autoscaler/node-template/label/muster/group": ("workers", False),
        "k8s.io/cluster-autoscaler/node-template/label/muster/purpose": ("training", False),
        "k8s.io/cluster-autoscaler/node-template/taint/nvidia.com/gpu": ("true:NoSchedule", False),
        "Name": ("test-workers", False),
        "muster:stack": ("test", False),
    }


@pytest.mark.parametrize("kind", ["new", "existing"])
def test_its_nodes_are_told_which_cluster_is_theirs(kind: str) -> None:
    """Name, endpoint, certificate authority and Services' range, of that very cluster; labels and taints, too."""
    program = made(kind)
    spec = node_config(program.one(types.LAUNCH_TEMPLATE, "workers"))
    told = program.outputs["cluster"]
    assert spec["cluster"] == {
        "name": told["name"],
        "apiServerEndpoint": told["endpoint"],
        "certificateAuthority": told["certificateAuthority"],
        "cidr": "172.20.0.0/16",
    }
    assert told["name"] == ("test" if kind == "new" else "theirs")
    if kind == "new":
        made_by_eks = program.one(types.CLUSTER, "cluster-eksCluster").outputs
        assert told["endpoint"] == made_by_eks["endpoint"]
        assert spec["cluster"]["cidr"] == made_by_eks["kubernetesNetworkConfig"]["serviceIpv4Cidr"]
    assert spec["kubelet"] == {
        "config": {
            "maxPods": 51,
            "registerWithTaints": [{"key": "nvidia.com/gpu", "value": "true", "effect": "NoSchedule"}],
        },
        "flags": ["--node-labels=muster/group=workers,muster/purpose=training"],
    }


def test_its_primary_interface_carries_the_clusters_group() -> None:
    """EKS attaches it to managed nodes only; without it a node never joins. Of a cluster that exists, too."""
    nics = made("existing").one(types.LAUNCH_TEMPLATE, "workers").inputs["networkInterfaces"]
    efa = made("existing").one(types.SECURITY_GROUP, "efa").id
    assert sorted(nics[0]["securityGroups"]) == sorted(["sg-0123456789abcdef0", str(efa)])
    plain = registered({**OWN, "groups.workers.interfaces": "plain"}).one(types.LAUNCH_TEMPLATE, "workers").inputs
    cluster = made().one(types.CLUSTER, "cluster-eksCluster").outputs["vpcConfig"]["clusterSecurityGroupId"]
    assert plain["vpcSecurityGroupIds"] == [cluster]
    assert "networkInterfaces" not in plain


def test_its_image_is_named_and_pinned() -> None:
    image = made().one(types.LAUNCH_TEMPLATE, "workers").inputs["imageId"]
    assert image.startswith("resolve:ssm:/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/nvidia/")
    own = registered({**OWN, "groups.workers.image": {"custom": {"ssm": "/ml/image"}}})
    assert own.one(types.LAUNCH_TEMPLATE, "workers").inputs["imageId"] == "resolve:ssm:/ml/image"


def test_where_and_how_many() -> None:
    program = made()
    group = program.one(types.AUTO_SCALING_GROUP, "workers").inputs
    template = program.one(types.LAUNCH_TEMPLATE, "workers")
    assert group["vpcZoneIdentifiers"] == [A]
    assert group["launchTemplate"] == {"id": template.id, "version": "1"}
    assert (group["minSize"], group["desiredCapacity"], group["maxSize"]) == (1, 1, 1)
    assert group["waitForCapacityTimeout"] == "0", "`up` does not wait for capacity"
    assert group["suspendedProcesses"] == ["AZRebalance"], "it would end nodes in the middle of a job"
    assert "instanceRefresh" not in group, "it ends nodes without draining them"


@pytest.mark.parametrize(
    ("nodes", "ignored"),
    [(1, None), ({"min": 0, "start": 1, "max": 2, "scaled-by": "you"}, ["desiredCapacity"])],
)
def test_who_holds_the_number(nodes: Any, ignored: list[str] | None) -> None:
    """A range belongs to the live cluster after creation; a fixed number to the description."""
    program = registered({**OWN, "groups.workers.nodes": nodes, "groups.workers.capacity": DROP})
    assert program.one(types.AUTO_SCALING_GROUP, "workers").options.get("ignoreChanges") == ignored


def test_what_is_held_is_replaced_by_leaving_first() -> None:
    assert made().one(types.AUTO_SCALING_GROUP, "workers").options["deleteBeforeReplace"] is True
    free = registered({**OWN, "groups.workers.capacity": DROP}).one(types.AUTO_SCALING_GROUP, "workers")
    assert "deleteBeforeReplace" not in free.options


def test_before_a_block_ends_it_has_no_nodes() -> None:
    """Max stays as it is: unset would be 0."""
    edits = {**OWN, "groups.workers.capacity": {"capacity-block": {**BLOCK, "active": True}}, "groups.workers.nodes": 2}
    program = registered(edits)
    group = program.one(types.AUTO_SCALING_GROUP, "workers")
    assert program.one(SCHEDULE, "workers").inputs == {
        "scheduledActionName": "before-the-block-ends",
        "autoscalingGroupName": group.outputs["name"],
        "startTime": "2026-12-15T10:30:00Z",
        "minSize": 0,
        "desiredCapacity": 0,
        "maxSize": -1,
    }
    template = program.one(types.LAUNCH_TEMPLATE, "workers").inputs
    assert template["instanceMarketOptions"] == {"marketType": "capacity-block"}
    assert template["capacityReservationSpecification"] == {"capacityReservationTarget": {"capacityReservationId": CR}}
    assert "placement" not in template


def test_only_a_block_has_a_schedule() -> None:
    assert made().named(SCHEDULE) == {}


@pytest.mark.parametrize(("session", "more"), [(DROP, set()), ("ssm", {"AmazonSSMManagedInstanceCore"})])
def test_its_role_may_no_more_than_a_node_must(session: Any, more: set[str]) -> None:
    program = registered({**OWN, "groups.workers.session": session})
    names = {"AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly"} | more
    role = program.one(ROLE, "workers").outputs["name"]
    attached = {each.inputs["policyArn"] for each in program.named(ATTACHED).values() if each.inputs["role"] == role}
    assert {arn.rpartition("/")[2] for arn in attached} == names
