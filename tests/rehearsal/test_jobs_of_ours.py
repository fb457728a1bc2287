"""Every job of the catalogue on a real control plane: it is taken as it is printed, and all its pods run."""

from typing import Any

import pytest

from muster.blueprint.kubernetes import Blueprint
from muster.config.project import open_stack
from muster.jobs.catalogue import JOBS, DoesNotFit, JobOptions, manifest_of, roles_of
from muster.jobs.kubernetes_jobs import make
from muster.rehearsal.kubernetes.rehearsal import RehearsalRequest, rehearse
from muster.rehearsal.outcome import Outcome, Verdict
from tests.jobs.clusters import a_cluster_for, a_group, a_stored_cluster, a_system_group
from tests.stack_files import ROOT

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


ON_HYPERPOD = {
    "hyperpod-existing-eks": {"pytorch-fsdp": 4, "efa-check": 4},
    "hyperpod-p5": {"nccl-tests": 5, "pytorch-fsdp": 4, "efa-check": 4, "tensorboard": 1, "data-shell": 1},
    "hyperpod-training-plan": {"nccl-tests": 9, "efa-check": 8},
    "hyperpod-trn1": {"trn1-pretrain": 2, "trn1-precompile": 2, "efa-check": 2, "tensorboard": 1, "data-shell": 1},
}
"""Stack -> each job that is printed for it, and its pods."""


@pytest.mark.parametrize(("stack", "name"), [(stack, name) for stack, jobs in ON_HYPERPOD.items() for name in jobs])
def test_it_starts_on_hyperpods_nodes_once_they_are_checked(stack: str, name: str) -> None:
    """Operators may be on any of them by then: no taint keeps those off, and a worker that takes a whole node leaves
    them their memory."""
    blueprint, job = open_stack(ROOT, stack).derive(), JOBS[name]
    document, *others = make(job, blueprint, JobOptions()).documents
    beside = tuple(others)
    outcome = rehearse(RehearsalRequest(blueprint, document, roles_of(document, beside), beside))
    assert outcome.verdict is Verdict.STARTS, outcome.waiting
    assert (outcome.running, outcome.not_running) == (ON_HYPERPOD[stack][name], 0)


@pytest.mark.parametrize("stack", ON_HYPERPOD)
def test_every_job_that_is_printed_for_a_stack_is_played(stack: str) -> None:
    """And no other one is listed."""
    blueprint = open_stack(ROOT, stack).derive()
    assert {name for name in JOBS if _fits(blueprint, name)} == set(ON_HYPERPOD[stack])


def _fits(blueprint: Blueprint, name: str) -> bool:
    try:
        manifest_of(JOBS[name], blueprint, JobOptions())
    except DoesNotFit:
        return False
    return True
