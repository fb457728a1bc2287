"""The FSDP job for other operators than the Kubeflow training operator: as a JobSet, and as a TrainJob.

The pods are those of the PyTorchJob. How their processes find each other differs:

- A JobSet gives each pod a DNS name, `JOBSET-JOB-INDEX-POD.JOBSET` (kubernetes-sigs/jobset v0.12.0,
  `site/content/en/docs/concepts/_index.md`): torchrun's rendezvous is at the first one.
- Kubeflow Trainer sets torchrun's environment (`PET_*`) in the container `node` of the pods that its runtime describes
  (kubeflow/trainer v2.3.0, `pkg/runtime/framework/plugins/torch/torch.go`). A TrainJob has no fields for volumes and
  placement, so it comes with its own TrainingRuntime.
"""

from typing import Any

from muster.blueprint.kubernetes import Blueprint
from muster.jobs import pytorch_fsdp
from muster.jobs.job_metadata import FileSystemClaim, KueueQueue, object_metadata
from muster.jobs.job_options import JobOptions
from muster.jobs.pytorch_fsdp import NAME
from muster.jobs.worker_set import WorkerSet

JOBSET, TRAINER = "jobset", "trainer"
"""The add-ons that run them."""

_WORKERS = "workers"
_PORT = 29500
"""PyTorch's default."""

_TRAINER_STEP = "trainer"
_TRAINER_CONTAINER = "node"
"""The names by which Trainer finds the pods that train (`pkg/constants/constants.go`: AncestorTrainer, Node)."""


def jobset(blueprint: Blueprint, ask: JobOptions) -> dict[str, Any]:
    """The JobSet for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    made, (queue, claim) = pytorch_fsdp.parts(blueprint, ask, JOBSET)
    rendezvous = (
        f"--nnodes={made.count}",
        f"--nproc-per-node={made.share.devices}",
        f"--rdzv-id={NAME}",
        "--rdzv-backend=c10d",
        f"--rdzv-endpoint={NAME}-{_WORKERS}-0-0.{NAME}:{_PORT}",
    )
    pod = pytorch_fsdp.pod(blueprint, made, claim, rendezvous=rendezvous)
    return {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": object_metadata(NAME, queue, claim),
        "spec": {
            "failurePolicy": {"maxRestarts": pytorch_fsdp.RESTARTS},
            "replicatedJobs": [
                {
                    "name": _WORKERS,
                    "replicas": 1,
                    "template": {
                        "spec": {
                            "parallelism": made.count,
                            "completions": made.count,
                            "completionMode": "Indexed",
                            # If a pod fails, the JobSet restarts all pods: a single one cannot continue.
                            "backoffLimit": 0,
                            "template": {"spec": {"restartPolicy": "Never", **pod}},
                        }
                    },
                }
            ],
        },
    }


def train_job(blueprint: Blueprint, ask: JobOptions) -> list[dict[str, Any]]:
    """The TrainingRuntime and its TrainJob for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    made, (queue, claim) = pytorch_fsdp.parts(blueprint, ask, TRAINER)
    return [_runtime(blueprint, made, claim, queue), _train_job(made, claim, queue)]


def _runtime(
    blueprint: Blueprint, made: WorkerSet, claim: FileSystemClaim | None, queue: KueueQueue | None
) -> dict[str, Any]:
    pod = pytorch_fsdp.pod(blueprint, made, claim, container=_TRAINER_CONTAINER)
    metadata = object_metadata(NAME, queue, claim)
    metadata.pop("labels", None)  # the queue's label is the TrainJob's
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainingRuntime",
        "metadata": metadata,
        "spec": {
            "mlPolicy": {"numNodes": made.count, "torch": {}},
            "template": {
                "spec": {
                    "failurePolicy": {"maxRestarts": pytorch_fsdp.RESTARTS},
                    "replicatedJobs": [
                        {
                            "name": _TRAINER_CONTAINER,
                            "template": {
                                "metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": _TRAINER_STEP}},
                                "spec": {"backoffLimit": 0, "template": {"spec": {"restartPolicy": "Never", **pod}}},
                            },
                        }
                    ],
                }
            },
        },
    }


def _train_job(made: WorkerSet, claim: FileSystemClaim | None, queue: KueueQueue | None) -> dict[str, Any]:
    return {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": object_metadata(NAME, queue, claim),
        "spec": {
            "runtimeRef": {"apiGroup": "trainer.kubeflow.org", "kind": "TrainingRuntime", "name": NAME},
            "trainer": {"numNodes": made.count, "numProcPerNode": made.share.devices},
        },
    }


def jobset_notes(blueprint: Blueprint, ask: JobOptions) -> tuple[str, ...]:
    """Notes for the user who submits the JobSet."""
    return pytorch_fsdp.notes(blueprint, ask, JOBSET)


def train_job_notes(blueprint: Blueprint, ask: JobOptions) -> tuple[str, ...]:
    """Notes for the user who submits the TrainJob."""
    return pytorch_fsdp.notes(blueprint, ask, TRAINER)
