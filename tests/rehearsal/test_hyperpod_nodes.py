"""Planned nodes of HyperPod groups: their names, whose they are, and how they are while HyperPod looks at them."""

import re
from typing import Any

import pytest

from muster.rehearsal.kubernetes import hyperpod
from muster.rehearsal.kubernetes.nodes import PlannedNode, planned_nodes
from muster.scheduling.taints import taints_of
from tests.factories import DROP
from tests.factories.hyperpod import a_hyperpod_blueprint

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


@pytest.mark.parametrize(("group", "edits"), [("system", {}), ("workers", NO_CHECKS)])
def test_a_group_without_deep_checks_says_nothing_of_them(group: str, edits: dict[str, Any]) -> None:
    """And its nodes are Schedulable when they join."""
    node = a_node(group, edits)
    assert "deep-health-check-status" not in of_sagemaker(node)
    assert of_sagemaker(node)["node-health-status"] == "Schedulable"
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
