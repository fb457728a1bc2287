"""Why a pod waits on HyperPod's nodes: their deep health checks, SageMaker's names, nodes that are replaced."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.blueprint.hyperpod.node_labels import TAINT
from muster.blueprint.node import EFA_RESOURCE
from muster.fleet.resources import Taint
from muster.jobs.catalogue import roles_of
from muster.rehearsal.kubernetes.causes import PendingPod, cause_of, endless_checks
from muster.rehearsal.kubernetes.cluster_snapshot import ClusterSnapshot, InstalledPlugin, LiveNode
from muster.rehearsal.kubernetes.hyperpod import node_selection_notes
from muster.rehearsal.kubernetes.nodes import planned_nodes
from muster.rehearsal.outcome import Amount, Cause
from tests.factories import a_blueprint
from tests.hyperpod_factories import a_hyperpod_blueprint
from tests.rehearsal.clusters import GPU, a_pytorch_job

HEALTH = "sagemaker.amazonaws.com/node-health-status"
DEEP = "sagemaker.amazonaws.com/deep-health-check-status"
TYPE = "node.kubernetes.io/instance-type"
SCHEDULABLE = {HEALTH: "Schedulable"}
WHOLE = {GPU: 8, EFA_RESOURCE: 32}
ALL_TOLERATIONS = [{"operator": "Exists"}]


def a_node(number: int = 0, *, checked: bool = False, group: str = "workers", **more: Any) -> LiveNode:
    """An ml.p5.48xlarge, idle; under deep health checks, or past them."""
    planned = {GPU: 8, EFA_RESOURCE: 32, "cpu": 95_000, "pods": 49} | more.get("planned", {})
    offered = planned | more.get("offered", {})
    used = more.get("used", {})
    labels = {TYPE: "ml.p5.48xlarge", "muster/group": group}
    labels |= {HEALTH: "Unschedulable", DEEP: "InProgress"} if checked else {HEALTH: "Schedulable", DEEP: "Passed"}
    taints = (*more.get("taints", ()), *((TAINT,) if checked else ()))
    amounts = {name: Amount(each, offered[name], used.get(name, 0)) for name, each in planned.items()}
    return LiveNode(f"hyperpod-i-{number:017x}", group, "ml.p5.48xlarge", labels, taints, amounts)


def asking(asks: Mapping[str, int] | None = None, alike: int = 1, **pod: Any) -> PendingPod:
    """A pod that takes a node, on healthy ones alone."""
    return PendingPod({"nodeSelector": SCHEDULABLE, **pod}, {**(asks or WHOLE), "pods": 1}, "worker", alike)


def cause(of: PendingPod, *nodes: LiveNode, edits: Mapping[str, Any] | None = None, **scene: Any) -> Cause:
    """The cause on these nodes."""
    return cause_of(of, ClusterSnapshot(a_hyperpod_blueprint(edits), nodes, **scene), "")


@pytest.mark.parametrize("pod", [{}, {"nodeSelector": {}}], ids=["by label", "by taint"])
def test_nodes_under_deep_checks_are_waited_for(pod: dict[str, Any]) -> None:
    """Whether label or taint keeps it off them; there is nothing to mend, and the report says so."""
    found = cause(asking(**pod), a_node(checked=True), a_node(1, checked=True))
    assert (found.id, found.where) == ("hyperpod-deep-checks", "groups.workers.hyperpod.deep-health-checks")
    assert found.said.startswith(
        "2 nodes of 'workers' could run the pod, but HyperPod's deep health checks are still running on them"
    )
    assert found.remedy.startswith("wait: the checks take about two hours")


def test_a_node_that_passed_and_is_full_does_not_hide_those_under_checks() -> None:
    """More nodes are not the remedy: there is one, in an hour or two."""
    found = cause(asking(alike=2), a_node(used=WHOLE), a_node(1, checked=True))
    assert found.id == "hyperpod-deep-checks"
    assert found.said.startswith(
        "1 node of 'workers' could run the pod, but HyperPod's deep health checks are still running on it"
    )


@pytest.mark.parametrize(
    ("of", "id_"),
    [
        (asking({GPU: 9}), "more-than-a-node-has"),
        (asking({"x.com/y": 1}), "no-such-device"),
        (asking(nodeSelector={**SCHEDULABLE, "team": "vision"}), "no-node-chosen"),
        (asking(nodeSelector={DEEP: "Failed"}), "no-node-chosen"),
    ],
)
def test_what_keeps_it_off_afterwards_too_is_told_at_once(of: PendingPod, id_: str) -> None:
    """Nobody waits two hours to learn it."""
    assert cause(of, a_node(checked=True)).id == id_


def test_a_taint_of_the_groups_own_is_told_at_once_and_alone() -> None:
    """That of the checks goes away, and is not to be tolerated."""
    own = Taint("team", "vision", "NoSchedule")
    found = cause(asking(), a_node(checked=True, taints=(own,)))
    assert found.id == "taint-not-tolerated"
    assert found.remedy == "add to the pod's tolerations: {key: team, operator: Exists, effect: NoSchedule}"


SERVER = {GPU: (InstalledPlugin("nvidia-device-plugin", {"tolerations": []}),)}


def test_a_plugin_that_does_not_tolerate_the_checks_is_the_cause() -> None:
    """The devices are not offered while the checks run, and the checks want them: they never end."""
    node = a_node(checked=True, offered={GPU: 0})
    found = cause(asking(), node, servers=SERVER)
    assert (found.id, found.where) == ("plugin-not-on-node", "addons.nvidia-device-plugin")
    assert f"its pods do not tolerate the taint {HEALTH}=Unschedulable:NoSchedule" in found.said
    endless = endless_checks(ClusterSnapshot(a_hyperpod_blueprint(), (node,), servers=SERVER))
    assert endless is not None
    assert endless.said == f"{found.said}; HyperPod's deep health checks need {GPU}, so they cannot pass"


def test_checks_end_where_every_device_is_offered() -> None:
    """And nodes that are past them are nobody's concern here."""
    nodes = (a_node(checked=True), a_node(1, offered={GPU: 0}))
    assert endless_checks(ClusterSnapshot(a_hyperpod_blueprint(), nodes, servers=SERVER)) is None


