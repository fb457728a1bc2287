"""Planned nodes as Kubernetes objects; those of HyperPod also while HyperPod looks at them."""

import re
from typing import Any

import pytest
from hypothesis import given

from muster.blueprint.derive.cluster import derive
from muster.blueprint.node import EFA_RESOURCE
from muster.config.description.eks_cluster import EksCluster
from muster.rehearsal.kubernetes import hyperpod
from muster.rehearsal.kubernetes.nodes import PlannedNode, planned_nodes
from muster.scheduling.taints import taints_of
from muster.stack.project import open_stack
from tests.factories import DOCUMENT, DROP, a_blueprint
from tests.factories.hyperpod import a_hyperpod_blueprint
from tests.rehearsal.clusters import GPU
from tests.stack_files import ROOT
from tests.strategies import Described, legal

LAYER = "topology.k8s.aws/network-node-layer-"
SAGEMAKER = "sagemaker.amazonaws.com/"


@given(legal())
def test_nodes_of_any_legal_cluster_are_told_apart_and_offer_what_the_plan_says(described: Described) -> None:
    """With their plugins, exactly that."""
    blueprint = derive(EksCluster.model_validate(described.document), "tested", described.region)
    nodes = planned_nodes(blueprint)
    assert len({node.name for node in nodes}) == len(nodes)
    assert len({node.manifest["status"]["addresses"][0]["address"] for node in nodes}) == len(nodes)
    for node in nodes:
        assert len(node.name) < 64
        wanted = {name: str(amount) for name, amount in blueprint.group(node.group).node.offers.items()}
        offered = dict(node.manifest["status"]["allocatable"])
        for served in node.devices.values():
            offered |= {name: str(amount) for name, amount in served.items()}
        assert {name: offered.get(name) for name in wanted} == wanted


def a_node(edits: dict[str, Any] | None = None) -> PlannedNode:
    """A worker."""
    return next(node for node in planned_nodes(a_blueprint(edits)) if node.group == "workers")


def labels_of(node: PlannedNode, prefix: str = "") -> dict[str, str]:
    labels: dict[str, str] = node.manifest["metadata"]["labels"]
    return {key.removeprefix(prefix): value for key, value in labels.items() if key.startswith(prefix)}


def test_a_p5_has_what_the_kubelet_and_the_image_leave_of_it() -> None:
    """Of a disk of 100 GiB 10 % are kept free, and 1 GiB is the system's; an array of its NVMe disks is the kubelet's.
    Bottlerocket brings the NVIDIA plugin, but not the EFA plugin."""
    node, planned = a_node(), a_blueprint().group("workers").node
    assert node.manifest["status"]["allocatable"] == {
        **planned.allocatable_resources,
        "pods": str(planned.allocatable.pods),
        "hugepages-2Mi": "10256Mi",
        "hugepages-1Gi": "0",
        "ephemeral-storage": "89Gi",
    }
    assert node.devices == {GPU: {GPU: 8}, EFA_RESOURCE: {EFA_RESOURCE: 32}}
    array = a_node({"groups.workers.local-storage": "raid0"}).manifest["status"]["capacity"]
    assert (array["ephemeral-storage"], array["cpu"]) == ("28312Gi", "192")
    bottlerocket = a_node({"groups.workers.image": "bottlerocket"})
    assert bottlerocket.manifest["status"]["allocatable"][GPU] == "8"
    assert bottlerocket.devices == {EFA_RESOURCE: {EFA_RESOURCE: 32}}


@pytest.mark.parametrize(
    ("kubernetes", "image", "label"),
    [("1.35", "al2023", "true"), ("1.34", "al2023", None), ("1.35", "bottlerocket", None)],
)
def test_the_label_of_gpu_nodes_comes_with_al2023_from_kubelet_135(
    kubernetes: str, image: str, label: str | None
) -> None:
    node = a_node({"kubernetes": kubernetes, "groups.workers.image": image})
    assert labels_of(node).get("nvidia.com/gpu.present") == label


@pytest.mark.parametrize(
    ("instance", "layers"),
    [("p5.48xlarge", 3), ("p6-b200.48xlarge", 4), ("trn1.32xlarge", 3), ("g6e.48xlarge", 3), ("g6.48xlarge", 0)],
)
def test_ec2_tells_where_in_the_network_some_types_are(instance: str, layers: int) -> None:
    """One value a layer, for all of a group in a zone."""
    nodes = planned_nodes(a_blueprint({"groups.workers.instance": instance}), {"workers": 2, "system": 0})
    first, second = (labels_of(node, LAYER) for node in nodes)
    assert first.keys() == {str(number) for number in range(1, layers + 1)}
    assert first == second
    assert len(set(first.values())) == layers


