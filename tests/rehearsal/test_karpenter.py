"""Nodes that Karpenter creates for pods that wait: which, and a job on a real control plane that gets them."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.jobs.catalogue import JOBS
from muster.jobs.group_selection import JobOptions
from muster.jobs.kinds.catalogue import roles_of
from muster.rehearsal.kubernetes.causes import PendingPod
from muster.rehearsal.kubernetes.cluster_snapshot import LiveNode
from muster.rehearsal.kubernetes.karpenter import created_for
from muster.rehearsal.kubernetes.rehearsal import rehearse
from muster.rehearsal.kubernetes.request import RehearsalRequest
from muster.rehearsal.outcome import Amount, Outcome, Verdict
from muster.scheduling.taints import Taint
from tests.factories import a_blueprint
from tests.jobs.clusters import manifest_of

GPU = "nvidia.com/gpu"
TAINT = Taint(GPU, "true", "NoSchedule")
TOLERATES = {"tolerations": [{"key": GPU, "operator": "Exists"}]}


def a_node(group: str, gpus: int = 8, **labels: str) -> LiveNode:
    amounts = {GPU: Amount(gpus, 0, 0), "pods": Amount(50, 50, 0), "cpu": Amount(1000, 1000, 0)}
    return LiveNode(f"{group}-0", group, "p5.48xlarge", {"muster/group": group, **labels}, (TAINT,), amounts)


def a_pod(gpus: int = 8, spec: Mapping[str, Any] = TOLERATES) -> PendingPod:
    return PendingPod(spec, {GPU: gpus, "pods": 1}, "worker", 1)


WORKERS = {"workers": a_node("workers")}


def test_pods_share_a_node_on_which_they_fit() -> None:
    assert created_for([a_pod(4), a_pod(4), a_pod(2)], WORKERS, {"workers": 4}) == ("workers", "workers")


def test_a_pod_that_no_group_suits_gets_none() -> None:
    """It wants more than a node has, tolerates no taint, or selects another group."""
    other = {**TOLERATES, "nodeSelector": {"muster/group": "others"}}
    pods = [a_pod(16), a_pod(spec={}), a_pod(spec=other)]
    assert created_for(pods, WORKERS, {"workers": 4}) == ()


def test_another_group_takes_what_the_first_may_not() -> None:
    both = {**WORKERS, "others": a_node("others")}
    assert created_for([a_pod()] * 2, both, {"workers": 1, "others": 1}) == ("workers", "others")


def rehearsed(nodes: int) -> Outcome:
    """The NCCL tests on a group of at most two nodes of Karpenter."""
    edits = {
        "groups.workers.provisioned-by": "karpenter",
        "groups.workers.nodes": 2,
        "groups.system": {"for": "system", "instance": "c5.2xlarge", "nodes": 2},
        "addons": {"karpenter": {}, "nvidia-device-plugin": {}, "efa-device-plugin": {}, "mpi-operator": {}},
    }
    blueprint = a_blueprint(edits)
    job = manifest_of(JOBS["nccl-tests"], blueprint, JobOptions(nodes=nodes, beyond_the_group=True))
    return rehearse(RehearsalRequest(blueprint, job, roles_of(job, ())))


@pytest.mark.rehearsal
@pytest.mark.usefixtures("shared_plane")
def test_a_job_waits_and_runs_once_its_nodes_come() -> None:
    outcome = rehearsed(nodes=2)
    assert outcome.verdict is Verdict.STARTS, outcome.waiting
    assert [each.group for each in outcome.nodes].count("workers") == 2
    said = [each.said for each in outcome.moments]
    waits = next(index for index, text in enumerate(said) if "could run the pod, but has no nodes" in text)
    comes = next(index for index, text in enumerate(said) if "Karpenter creates 2 nodes of 'workers'" in text)
    assert waits < comes < said.index("all 3 pods run")


@pytest.mark.rehearsal
@pytest.mark.usefixtures("shared_plane")
def test_a_job_beyond_the_limit_waits_with_the_number_that_it_needs() -> None:
    outcome = rehearsed(nodes=3)
    assert outcome.verdict is Verdict.DOES_NOT_START
    assert [each.group for each in outcome.nodes].count("workers") == 2
    (cause,) = {each.cause for each in outcome.waiting}
    assert "raise groups.workers.nodes to 3" in cause.remedy
