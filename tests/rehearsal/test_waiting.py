"""Who waits: how many pods want the same room, whose words a refusal is in, and who does not wait any more."""

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.jobs.catalogue import roles_of
from muster.rehearsal.kubernetes.cluster_snapshot import ClusterSnapshot
from muster.rehearsal.kubernetes.job_run import Refusal
from muster.rehearsal.kubernetes.pending_pods import count_alike, pending_pods
from tests.factories import a_blueprint
from tests.rehearsal.clusters import GPU, a_pytorch_job


def a_pod(role: str = "pod", gpus: int = 8, **spec: Any) -> Any:
    """A pod as the control plane has it: the API server adds tolerations."""
    added = [{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute"}]
    own = spec.pop("tolerations", [])
    limits = {GPU: gpus, "vpc.amazonaws.com/efa": 32}
    template = {"containers": [{"name": "c", "image": "c", "resources": {"limits": limits}}], **spec}
    return SimpleNamespace(
        name="a-0",
        role=role,
        spec={**template, "tolerations": [*own, *added]},
        running=False,
        said="waits",
        ending=False,
        labels={},
    )


def a_job(kind: str, pods: int) -> dict[str, Any]:
    """A job of Kubernetes' own kinds."""
    size = {"parallelism": pods, "completions": pods} if kind == "Job" else {"replicas": pods}
    template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "c"}]}}
    spec = {**size, "selector": {"matchLabels": {"a": "b"}}, "serviceName": "a", "template": template}
    version = "batch/v1" if kind == "Job" else "apps/v1"
    return {"apiVersion": version, "kind": kind, "metadata": {"name": "a"}, "spec": spec}


def sent(job: dict[str, Any], *pods: Any, refusal: Refusal | None = None) -> Any:
    """A job on its way, with these of its pods there."""
    there = SimpleNamespace(now=pods)
    return SimpleNamespace(
        shape=roles_of(job),
        now=pods,
        pods=there,
        refusal=refusal,
        workloads=(),
        without_workload=(),
    )


CLUSTER: Any = SimpleNamespace(scene=lambda: ClusterSnapshot(a_blueprint(), ()), blueprint=a_blueprint())


@pytest.mark.parametrize("kind", ["Job", "Deployment", "StatefulSet"])
def test_pods_of_kubernetes_own_controllers_are_those_of_the_one_role(kind: str) -> None:
    """They carry no role, and all of them want room: not only those that are stuck."""
    assert count_alike(a_pod(), roles_of(a_job(kind, 5)).roles) == 5


@given(st.integers(1, 30))
def test_roles_that_ask_the_same_are_counted_together(workers: int) -> None:
    """A master beside its workers takes a node like each of them."""
    roles = roles_of(a_pytorch_job("train", "default", workers)).roles
    assert {count_alike(a_pod(role), roles) for role in ("master", "worker")} == {workers + 1}


def test_a_pod_without_a_role_is_known_by_what_it_asks() -> None:
    """Among several roles; one that fits none is nobody's."""
    job = a_pytorch_job("train", "default", 9)
    job["spec"]["pytorchReplicaSpecs"]["Master"]["template"]["spec"]["tolerations"] = [{"key": "team"}]
    job["spec"]["pytorchReplicaSpecs"]["Master"]["template"]["spec"]["nodeSelector"] = {"zone": "a"}
    roles = roles_of(job).roles
    assert count_alike(a_pod(), roles) == 9
    assert count_alike(a_pod(nodeSelector={"zone": "a"}, tolerations=[{"key": "team"}]), roles) == 1
    assert count_alike(a_pod(nodeSelector={"zone": "a"}), roles) == 0
    assert count_alike(a_pod(gpus=1), roles) == 0


def test_a_pod_that_is_being_deleted_does_not_wait() -> None:
    """Nobody needs a place for it."""
    ending = a_pod()
    ending.ending = True
    assert pending_pods(CLUSTER, sent(a_job("Job", 2), ending)) == ()
    assert [each.pod for each in pending_pods(CLUSTER, sent(a_job("Job", 2), ending, a_pod()))] == ["a-0"]
