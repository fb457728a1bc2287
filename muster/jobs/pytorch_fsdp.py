"""PyTorch FSDP over every GPU and EFA interface of a training group: a PyTorchJob of the Kubeflow training operator.

After awslabs/awsome-distributed-ai, `3.test_cases/pytorch/FSDP/kubernetes` (Llama 3.1 8B, its arguments word for
word), on HyperPod with the annotations of "Introducing Amazon EKS support in Amazon SageMaker HyperPod". What is
otherwise here:

- The environment of EFA follows the same repository's `1.architectures/efa-cheatsheet.md` for libfabric >= 1.18 and
  aws-ofi-nccl >= 1.7: the image has newer ones, for which `FI_PROVIDER`, `FI_EFA_USE_DEVICE_RDMA` and
  `FI_EFA_FORK_SAFE` are no longer wanted.
- `FI_EFA_USE_HUGE_PAGE=0`, and no huge pages: the example's data loaders fork, and a fork of a process that holds huge
  pages fails where there are no more of them (the same page). Whoever asks for huge pages gets them, and not this.
- /dev/shm is a part of the pod's memory instead of the node's, the trace buffers' folder is the pod's own, and the
  token of Hugging Face is read from a Secret, if there is one.
- The world is fixed: as many workers at least as at most. With fewer ones the example would go on, at another batch.
- Checkpoints go to the stack's file system; without one there are none.
"""

from collections.abc import Sequence
from typing import Any

from muster.blueprint.cluster import Group
from muster.blueprint.hyperpod import auto_resume
from muster.blueprint.kubernetes import Blueprint, KubernetesGroup
from muster.hardware.catalogue import Accelerator
from muster.jobs import group_selection, images, job_metadata
from muster.jobs import images as driver
from muster.jobs.group_selection import EFA_PLUGIN, plugins_of, worker_group
from muster.jobs.job_metadata import DEFAULT_NAMESPACE, FileSystemClaim, KueueQueue, namespace_of, object_metadata
from muster.jobs.job_options import NO_OPTIONS, JobOptions
from muster.jobs.nccl_tests import without_kernels
from muster.jobs.worker_set import SHARED_MEMORY, WorkerSet, require_both, worker_set

NAME = "pytorch-fsdp"

OPERATOR = group_selection.KUBEFLOW_OPERATOR

IMAGE = "pytorch-fsdp"
"""Of `muster.jobs.images`."""

TORCHRUN = "/usr/local/bin/torchrun"

SCRIPT = "/fsdp/train.py"

RESTARTS = 100
"""How often the example's processes begin anew, from the last checkpoint."""

MODEL = (
    "--max_context_width=8192",
    "--num_key_value_heads=8",
    "--intermediate_size=14336",
    "--hidden_width=4096",
    "--num_layers=32",
    "--num_heads=32",
    "--model_type=llama_v3",
    "--tokenizer=hf-internal-testing/llama-tokenizer",
    "--checkpoint_freq=50",
    "--validation_freq=25",
    "--max_steps=50",
    "--dataset=allenai/c4",
    "--dataset_config_name=en",
    "--train_batch_size=1",
    "--val_batch_size=1",
    "--sharding_strategy=full",
    "--offload_activations=1",
)
"""The example's, `models/llama3_1_8b.txt`."""

_LOCAL = "/local"

TRACES = "TORCH_NCCL_DEBUG_INFO_TEMP_FILE"
"""Where trace buffers are dumped: the beginning of paths."""

ENVIRONMENT = {
    "LOGLEVEL": "INFO",
    "NCCL_DEBUG": "INFO",
    "NCCL_SOCKET_IFNAME": "^lo",
    "PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True",
    "TORCH_DISTRIBUTED_DEBUG": "DETAIL",
    "TORCH_NCCL_ASYNC_ERROR_HANDLING": "1",
    TRACES: f"{_LOCAL}/nccl_trace_rank_",
    "TORCH_NCCL_DUMP_ON_TIMEOUT": "1",
    "TORCH_NCCL_ENABLE_MONITORING": "1",
    "TORCH_NCCL_TRACE_BUFFER_SIZE": "20000",
}
"""The example's."""

NO_HUGE_PAGES = {"FI_EFA_USE_HUGE_PAGE": "0"}

_COPIES_BY_CUDA = {"NCCL_SHM_USE_CUDA_MEMCPY": "1"}

TOKEN = {"name": "hf-token", "key": "token", "optional": True}
"""A Secret: the example's dataset is streamed from Hugging Face."""

NO_CHECKPOINTS = "it keeps no checkpoints, and begins anew when it fails"


