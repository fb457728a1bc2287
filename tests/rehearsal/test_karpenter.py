"""Nodes that Karpenter creates for pods that wait: which, and a job on a real control plane that gets them."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.jobs.catalogue import JOBS
from muster.jobs.group_selection import JobOptions
from muster.jobs.kinds.catalogue import roles_of
from muster.rehearsal.kubernetes.causes import PendingPod
from muster.rehearsal.kubernetes.karpenter import created_for
from muster.rehearsal.kubernetes.rehearsal import rehearse
from muster.rehearsal.kubernetes.request import RehearsalRequest
from muster.rehearsal.outcome import Verdict
from tests.factories import a_blueprint
from tests.jobs.clusters import manifest_of
from tests.rehearsal.clusters import GPU, GPU_TAINT
from tests.rehearsal.test_causes import a_node

TOLERATES = {"tolerations": [GPU_TAINT]}


def a_pod(gpus: int = 8, spec: Mapping[str, Any] = TOLERATES) -> PendingPod:
    return PendingPod(spec, {GPU: gpus, "pods": 1}, "worker", 1)


@pytest.mark.parametrize(
    ("pods", "limits", "created"),
    [
        ([a_pod(4), a_pod(4), a_pod(2)], {"workers": 4}, ("workers", "workers")),
        # More than a node has; no toleration; another group.
        (
            [a_pod(16), a_pod(spec={}), a_pod(spec={**TOLERATES, "nodeSelector": {"muster/group": "no"}})],
            {"workers": 4},
            (),
        ),
        ([a_pod()] * 2, {"workers": 1, "others": 1}, ("workers", "others")),
    ],
    ids=["pods share a node", "pods that no group suits", "another group takes what the first may not"],
)
def test_which_nodes_are_created(pods: list[PendingPod], limits: dict[str, int], created: tuple[str, ...]) -> None:
    assert created_for(pods, {name: a_node(group=name) for name in limits}, limits) == created


@pytest.mark.rehearsal
@pytest.mark.usefixtures("shared_plane")
@pytest.mark.parametrize("nodes", [2, 3])
def test_a_job_waits_and_runs_once_its_nodes_come(nodes: int) -> None:
    """The NCCL tests on a group of at most two nodes of Karpenter; beyond that it waits, with the number that it
    needs."""
    edits = {
        "groups.workers.provisioned-by": "karpenter",
        "groups.workers.nodes": 2,
        "groups.system": {"for": "system", "instance": "c5.2xlarge", "nodes": 2},
        "addons": {"karpenter": {}, "nvidia-device-plugin": {}, "efa-device-plugin": {}, "mpi-operator": {}},
    }
    blueprint = a_blueprint(edits)
    job = manifest_of(JOBS["nccl-tests"], blueprint, JobOptions(nodes=nodes, beyond_the_group=True))
    outcome = rehearse(RehearsalRequest(blueprint, job, roles_of(job, ())))
    assert [each.group for each in outcome.nodes].count("workers") == 2
    said = [each.said for each in outcome.moments]
    waits = next(index for index, text in enumerate(said) if "could run the pod, but has no nodes" in text)
    comes = next(index for index, text in enumerate(said) if "Karpenter creates 2 nodes of 'workers'" in text)
    assert waits < comes
    assert (outcome.verdict is Verdict.STARTS, "all 3 pods run" in said[comes:]) == (nodes == 2, nodes == 2)
    assert [each for each in {each.cause.remedy for each in outcome.waiting} if "nodes to 3" not in each] == []
