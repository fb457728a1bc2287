"""BERT-large pre-training on Trainium1: what the two jobs of the tutorial have in common.

After aws-neuron/aws-neuron-eks-samples, `dp_bert_hf_pretrain` (cecff9e): script, arguments and environment word for
word, 32 processes on each trn1.32xlarge, one for each core. What is otherwise here:

- The processes meet at the first pod, by its name: no etcd, whose v2 API the tutorial's rendezvous needs and etcd 3.6
  no longer has. Rank 0, which alone prints the loss, is then always the first pod's.
- `XLA_DOWNCAST_BF16` is left out: the script casts the model itself since its commit b14af0b, for torch-xla
  deprecates the variable.
- Each pod has caches of its own on the file system, by its number, as in the tutorial: two at once would corrupt one.
- TorchX asks Volcano for a task a pod. A Volcano Job of ours has one task of many pods.
"""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from muster.fleet.blueprint import Blueprint, Group, KubernetesGroup
from muster.fleet.hardware import Accelerator
from muster.jobs import images, queues, storage
from muster.jobs.ask import Ask
from muster.jobs.crew import Crew, both, crew
from muster.jobs.fit import EFA_PLUGIN, DoesNotFit, plugins_of, worker_group
from muster.jobs.home import Claim, metadata
from muster.jobs.share import SHARED_MEMORY, Share

IMAGE = "trn1-bert"
"""Of `muster.jobs.images`."""

MODEL = "Trainium"
"""The accelerator: Trainium2 is another one, for which the tutorial's image has no compiler."""

SCHEDULER = "volcano"

SCRIPT = "/bert/dp_bert_large_hf_pretrain_hdf5.py"

DATASET = "bert_pretrain_wikicorpus_tokenized_hdf5_seqlen128"
"""A folder of the file system."""

OUTPUT = f"{storage.PATH}/output"

NEURON = {
    "FI_EFA_FORK_SAFE": "1",
    "FI_EFA_USE_DEVICE_RDMA": "1",
    "FI_PROVIDER": "efa",
    "NEURON_RT_RESET_CORES": "1",
    "XLA_TRANSFER_SEED_ASYNC": "1",
}
"""Of EFA and of Neuron's runtime, wherever the processes run."""

ENVIRONMENT = {"CCOM_SOCKET_IFNAME": "eth0", **NEURON}
"""Of a pod's: that is what its interface is called."""

CACHES = "bert-large"
"""The tutorial's `--cacheset`: what is compiled for one model is used by every job of it, one at a time."""

PORT = 29500

TASK = "worker"

RETRIES = 3


@dataclass(frozen=True, slots=True)
class Run:
    """One of the two."""

    name: str
    wrapper: str = ""
    """What starts the processes' launcher."""
    arguments: tuple[str, ...] = ()
    """Of the script, beside the common ones."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a job is made of."""

    crew: Crew
    queue: str
    claim: Claim
    image: str


