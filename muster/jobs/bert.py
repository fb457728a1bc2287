"""BERT-large pre-training on Trainium1: compilation and training, as Volcano Jobs and as components of TorchX."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import indent
from typing import Any

from muster.blueprint.cluster import Group
from muster.blueprint.kubernetes import Blueprint, KubernetesGroup
from muster.hardware.catalogue import Accelerator
from muster.jobs import images, job_metadata
from muster.jobs.group_selection import DoesNotFit, efa_plugin_of, plugins_of, worker_group
from muster.jobs.job_metadata import DEFAULT_NAMESPACE, FileSystemClaim, object_metadata
from muster.jobs.job_options import NO_OPTIONS, JobOptions
from muster.jobs.worker_set import SHARED_MEMORY, NodeShare, WorkerSet, require_both, worker_set

IMAGE = "trn1-bert"
"""Of `muster.jobs.images`."""

MODEL = "Trainium"
"""The accelerator. The tutorial's image has no compiler for Trainium2."""

SCHEDULER = "volcano"

SCRIPT = "/bert/dp_bert_large_hf_pretrain_hdf5.py"

DATASET = "bert_pretrain_wikicorpus_tokenized_hdf5_seqlen128"
"""A folder of the file system."""

OUTPUT = f"{job_metadata.PATH}/output"

NEURON = {
    "FI_EFA_FORK_SAFE": "1",
    "FI_EFA_USE_DEVICE_RDMA": "1",
    "FI_PROVIDER": "efa",
    "NEURON_RT_RESET_CORES": "1",
    "XLA_TRANSFER_SEED_ASYNC": "1",
}
"""The environment of EFA and of Neuron's runtime, on both kinds of clusters."""

ENVIRONMENT = {"CCOM_SOCKET_IFNAME": "eth0", **NEURON}
"""The environment of a pod, whose interface has this name."""

CACHES = "bert-large"
"""The tutorial's `--cacheset`: all jobs of a model use its compiled graphs, one job at a time."""

PORT = 29500

TASK = "worker"

RETRIES = 3


@dataclass(frozen=True, slots=True)
class BertRun:
    """One of the two jobs."""

    name: str
    wrapper: str = ""
    """The command that starts the processes' launcher."""
    arguments: tuple[str, ...] = ()
    """Arguments of the script, besides the common ones."""


@dataclass(frozen=True, slots=True)
class BertParts:
    """The parts of a job."""

    worker_set: WorkerSet
    queue: str
    claim: FileSystemClaim
    image: str


def volcano_job(blueprint: Blueprint, ask: JobOptions, run: BertRun) -> dict[str, Any]:
    """The Volcano Job for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    made = parts(blueprint, ask, run)
    return {
        "apiVersion": "batch.volcano.sh/v1alpha1",
        "kind": "Job",
        "metadata": object_metadata(run.name, claim=made.claim),
        "spec": {
            "schedulerName": SCHEDULER,
            "queue": made.queue,
            "minAvailable": made.worker_set.count,
            "maxRetry": RETRIES,
            # DNS names for the pods before they are ready, because each waits for the first; and each pod's number.
            "plugins": {"svc": ["--publish-not-ready-addresses"], "env": []},
            # If one process ends, all of them start again.
            "policies": [{"event": event, "action": "RestartJob"} for event in ("PodEvicted", "PodFailed")],
            "tasks": [
                {"name": TASK, "replicas": made.worker_set.count, "template": {"spec": _pod(made, run)}},
            ],
        },
    }


def parts(blueprint: Blueprint, ask: JobOptions, run: BertRun) -> BertParts:
    """The workers, the queue, the claim and the image.

    Raises:
        DoesNotFit: this cluster cannot have them; every reason at once.
    """
    made, (queue, claim) = require_both(
        lambda: workers_of_run(blueprint, ask, run),
        lambda: require_both(
            lambda: job_metadata.volcano_queue(blueprint, ask), lambda: job_metadata.file_system_claim(blueprint, ask)
        ),
    )
    return BertParts(made, queue, claim, ask.image or images.image_address(blueprint, IMAGE))


def workers_of_run(blueprint: Blueprint, ask: JobOptions, run: BertRun) -> WorkerSet:
    """The workers of a job.

    Raises:
        DoesNotFit: this cluster cannot have them; every reason at once.
    """
    made = worker_set(blueprint, ask, job=run.name, workers=workers, addons=_needed, refuses=_refuses, memory=None)
    if made.count > 1 and not made.share.efa:
        why = f"the processes of {made.count} nodes communicate over EFA (FI_PROVIDER=efa)"
        raise DoesNotFit(f"--efa 0: {why}; leave it out, or add --nodes 1")
    return made


def workers(blueprint: Blueprint, wanted: str | None) -> KubernetesGroup:
    """The training group with Trainium and EFA for the workers.

    Raises:
        DoesNotFit: none fits, several fit and none is requested, or the requested one does not fit.
    """
    return worker_group(blueprint, wanted, no_trainium, "Trainium and EFA")


def run_notes(blueprint: Blueprint, ask: JobOptions) -> tuple[str, ...]:
    """Notes for the user who submits the job."""
    made = parts(blueprint, ask, PRECOMPILE_RUN)
    return (*made.worker_set.share.notes, *(() if ask.image else (images.placeholder_note(blueprint, IMAGE),)))


def arguments(folder: str) -> tuple[str, ...]:
    """The arguments of the script, with the file system mounted at the folder."""
    return (
        "--batch_size=16",
        "--grad_accum_usteps=32",
        f"--data_dir={folder}/{DATASET}",
        f"--output_dir={folder}/output",
    )


def rendezvous_arguments(nodes: str, per_node: int, rank: str, first: str) -> str:
    """The arguments of torchrun with which the processes find each other.

    Args:
        nodes: the number of pods, or nodes.
        per_node: the number of processes in each.
        rank: this one's number, as shell text.
        first: the name of the first one, as shell text.
    """
    return f"--nnodes {nodes} --nproc_per_node {per_node} --node_rank {rank} --master_addr {first} --master_port {PORT}"


def launch(run: BertRun, nodes: str, per_node: int, rank: str, first: str) -> str:
    """The shell line that starts a pod's processes; the last four arguments as in `rendezvous_arguments`."""
    script_arguments = " ".join(shlex.quote(each) for each in (*arguments(job_metadata.PATH), *run.arguments))
    return " ".join(
        filter(
            None,
            (run.wrapper, "torchrun", rendezvous_arguments(nodes, per_node, rank, first), SCRIPT, script_arguments),
        )
    )


