"""The reference jobs, by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any

from muster import backends
from muster.blueprint.cluster import ClusterBlueprint
from muster.blueprint.kubernetes import Blueprint, KubernetesGroup
from muster.blueprint.slurm import SlurmBlueprint
from muster.jobs import (
    bert,
    efa_check,
    hyperpod_cli,
    job_metadata,
    nccl_tests,
    nvbandwidth,
    pytorch_fsdp,
    pytorch_fsdp_forms,
    utility_pods,
)
from muster.jobs.group_selection import DoesNotFit, NoGroup
from muster.jobs.job_options import NO_OPTIONS, JobOptions
from muster.jobs.kinds import UnknownJobKind, current_version, is_job, pods_of, roles_of
from muster.jobs.manifest import MalformedJob
from muster.jobs.pod_roles import Controller, JobRoles, Role
from muster.jobs.slurm import Script
from muster.jobs.slurm import bert as bert_on_slurm
from muster.jobs.slurm import efa_check as efa_check_on_slurm
from muster.jobs.slurm import nccl_tests as nccl_tests_on_slurm
from muster.jobs.slurm import pytorch_fsdp as pytorch_fsdp_on_slurm
from muster.jobs.worker_set import WorkerSet
from muster.message_text import did_you_mean
from muster.versions import AWS_CLI_IMAGE, NCCL_TESTS_IMAGE, NVBANDWIDTH_IMAGE, TENSORBOARD_IMAGE

KUBECTL = "kubectl"
"""The format that every job has: a manifest of the kind that its operator runs."""

SBATCH = "sbatch"
"""The format on a cluster with Slurm: a batch script."""


class UnknownJob(ValueError):
    """There is no job with that name."""


@dataclass(frozen=True, slots=True)
class Form:
    """A format of a job, besides the manifest."""

    title: str
    make: Callable[[Blueprint, JobOptions], "list[dict[str, Any]] | dict[str, Any] | str"]
    """Documents for YAML, or the text itself; raises `DoesNotFit`."""
    sent_by: str
    """The command that submits it."""
    notes: Callable[[Blueprint, JobOptions], tuple[str, ...]]
    """Notes for the user who submits it, one line each: it may need other add-ons than the manifest. Raises
    `DoesNotFit`."""


def _nothing(_blueprint: Blueprint, _ask: JobOptions) -> tuple[Any, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Job:
    """A job that can be created for a cluster."""

    name: str
    title: str
    build: Callable[[Blueprint, JobOptions], dict[str, Any]]
    """The manifest; raises `DoesNotFit`."""
    workers: Callable[[Blueprint, str | None], KubernetesGroup | None]
    """The group of its workers, the requested one if several fit; None if that is not a group of the description.
    Raises `DoesNotFit`."""
    beside: Callable[[Blueprint, JobOptions], tuple[dict[str, Any], ...]] = _nothing
    """The objects that are submitted with the manifest."""
    notes: Callable[[Blueprint, JobOptions], tuple[str, ...]] = _nothing
    """Notes for the user who submits it, one line each; raises `DoesNotFit`."""
    worker_set: Callable[[Blueprint, JobOptions], WorkerSet] | None = None
    """Its workers; None for jobs without workers. Raises `DoesNotFit`."""
    images: tuple[str, ...] = ()
    """The public images that it runs, by their original names; none if it runs an image that its user builds."""
    has_workers: bool = True
    """False for jobs that run beside training jobs."""
    on_special_hardware: bool = False
    """Whether it is only for a few instance types. Clusters of other types then get no reason about it."""
    forms: Mapping[str, Form] = field(default_factory=dict)
    """Formats other than a manifest, by name."""
    sbatch: Callable[[SlurmBlueprint, JobOptions], Script] | None = None
    """Its batch script on a cluster with Slurm; raises `DoesNotFit`. None if there is none."""
    on_slurm: str = ""
    """For a job without a batch script: the alternative on a cluster with Slurm."""


def _system(blueprint: Blueprint, _wanted: str | None) -> KubernetesGroup | None:
    return utility_pods.utility_group(blueprint)


_FSDP_FORMS = {
    "jobset": Form("a JobSet", pytorch_fsdp_forms.jobset, "kubectl apply -f -", pytorch_fsdp_forms.jobset_notes),
    "trainjob": Form(
        "a TrainJob of Kubeflow Trainer, and its runtime",
        pytorch_fsdp_forms.train_job,
        "kubectl apply -f -",
        pytorch_fsdp_forms.train_job_notes,
    ),
    "hyperpod-cli": Form(
        "config.yaml of the HyperPod CLI (sagemaker-hyperpod 3)",
        hyperpod_cli.config,
        "hyp create, in the folder of config.yaml",
        hyperpod_cli.notes,
    ),
    "hyperpod-cli-2": Form(
        "config.yaml of the HyperPod CLI of 2024 (2.2.0)",
        hyperpod_cli.config_2,
        "hyperpod start-job --config-file ./config.yaml",
        pytorch_fsdp.notes,
    ),
}


def _torchx(make: Callable[[Blueprint, JobOptions], str], notes: Callable[..., tuple[str, ...]]) -> Form:
    return Form("a component of TorchX", make, "torchx run", notes)


JOBS: Mapping[str, Job] = {
    each.name: each
    for each in (
        Job(
            nccl_tests.NAME,
            "NCCL's all-reduce over every GPU and EFA interface of a training group",
            nccl_tests.build,
            nccl_tests.workers,
            notes=nccl_tests.notes,
            worker_set=nccl_tests.workers_of_test,
            images=(NCCL_TESTS_IMAGE,),
            sbatch=nccl_tests_on_slurm.script,
        ),
        Job(
            pytorch_fsdp.NAME,
            "trains Llama 3.1 8B with PyTorch FSDP on GPUs with EFA; on HyperPod it resumes automatically",
            pytorch_fsdp.build,
            pytorch_fsdp.workers,
            notes=pytorch_fsdp.notes,
            worker_set=lambda blueprint, ask: pytorch_fsdp.parts(blueprint, ask)[0],
            forms=_FSDP_FORMS,
            sbatch=pytorch_fsdp_on_slurm.script,
        ),
        Job(
            bert.PRETRAIN,
            "pre-trains BERT-large on Trainium, one process per core; run trn1-precompile first",
            bert.build_pretrain,
            bert.workers,
            notes=bert.pretrain_notes,
            worker_set=partial(bert.workers_of_run, run=bert.PRETRAIN_RUN),
            forms={"torchx": _torchx(bert.pretrain_component, bert.pretrain_notes)},
            sbatch=bert_on_slurm.pretrain,
        ),
        Job(
            bert.PRECOMPILE,
            "compiles the graphs of trn1-pretrain; needed once",
            bert.build_precompile,
            bert.workers,
            notes=bert.run_notes,
            worker_set=partial(bert.workers_of_run, run=bert.PRECOMPILE_RUN),
            forms={"torchx": _torchx(bert.precompile_component, bert.run_notes)},
            sbatch=bert_on_slurm.precompile,
        ),
        Job(
            efa_check.NAME,
            "checks the number of EFA devices and GPUs on every node of a training group; needs no operator",
            efa_check.build,
            efa_check.workers,
            notes=efa_check.notes,
            worker_set=efa_check.checked_workers,
            images=(NCCL_TESTS_IMAGE,),
            sbatch=efa_check_on_slurm.script,
        ),
        Job(
            nvbandwidth.NAME,
            "measures NVLink between the nodes of a P6e-GB200 UltraServer, in a ComputeDomain",
            nvbandwidth.build,
            nvbandwidth.workers,
            beside=nvbandwidth.compute_domain,
            worker_set=nvbandwidth.workers_of_test,
            images=(NVBANDWIDTH_IMAGE,),
            on_special_hardware=True,
            on_slurm="its ComputeDomain is an object of Kubernetes",
        ),
        Job(
            utility_pods.TENSORBOARD,
            "runs TensorBoard on the files that training jobs write to the file system",
            utility_pods.build_tensorboard,
            _system,
            beside=utility_pods.tensorboard_service,
            images=(TENSORBOARD_IMAGE,),
            has_workers=False,
            on_slurm="run tensorboard on the head node, where the file system is mounted, and forward its port by SSH",
        ),
        Job(
            utility_pods.DATA_SHELL,
            "runs a pod with a shell and the file system, to load data",
            utility_pods.build_data_shell,
            _system,
            images=(AWS_CLI_IMAGE,),
            has_workers=False,
            on_slurm="log in to the head node: the file system is mounted there",
        ),
    )
}
"""In the order of preference if none is selected: the jobs that prove most come first."""


def claim_templates(
    job: Job, blueprint: Blueprint, ask: JobOptions, manifest: Mapping[str, Any]
) -> tuple[dict[str, Any], ...]:
    """The claim templates that are submitted with a job, in any of its formats; none if its workers claim no devices.

    Args:
        job: the job.
        blueprint: the cluster.
        ask: the options.
        manifest: a manifest of the job, whose namespace the templates have.
    """
    if job.worker_set is None or not any(group.node.driven for group in blueprint.groups):
        return ()
    namespace = (manifest.get("metadata") or {}).get("namespace")
    return job.worker_set(blueprint, ask).claim_templates(namespace)


def manifest_of(job: Job, blueprint: Blueprint, ask: JobOptions = NO_OPTIONS) -> dict[str, Any]:
    """A job's manifest for a cluster with Kubernetes.

    Raises:
        DoesNotFit: this cluster cannot run it, every reason at once.
    """
    return job.build(blueprint, ask)


def script_of(job: Job, blueprint: SlurmBlueprint, ask: JobOptions = NO_OPTIONS) -> Script:
    """A job's batch script for a cluster with Slurm.

    Raises:
        DoesNotFit: this cluster cannot run it, every reason at once; or no cluster with Slurm can.
    """
    if job.sbatch is None:
        raise DoesNotFit(f"the job is only for Kubernetes; {job.on_slurm}")
    return job.sbatch(blueprint, ask)


def can_run(blueprint: ClusterBlueprint, job: Job) -> bool:
    """Whether a cluster can run a job in some way: on one of its groups, in one of its queues, with one of its file
    systems. If there are several, the user must choose."""
    ways = product(
        (None, *(group.name for group in blueprint.groups)),
        (None, *(job_metadata.queue_names(blueprint) if isinstance(blueprint, Blueprint) else ())),
        (None, *(storage.name for storage in blueprint.storage)),
    )
    return any(
        _fits(blueprint, job, JobOptions(group=group, queue=queue, storage=storage)) for group, queue, storage in ways
    )


def _fits(blueprint: ClusterBlueprint, job: Job, ask: JobOptions) -> bool:
    try:
        _made(blueprint, job, ask)
    except DoesNotFit:
        return False
    return True


def _made(blueprint: ClusterBlueprint, job: Job, ask: JobOptions) -> dict[str, Any] | Script:
    """The manifest, or the batch script; raises `DoesNotFit`."""
    made: dict[str, Any] | Script = backends.of(blueprint).make_job.load()(job, blueprint, ask)
    return made


def job_of(name: str) -> Job:
    """The job with that name.

    Raises:
        UnknownJob: there is none; the message has the closest match and all jobs.
    """
    if name not in JOBS:
        raise UnknownJob(f"no job '{name}'{did_you_mean(name, JOBS)} (jobs: {', '.join(JOBS)})")
    return JOBS[name]


def first_fitting(blueprint: ClusterBlueprint, ask: JobOptions = NO_OPTIONS) -> Job:
    """The first job that fits a cluster, among those with workers: the others prove little.

    Raises:
        DoesNotFit: none fits; the message has every reason of those that fit after a choice, otherwise of those that
            lack least, each after the job's name if the jobs have different reasons.
    """
    lacking: dict[str, DoesNotFit] = {}
    for job in JOBS.values():
        if not job.has_workers:
            continue
        try:
            _made(blueprint, job, ask)
        except DoesNotFit as fault:
            lacking[job.name] = fault
        else:
            return job
    among = {name: fault for name, fault in lacking.items() if can_run(blueprint, JOBS[name])} or {
        name: fault for name, fault in lacking.items() if not JOBS[name].on_special_hardware
    }
    least = min(map(_number_of_reasons, among.values()))
    nearest = {name: fault for name, fault in among.items() if _number_of_reasons(fault) == least}
    kind = NoGroup if all(isinstance(fault, NoGroup) for fault in nearest.values()) else DoesNotFit
    if len(nearest) > 1 and len(same := {fault.reasons for fault in nearest.values()}) == 1:
        raise kind(*same.pop())
    raise kind(*(f"{name}: {reason}" for name, fault in nearest.items() for reason in fault.reasons))


def _number_of_reasons(fault: DoesNotFit) -> int:
    return len(fault.reasons) + (fault.further if isinstance(fault, NoGroup) else 0)


__all__ = [
    "JOBS",
    "KUBECTL",
    "SBATCH",
    "Controller",
    "DoesNotFit",
    "Form",
    "Job",
    "JobOptions",
    "JobRoles",
    "MalformedJob",
    "NoGroup",
    "Role",
    "Script",
    "UnknownJob",
    "UnknownJobKind",
    "can_run",
    "claim_templates",
    "current_version",
    "first_fitting",
    "is_job",
    "job_of",
    "pods_of",
    "roles_of",
    "script_of",
]
