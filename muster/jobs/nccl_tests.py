"""AWS's NCCL test, sized from the blueprint.

After awslabs/awsome-distributed-ai at 95b939cd, `micro-benchmarks/nccl-tests/kubernetes/nccl-tests.yaml`, of which the
EKS guide ("Run machine learning training on Amazon EKS with EFA") has an older copy. Numbers of the group replace its
numbers (2 workers, 8 GPUs, 32 EFA interfaces). If the manifest and the guide's text differ (5120Mi and 5210Mi of huge
pages, 32000Mi and 8000Mi of memory), the manifest counts.

The guide's copy still sets NCCL_BUFFSIZE, NCCL_P2P_NET_CHUNKSIZE, NCCL_TUNER_PLUGIN and Open MPI's `--mca` options.
The repository has removed them, on the advice of AWS's NCCL team: all-reduce is equally fast if they are not set, and
all-to-all on 32 p6-b300 nodes is 10.8 % faster (https://github.com/awslabs/awsome-distributed-ai/pull/1077). No source
requires them on P4d or P5 with this software. This job follows the repository, except for two variables: FI_PROVIDER is
for aws-ofi-nccl <= 1.5, FI_EFA_FORK_SAFE for kernels before 5.15 (the same repository,
`1.architectures/efa-cheatsheet.md`).

A container's environment expands only ``$(NAME)``, so ``$PATH`` and ``$LD_LIBRARY_PATH`` stay text. This is harmless,
because every directory that the test needs is listed.
"""

from typing import Any

from muster.blueprint.cluster import Group
from muster.blueprint.kubernetes import Blueprint, KubernetesGroup
from muster.jobs import images, job_metadata
from muster.jobs.group_selection import (
    efa_plugin_of,
    launcher_group,
    launcher_selector,
    no_gpus,
    plugins_of,
    worker_group,
)
from muster.jobs.job_metadata import object_metadata, refuse_file_system
from muster.jobs.job_options import NO_OPTIONS, JobOptions
from muster.jobs.worker_set import SHARED_MEMORY, WorkerSet, require_both, tolerations_of, worker_set
from muster.versions import NCCL_TESTS_IMAGE

NAME = "nccl-tests"

OPERATOR = "mpi-operator"

WITHOUT_KERNELS = frozenset({"T4", "V100", "RTX PRO 4500", "RTX PRO Server 6000"})
"""GPUs for which the pinned image has no code: it is built for compute capability 8.0, 8.6, 8.9, 9.0, 10.0 and 10.3
(awsome-distributed-ai, `nccl-tests.Dockerfile`), and the RTX PRO GPUs have 12.0 (NVIDIA, CUDA GPU Compute Capability).
The test would start, and stop at its first kernel."""

NCCL = {"NCCL_DEBUG": "INFO"}
"""NCCL's settings, on both kinds of clusters."""

ENVIRONMENT = {
    "PATH": "$PATH:/opt/amazon/efa/bin:/usr/bin",
    "LD_LIBRARY_PATH": (
        "/opt/amazon/openmpi/lib:/opt/nccl/build/lib:/opt/amazon/efa/lib:/opt/amazon/ofi-nccl/lib:"
        "/opt/amazon/ofi-nccl/lib/x86_64-linux-gnu:/usr/local/nvidia/lib:$LD_LIBRARY_PATH"
    ),
}
"""EFA 1.48 has aws-ofi-nccl in the first of these folders, older installers in the second (the Dockerfile)."""

MPIRUN = "/opt/amazon/openmpi/bin/mpirun"
"""Open MPI from EFA's installer."""

PROGRAM = "/opt/nccl-tests/build/all_reduce_perf"

ARGUMENTS = ("-b", "8", "-e", "16G", "-f", "2", "-g", "1", "-c", "1", "-n", "100")
"""Message sizes from 8 bytes to 16 GiB, one GPU per process."""