def caches(number: str, folder: str = job_metadata.PATH) -> Iterator[str]:
    """Shell lines that choose the caches of a pod, or of a node, by its number."""
    yield f'export NEURON_CC_FLAGS="--cache_dir={folder}/neuron_cache/{CACHES}_{number}"'
    yield f'export HF_HOME="{folder}/hf_cache/{CACHES}_{number}"'


def no_trainium(group: Group) -> str:
    """Why its nodes cannot run it; empty if they have Trainium."""
    machine = group.node.hardware
    if machine.accelerator is not Accelerator.NEURON or machine.accelerator_model != MODEL:
        own = machine.accelerator_model if machine.accelerator is Accelerator.NEURON else ""
        return (
            f"has {own}, and the image is for {MODEL} ({machine.instance})"
            if own
            else (f"has no {MODEL} ({machine.instance})")
        )
    return ""


def _needed(group: KubernetesGroup | None) -> tuple[str, ...]:
    plugins = plugins_of([group]) if group else ("neuron-device-plugin",)
    return (*plugins, *efa_plugin_of([group] if group else []), SCHEDULER)


def _refuses(_group: KubernetesGroup, part: NodeShare) -> str:
    """Why a worker cannot use a part of the devices: Neuron's scheduler must choose them, and a pod has one
    scheduler."""
    if part.whole:
        return ""
    return f"Volcano schedules the pods, and cannot choose adjacent devices; leave out --devices {part.devices}"


def _pod(made: BertParts, run: BertRun) -> dict[str, Any]:
    number = "$VC_TASK_INDEX"
    line = launch(
        run, str(made.worker_set.count), made.worker_set.share.cores, f'"{number}"', f"{run.name}-{TASK}-0.{run.name}"
    )
    script = "\n".join((*caches(number), f"exec {line}", ""))
    return {
        **made.worker_set.placement,
        "restartPolicy": "Never",
        "containers": [
            {
                "name": TASK,
                "image": made.image,
                "imagePullPolicy": "Always",  # the registry's tags move
                "env": [{"name": name, "value": value} for name, value in ENVIRONMENT.items()],
                "command": ["/bin/bash", "-c", script],
                "resources": made.worker_set.share.requests_and_limits,
                "volumeMounts": [{"name": "shmem", "mountPath": SHARED_MEMORY}, *job_metadata.container_mounts()],
            }
        ],
        "volumes": [made.worker_set.share.shared_memory, *job_metadata.pod_volumes(made.claim)],
    }


ROLE = "worker"


