"""Planned nodes as Kubernetes objects."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given

from muster.blueprint.derive.cluster import derive
from muster.blueprint.kubernetes import Blueprint
from muster.blueprint.node import EFA_RESOURCE, NEURON_CORES
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


def test_a_node_carries_the_labels_that_jobs_and_charts_select_by():
    labels = the_labels()
    assert labels["node.kubernetes.io/instance-type"] == "p5.48xlarge"
    assert labels["topology.kubernetes.io/zone"] == "us-west-2a"
    assert labels["kubernetes.io/arch"] == "amd64"
    assert labels["eks.amazonaws.com/capacityType"] == "ON_DEMAND"
    assert labels["muster/group"] == "workers"


@pytest.mark.parametrize(
    ("kubernetes", "image", "label"),
    [("1.35", "al2023", "true"), ("1.34", "al2023", None), ("1.35", "bottlerocket", None)],
)
def test_the_label_of_gpu_nodes_comes_with_al2023_from_kubelet_135(kubernetes: str, image: str, label: str | None):
    labels = the_labels({"kubernetes": kubernetes, "groups.workers.image": image})
    assert labels.get("nvidia.com/gpu.present") == label


def test_the_users_labels_come_along():
    assert the_labels({"groups.workers.labels": {"team": "a"}})["team"] == "a"


def test_a_node_has_the_taints_of_its_group():
    assert a_node().manifest["spec"]["taints"] == [{"key": GPU, "value": "true", "effect": "NoSchedule"}]
    assert a_node("system").manifest["spec"]["taints"] == []


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


def test_nodes_in_two_zones_share_no_network_node():
    """Layers are those of a zone's network."""
    edits = {"groups.workers": {"for": "system", "instance": "g6e.48xlarge", "nodes": 2}}
    nodes = [node for node in planned_nodes(a_blueprint(edits)) if node.group == "workers"]
    assert len({node.zone for node in nodes}) == 2
    assert len({node.manifest["metadata"]["labels"][f"{LAYER}1"] for node in nodes}) == 2


def test_one_neuron_plugin_serves_devices_and_cores():
    node = a_node(edits={"groups.workers.instance": "trn1.32xlarge"})
    assert node.devices["aws.amazon.com/neuron"] == {"aws.amazon.com/neuron": 16, NEURON_CORES: 32}


def test_nodes_are_spread_over_the_zones_of_their_group():
    edits = {"groups.workers": {"for": "system", "instance": "c5.2xlarge", "nodes": 5}}
    zones = Counter(node.zone for node in planned_nodes(a_blueprint(edits)) if node.group == "workers")
    assert zones == {"us-west-2a": 3, "us-west-2b": 2}


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
    assert blueprint.group("workers").node_group.nodes_start == 0
    assert sum(node.group == "workers" for node in planned_nodes(blueprint)) == 2


def test_counts_replace_what_a_group_starts_with():
    nodes = planned_nodes(a_blueprint(), {"workers": 3, "system": 0})
    assert [node.name for node in nodes] == ["workers-0", "workers-1", "workers-2"]


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
