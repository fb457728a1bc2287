"""Every job of the catalogue on a real control plane: it is taken as it is printed, and all its pods run."""

from typing import Any

import pytest

from muster.blueprint.cluster import Blueprint
from muster.jobs.catalogue import JOBS
from muster.jobs.group_selection import JobOptions
from muster.jobs.kinds.catalogue import roles_of
from muster.jobs.kubernetes_jobs import make
from muster.rehearsal.kubernetes.rehearsal import rehearse
from muster.rehearsal.kubernetes.request import RehearsalRequest
from muster.rehearsal.outcome import Outcome, Verdict
from tests.jobs.clusters import a_cluster_for, a_group, a_stored_cluster, a_system_group, manifest_of

pytestmark = [pytest.mark.rehearsal, pytest.mark.usefixtures("shared_plane")]

PODS = {
    "nccl-tests": 3,
    "pytorch-fsdp": 2,
    "trn1-pretrain": 2,
    "trn1-precompile": 2,
    "efa-check": 2,
    "nvbandwidth": 19,
    "tensorboard": 1,
    "data-shell": 1,
}
"""On two nodes, and on the 18 of an UltraServer; jobs of MPI have a launcher."""


def played(blueprint: Blueprint, job: dict[str, Any], *beside: dict[str, Any]) -> Outcome:
    """A rehearsal of a job; the claim that it mounts is an object of the FSx CSI driver's add-on."""
    return rehearse(RehearsalRequest(blueprint, job, roles_of(job, beside), beside))


@pytest.mark.parametrize("name", JOBS)
def test_it_starts(name: str) -> None:
    """The API server, the operator's webhook and the scheduler take it as it is; every pod of it runs."""
    blueprint, job = a_cluster_for(name), JOBS[name]
    outcome = played(blueprint, *make(job, blueprint, JobOptions()).documents)
    assert outcome.verdict is Verdict.STARTS, outcome.waiting
    assert (outcome.running, outcome.not_running) == (PODS[name], 0)


def test_another_operator_starts_the_same_workers() -> None:
    """Kubeflow Trainer takes its form as it is printed; a runtime is sent with its TrainJob."""
    workers = a_group(instance="p5.48xlarge")
    blueprint = a_stored_cluster({"system": a_system_group(), "workers": workers}, trainer={})
    fsdp = JOBS["pytorch-fsdp"]
    runtime, job = make(fsdp, blueprint, JobOptions(), fsdp.forms["trainjob"]).documents
    outcome = played(blueprint, job, runtime)
    assert outcome.verdict is Verdict.STARTS, outcome.waiting
    assert (outcome.running, outcome.not_running) == (PODS["pytorch-fsdp"], 0)


def test_a_worker_too_many_waits_in_the_schedulers_words() -> None:
    """Whole nodes: the third has none, and Volcano lets none of them start."""
    blueprint = a_cluster_for("trn1-pretrain")
    job = manifest_of(JOBS["trn1-pretrain"], blueprint, JobOptions(nodes=3, beyond_the_group=True))
    outcome = played(blueprint, job)
    assert (outcome.verdict, outcome.running) == (Verdict.DOES_NOT_START, 0)
    (waiting,) = outcome.waiting
    assert "resource in cluster is overused" in waiting.reason
    assert "aws.amazon.com/neuron" in waiting.reason
    assert waiting.cause.id == "scheduler-says"


def test_what_torchx_sends_starts_too() -> None:
    """Without a toleration: as on EKS, the API server adds those of the devices that a pod asks for."""
    blueprint = a_cluster_for("trn1-pretrain")
    job = manifest_of(JOBS["trn1-pretrain"], blueprint, JobOptions())
    (task,) = job["spec"]["tasks"]
    spec = {key: value for key, value in task["template"]["spec"].items() if key != "tolerations"}
    alone = [{"name": f"worker-{index}", "replicas": 1, "template": {"spec": spec}} for index in range(2)]
    outcome = played(blueprint, {**job, "spec": {**job["spec"], "tasks": alone}})
    assert outcome.verdict is Verdict.STARTS, outcome.waiting