def torchx_component(blueprint: Blueprint, ask: JobOptions, run: BertRun) -> str:
    """The whole file of the component.

    Raises:
        DoesNotFit: this cluster cannot run it, or TorchX cannot express it; every reason at once.
    """
    made = parts(blueprint, ask, run)
    if reasons := tuple(_unsayable(made.worker_set.group, made.worker_set.share)):
        raise DoesNotFit(*reasons)
    function = run.name.replace("-", "_")
    # TorchX fills these in for each pod: the name of its job is not known in advance.
    first = "{specs.macros.app_id}-" + f"{ROLE}-0-0." + "{specs.macros.app_id}"
    line = launch(run, "{nnodes}", made.worker_set.share.cores, "{specs.macros.replica_id}", first)
    steps = "".join(
        f"        f'{each}\\n'\n" for each in (*caches("{specs.macros.replica_id}"), f"exec {line} {{script_args}}")
    )
    return _TEXT.format(
        title=f"{run.name} for stack {blueprint.stack}, printed by `muster job {run.name} --format torchx`.",
        file=f"{function}.py",
        cfg=",".join(_cfg(made)),
        function=function,
        image=made.image,
        nodes=made.worker_set.count,
        steps=steps,
        name=run.name,
        role=ROLE,
        environment=indent(_mapping(ENVIRONMENT), " " * 16).strip(),
        instance=made.worker_set.group.described.instance_type,
        devices=indent(_mapping(made.worker_set.share.resources), " " * 20).strip(),
        retries=RETRIES,
        claim=made.claim.name,
        path=job_metadata.PATH,
    )


def _cfg(made: BertParts) -> Iterator[str]:
    """The options with which TorchX submits it."""
    yield f"queue={made.queue}"
    if made.claim.namespace != DEFAULT_NAMESPACE:
        yield f"namespace={made.claim.namespace}"


def _mapping(values: "dict[str, str] | dict[str, int | str]") -> str:
    return "{\n" + "".join(f'    "{key}": {_literal(value)},\n' for key, value in values.items()) + "}"


def _literal(value: int | str) -> str:
    return str(value) if isinstance(value, int) else f'"{value}"'


def _unsayable(group: KubernetesGroup, part: NodeShare) -> Iterator[str]:
    """Why TorchX cannot express the job."""
    if part.claims:
        yield "TorchX cannot express claims for devices, and a DRA driver offers them; use --format kubectl"
    tolerated = frozenset(part.resources)
    for taint in sorted(group.taints):
        if taint.blocks and not (taint.key in tolerated and taint.effect == "NoSchedule"):
            yield (
                f"TorchX cannot set tolerations, but group '{group.name}' has the taint {taint}; "
                "remove the taint, or use --format kubectl"
            )


_TEXT = '''\
"""{title}

    torchx run -s kubernetes --workspace "" -cfg {cfg} {file}:{function}
"""

import torchx.specs as specs


def {function}(
    image: str = "{image}",
    nnodes: int = {nodes},
    script_args: str = "",
) -> specs.AppDef:
    """Trains BERT-large on whole Trainium nodes.

    Args:
        image: the training image
        nnodes: the number of nodes
        script_args: additional arguments of the training script
    """
    script = (
{steps}    )
    return specs.AppDef(
        name="{name}",
        roles=[
            specs.Role(
                name="{role}",
                image=image,
                entrypoint="/bin/bash",
                args=["-c", script],
                env={environment},
                num_replicas=nnodes,
                max_retries={retries},
                retry_policy=specs.RetryPolicy.APPLICATION,
                resource=specs.Resource(
                    cpu=0,
                    gpu=0,
                    memMB=0,
                    capabilities={{"node.kubernetes.io/instance-type": "{instance}"}},
                    devices={devices},
                ),
                mounts=[specs.VolumeMount(src="{claim}", dst_path="{path}")],
            )
        ],
    )
'''


PRECOMPILE = "trn1-precompile"

PRECOMPILE_RUN = BertRun(PRECOMPILE, "neuron_parallel_compile", ("--steps_this_run=10",))
"""The tutorial's ten steps: enough to compile every graph."""


def build_precompile(blueprint: Blueprint, ask: JobOptions = NO_OPTIONS) -> dict[str, Any]:
    """The Volcano Job for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    return volcano_job(blueprint, ask, PRECOMPILE_RUN)


def precompile_component(blueprint: Blueprint, ask: JobOptions = NO_OPTIONS) -> str:
    """The TorchX component for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    return torchx_component(blueprint, ask, PRECOMPILE_RUN)


PRETRAIN = "trn1-pretrain"

PRETRAIN_RUN = BertRun(PRETRAIN)

BEGINS_ANEW = (
    "when a pod fails, all pods restart from the first step: the script resumes from its checkpoints only with "
    "--resume_ckpt, and fails with this option if there are no checkpoints"
)


def build_pretrain(blueprint: Blueprint, ask: JobOptions = NO_OPTIONS) -> dict[str, Any]:
    """The Volcano Job for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    return volcano_job(blueprint, ask, PRETRAIN_RUN)


def pretrain_notes(blueprint: Blueprint, ask: JobOptions = NO_OPTIONS) -> tuple[str, ...]:
    """Notes for the user who submits the job.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    return (*run_notes(blueprint, ask), BEGINS_ANEW)


def pretrain_component(blueprint: Blueprint, ask: JobOptions = NO_OPTIONS) -> str:
    """The TorchX component for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    return torchx_component(blueprint, ask, PRETRAIN_RUN)
