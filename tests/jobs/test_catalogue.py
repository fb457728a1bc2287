"""The catalogue: jobs by name, the first that fits, and what each requests."""

from typing import Any

import pytest

from muster.jobs.catalogue import JOBS, can_run, first_fitting
from muster.jobs.group_selection import DoesNotFit, JobOptions
from muster.jobs.kubernetes_jobs import make
from muster.jobs.slurm_jobs import make as script_of
from muster.stack.project import open_stack
from tests.factories import DROP, a_blueprint
from tests.jobs.clusters import (
    a_cluster_for,
    a_group,
    a_hyperpod_cluster,
    a_stored_cluster,
    a_system_group,
    manifest_of,
    without,
)
from tests.jobs.slurm.clusters import a_queue, a_slurm_cluster
from tests.stack_files import NO_JOB_FITS, ROOT


@pytest.mark.parametrize("stack", NO_JOB_FITS)
def test_no_job_fits_without_a_choice(stack: str) -> None:
    """Only jobs that would fit after the choice give reasons."""
    with pytest.raises(DoesNotFit) as refused:
        first_fitting(open_stack(ROOT, stack).derive())
    assert refused.value.reasons == NO_JOB_FITS[stack]


def test_where_none_fits_every_job_with_workers_says_why() -> None:
    with pytest.raises(DoesNotFit) as refused:
        first_fitting(a_stored_cluster({"system": a_system_group()}))
    assert {reason.partition(": ")[0] for reason in refused.value.reasons} == {
        name for name, job in JOBS.items() if job.has_workers
    }


DRIVERS: dict[str, Any] = {
    **{f"addons.{name}": {} for name in ("mpi-operator", "training-operator", "jobset", "trainer")},
    "addons.nvidia-device-plugin": DROP,
    "addons.nvidia-dra-driver": {},
    "addons.efa-device-plugin": DROP,
    "addons.efa-dra-driver": {},
}


@pytest.mark.parametrize(("name", "form"), [("efa-check", ""), ("pytorch-fsdp", ""), ("pytorch-fsdp", "trainjob")])
def test_workers_claim_devices_that_drivers_offer(name: str, form: str) -> None:
    """All devices of a node, in claims of at most 32 devices, and no extended resource. (Of nccl-tests the stack p5-dra
    shows it.)"""
    made = make(JOBS[name], a_blueprint(DRIVERS), JobOptions(), JOBS[name].forms.get(form))
    requests = [each["spec"]["spec"]["devices"]["requests"][0]["exactly"] for each in made.claim_templates]
    assert {each["deviceClassName"]: each["count"] for each in requests} == {
        "gpu.nvidia.com": 8,
        "efa.networking.k8s.aws": 32,
    }
    text = str(made.documents)
    assert "nvidia.com/gpu': 8" not in text
    for each in made.claim_templates:
        assert f"'resourceClaimTemplateName': '{each['metadata']['name']}'" in text


@pytest.mark.parametrize("form", ["hyperpod-cli", "hyperpod-cli-2", "torchx"])
def test_what_a_format_cannot_express_is_refused(form: str) -> None:
    """Tolerations of a user's own taint."""
    job, instance = ("trn1-pretrain", "trn1.32xlarge") if form == "torchx" else ("pytorch-fsdp", "p5.48xlarge")
    groups = {"system": a_system_group(instance="m5.2xlarge", nodes=3), "workers": a_group(instance=instance)}
    cluster = a_hyperpod_cluster(groups, hyperpod_training_operator={})
    assert make(JOBS[job], cluster, JobOptions(), JOBS[job].forms[form])
    groups["workers"]["taints"] = {"team": "NoSchedule"}
    cluster = a_hyperpod_cluster(groups, hyperpod_training_operator={})
    with pytest.raises(DoesNotFit, match="cannot set tolerations"):
        make(JOBS[job], cluster, JobOptions(), JOBS[job].forms[form])


def test_the_workers_of_nvbandwidth_are_in_one_ultraserver() -> None:
    """A training plan keeps one of 18 instances as a spare."""
    blueprint, job = open_stack(ROOT, "hyperpod-p6e-gb200").derive(), JOBS["nvbandwidth"]
    with pytest.raises(DoesNotFit, match="at most 17"):
        manifest_of(job, blueprint, JobOptions(nodes=18))  # type: ignore[arg-type]
    with pytest.raises(DoesNotFit, match="nvidia-dra-driver"):
        manifest_of(job, without(a_cluster_for("nvbandwidth"), "nvidia-dra-driver"))


SEVERAL = {
    "compute-gpu": a_queue({"a100": {"for": "training", "instance": "p4de.24xlarge", "nodes": 4}}),
    "compute-trn": a_queue({"trn": {"for": "training", "instance": "trn1.32xlarge", "nodes": 4}}),
}


def test_what_a_cluster_with_slurm_can_run() -> None:
    blueprint = a_slurm_cluster(SEVERAL)
    assert {name for name, job in JOBS.items() if can_run(blueprint, job)} == {
        name for name, job in JOBS.items() if job.slurm
    }
    assert first_fitting(a_slurm_cluster()).name == "nccl-tests"


@pytest.mark.parametrize(
    ("job", "ask", "match"),
    [
        ("nccl-tests", {"group": "trn"}, "group 'trn' has no GPUs"),
        ("nccl-tests", {"queue": "compute-gp"}, "did you mean 'compute-gpu'"),
        ("nccl-tests", {"group": "a100", "queue": "compute-trn"}, "leave out --queue"),
        ("nccl-tests", {"nodes": 5}, "more than the maximum of group 'a100'"),
        ("pytorch-fsdp", {"storage": "data"}, "no file system 'data'"),
        ("efa-check", {"group": "trn", "image": "mine"}, "leave out --image"),
        ("tensorboard", {}, "only for Kubernetes"),
        ("pytorch-fsdp", {"image": "mine\nrm -rf ~"}, "--image"),
        ("pytorch-fsdp", {"image": ""}, "--image"),
    ],
)
def test_what_a_cluster_with_slurm_refuses(job: str, ask: dict[str, Any], match: str) -> None:
    with pytest.raises(DoesNotFit, match=match):
        script_of(JOBS[job], a_slurm_cluster(SEVERAL), JobOptions(**ask))


@pytest.mark.parametrize(
    ("ask", "match"),
    [
        ({"nodes": 3}, "more than the maximum of group 'workers'"),
        ({"group": "system"}, "is for system"),
        ({"group": "worker"}, "did you mean 'workers'"),
        ({"storage": "other"}, "no file system 'other'; did|no file system 'other'"),
        ({"image": "a b"}, "--image"),
    ],
)
def test_what_a_cluster_with_kubernetes_refuses(ask: dict[str, Any], match: str) -> None:
    with pytest.raises(DoesNotFit, match=match):
        manifest_of(JOBS["pytorch-fsdp"], a_stored_cluster(), JobOptions(**ask))


def test_every_reason_comes_at_once() -> None:
    cluster = without(a_stored_cluster(), "training-operator", "efa-device-plugin")
    with pytest.raises(DoesNotFit) as refused:
        manifest_of(JOBS["pytorch-fsdp"], cluster, JobOptions(nodes=7, queue="mine", storage="other"))
    assert len(refused.value.reasons) == len(set(refused.value.reasons)) == 5
