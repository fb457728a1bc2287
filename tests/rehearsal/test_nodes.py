"""Planned nodes as Kubernetes objects."""

from typing import Any

import pytest
from hypothesis import given

from muster.blueprint.cluster import Blueprint
from muster.blueprint.derive.cluster import derive
from muster.blueprint.node import EFA_RESOURCE
from muster.config.description.eks_cluster import EksCluster
from muster.rehearsal.kubernetes.nodes import PlannedNode, planned_nodes
from tests.factories import DROP, a_blueprint
from tests.rehearsal.clusters import GPU
from tests.strategies import Described, legal

LAYER = "topology.k8s.aws/network-node-layer-"


def derived(described: Described) -> Blueprint:
    return derive(EksCluster.model_validate(described.document), "tested", described.region)


def a_node(group: str = "workers", edits: dict[str, Any] | None = None) -> PlannedNode:
    return next(node for node in planned_nodes(a_blueprint(edits)) if node.group == group)


def the_labels(edits: dict[str, Any] | None = None) -> dict[str, str]:
    labels: dict[str, str] = a_node(edits=edits).manifest["metadata"]["labels"]
    return labels


def test_a_p5_offers_what_its_plan_says():
    node, blueprint = a_node(), a_blueprint().group("workers").node
    status = node.manifest["status"]
    assert status["allocatable"] == {
        **blueprint.allocatable_resources,
        "pods": str(blueprint.allocatable.pods),
        "hugepages-2Mi": "10256Mi",
        "hugepages-1Gi": "0",
        "ephemeral-storage": "89Gi",  # 100 GiB less 10 % kept free and 1 GiB for the system
    }
    assert status["capacity"]["cpu"] == "192"
    assert node.devices == {GPU: {GPU: 8}, EFA_RESOURCE: {EFA_RESOURCE: 32}}


def test_an_nvme_array_is_the_kubelets_disk():
    status = a_node(edits={"groups.workers.local-storage": "raid0"}).manifest["status"]
    assert status["capacity"]["ephemeral-storage"] == "28312Gi"


@pytest.mark.parametrize(
    ("kubernetes", "image", "label"),
    [("1.35", "al2023", "true"), ("1.34", "al2023", None), ("1.35", "bottlerocket", None)],
)
def test_the_label_of_gpu_nodes_comes_with_al2023_from_kubelet_135(kubernetes: str, image: str, label: str | None):
    labels = the_labels({"kubernetes": kubernetes, "groups.workers.image": image})
    assert labels.get("nvidia.com/gpu.present") == label


def test_bottlerocket_brings_the_nvidia_plugin_but_not_the_efa_plugin():
    node = a_node(edits={"groups.workers.image": "bottlerocket"})
    assert node.manifest["status"]["allocatable"][GPU] == "8"
    assert node.devices == {EFA_RESOURCE: {EFA_RESOURCE: 32}}


@pytest.mark.parametrize(
    ("instance", "layers"),
    [("p5.48xlarge", 3), ("p6-b200.48xlarge", 4), ("trn1.32xlarge", 3), ("g6e.48xlarge", 3), ("g6.48xlarge", 0)],
)
def test_ec2_tells_where_in_the_network_some_types_are(instance: str, layers: int):
    """One value a layer, for all of a group in a zone."""

    def layers_of(index: int) -> dict[str, str]:
        node = planned_nodes(a_blueprint({"groups.workers.instance": instance}), {"workers": 2, "system": 0})[index]
        labels = node.manifest["metadata"]["labels"]
        return {key: value for key, value in labels.items() if key.startswith(LAYER)}

    assert set(layers_of(0)) == {f"{LAYER}{number}" for number in range(1, layers + 1)}
    assert layers_of(0) == layers_of(1)
    assert len(set(layers_of(0).values())) == layers


def test_a_group_that_waits_for_its_capacity_block_is_planned_as_it_will_be():
    block = {
        "id": "cr-0123456789abcdef0",
        "zone": "us-west-2a",
        "count": 2,
        "starts": "2026-12-01",
        "ends": "2026-12-08",
        "active": False,
    }
    edits = {
        "groups.workers.nodes": 2,
        "groups.workers.capacity": {"capacity-block": block},
        "groups.workers.zone": DROP,
    }
    blueprint = a_blueprint(edits)
    assert blueprint.group("workers").resource.nodes_start == 0
    assert sum(node.group == "workers" for node in planned_nodes(blueprint)) == 2


@given(legal())
def test_nodes_of_any_legal_cluster_are_told_apart(described: Described):
    nodes = planned_nodes(derived(described))
    assert len({node.name for node in nodes}) == len(nodes)
    assert len({node.manifest["status"]["addresses"][0]["address"] for node in nodes}) == len(nodes)
    assert all(len(node.name) < 64 for node in nodes)


@given(legal())
def test_a_node_with_its_plugins_offers_exactly_what_the_plan_says(described: Described):
    blueprint = derived(described)
    for node in planned_nodes(blueprint):
        wanted = {name: str(amount) for name, amount in blueprint.group(node.group).node.offers.items()}
        offered = dict(node.manifest["status"]["allocatable"])
        for served in node.devices.values():
            offered |= {name: str(amount) for name, amount in served.items()}
        assert {name: offered.get(name) for name in wanted} == wanted