def build(blueprint: Blueprint, ask: JobOptions = NO_OPTIONS) -> dict[str, Any]:
    """The PyTorchJob for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    made, (queue, claim) = parts(blueprint, ask)
    resumed = group_selection.AUTO_RESUME if group_selection.is_hyperpod(blueprint) else None
    return {
        "apiVersion": "kubeflow.org/v1",
        "kind": "PyTorchJob",
        "metadata": object_metadata(
            NAME, queue, claim, annotations=resumed, default_namespace=_default_namespace(blueprint)
        ),
        "spec": {
            "nprocPerNode": str(made.share.devices),
            # Workers alone, who meet at the first of them: torchrun reads all of it from its environment.
            "elasticPolicy": {
                "rdzvBackend": "c10d",
                "minReplicas": made.count,
                "maxReplicas": made.count,
                "maxRestarts": RESTARTS,
            },
            "pytorchReplicaSpecs": {
                "Worker": {
                    "replicas": made.count,
                    "restartPolicy": "OnFailure",
                    "template": {"spec": pod(blueprint, made, claim)},
                }
            },
        },
    }


def parts(
    blueprint: Blueprint, ask: JobOptions, operator: str = OPERATOR
) -> tuple[WorkerSet, tuple[KueueQueue | None, FileSystemClaim | None]]:
    """The workers, the queue and the claim.

    Args:
        blueprint: the cluster.
        ask: how it is wanted.
        operator: the add-on that runs it.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    return require_both(
        lambda: worker_set(
            blueprint,
            ask,
            workers=workers,
            addons=lambda group: _needed(group, operator),
            # NCCL of the base image, which the image loads before PyTorch's own.
            refuses=lambda group, _part: "" if ask.image else without_kernels(group),
            memory=None,
            pages=False,
        ),
        lambda: require_both(
            lambda: job_metadata.kueue_queue(blueprint, ask),
            lambda: job_metadata.optional_file_system_claim(blueprint, ask),
        ),
    )


def workers(blueprint: Blueprint, wanted: str | None) -> KubernetesGroup:
    """The training group with GPUs and EFA that the workers go to.

    Raises:
        DoesNotFit: none fits, several do and none was wanted, or the wanted one does not.
    """
    return worker_group(blueprint, wanted, no_gpus, "GPUs and EFA")


def notes(blueprint: Blueprint, ask: JobOptions = NO_OPTIONS, operator: str = OPERATOR) -> tuple[str, ...]:
    """Notes for the user who sends the job; arguments and errors as in `parts`."""
    made, (queue, claim) = parts(blueprint, ask, operator)
    namespace = namespace_of(queue, claim, _default_namespace(blueprint))
    resumed = operator != OPERATOR or not group_selection.is_hyperpod(blueprint) or auto_resume.resumes_in(namespace)
    return (
        *made.share.notes,
        *(() if resumed else (group_selection.auto_resume_note(namespace),)),
        *(() if claim else (f"no file system that pods can mount: {NO_CHECKPOINTS}",)),
        *(() if ask.image else (images.placeholder_note(blueprint, IMAGE), *driver.unknown_driver(made.group))),
    )


def _default_namespace(blueprint: Blueprint) -> str:
    """The namespace of a job that nothing binds to another."""
    return auto_resume.NAMESPACE if group_selection.is_hyperpod(blueprint) else DEFAULT_NAMESPACE


def environment(made: WorkerSet) -> dict[str, str]:
    """Of a worker's container."""
    return {
        **ENVIRONMENT,
        **({} if made.share.huge_pages.mib else NO_HUGE_PAGES),
        **copies(made.group),
    }


def copies(group: Group) -> dict[str, str]:
    """How NCCL copies within a node; by CUDA, "2x performance in comparison to default memcpy" on some types
    (efa-cheatsheet.md)."""
    return _COPIES_BY_CUDA if group.node.hardware.nccl_copies_by_cuda else {}


def arguments(folder: str | None) -> tuple[str, ...]:
    """Of the script; `folder` is where the file system is mounted, if there is one."""
    if folder is None:
        return MODEL
    kept = f"{folder}/checkpoints/{NAME}"
    return (*MODEL, f"--checkpoint_dir={kept}", f"--resume_from_checkpoint={kept}")


def _needed(group: KubernetesGroup | None, operator: str) -> tuple[str, ...]:
    return (*(plugins_of([group]) if group else ("nvidia-device-plugin",)), EFA_PLUGIN, operator)


def no_gpus(group: Group) -> str:
    """Why its nodes cannot run it; empty where they have GPUs."""
    machine = group.node.hardware
    return "" if machine.accelerator is Accelerator.GPU else f"has no GPUs ({machine.instance})"


def pod(
    blueprint: Blueprint,
    made: WorkerSet,
    claim: FileSystemClaim | None,
    *,
    container: str = "pytorch",
    rendezvous: Sequence[str] = (),
) -> dict[str, Any]:
    """A worker's pod.

    Args:
        blueprint: the cluster.
        made: the workers.
        claim: of the file system for checkpoints.
        container: its name. The training operator and Trainer set torchrun's environment in a container of one name.
        rendezvous: torchrun's arguments, where no operator sets its environment.
    """
    variables = [{"name": name, "value": value} for name, value in environment(made).items()]
    return {
        **made.placement,
        "containers": [
            {
                "name": container,
                "image": made.ask.image or images.image_address(blueprint, IMAGE),
                "imagePullPolicy": "Always",  # the registry's tags move
                "env": [*variables, {"name": "HF_TOKEN", "valueFrom": {"secretKeyRef": dict(TOKEN)}}],
                "command": [TORCHRUN, *rendezvous, SCRIPT, *arguments(job_metadata.PATH if claim else None)],
                "resources": made.share.requests_and_limits,
                "volumeMounts": [
                    {"name": "shmem", "mountPath": SHARED_MEMORY},
                    {"name": "local", "mountPath": _LOCAL},
                    *(job_metadata.container_mounts() if claim else ()),
                ],
            }
        ],
        "volumes": [
            made.share.shared_memory,
            {"name": "local", "emptyDir": {}},
            *(job_metadata.pod_volumes(claim) if claim else ()),
        ],
    }