def test_instances_of_a_reservation_are_under_the_same_network_nodes() -> None:
    """EC2 user guide, "How Amazon EC2 topology works". HyperPod documents three labels, whatever EC2 has."""
    workers = DOCUMENT["groups"]["workers"]
    others = {**workers, "capacity": "on-demand"}
    nodes = planned_nodes(a_blueprint({"groups.more": workers, "groups.others": others}))
    found = {node.group: labels_of(node, LAYER) for node in nodes}
    assert found["workers"] == found["more"]
    assert not set(found["workers"].values()) & set(found["others"].values())
    p6 = a_hyperpod_blueprint({"groups.workers.instance": "p6-b200.48xlarge"})
    assert [sorted(labels_of(node, LAYER)) for node in planned_nodes(p6, {"workers": 1, "system": 0})] == [[*"123"]]


def test_the_nodes_of_a_trn2_ultraserver_have_the_labels_of_neurons_plugin() -> None:
    """The example of Neuron's documentation: one id of four nodes, two ids of two."""
    nodes = planned_nodes(open_stack(ROOT, "trn2-ultraserver").derive(), {"workers": 8})
    keys = ("ultraserver-mode", "ultraserver-server-id-4", "ultraserver-node-id-4", "ultraserver-server-id-2")
    found = [[labels_of(each, "neuron.amazonaws.com/").get(key) for key in keys] for each in nodes]
    assert found[:2] == [[None] * 4, ["1_2_4", "workers-0", "0", "workers-0-0"]]
    assert found[4] == ["1_2_4", "workers-0", "3", "workers-0-1"]


def test_a_group_that_waits_for_its_capacity_block_is_planned_as_it_will_be() -> None:
    times = {"starts": "2026-12-01", "ends": "2026-12-08", "active": False}
    block = {"id": "cr-0123456789abcdef0", "zone": "us-west-2a", "count": 2, **times}
    capacity = {"groups.workers.capacity": {"capacity-block": block}, "groups.workers.zone": DROP}
    blueprint = a_blueprint({"groups.workers.nodes": 2, **capacity})
    assert blueprint.group("workers").resource.nodes_start == 0
    assert sum(node.group == "workers" for node in planned_nodes(blueprint)) == 2


def test_a_node_of_hyperpod_is_called_by_its_instance() -> None:
    """As kubectl shows them; the provider id ends with the same instance, and has the cluster's id before it."""
    nodes = planned_nodes(a_hyperpod_blueprint())
    assert len({node.name for node in nodes}) == len(nodes) == 7
    whose = set()
    for node in nodes:
        named = re.fullmatch(r"hyperpod-(i-[0-9a-f]{17})", node.name)
        assert named
        cluster = rf"aws:///{node.zone}/sagemaker/cluster/(hyperpod-[0-9a-f]{{12}})-{named[1]}"
        said = re.fullmatch(cluster, node.manifest["spec"]["providerID"])
        assert said
        whose.add(said[1])
    assert len(whose) == 1, "of one cluster"


NO_CHECKS = {"groups.workers.hyperpod.deep-health-checks": DROP}


@pytest.mark.parametrize(("edits", "checked"), [({}, {"deep-health-check-status": "Passed"}), (NO_CHECKS, {})])
def test_a_node_of_hyperpod_says_whose_it_is_and_that_it_passed(edits: dict[str, Any], checked: dict[str, str]) -> None:
    """Exactly these of SageMaker's labels, and no others of EKS; the type with SageMaker's name; our own labels beside.
    Of deep checks it says nothing where its group has none."""
    node = next(node for node in planned_nodes(a_hyperpod_blueprint(edits)) if node.group == "workers")
    assert labels_of(node, SAGEMAKER) == {
        "compute-type": "hyperpod",
        "cluster-name": "tested",
        "instance-group-name": "workers",
        "node-health-status": "Schedulable",
        **checked,
    }
    assert hyperpod.has_checks(node) is bool(checked)
    labels = labels_of(node)
    assert labels["node.kubernetes.io/instance-type"] == labels["beta.kubernetes.io/instance-type"] == "ml.p5.48xlarge"
    assert labels[f"{LAYER}3"], "of the type as EC2 calls it"
    assert labels["muster/group"] == "workers"
    assert not [key for key in labels if key.startswith(("eks.amazonaws.com/", "nvidia.com/"))]


STATES = {
    "checked": (hyperpod.under_checks, "Unschedulable", "InProgress", True),
    "passed": (hyperpod.after_checks, "Schedulable", "Passed", False),
}


@pytest.mark.parametrize("name", STATES)
def test_a_state_is_its_labels_and_one_taint(name: str) -> None:
    """The guide's values; the taint's own value is always the same. The group's taints stay, nothing else changes."""
    become, status, deep, tainted = STATES[name]
    blueprint = a_hyperpod_blueprint({"groups.workers.taints": {"team": "NoSchedule"}})
    node = next(node for node in planned_nodes(blueprint) if node.group == "workers")
    after = become(node)
    said = labels_of(after, SAGEMAKER)
    assert (said["node-health-status"], said["deep-health-check-status"]) == (status, deep)
    assert [str(each) for each in taints_of(after.manifest["spec"])] == [
        "team=true:NoSchedule",
        *(["sagemaker.amazonaws.com/node-health-status=Unschedulable:NoSchedule"] if tainted else []),
    ]
    assert become(after) == after
    assert after.manifest["status"] == node.manifest["status"]
