"""Groups whose nodes EKS Auto Mode creates: the whole of their objects, and the law on every kind of capacity."""

import json
from typing import Any

import pytest

from muster.blueprint.kubernetes import Blueprint
from muster.fleet.registration import Registration
from muster.fleet.resources.ref import NODE_CLASS, NODE_POOL
from muster.offline.recording import Recording
from muster.policies.engine.judgement import judge
from muster.policies.views.fleet import differences
from tests.factories import CR, a_document, edited
from tests.offline.test_law import both_readings, contradictions, recorded
from tests.strategies import Described

GROUP = {"for": "training", "instance": "g5.12xlarge", "nodes": 4, "provisioned-by": "auto-mode"}
HELD = {"zone": "us-west-2a", "count": 4}
RESERVATION = {"reservation": {"id": CR, "provided-by": "you", "placement-group": "ours", **HELD}}
BLOCK = {"capacity-block": {"id": CR, **HELD, "starts": "2026-12-01", "ends": "2026-12-15"}}


def described(**edits: Any) -> Described:
    """A cluster whose workers EKS Auto Mode creates; keys of the workers are written with underscores."""
    group = {**GROUP, **{key.replace("_", "-"): value for key, value in edits.items()}}
    return Described(edited(a_document(), {"groups.workers": group}), "us-west-2")


def recording(**edits: Any) -> tuple[Blueprint, Recording]:
    return recorded(described(**edits), preview=False)


def of_type(found: Recording, type_: str, name: str = "workers") -> Registration:
    (own,) = [each for each in found.registrations if each.type == type_ and each.name.startswith(name)]
    return own


