"""PyTorch FSDP over every GPU and EFA interface of a training group: a PyTorchJob of the Kubeflow training operator.

After awslabs/awsome-distributed-ai, `3.test_cases/pytorch/FSDP/kubernetes` (Llama 3.1 8B, with the same arguments), on
HyperPod with the annotations of "Introducing Amazon EKS support in Amazon SageMaker HyperPod". The differences:

- The environment of EFA follows the same repository's `1.architectures/efa-cheatsheet.md` for libfabric >= 1.18 and
  aws-ofi-nccl >= 1.7: the image has newer ones, for which `FI_PROVIDER`, `FI_EFA_USE_DEVICE_RDMA` and
  `FI_EFA_FORK_SAFE` are no longer needed.
- `FI_EFA_USE_HUGE_PAGE=0`, and no huge pages: the example's data loaders fork, and a fork of a process that holds huge
  pages fails if no more of them are free (the same page). With `--huge-pages`, the job has huge pages and not this
  variable.
- /dev/shm is a part of the pod's memory instead of the node's, the folder of trace buffers is in the pod, and the
  token of Hugging Face is read from a Secret, if there is one.
- The number of workers is fixed. With fewer workers, the example would continue with another batch size.
- Checkpoints go to the stack's file system; if it has none, there are no checkpoints.
"""

from collections.abc import Sequence
from typing import Any

from muster.blueprint.cluster import Group
from muster.blueprint.hyperpod import auto_resume
from muster.blueprint.kubernetes import Blueprint, KubernetesGroup
from muster.jobs import group_selection, images, job_metadata
from muster.jobs.group_selection import efa_plugin_of, no_gpus, plugins_of, worker_group
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
"""How often the example's processes restart, from the last checkpoint."""

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
"""The example's arguments, `models/llama3_1_8b.txt`."""

_LOCAL = "/local"

TRACES = "TORCH_NCCL_DEBUG_INFO_TEMP_FILE"
"""The beginning of the paths of dumped trace buffers."""

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
"""The Secret with the token: the example streams its dataset from Hugging Face."""

NO_CHECKPOINTS = "the job keeps no checkpoints, and starts from the beginning after a failure"


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
            # Only workers, with the rendezvous at the first one: torchrun reads everything from its environment.
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
        ask: the options.
        operator: the add-on that runs it.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    return require_both(
        lambda: worker_set(
            blueprint,
            ask,
            job=NAME,
            workers=workers,
            addons=lambda group: _needed(group, operator),
            # NCCL of the base image, which the image loads instead of PyTorch's own.
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
    """The training group with GPUs and EFA for the workers.

    Raises:
        DoesNotFit: none fits, several fit and none is requested, or the requested one does not fit.
    """
    return worker_group(blueprint, wanted, no_gpus, "GPUs and EFA")


def notes(blueprint: Blueprint, ask: JobOptions = NO_OPTIONS, operator: str = OPERATOR) -> tuple[str, ...]:
    """Notes for the user who submits the job; arguments and errors as in `parts`."""
    made, (queue, claim) = parts(blueprint, ask, operator)
    namespace = namespace_of(queue, claim, _default_namespace(blueprint))
    resumed = operator != OPERATOR or not group_selection.is_hyperpod(blueprint) or auto_resume.resumes_in(namespace)
    return (
        *made.share.notes,
        *(() if resumed else (group_selection.auto_resume_note(namespace),)),
        *(() if claim else (f"the stack has no file system that pods can mount: {NO_CHECKPOINTS}",)),
        *(() if ask.image else (images.placeholder_note(blueprint, IMAGE), *images.unknown_driver(made.group))),
    )


def _default_namespace(blueprint: Blueprint) -> str:
    """The namespace of a job without a queue and a claim."""
    return auto_resume.NAMESPACE if group_selection.is_hyperpod(blueprint) else DEFAULT_NAMESPACE


def environment(made: WorkerSet) -> dict[str, str]:
    """The environment of a worker's container."""
    return {
        **ENVIRONMENT,
        **({} if made.share.huge_pages.mib else NO_HUGE_PAGES),
        **copies(made.group),
    }


def copies(group: Group) -> dict[str, str]:
    """The setting of NCCL's copies within a node: with CUDA, "2x performance in comparison to default memcpy" on some
    types (efa-cheatsheet.md)."""
    return _COPIES_BY_CUDA if group.node.hardware.nccl_copies_by_cuda else {}


def arguments(folder: str | None) -> tuple[str, ...]:
    """The arguments of the script; `folder` is the mount point of the file system, if there is one."""
    if folder is None:
        return MODEL
    kept = f"{folder}/checkpoints/{NAME}"
    return (*MODEL, f"--checkpoint_dir={kept}", f"--resume_from_checkpoint={kept}")


def _needed(group: KubernetesGroup | None, operator: str) -> tuple[str, ...]:
    plugins = plugins_of([group]) if group else ("nvidia-device-plugin",)
    return (*plugins, *efa_plugin_of([group] if group else []), operator)


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
        claim: the claim of the file system for checkpoints.
        container: its name. The training operator and Trainer set torchrun's environment in a container with this name.
        rendezvous: torchrun's arguments, if no operator sets its environment.
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
