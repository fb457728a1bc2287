"""What is said of whole clusters: nothing of one that is as planned; which nodes lack, and which are of nobody."""

from typing import Any

import pytest

from muster.stack.project import open_stack
from muster.verify.expected import expected_cluster
from tests.factories import CR, a_blueprint
from tests.stack_files import ON_KUBERNETES, ROOT
from tests.verify.cluster_edits import EFA, GPU, NVIDIA_SET, conditioned, node, offering, pod_spec
from tests.verify.clusters import Cluster, a_cluster
from tests.verify.test_deviations import A, M


@pytest.mark.parametrize("stack", ON_KUBERNETES)
def test_a_cluster_as_planned_has_no_finding(stack: str) -> None:
    """Of every stack, with every group at its most nodes."""
    blueprint = open_stack(ROOT, stack).derive()
    waiting = {group.name for group in blueprint.groups if not group.described.nodes_now.start}
    counts = {group.name: 0 if group.name in waiting else group.described.nodes.max for group in blueprint.groups}
    verification = a_cluster(blueprint=blueprint, counts=counts).verify()
    assert verification.findings == ()
    assert verification.strangers == ()


def test_nodes_that_deviate_alike_are_one_finding() -> None:
    """With the first names of many."""
    cluster = a_cluster({"groups.workers.nodes": 5}, {"workers": 5})
    for name in cluster.nodes:
        if name.startswith("workers"):
            cluster.nodes[name]["spec"]["unschedulable"] = True
    (found,) = cluster.verify().findings
    assert found.got.startswith("workers-0, workers-1, workers-2, workers-3 and 1 more: ")


def test_a_node_that_is_not_ready_is_told_once() -> None:
    """What it offers and which plugins run on it follows, and is no finding of its own."""
    cluster = a_cluster()
    conditioned("Ready", "False")(cluster)
    for resource in (EFA, GPU):
        offering(resource, None)(cluster)
    cluster.pods.clear()
    assert cluster.rules() == ["node-ready"]


@pytest.mark.parametrize(
    ("nodes", "joined", "findings"),
    [
        (3, 2, [("nodes-joined", M)]),
        (3, 3, []),
        (3, 4, [("nodes-joined", M)]),
        ({"min": 0, "start": 1, "max": 3}, 0, [("nodes-joined", A)]),
        ({"min": 0, "start": 0, "max": 3}, 0, []),
        ({"min": 1, "start": 3, "max": 3}, 1, []),
        ({"min": 2, "start": 2, "max": 3}, 1, [("nodes-joined", M)]),
        ({"min": 1, "start": 1, "max": 3}, 4, [("nodes-joined", M)]),
    ],
)
def test_a_group_has_its_nodes(nodes: object, joined: int, findings: list[object]) -> None:
    """Fewer than the least and more than the most are faults; between them the live cluster decides."""
    cluster = a_cluster({"groups.workers.nodes": nodes}, {"workers": joined})
    assert [(each.rule, each.level) for each in cluster.verify().findings] == findings


@pytest.mark.parametrize("joined", [0, 1])
def test_a_group_that_waits_for_its_capacity_block_has_no_nodes(joined: int) -> None:
    """Nor are any missed; where there are some, the description is behind."""
    block = {"id": CR, "zone": "us-west-2a", "count": 1, "starts": "2027-01-10", "ends": "2027-01-12"}
    cluster = a_cluster({"groups.workers.capacity": {"capacity-block": block}}, {"workers": joined})
    verification = cluster.verify()
    assert [(each.rule, each.level, each.where) for each in verification.findings] == (
        [("nodes-joined", A, "groups.workers.capacity.capacity-block")] if joined else []
    )


def test_nodes_in_two_zones_that_are_both_planned_break_efa() -> None:
    """The description may plan two; EFA passes in one."""
    cluster = a_cluster(
        {"groups.workers.zone": "us-west-2a", "groups.workers.nodes": 2, "groups.workers.capacity": {"on-demand": {}}},
        {"workers": 2},
    )
    group = cluster.expected.groups[1]
    object.__setattr__(group, "zones", ("us-west-2a", "us-west-2b"))
    cluster.nodes["workers-1"]["metadata"]["labels"]["topology.kubernetes.io/zone"] = "us-west-2b"
    (found,) = cluster.verify().findings
    assert (found.rule, found.level) == ("efa-one-zone", M)


