"""The reference jobs, by name."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from muster.addons.catalogue import nvidia_dra_driver
from muster.blueprint.cluster import Blueprint, ClusterBlueprint
from muster.blueprint.group import Group, KubernetesGroup
from muster.blueprint.labels import nodes_of_one
from muster.finding import WrongInput
from muster.hardware.catalogue import Accelerator
from muster.hardware.ultraservers import has_nvlink
from muster.jobs import job_metadata, kubernetes_jobs, slurm_jobs
from muster.jobs.group_selection import (
    HYPERPOD_OPERATOR,
    KUBEFLOW_OPERATOR,
    NO_OPTIONS,
    DoesNotFit,
    JobOptions,
    NoGroup,
    no_gpus,
)
from muster.jobs.job import Form, Job, Queue, SlurmForm, Storage, System
from muster.jobs.workers import Workers
from muster.message_text import did_you_mean
from muster.versions import AWS_CLI_IMAGE, NCCL_TESTS_IMAGE, NVBANDWIDTH_IMAGE, TENSORBOARD_IMAGE

KUBECTL = "kubectl"
"""The format that every job has: a manifest of the kind that its operator runs."""

SBATCH = "sbatch"
"""The format on a cluster with Slurm: a batch script."""

MPI_OPERATOR, VOLCANO, TRAINER = "mpi-operator", "volcano", "trainer"
"""Add-ons that run jobs."""


def _blocking_taints(workers: Workers) -> list[str]:
    return [str(taint) for taint in sorted(workers.group.taints) if taint.blocks]


def _not_by_hyperpod_cli(_blueprint: Blueprint, workers: Workers) -> Iterator[str]:
    """Why the HyperPod CLI cannot express the job."""
    use = "use --format kubectl"
    if workers.claims:
        yield f"the HyperPod CLI cannot express claims for devices, and a DRA driver offers them; {use}"
    if workers.pull_secrets:
        yield f"the HyperPod CLI cannot express image-pull-secrets; {use}"
    if workers.group.node.sharing:
        yield ("the HyperPod CLI cannot request shared GPUs: it requests at most the GPUs of the instance type; " + use)
    if taints := _blocking_taints(workers):
        reason = f"the HyperPod CLI cannot set tolerations, but group '{workers.group.name}' has taints"
        yield f"{reason} ({', '.join(taints)}); remove them, or {use}"


def _not_by_torchx(_blueprint: Blueprint, workers: Workers) -> Iterator[str]:
    """Why TorchX cannot express the job. Kubernetes itself tolerates the taint with the name of a requested device, in
    clusters with the admission plugin ExtendedResourceToleration, as EKS."""
    if workers.claims:
        yield "TorchX cannot express claims for devices, and a DRA driver offers them; use --format kubectl"
    if workers.pull_secrets:
        yield "TorchX's component cannot express image-pull-secrets; use --format kubectl"
    for taint in sorted(workers.group.taints):
        if taint.blocks and not (taint.key in workers.requests and taint.effect == "NoSchedule"):
            yield (
                f"TorchX cannot set tolerations, but group '{workers.group.name}' has the taint {taint}; "
                "remove the taint, or use --format kubectl"
            )


def no_trainium(group: Group) -> str:
    """Why its nodes cannot run the BERT jobs, whose image has no compiler for Trainium2; empty if they can."""
    machine = group.node.hardware
    own = machine.accelerator_model if machine.accelerator is Accelerator.NEURON else ""
    if own == "Trainium":
        return ""
    return (
        f"has {own}, and the image is for Trainium ({machine.instance})"
        if own
        else (f"has no Trainium ({machine.instance})")
    )


def _no_nvlink(group: KubernetesGroup) -> str:
    if reason := no_gpus(group):
        return reason
    if group.described.ultraserver is None or not has_nvlink(group.node.hardware.instance):
        return f"has no NVLink between nodes ({group.node.hardware.instance})"
    return ""


def _no_compute_domains(blueprint: Blueprint, _group: KubernetesGroup) -> Iterator[str]:
    chosen, name = blueprint.described.addons.chosen, nvidia_dra_driver.ADDON.name
    if name not in chosen:
        entry = nvidia_dra_driver.for_compute_domains(chosen)
        yield f"the job needs the add-on '{name}', which creates ComputeDomains; add `{entry}` below addons:"


_TORCHX = {
    "torchx": Form("trn1.torchx.py.jinja", VOLCANO, "a component of TorchX", "torchx run", refuses=_not_by_torchx)
}

_TRAINIUM: Mapping[str, Any] = {
    "manifest": Form("trn1.yaml.jinja", VOLCANO),
    "image": "trn1-bert",
    "forms": _TORCHX,
    "lacking": no_trainium,
    "having": "Trainium and EFA",
    "all_memory": True,
    "queue": Queue.VOLCANO,
    "storage": Storage.REQUIRED,
}

PRECOMPILE = "trn1-precompile"

_PRECOMPILE_FIRST = (
    f"run {PRECOMPILE} first, with the same number of nodes: otherwise training compiles each graph when it first "
    "needs it"
)
_BEGINS_ANEW = (
    "when a pod fails, all pods restart from the first step: the script resumes from its checkpoints only with "
    "--resume_ckpt, and fails with this option if there are no checkpoints"
)
_BEGINS_ANEW_ON_SLURM = (
    "when a node fails, the job ends, and a new submission starts from the first step: the script resumes from its "
    "checkpoints only with --resume_ckpt"
)

JOBS: Mapping[str, Job] = {
    each.name: each
    for each in (
        Job(
            "nccl-tests",
            "NCCL's all-reduce over every GPU and EFA interface of a training group",
            Form("nccl-tests.yaml.jinja", MPI_OPERATOR),
            NCCL_TESTS_IMAGE,
            # A single failure is the result; a retry on other nodes would hide it.
            slurm=SlurmForm("nccl-tests.sbatch.jinja", one_task=False),
            cuda=True,
            system=System.LAUNCHER,
        ),
        Job(
            "pytorch-fsdp",
            "trains Llama 3.1 8B with PyTorch FSDP on GPUs with EFA; on HyperPod it resumes automatically",
            Form("pytorch-fsdp.yaml.jinja", KUBEFLOW_OPERATOR, auto_resume=True),
            "pytorch-fsdp",
            forms={
                "trainjob": Form(
                    "pytorch-fsdp.trainjob.yaml.jinja",
                    TRAINER,
                    "a TrainJob of Kubeflow Trainer, and its runtime",
                    "kubectl apply -f -",
                ),
                "hyperpod-cli": Form(
                    "pytorch-fsdp.hyperpod-cli.yaml.jinja",
                    HYPERPOD_OPERATOR,
                    "config.yaml of the HyperPod CLI (sagemaker-hyperpod 3)",
                    "hyp create, in the folder of config.yaml",
                    only_hyperpod=True,
                    refuses=_not_by_hyperpod_cli,
                ),
                "hyperpod-cli-2": Form(
                    "pytorch-fsdp.hyperpod-cli-2.yaml.jinja",
                    KUBEFLOW_OPERATOR,
                    "config.yaml of the HyperPod CLI of 2024 (2.2.0)",
                    "hyperpod start-job --config-file ./config.yaml",
                    auto_resume=True,
                    only_hyperpod=True,
                    refuses=_not_by_hyperpod_cli,
                ),
            },
            slurm=SlurmForm(
                "pytorch-fsdp.sbatch.jinja",
                options={"requeue": "", "open-mode": "append"},
            ),
            huge_pages=False,
            all_memory=True,
            cuda=True,
            storage=Storage.OPTIONAL,
        ),
        Job(
            "trn1-pretrain",
            f"pre-trains BERT-large on Trainium, one process per core; run {PRECOMPILE} first",
            slurm=SlurmForm(
                "trn1.sbatch.jinja",
                notes=(_PRECOMPILE_FIRST, _BEGINS_ANEW_ON_SLURM),
            ),
            notes=(_BEGINS_ANEW,),
            **_TRAINIUM,
        ),
        Job(
            PRECOMPILE,
            "compiles the graphs of trn1-pretrain; needed once",
            slurm=SlurmForm("trn1.sbatch.jinja"),
            **_TRAINIUM,
        ),
        Job(
            "efa-check",
            "checks the number of EFA devices and GPUs on every node of a training group; needs no operator",
            Form("efa-check.yaml.jinja"),
            NCCL_TESTS_IMAGE,
            slurm=SlurmForm("efa-check.sbatch.jinja", in_container=False),
            lacking=lambda _group: "",
            having="EFA",
        ),
        Job(
            "nvbandwidth",
            "measures NVLink between the nodes of a P6e-GB200 UltraServer, in a ComputeDomain",
            Form("nvbandwidth.yaml.jinja", MPI_OPERATOR),
            NVBANDWIDTH_IMAGE,
            on_slurm="its ComputeDomain is an object of Kubernetes",
            lacking=_no_nvlink,
            having="GPUs in UltraServers",
            refuses=_no_compute_domains,
            most_nodes=nodes_of_one,  # NVLink connects only these
            efa=False,
        ),
        Job(
            "tensorboard",
            "runs TensorBoard on the files that training jobs write to the file system",
            Form("tensorboard.yaml.jinja"),
            TENSORBOARD_IMAGE,
            on_slurm="run tensorboard on the head node, where the file system is mounted, and forward its port by SSH",
            has_workers=False,
            queue=None,
            storage=Storage.REQUIRED,
            system=System.ALL,
        ),
        Job(
            "data-shell",
            "runs a pod with a shell and the file system, to load data",
            Form("data-shell.yaml.jinja"),
            AWS_CLI_IMAGE,
            on_slurm="log in to the head node: the file system is mounted there",
            has_workers=False,
            queue=None,
            storage=Storage.REQUIRED,
            system=System.ALL,
        ),
    )
}
"""In the order of preference if none is selected: the jobs that prove most come first."""


def can_run(blueprint: ClusterBlueprint, job: Job) -> bool:
    """Whether a cluster can run a job in some way: on one of its groups, in one of its queues, with one of its file
    systems. If there are several, the user must choose."""
    ways = product(
        (None, *(group.name for group in blueprint.groups)),
        (None, *(job_metadata.queue_names(blueprint) if blueprint.on_kubernetes else ())),
        (None, *(storage.name for storage in blueprint.storage)),
    )
    return any(
        _fault(blueprint, job, JobOptions(group=group, queue=queue, storage=storage)) is None
        for group, queue, storage in ways
    )


def _fault(blueprint: ClusterBlueprint, job: Job, ask: JobOptions) -> DoesNotFit | None:
    try:
        if blueprint.on_kubernetes:
            kubernetes_jobs.make(job, blueprint, ask)
        else:
            slurm_jobs.make(job, blueprint, ask)
    except DoesNotFit as fault:
        return fault
    return None


def job_of(name: str) -> Job:
    """The job with that name.

    Raises:
        WrongInput: there is none; the message has the closest match and all jobs.
    """
    if name not in JOBS:
        raise WrongInput(f"no job '{name}'{did_you_mean(name, JOBS)} (jobs: {', '.join(JOBS)})")
    return JOBS[name]


def first_fitting(blueprint: ClusterBlueprint, ask: JobOptions = NO_OPTIONS) -> Job:
    """The first job that fits a cluster, among those with workers: the others prove little.

    Raises:
        DoesNotFit: none fits; the message has the reasons of those that fit after a choice, otherwise of all, each
            after the job's name if the jobs have different reasons.
    """
    faults: dict[str, DoesNotFit] = {}
    for job in JOBS.values():
        if job.has_workers:
            fault = _fault(blueprint, job, ask)
            if fault is None:
                return job
            faults[job.name] = fault
    shown = {name: fault for name, fault in faults.items() if can_run(blueprint, JOBS[name])} or faults
    kind = NoGroup if all(isinstance(fault, NoGroup) for fault in shown.values()) else DoesNotFit
    if len(shown) > 1 and len(same := {fault.reasons for fault in shown.values()}) == 1:
        raise kind(*same.pop())
    raise kind(*(f"{name}: {reason}" for name, fault in shown.items() for reason in fault.reasons))
