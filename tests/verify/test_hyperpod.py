"""A look at HyperPod's nodes: whose they are, how healthy HyperPod calls them, and how many there should be."""

import pytest

from muster.cli.commands.verify import groups, rows
from muster.finding import Level
from muster.verify.verification import Verification
from tests.factories.hyperpod import a_hyperpod_blueprint
from tests.verify.cluster_edits import labelled
from tests.verify.clusters import Cluster, Json, a_cluster
from tests.verify.test_deviations import DEEP, HEALTH, SAGEMAKER


def a_hyperpod_cluster(edits: Json | None = None, counts: dict[str, int] | None = None) -> Cluster:
    """Three ml.m5.2xlarge and four ml.p5.48xlarge, as planned."""
    return a_cluster(blueprint=a_hyperpod_blueprint(edits), counts=counts)


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
    labelled(3, **{HEALTH: status, DEEP: "InProgress"})(cluster)
    for node in cluster.nodes.values():
        if node["metadata"]["labels"].get(DEEP) == "InProgress":
            node["spec"]["taints"] = [{"key": HEALTH, "value": "Unschedulable", "effect": "NoSchedule"}]
    verification = cluster.verify()
    assert found(verification) == []
    assert [row[4] for row in rows(verification)] == ["3", "4, 3 under deep health checks"]
    assert [each["underDeepHealthChecks"] for each in groups(verification)] == [0, 3]


def test_what_hyperpod_did_not_say_is_not_evaluated() -> None:
    """A node without its health label: nobody looked at it."""
    cluster = a_hyperpod_cluster()
    labelled(**{HEALTH: None, DEEP: None})(cluster)
    verification = cluster.verify()
    assert found(verification) == []
    assert unjudged(verification) == {("node-healthy", f"the label {HEALTH}, which HyperPod sets")}


@pytest.mark.parametrize(
    ("instance", "group", "strangers"),
    [("ml.p5.48xlarge", "workers", 0), ("ml.g5.xlarge", "workers", 1), ("ml.p5.48xlarge", "others", 1)],
)
def test_a_node_without_our_label_is_known_by_its_instance_group(instance: str, group: str, strangers: int) -> None:
    """HyperPod's own label has the group's name as it is; our label is what lacks then. A node of another group or
    type is one of a cluster of ours, but of no group of the description."""
    cluster = a_hyperpod_cluster()
    labels = {"node.kubernetes.io/instance-type": instance, f"{SAGEMAKER}instance-group-name": group}
    labelled(**{"muster/group": None, **labels})(cluster)
    verification = cluster.verify()
    assert len(verification.strangers) == strangers
    assert (("node-labels", Level.MANDATORY) in found(verification)) == (not strangers)


@pytest.mark.parametrize(
    ("nodes", "joined", "level"),
    [
        (4, 3, Level.MANDATORY),
        (4, 0, Level.MANDATORY),
        (4, 5, Level.MANDATORY),
        ({"count": 4, "minimum": 2}, 1, Level.MANDATORY),
        ({"count": 4, "minimum": 2}, 3, Level.ADVISORY),
    ],
)
def test_a_group_is_in_service_with_its_minimum(nodes: object, joined: int, level: Level) -> None:
    """With fewer it is not."""
    cluster = a_hyperpod_cluster({"groups.workers.nodes": nodes}, {"workers": joined})
    assert found(cluster.verify()) == [("nodes-joined", level)]