def test_nodes_of_no_group_are_told_and_not_faulted() -> None:
    """Karpenter's, or another stack's."""
    cluster = a_cluster()
    other = a_cluster({"groups.other": {"for": "system", "instance": "c5.2xlarge", "nodes": 1}})
    cluster.nodes["other-0"] = other.nodes["other-0"]
    verification = cluster.verify()
    assert verification.findings == ()
    assert [each.name for each in verification.strangers] == ["other-0"]


def a_node_of(managed_group: str, instance: str | None = "p5.48xlarge") -> Cluster:
    cluster = a_cluster()
    labels = node(cluster)["metadata"]["labels"]
    del labels["muster/group"], labels["node.kubernetes.io/instance-type"]
    labels["eks.amazonaws.com/nodegroup"] = managed_group
    if instance:
        labels["node.kubernetes.io/instance-type"] = instance
    return cluster


GIVEN = "20261121101112123400000001"
"""What the provider puts behind `nodeGroupNamePrefix`."""


@pytest.mark.parametrize("instance", ["p5.48xlarge", None])
def test_a_node_without_our_label_is_known_by_its_managed_group(instance: str | None) -> None:
    """And the label, by which jobs and plugins find nodes, is missed."""
    cluster = a_node_of(f"workers-{GIVEN}", instance)
    pod_spec(cluster, NVIDIA_SET).pop("affinity")
    assert [(each.rule, each.level) for each in cluster.verify().findings] == [("node-labels", M)]


@pytest.mark.parametrize(
    ("managed_group", "instance"),
    [
        ("workers-spot", "p5.48xlarge"),
        ("workers-spot-2", None),
        (f"workers-blue-{GIVEN}", "p5.48xlarge"),
        (f"workers{GIVEN}", "p5.48xlarge"),
        (f"workers-{GIVEN}", "g5.48xlarge"),
    ],
)
def test_a_managed_group_of_a_like_name_is_not_ours(managed_group: str, instance: str | None) -> None:
    """Somebody else's node is no node of the description: it is told, and not faulted."""
    cluster = a_node_of(managed_group, instance)
    assert cluster.rules() == ["nodes-joined"]
    assert [each.name for each in cluster.verify().strangers] == ["workers-0"]


def test_what_cannot_be_seen_is_said() -> None:
    """Security groups and traffic of every group with EFA; zones, types and health where nobody tells them."""
    cluster = a_cluster()
    always = {("efa-carries-traffic", "groups.workers"), ("efa-security-groups", "groups.workers")}
    assert {(each.rule, each.resource) for each in cluster.verify().not_evaluated} == always
    labels = node(cluster)["metadata"]["labels"]
    del labels["topology.kubernetes.io/zone"], labels["node.kubernetes.io/instance-type"]
    conditions = node(cluster)["status"]["conditions"]
    conditions[:] = [each for each in conditions if each["type"] == "Ready"]
    pod_spec(cluster, NVIDIA_SET).pop("affinity")
    verification = cluster.verify()
    assert verification.findings == ()
    more = {(each, "groups.workers") for each in ("node-zone", "node-instance-type", "node-healthy")}
    assert {(each.rule, each.resource) for each in verification.not_evaluated} == always | more


def test_an_empty_cluster_misses_everything_once() -> None:
    """Each group, each plugin, each operator."""
    cluster = a_cluster()
    cluster.nodes, cluster.daemon_sets, cluster.pods, cluster.deployments = {}, {}, [], []
    twice = [*["nodes-joined"] * 2, "operator-ready", *["plugin-ready"] * 2]
    assert sorted(cluster.rules()) == twice


def test_the_operators_that_hyperpods_chart_brings_are_looked_for() -> None:
    """Where values turn them on, as those of our own are: without them nothing makes the pods of a PyTorchJob."""
    on = {"mpi-operator": {"enabled": True}, "trainingOperators": {"enabled": True}}
    chosen: dict[str, Any] = {"chart-mirror": "oci://r.example.org/charts", "addons.hyperpod": {"values": on}}
    operators = expected_cluster(a_blueprint(chosen)).operators
    assert {(each.addon, each.name) for each in operators if each.addon == "hyperpod"} == {
        ("hyperpod", "hyperpod-helm-chart-mpi-operator"),
        ("hyperpod", "hyperpod-helm-chart-training-operators"),
    }