def test_a_node_pool_on_a_reservation() -> None:
    """It selects only the reservation; a node lives for at most 21 days, the hours for its pods to end included."""
    _, found = recording(capacity=RESERVATION, volume={"size": "300GiB", "throughput": 500})
    assert of_type(found, NODE_POOL).inputs["spec"] == {
        "template": {
            "metadata": {"labels": {"muster/group": "workers", "muster/purpose": "training"}},
            "spec": {
                "nodeClassRef": {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": "workers"},
                "requirements": [
                    {"key": "node.kubernetes.io/instance-type", "operator": "In", "values": ["g5.12xlarge"]},
                    {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["reserved"]},
                    {"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["us-west-2a"]},
                ],
                "expireAfter": "480h",
                "terminationGracePeriod": "24h",
                "taints": [{"key": "nvidia.com/gpu", "value": "true", "effect": "NoSchedule"}],
            },
        },
        "disruption": {
            "consolidationPolicy": "WhenEmpty",
            "consolidateAfter": "10m",
            "budgets": [{"nodes": "10%"}, {"nodes": "0", "reasons": ["Drifted"]}],
        },
        "limits": {"nodes": "4", "cpu": "192"},
    }
    spec = of_type(found, NODE_CLASS).inputs["spec"]
    assert {
        key: spec[key] for key in spec if key not in ("role", "subnetSelectorTerms", "securityGroupSelectorTerms")
    } == {
        "ephemeralStorage": {"size": "300Gi", "throughput": 500},
        "capacityReservationSelectorTerms": [{"id": CR}],
        "placementGroupSelector": {"name": "ours"},
        "advancedNetworking": {
            "networkInterfaces": [
                {"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "interface", "secondaryIPv4PrefixCount": 1},
                {"networkCardIndex": 0, "deviceIndex": 1, "interfaceType": "efa-only"},
            ]
        },
    }
    assert {frozenset(each) for key in spec if key.endswith("SelectorTerms") for each in spec[key]} == {
        frozenset({"id"})
    }


def test_the_cluster_has_auto_mode_on_without_pools_of_its_own() -> None:
    """The three settings go together, and EKS adds neither CoreDNS nor its own NodePools."""
    _, found = recording()
    cluster = of_type(found, "aws:eks/cluster:Cluster", "cluster").inputs
    assert (cluster["computeConfig"], cluster["storageConfig"], cluster["kubernetesNetworkConfig"]) == (
        {"enabled": True, "nodePools": []},
        {"blockStorage": {"enabled": True}},
        {"ipFamily": "ipv4", "elasticLoadBalancing": {"enabled": True}},
    )
    assert cluster["bootstrapSelfManagedAddons"] is False
    _, without = recorded(Described(a_document(), "us-west-2"), preview=False)
    assert "computeConfig" not in of_type(without, "aws:eks/cluster:Cluster", "cluster").inputs


def test_the_roles_have_what_eks_documents() -> None:
    """The cluster's role may tag its session; the nodes' role has only what Auto Mode needs, and access as an EC2
    node."""
    _, found = recording()
    roles = {each.name: each for each in found.registrations if each.type == "aws:iam/role:Role"}
    (statement,) = json.loads(roles["control-plane"].inputs["assumeRolePolicy"])["Statement"]
    assert statement["Action"] == ["sts:AssumeRole", "sts:TagSession"]
    policies = {
        name: {
            str(each.inputs["policyArn"]).rpartition("/")[2]
            for each in found.registrations
            if each.type == "aws:iam/rolePolicyAttachment:RolePolicyAttachment" and each.name.startswith(name)
        }
        for name in ("control-plane", "workers")
    }
    assert policies == {
        "control-plane": {
            "AmazonEKSBlockStoragePolicy",
            "AmazonEKSClusterPolicy",
            "AmazonEKSComputePolicy",
            "AmazonEKSLoadBalancingPolicy",
            "AmazonEKSNetworkingPolicy",
        },
        "workers": {"AmazonEC2ContainerRegistryPullOnly", "AmazonEKSWorkerNodeMinimalPolicy"},
    }
    assert of_type(found, "aws:eks/accessEntry:AccessEntry").inputs["type"] == "EC2"
    access = of_type(found, "aws:eks/accessPolicyAssociation:AccessPolicyAssociation").inputs
    assert access["policyArn"] == "arn:aws:eks::aws:cluster-access-policy/AmazonEKSAutoNodePolicy"


CAPACITIES: dict[str, Any] = {
    "on-demand": {"zone": "us-west-2a"},
    "two zones": {"for": "inference"},
    "spot": {"capacity": {"spot": {"interruptions-accepted": True}}},
    "a reservation": {"capacity": RESERVATION},
    "a Capacity Block": {"capacity": BLOCK, "instance": "p5.48xlarge"},
    "no accelerators": {"instance": "c5.2xlarge"},
    "several EFA interfaces": {"instance": "p5.48xlarge", "capacity": RESERVATION},
    "no EFA": {"instance": "p5.48xlarge", "interfaces": "plain"},
    "own security groups": {"security_groups": ["sg-0123456789abcdef0"]},
    "a former name": {"capacity": RESERVATION, "was": "gpus"},
}


@pytest.mark.parametrize("edits", CAPACITIES.values(), ids=CAPACITIES)
def test_what_is_registered_is_what_was_derived(edits: dict[str, Any]) -> None:
    """Known ids give exactly the blueprint; a preview says nothing else."""
    cluster = described(**edits)
    blueprint, found = recorded(cluster, preview=False)
    registered, derived = both_readings(blueprint, found, cluster)
    assert differences(registered, derived) == ()
    assert judge(registered).findings == judge(derived).findings
    seen, meant = both_readings(*recorded(cluster, preview=True), cluster)
    assert contradictions(seen, meant) == []
    assert set(judge(seen).findings) <= set(judge(meant).findings)


@pytest.mark.parametrize(
    ("interfaces", "pods", "offers"),
    [("plain", 110, {"nvidia.com/gpu": 4}), ("aws", 16, {"nvidia.com/gpu": 4, "vpc.amazonaws.com/efa": 1})],
)
def test_a_node_has_at_most_110_pods_and_with_efa_those_of_one_prefix(
    interfaces: str, pods: int, offers: dict[str, int]
) -> None:
    """Its image has the device plugins, and it reserves no huge pages."""
    blueprint, _ = recording(interfaces=interfaces)
    group = blueprint.group("workers")
    assert (group.node.allocatable.pods, group.node.offers, group.node.huge_pages.mib) == (pods, offers, 0)
    assert group.described.family == "bottlerocket"