def build(blueprint: Blueprint, ask: JobOptions = NO_OPTIONS) -> dict[str, Any]:
    """The MPIJob for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    refuse_file_system(NAME, ask)
    (made, launcher), queue = require_both(
        lambda: require_both(lambda: workers_of_test(blueprint, ask), lambda: launcher_group(blueprint)),
        lambda: job_metadata.kueue_queue(blueprint, ask),
    )
    slots = made.share.devices
    return {
        "apiVersion": "kubeflow.org/v2beta1",
        "kind": "MPIJob",
        "metadata": object_metadata(NAME, queue),
        "spec": {
            "slotsPerWorker": slots,
            # Not the operator's default, AtStartup: mpirun would use its retries on workers that are still pulling the
            # image.
            "launcherCreationPolicy": "WaitForWorkersReady",
            "runPolicy": {"cleanPodPolicy": "Running", "backoffLimit": 20},
            "mpiReplicaSpecs": {
                "Launcher": _launcher(blueprint, launcher, made),
                "Worker": _worker(blueprint, made),
            },
        },
    }


def notes(blueprint: Blueprint, ask: JobOptions = NO_OPTIONS) -> tuple[str, ...]:
    """Notes for the user who submits the job."""
    made = workers_of_test(blueprint, ask)
    part = made.share
    slow = () if part.efa else ("the workers have no EFA interfaces, so the test measures the speed of TCP",)
    return (*part.notes, *slow, *(() if ask.image else images.unknown_driver(made.group)))


def workers_of_test(blueprint: Blueprint, ask: JobOptions) -> WorkerSet:
    """Its workers.

    Raises:
        DoesNotFit: this cluster cannot have them; every reason at once.
    """
    return worker_set(
        blueprint,
        ask,
        job=NAME,
        workers=workers,
        addons=lambda group: _needed(blueprint, group),
        refuses=lambda group, _part: "" if ask.image else without_kernels(group),
    )


def workers(blueprint: Blueprint, wanted: str | None) -> KubernetesGroup:
    """The training group with GPUs and EFA for the workers.

    Raises:
        DoesNotFit: none fits, several fit and none is requested, or the requested one does not fit.
    """
    return worker_group(blueprint, wanted, no_gpus, "GPUs and EFA")


def _needed(blueprint: Blueprint, group: KubernetesGroup | None) -> tuple[str, ...]:
    """The add-ons that the workers need; also for a cluster without GPUs, so that all reasons come at once."""
    with_gpus = [each for each in blueprint.groups if not no_gpus(each)]
    plugins = plugins_of(with_gpus) if with_gpus else ("nvidia-device-plugin",)
    return (*plugins, *efa_plugin_of([group] if group else with_gpus), OPERATOR)


def without_kernels(group: Group) -> str:
    """Why the pinned image cannot run on a group; empty if it can."""
    machine = group.node.hardware
    if machine.accelerator_model not in WITHOUT_KERNELS:
        return ""
    return (
        f"group '{group.name}' has {machine.accelerator_model} GPUs ({machine.instance}), which the image does not "
        "support; use a group with other GPUs (A10G, A100, H100), or --image with an image that supports them"
    )


def _launcher(blueprint: Blueprint, group: KubernetesGroup, made: WorkerSet) -> dict[str, Any]:
    return {
        "replicas": 1,
        # Here and not in the pod's spec, as in the example: the operator overrides that value, with a warning.
        "restartPolicy": "OnFailure",
        "template": {
            "spec": {
                "nodeSelector": launcher_selector(blueprint, group),
                **tolerations_of(group),
                "containers": [
                    {
                        "name": "test-nccl-launcher",
                        "image": made.ask.image or images.mirrored_image(blueprint, NCCL_TESTS_IMAGE),
                        "imagePullPolicy": "IfNotPresent",
                        "env": [{"name": name, "value": value} for name, value in ENVIRONMENT.items()],
                        "command": command(made.count * made.share.devices, made.share.devices),
                    }
                ],
            }
        },
    }


def command(processes: int, per_node: int) -> list[str]:
    """The `mpirun` line: one process per GPU, message sizes from 8 bytes to 16 GiB."""
    return [
        MPIRUN,
        "--allow-run-as-root",
        "--tag-output",
        *("-np", str(processes)),
        *("-N", str(per_node)),
        *("--bind-to", "none"),
        *("-x", "PATH"),
        *("-x", "LD_LIBRARY_PATH"),
        *(word for name, value in NCCL.items() for word in ("-x", f"{name}={value}")),
        PROGRAM,
        *ARGUMENTS,
    ]


def _worker(blueprint: Blueprint, made: WorkerSet) -> dict[str, Any]:
    return {
        "replicas": made.count,
        "restartPolicy": "Never",
        "template": {
            "spec": {
                **made.placement,
                "containers": [
                    {
                        # No command: the operator then starts sshd, which mpirun needs.
                        "name": "nccl-tests-worker",
                        "image": made.ask.image or images.mirrored_image(blueprint, NCCL_TESTS_IMAGE),
                        "imagePullPolicy": "IfNotPresent",
                        "volumeMounts": [{"name": "shmem", "mountPath": SHARED_MEMORY}],
                        "resources": made.share.requests_and_limits,
                    }
                ],
                "volumes": [made.share.shared_memory],
            }
        },
    }