@pytest.mark.parametrize(
    "pod",
    [
        {"nodeSelector": {TYPE: "p5.48xlarge"}},
        {
            "affinity": {
                "nodeAffinity": {
                    "requiredDuringSchedulingIgnoredDuringExecution": {
                        "nodeSelectorTerms": [
                            {"matchExpressions": [{"key": TYPE, "operator": "In", "values": ["p5.48xlarge"]}]}
                        ]
                    }
                }
            }
        },
        {"nodeSelector": {"beta.kubernetes.io/instance-type": "p5.48xlarge"}},
    ],
)
def test_ec2s_name_of_a_type_is_told_from_sagemakers(pod: dict[str, Any]) -> None:
    """The commonest thing that a job of EKS brings along."""
    node = a_node()
    node = LiveNode(
        node.name,
        node.group,
        node.instance,
        {**node.labels, "beta.kubernetes.io/instance-type": "ml.p5.48xlarge"},
        node.taints,
        node.amounts,
    )
    found = cause(asking(**{"nodeSelector": {}, **pod}), node)
    key = next(iter(pod.get("nodeSelector") or {TYPE: ""}))
    assert (found.id, found.remedy) == ("hyperpod-instance-type", f"set {key}: ml.p5.48xlarge")
    assert f"the pod requires nodes with {key}=p5.48xlarge, which is EC2's name of the type" in found.said


def test_another_type_is_no_matter_of_names() -> None:
    """No node is a p4d, however it is called; the label of EKS is not told on EKS."""
    assert cause(asking(nodeSelector={TYPE: "p4d.24xlarge"}), a_node()).id == "no-node-chosen"
    eks = LiveNode("workers-0", "workers", "p5.48xlarge", {TYPE: "p5.48xlarge"}, (), a_node().amounts)
    pod = asking(nodeSelector={TYPE: "ml.p5.48xlarge"})
    assert cause_of(pod, ClusterSnapshot(a_blueprint(), (eks,)), "").id == "no-node-chosen"


@pytest.mark.parametrize(
    ("edits", "words"),
    [
        (
            {},
            (
                "wait until HyperPod has replaced it and the new nodes have passed their deep health checks (about "
                "two hours)"
            ),
        ),
        (
            {"groups.workers.hyperpod.deep-health-checks": []},
            "wait until HyperPod has replaced it; to avoid the wait, add a spare node to the group",
        ),
        ({"hyperpod.node-recovery": "none"}, "replace it (`aws sagemaker batch-replace-cluster-nodes`)"),
    ],
)
def test_a_lost_node_is_replaced_by_hyperpod_or_by_hand(edits: dict[str, Any], words: str) -> None:
    """Auto Scaling has no part in it."""
    found = cause(asking(), a_node(used=WHOLE), lost=(a_node(1),), edits=edits)
    assert found.id == "node-lost"
    assert found.remedy.startswith(words)


def test_a_job_should_choose_healthy_nodes() -> None:
    """The taint alone keeps it off the others; one that tolerates it has no such luck. On EKS nothing is said."""
    nodes = planned_nodes(a_hyperpod_blueprint())

    def said(**spec: Any) -> list[str]:
        job = a_pytorch_job("train", "kubeflow", workers=1)
        job["spec"]["pytorchReplicaSpecs"].pop("Master")
        job["spec"]["pytorchReplicaSpecs"]["Worker"]["template"]["spec"] |= spec
        return list(node_selection_notes(roles_of(job), nodes))

    (unchosen,) = said()
    assert f"add {HEALTH}: Schedulable to their nodeSelector" in unchosen
    assert said(nodeSelector=SCHEDULABLE) == []
    (tolerant,) = said(nodeSelector=SCHEDULABLE, tolerations=ALL_TOLERATIONS)
    assert "remove the toleration from the job" in tolerant
    job = roles_of(a_pytorch_job("train", "kubeflow", workers=1))
    assert not list(node_selection_notes(job, planned_nodes(a_blueprint())))
