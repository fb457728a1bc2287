"""The jobs there are, by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from muster.fleet.blueprint import Blueprint, KubernetesGroup
from muster.fleet.near_miss import did_you_mean
from muster.fleet.slurm_blueprint import AnyBlueprint, SlurmBlueprint
from muster.jobs import (
    bert,
    beside_workers,
    data_shell,
    efa_check,
    hyperpod_cli,
    nccl_tests,
    pytorch_fsdp,
    queues,
    tensorboard,
    trn1_precompile,
    trn1_pretrain,
)
from muster.jobs.ask import PLAIN, Ask
from muster.jobs.fit import DoesNotFit
from muster.jobs.slurm import Script
from muster.jobs.slurm import bert as bert_on_slurm
from muster.jobs.slurm import efa_check as efa_check_on_slurm
from muster.jobs.slurm import nccl_tests as nccl_tests_on_slurm
from muster.jobs.slurm import pytorch_fsdp as pytorch_fsdp_on_slurm
from muster.versions import AWS_CLI_IMAGE, NCCL_TESTS_IMAGE, TENSORBOARD_IMAGE

KUBECTL = "kubectl"
"""The form that every job has: a manifest."""

SBATCH = "sbatch"
"""The form on a cluster with Slurm: a batch script."""


class UnknownJob(ValueError):
    """No job of that name."""


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a job beside the manifest."""

    title: str
    make: Callable[[Blueprint, Ask], "dict[str, Any] | str"]
    """A document for YAML, or the text itself; raises `DoesNotFit`."""
    sent_by: str
    """The command that takes it."""
    notes: Callable[[Blueprint, Ask], tuple[str, ...]]
    """What whoever sends it should know, a line each: it may need other add-ons than the manifest. Raises
    `DoesNotFit`."""


