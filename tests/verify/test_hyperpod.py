"""A look at HyperPod's nodes: whose they are, how healthy HyperPod calls them, and how many there should be."""

from collections.abc import Callable
from typing import Any

import pytest

from muster.cli.commands.verify import groups, rows
from muster.finding import Level
from muster.verify.observed import NODE_GROUP
from muster.verify.verification import Verification
from tests.factories import a_blueprint
from tests.factories.hyperpod import a_hyperpod_blueprint
from tests.verify.clusters import EVERY_ADDON, Cluster, Json, a_cluster

SAGEMAKER = "sagemaker.amazonaws.com/"
HEALTH, DEEP = f"{SAGEMAKER}node-health-status", f"{SAGEMAKER}deep-health-check-status"
M, A = Level.MANDATORY, Level.ADVISORY


def a_hyperpod_cluster(edits: Json | None = None, counts: dict[str, int] | None = None) -> Cluster:
    """Three ml.m5.2xlarge and four ml.p5.48xlarge, as planned."""
    return a_cluster(blueprint=a_hyperpod_blueprint(edits), counts=counts)


def workers(cluster: Cluster) -> list[Json]:
    """The nodes of the training group."""
    return [node for node in cluster.nodes.values() if node["metadata"]["labels"]["muster/group"] == "workers"]


def labelled(labels: dict[str, str | None], number: int = 1) -> Callable[[Cluster], None]:
    """So many workers carry other labels; None takes one away."""

    def edit(cluster: Cluster) -> None:
        for node in workers(cluster)[:number]:
            verification = {**node["metadata"]["labels"], **labels}
            node["metadata"]["labels"] = {key: value for key, value in verification.items() if value is not None}

    return edit


def found(verification: Verification) -> list[tuple[str, Level]]:
    """Check and level of every finding."""
    return [(each.rule, each.level) for each in verification.findings]


def unjudged(verification: Verification) -> set[tuple[str, str]]:
    """What was not evaluated, and where; but for what no list of nodes shows of EFA."""
    return {(each.rule, each.missing) for each in verification.not_evaluated if not each.rule.startswith("efa-")}


def test_nodes_as_planned_are_no_finding_and_all_of_it_is_seen() -> None:
    """HyperPod reports itself how healthy they are: EKS's agent keeps off them, and is not missed."""
    verification = a_hyperpod_cluster().verify()
    assert (verification.findings, verification.strangers, unjudged(verification)) == ((), (), set())
    assert [(each.group.instance, len(each.nodes)) for each in verification.groups] == [
        ("ml.m5.2xlarge", 3),
        ("ml.p5.48xlarge", 4),
    ]


@pytest.mark.parametrize("status", ["Unschedulable", None])
def test_deep_checks_that_run_are_told_and_not_faulted(status: str | None) -> None:
    """Beside the nodes that are ready: nobody has to do anything."""
    cluster = a_hyperpod_cluster()
    labelled({HEALTH: status, DEEP: "InProgress"}, 3)(cluster)
    for node in workers(cluster)[:3]:
        node["spec"]["taints"] = [{"key": HEALTH, "value": "Unschedulable", "effect": "NoSchedule"}]
    verification = cluster.verify()
    assert found(verification) == []
    system, training = rows(verification)
    assert (system[4], training[4]) == ("3", "4, 3 under deep health checks")
    assert [each["underDeepHealthChecks"] for each in groups(verification)] == [0, 3]


@pytest.mark.parametrize(
    ("rule", "labels"),
    [
        ("node-healthy", {HEALTH: "UnschedulablePendingReplacement", DEEP: "InProgress"}),
        ("node-healthy", {HEALTH: "UnschedulablePendingReboot"}),
        ("node-healthy", {HEALTH: "Unschedulable"}),
        ("node-healthy", {DEEP: "Failed"}),
        ("node-labels", {f"{SAGEMAKER}compute-type": None}),
        ("node-labels", {f"{SAGEMAKER}instance-group-name": "others"}),
        ("node-labels", {f"{SAGEMAKER}cluster-name": "b"}),
    ],
)
def test_a_node_that_is_faulty_or_not_hyperpods_is_one_finding(rule: str, labels: dict[str, str | None]) -> None:
    """By HyperPod's labels."""
    cluster = a_hyperpod_cluster()
    labelled(labels)(cluster)
    (finding,) = cluster.verify().findings
    assert (finding.rule, finding.level, finding.resource) == (rule, M, "groups.workers")


def test_a_node_without_our_label_is_known_by_its_instance_group() -> None:
    """HyperPod's own label has the group's name as it is; our label is what lacks then."""
    cluster = a_hyperpod_cluster()
    labelled({"muster/group": None})(cluster)
    verification = cluster.verify()
    assert ("node-labels", M) in {(each.rule, each.level) for each in verification.findings}
    assert verification.strangers == ()


@pytest.mark.parametrize("labels", [{"node.kubernetes.io/instance-type": "ml.g5.xlarge"}, {"group": "others"}])
def test_a_node_of_another_group_or_type_is_a_stranger(labels: dict[str, Any]) -> None:
    """Of a cluster of ours, but of no group of the description."""
    cluster = a_hyperpod_cluster()
    verification = {"muster/group": None, f"{SAGEMAKER}instance-group-name": labels.pop("group", "workers"), **labels}
    labelled(verification)(cluster)
    assert len(cluster.verify().strangers) == 1


def test_what_hyperpod_did_not_say_is_not_evaluated() -> None:
    """A node without its health label: nobody looked at it."""
    cluster = a_hyperpod_cluster()
    labelled({HEALTH: None, DEEP: None})(cluster)
    verification = cluster.verify()
    assert found(verification) == []
    assert unjudged(verification) == {("node-healthy", f"the label {HEALTH}, which HyperPod sets")}


@pytest.mark.parametrize(
    ("nodes", "joined", "level"),
    [(4, 3, M), (4, 0, M), (4, 5, M), ({"count": 4, "minimum": 2}, 1, M), ({"count": 4, "minimum": 2}, 3, A)],
)
def test_a_group_is_in_service_with_its_minimum(nodes: object, joined: int, level: Level) -> None:
    """With fewer it is not."""
    cluster = a_hyperpod_cluster({"groups.workers.nodes": nodes}, {"workers": joined})
    (finding,) = cluster.verify().findings
    assert (finding.rule, finding.level) == ("nodes-joined", level)


def test_eks_is_looked_at_as_before() -> None:
    """Of the labels that HyperPod sets on nodes, only the status is reported: the plan does not have it."""
    cluster = a_cluster(blueprint=a_blueprint(EVERY_ADDON))
    (node,) = workers(cluster)
    node["metadata"]["labels"] |= {HEALTH: "Unschedulable", DEEP: "InProgress", f"{SAGEMAKER}compute-type": "hyperpod"}
    assert NODE_GROUP in node["metadata"]["labels"]
    verification = cluster.verify()
    assert found(verification) == [("node-healthy", A)]
    assert "underDeepHealthChecks" not in groups(verification)[0]