def volcano_job(blueprint: Blueprint, ask: Ask, run: Run) -> dict[str, Any]:
    """The Volcano Job for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    made = parts(blueprint, ask)
    return {
        "apiVersion": "batch.volcano.sh/v1alpha1",
        "kind": "Job",
        "metadata": metadata(run.name, claim=made.claim),
        "spec": {
            "schedulerName": SCHEDULER,
            "queue": made.queue,
            "minAvailable": made.crew.count,
            "maxRetry": RETRIES,
            # Names for the pods, before they are ready: each waits for the first. And each pod's number.
            "plugins": {"svc": ["--publish-not-ready-addresses"], "env": []},
            # One process less is none: all of them begin anew.
            "policies": [{"event": event, "action": "RestartJob"} for event in ("PodEvicted", "PodFailed")],
            "tasks": [
                {"name": TASK, "replicas": made.crew.count, "template": {"spec": _pod(made, run)}},
            ],
        },
    }


def parts(blueprint: Blueprint, ask: Ask) -> Parts:
    """The workers, the queue, the claim and the image.

    Raises:
        DoesNotFit: this cluster cannot have them; every reason at once.
    """
    made, (queue, claim) = both(
        lambda: _crew(blueprint, ask),
        lambda: both(lambda: queues.of_volcano(blueprint, ask), lambda: storage.claim(blueprint, ask)),
    )
    return Parts(made, queue, claim, ask.image or images.address(blueprint, IMAGE))


def _crew(blueprint: Blueprint, ask: Ask) -> Crew:
    made = crew(blueprint, ask, workers=workers, addons=_needed, refuses=_refuses, memory=None)
    if made.count > 1 and not made.share.efa:
        why = f"the processes of {made.count} nodes talk by EFA (FI_PROVIDER=efa)"
        raise DoesNotFit(f"--efa 0: {why}; leave it out, or add --nodes 1")
    return made


def workers(blueprint: Blueprint, wanted: str | None) -> KubernetesGroup:
    """The training group with Trainium and EFA that the workers go to.

    Raises:
        DoesNotFit: none fits, several do and none was wanted, or the wanted one does not.
    """
    return worker_group(blueprint, wanted, no_trainium, "Trainium and EFA")


def notes(blueprint: Blueprint, ask: Ask) -> tuple[str, ...]:
    """What whoever sends it should know."""
    made = parts(blueprint, ask)
    return (*made.crew.share.notes, *(() if ask.image else (images.unfilled(blueprint, IMAGE),)))


def arguments(folder: str) -> tuple[str, ...]:
    """Of the script, with the file system mounted there."""
    return (
        "--batch_size=16",
        "--grad_accum_usteps=32",
        f"--data_dir={folder}/{DATASET}",
        f"--output_dir={folder}/output",
    )


def meeting(nodes: str, per_node: int, rank: str, first: str) -> str:
    """Of torchrun: how the processes find each other.

    Args:
        nodes: how many pods, or nodes.
        per_node: processes in each.
        rank: this one's number; a shell word, as it stands.
        first: the name of the first one, likewise.
    """
    return f"--nnodes {nodes} --nproc_per_node {per_node} --node_rank {rank} --master_addr {first} --master_port {PORT}"


def launch(run: Run, nodes: str, per_node: int, rank: str, first: str) -> str:
    """The shell line that starts a pod's processes; the last four as of `meeting`."""
    said = " ".join(shlex.quote(each) for each in (*arguments(storage.PATH), *run.arguments))
    return " ".join(filter(None, (run.wrapper, "torchrun", meeting(nodes, per_node, rank, first), SCRIPT, said)))


def caches(number: str, folder: str = storage.PATH) -> Iterator[str]:
    """Shell lines that choose the caches of a pod, or of a node, by its number."""
    yield f'export NEURON_CC_FLAGS="--cache_dir={folder}/neuron_cache/{CACHES}_{number}"'
    yield f'export HF_HOME="{folder}/hf_cache/{CACHES}_{number}"'


def no_trainium(group: Group) -> str:
    """Why its nodes cannot run it; empty where they have Trainium."""
    machine = group.node.hardware
    if machine.accelerator is not Accelerator.NEURON or machine.accelerator_model != MODEL:
        return f"has no {MODEL} ({machine.instance})"
    return ""


def _needed(group: KubernetesGroup | None) -> tuple[str, ...]:
    return (*(plugins_of([group]) if group else ("neuron-device-plugin",)), EFA_PLUGIN, SCHEDULER)


def _refuses(_group: KubernetesGroup, part: Share) -> str:
    """A part of the devices must be chosen by Neuron's scheduler, and a pod has one scheduler."""
    if part.whole:
        return ""
    return (
        "Volcano places its pods, and knows nothing of devices that are next to each other; "
        f"leave out --devices {part.devices}"
    )


def _pod(made: Parts, run: Run) -> dict[str, Any]:
    number = "$VC_TASK_INDEX"
    line = launch(run, str(made.crew.count), made.crew.share.cores, f'"{number}"', f"{run.name}-{TASK}-0.{run.name}")
    script = "\n".join((*caches(number), f"exec {line}", ""))
    return {
        **made.crew.placement,
        "restartPolicy": "Never",
        "containers": [
            {
                "name": TASK,
                "image": made.image,
                "imagePullPolicy": "Always",  # the registry's tags move
                "env": [{"name": name, "value": value} for name, value in ENVIRONMENT.items()],
                "command": ["/bin/bash", "-c", script],
                "resources": made.crew.share.requests_and_limits,
                "volumeMounts": [{"name": "shmem", "mountPath": SHARED_MEMORY}, *storage.mounts()],
            }
        ],
        "volumes": [made.crew.share.shared_memory, *storage.volumes(made.claim)],
    }