def _nothing(_blueprint: Blueprint, _ask: Ask) -> tuple[Any, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Job:
    """A job that can be made for a cluster."""

    name: str
    title: str
    build: Callable[[Blueprint, Ask], dict[str, Any]]
    """The manifest; raises `DoesNotFit`."""
    workers: Callable[[Blueprint, str | None], KubernetesGroup | None]
    """The group that its workers go to, the wanted one where several fit; None where that is no group of the
    description. Raises `DoesNotFit`."""
    beside: Callable[[Blueprint, Ask], tuple[dict[str, Any], ...]] = _nothing
    """What is sent with the manifest."""
    notes: Callable[[Blueprint, Ask], tuple[str, ...]] = _nothing
    """What whoever sends it should know, a line each; raises `DoesNotFit`."""
    images: tuple[str, ...] = ()
    """The public images that it runs, by their own names; none where it runs one that its user builds."""
    has_workers: bool = True
    """False of what stands beside them."""
    forms: Mapping[str, Form] = field(default_factory=dict)
    """Other forms than a manifest, by name."""
    sbatch: Callable[[SlurmBlueprint, Ask], Script] | None = None
    """Its batch script, on a cluster with Slurm; raises `DoesNotFit`. None where there is none."""
    on_slurm: str = ""
    """Of a job without a batch script: what to do there."""


def _system(blueprint: Blueprint, _wanted: str | None) -> KubernetesGroup | None:
    return beside_workers.group_of(blueprint)


_HYPERPOD_FORMS = {
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

JOBS: Mapping[str, Job] = {
    each.name: each
    for each in (
        Job(
            nccl_tests.NAME,
            "NCCL's all-reduce over every GPU and EFA interface of a training group",
            nccl_tests.build,
            nccl_tests.workers,
            notes=nccl_tests.notes,
            images=(NCCL_TESTS_IMAGE,),
            sbatch=nccl_tests_on_slurm.script,
        ),
        Job(
            pytorch_fsdp.NAME,
            "trains Llama 3.1 8B with PyTorch FSDP over GPUs and EFA; on HyperPod it resumes by itself",
            pytorch_fsdp.build,
            pytorch_fsdp.workers,
            notes=pytorch_fsdp.notes,
            forms=_HYPERPOD_FORMS,
            sbatch=pytorch_fsdp_on_slurm.script,
        ),
        Job(
            trn1_pretrain.NAME,
            "pre-trains BERT-large on Trainium, a process for each core; after trn1-precompile",
            trn1_pretrain.build,
            bert.workers,
            notes=trn1_pretrain.notes,
            forms={"torchx": Form("a component of TorchX", trn1_pretrain.component, "torchx run", trn1_pretrain.notes)},
            sbatch=bert_on_slurm.pretrain,
        ),
        Job(
            trn1_precompile.NAME,
            "compiles the graphs of trn1-pretrain, once",
            trn1_precompile.build,
            bert.workers,
            notes=bert.notes,
            forms={"torchx": Form("a component of TorchX", trn1_precompile.component, "torchx run", bert.notes)},
            sbatch=bert_on_slurm.precompile,
        ),
        Job(
            efa_check.NAME,
            "counts the EFA devices and GPUs of every node of a training group; needs no operator",
            efa_check.build,
            efa_check.workers,
            notes=efa_check.notes,
            images=(NCCL_TESTS_IMAGE,),
            sbatch=efa_check_on_slurm.script,
        ),
        Job(
            tensorboard.NAME,
            "shows what training jobs write to the file system",
            tensorboard.build,
            _system,
            beside=tensorboard.beside,
            images=(TENSORBOARD_IMAGE,),
            has_workers=False,
            on_slurm="run tensorboard on the head node, where the file system is mounted, and forward its port by SSH",
        ),
        Job(
            data_shell.NAME,
            "a shell on the file system, to load data",
            data_shell.build,
            _system,
            images=(AWS_CLI_IMAGE,),
            has_workers=False,
            on_slurm="log in to the head node: the file system is mounted there",
        ),
    )
}
"""In the order in which one is looked for where nobody names one: what proves more comes first."""


def script_of(job: Job, blueprint: SlurmBlueprint, ask: Ask = PLAIN) -> Script:
    """A job's batch script for a cluster with Slurm.

    Raises:
        DoesNotFit: this cluster cannot run it, every reason at once; or no cluster with Slurm does.
    """
    if job.sbatch is None:
        raise DoesNotFit(f"it is for Kubernetes; {job.on_slurm}")
    return job.sbatch(blueprint, ask)


def can_run(blueprint: AnyBlueprint, job: Job) -> bool:
    """Whether a cluster can run a job in some way: on one of its groups, in one of its queues, with one of its file
    systems. Who sends it must choose where there are several."""
    ways = product(
        (None, *(group.name for group in blueprint.groups)),
        (None, *(queues.every(blueprint) if isinstance(blueprint, Blueprint) else ())),
        (None, *(storage.name for storage in blueprint.storage)),
    )
    return any(_fits(blueprint, job, Ask(group=group, queue=queue, storage=storage)) for group, queue, storage in ways)


def _fits(blueprint: AnyBlueprint, job: Job, ask: Ask) -> bool:
    try:
        _made(blueprint, job, ask)
    except DoesNotFit:
        return False
    return True


def _made(blueprint: AnyBlueprint, job: Job, ask: Ask) -> dict[str, Any] | Script:
    """The manifest, or the batch script; raises `DoesNotFit`."""
    return job.build(blueprint, ask) if isinstance(blueprint, Blueprint) else script_of(job, blueprint, ask)


def job_of(name: str) -> Job:
    """The job of that name.

    Raises:
        UnknownJob: there is none; the message names the nearest and lists what there is.
    """
    if name not in JOBS:
        raise UnknownJob(f"no job '{name}'{did_you_mean(name, JOBS)} (there are: {', '.join(JOBS)})")
    return JOBS[name]


def first_fitting(blueprint: AnyBlueprint, ask: Ask = PLAIN) -> Job:
    """The first job of the catalogue that fits a cluster, of those that have workers: the others prove little.

    Raises:
        DoesNotFit: none does; of those that lack least every reason, each after the job's name.
    """
    lacking: dict[str, tuple[str, ...]] = {}
    for job in JOBS.values():
        if not job.has_workers:
            continue
        try:
            _made(blueprint, job, ask)
        except DoesNotFit as fault:
            lacking[job.name] = fault.reasons
        else:
            return job
    least = min(map(len, lacking.values()))
    nearest = {name: reasons for name, reasons in lacking.items() if len(reasons) == least}
    raise DoesNotFit(*(f"{name}: {reason}" for name, reasons in nearest.items() for reason in reasons))
