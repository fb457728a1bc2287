"""Planned nodes of HyperPod groups: their names, whose they are, and how they are while HyperPod looks at them."""

import re
from typing import Any

import pytest

from muster.blueprint.hyperpod.node_labels import TAINT
from muster.rehearsal.kubernetes import hyperpod
from muster.rehearsal.kubernetes.nodes import PlannedNode, additional_node, planned_nodes
from muster.scheduling.taints import taints_of
from tests.factories import DROP, a_blueprint
from tests.hyperpod_factories import a_hyperpod_blueprint

SAGEMAKER = "sagemaker.amazonaws.com/"
NO_CHECKS = {"groups.workers.hyperpod.deep-health-checks": DROP}


def a_node(group: str = "workers", edits: dict[str, Any] | None = None) -> PlannedNode:
    """The first node of a group."""
    return next(node for node in planned_nodes(a_hyperpod_blueprint(edits)) if node.group == group)


def of_sagemaker(node: PlannedNode) -> dict[str, str]:
    """The labels that HyperPod sets, without their common beginning."""
    labels: dict[str, str] = node.manifest["metadata"]["labels"]
    return {key.removeprefix(SAGEMAKER): value for key, value in labels.items() if key.startswith(SAGEMAKER)}


def test_a_node_is_called_by_its_instance() -> None:
    """As kubectl shows them; the provider id ends with the same instance, and has the cluster's id before it."""
    nodes = planned_nodes(a_hyperpod_blueprint())
    ids = [re.fullmatch(r"hyperpod-(i-[0-9a-f]{17})", node.name) for node in nodes]
    assert all(ids)
    assert len({node.name for node in nodes}) == len(nodes) == 7
    whose = set()
    for node, found in zip(nodes, ids, strict=True):
        assert found is not None
        said = re.fullmatch(
            rf"aws:///{node.zone}/sagemaker/cluster/(hyperpod-[0-9a-f]{{12}})-{found[1]}",
            node.manifest["spec"]["providerID"],
        )
        assert said is not None
        whose.add(said[1])
    assert len(whose) == 1, "of one cluster"


def test_a_provider_id_has_the_zones_id_where_somebody_said_it() -> None:
    """Other nodes have the zone's name there."""
    node = a_node(edits={"network.existing.zone-ids": {"us-west-2a": "usw2-az2", "us-west-2b": "usw2-az1"}})
    assert node.manifest["spec"]["providerID"].startswith("aws:///usw2-az2/sagemaker/")
    assert node.zone == "us-west-2a"


def test_a_new_node_of_a_group_has_a_name_of_its_own() -> None:
    """It takes the place of another one, and is none that was there."""
    blueprint = a_hyperpod_blueprint()
    nodes = planned_nodes(blueprint)
    new = additional_node(blueprint, nodes, "workers", "us-west-2a")
    assert new.name not in {node.name for node in nodes}
    assert of_sagemaker(new) == of_sagemaker(nodes[-1])


def test_a_node_says_whose_it_is_and_that_it_passed() -> None:
    """Exactly these of SageMaker's labels; the type with SageMaker's name; our own labels beside."""
    node = a_node()
    assert of_sagemaker(node) == {
        "compute-type": "hyperpod",
        "cluster-name": "tested",
        "instance-group-name": "workers",
        "node-health-status": "Schedulable",
        "deep-health-check-status": "Passed",
    }
    labels = node.manifest["metadata"]["labels"]
    assert labels["node.kubernetes.io/instance-type"] == "ml.p5.48xlarge"
    assert labels["beta.kubernetes.io/instance-type"] == "ml.p5.48xlarge"
    assert labels["topology.k8s.aws/network-node-layer-3"], "of the type as EC2 calls it"
    assert labels["muster/group"] == "workers"
    assert not [key for key in labels if key.startswith(("eks.amazonaws.com/", "nvidia.com/"))]


def test_the_clusters_name_is_hyperpods() -> None:
    """It may be called otherwise than the EKS cluster."""
    assert of_sagemaker(a_node(edits={"hyperpod.name": "trainers"}))["cluster-name"] == "trainers"


@pytest.mark.parametrize(("group", "edits"), [("system", {}), ("workers", NO_CHECKS)])
def test_a_group_without_deep_checks_says_nothing_of_them(group: str, edits: dict[str, Any]) -> None:
    """And its nodes are Schedulable when they join."""
    node = a_node(group, edits)
    assert "deep-health-check-status" not in of_sagemaker(node)
    assert of_sagemaker(node)["node-health-status"] == "Schedulable"
    assert not hyperpod.has_checks(node)


def test_nodes_of_eks_have_nothing_of_hyperpods() -> None:
    """Nor do drills change them."""
    for node in planned_nodes(a_blueprint()):
        assert not of_sagemaker(node)
        assert not hyperpod.has_checks(node)


STATES = {
    "checked": (hyperpod.under_checks, "Unschedulable", "InProgress", True),
    "passed": (hyperpod.after_checks, "Schedulable", "Passed", False),
}


@pytest.mark.parametrize("name", STATES)
def test_a_state_is_its_labels_and_one_taint(name: str) -> None:
    """The guide's values; the taint's own value is always the same. The group's taints stay, nothing else changes."""
    become, status, deep, tainted = STATES[name]
    node = a_node(edits={"groups.workers.taints": {"team": "NoSchedule"}})
    after = become(node)
    said = of_sagemaker(after)
    assert (said["node-health-status"], said["deep-health-check-status"]) == (status, deep)
    assert [each.key for each in taints_of(node.manifest["spec"])] == ["team"]
    assert [str(each) for each in taints_of(after.manifest["spec"])] == [
        "team=true:NoSchedule",
        *(["sagemaker.amazonaws.com/node-health-status=Unschedulable:NoSchedule"] if tainted else []),
    ]
    assert become(after) == after
    assert after.manifest["status"] == node.manifest["status"]


def test_the_taint_keeps_off_and_ends_nothing() -> None:
    """NoSchedule: who runs goes on."""
    assert (TAINT.value, TAINT.effect) == ("Unschedulable", "NoSchedule")
