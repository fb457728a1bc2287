"""The EKS guide's NCCL test ("Run machine learning training on Amazon EKS with EFA"), sized from the blueprint.

Flags and environment are the guide's, word for word; its numbers (2 workers, 8 GPUs, 32 EFA interfaces) become the
group's. Where the manifest and the guide's prose differ (5120Mi and 5210Mi of huge pages, 32000Mi and 8000Mi of
memory), the manifest counts.

Left as the guide has it: a container's environment expands ``$(NAME)`` only, so its ``$PATH`` and
``$LD_LIBRARY_PATH`` stay text. Harmless: every directory that the test needs is named.
"""

from typing import Any

from muster.fleet.blueprint import Blueprint, Group, KubernetesGroup
from muster.fleet.hardware import Accelerator
from muster.jobs import images, queues
from muster.jobs.ask import PLAIN, Ask
from muster.jobs.crew import Crew, both, crew
from muster.jobs.fit import EFA_PLUGIN, launcher_group, launcher_selector, plugins_of, worker_group
from muster.jobs.home import metadata
from muster.jobs.share import SHARED_MEMORY, tolerating
from muster.jobs.storage import unmounted
from muster.versions import NCCL_TESTS_IMAGE

NAME = "nccl-tests"

OPERATOR = "mpi-operator"

WITHOUT_KERNELS = frozenset({"T4", "V100"})
"""GPUs the pinned image holds no code for: it is built for compute capability 8.0, 8.6, 8.9, 9.0 and 10.0
(awsome-distributed-training, `nccl-tests.Dockerfile`). The test would start and stop at its first kernel."""

# The plugin's directory is right for the pinned image. Images built since 2025-09-19 have it in
# /opt/amazon/ofi-nccl/lib/x86_64-linux-gnu: whoever moves the pin beyond that moves both values with it.
TUNER = {"NCCL_TUNER_PLUGIN": "/opt/aws-ofi-nccl/install/lib/libnccl-ofi-tuner.so"}
"""Of the pinned image."""

NCCL = {"NCCL_DEBUG": "INFO", "NCCL_BUFFSIZE": "8388608", "NCCL_P2P_NET_CHUNKSIZE": "524288"}
"""NCCL's settings, wherever the test runs."""

ENVIRONMENT = {
    "PATH": "$PATH:/opt/amazon/efa/bin:/usr/bin",
    "LD_LIBRARY_PATH": (
        "/opt/amazon/openmpi/lib:/opt/nccl/build/lib:/opt/amazon/efa/lib:/opt/aws-ofi-nccl/install/lib:"
        "/usr/local/nvidia/lib:$LD_LIBRARY_PATH"
    ),
    **NCCL,
    **TUNER,
}

MPIRUN = "/opt/amazon/openmpi/bin/mpirun"
"""Open MPI, as EFA's installer installs it."""

MPI = (
    *("--mca", "pml", "^cm,ucx"),
    *("--mca", "btl", "tcp,self"),
    *("--mca", "btl_tcp_if_exclude", "lo,docker0,veth_def_agent"),
)
"""How it finds its way: by TCP, for it only starts the test."""

PROGRAM = "/opt/nccl-tests/build/all_reduce_perf"

ARGUMENTS = ("-b", "8", "-e", "16G", "-f", "2", "-g", "1", "-c", "1", "-n", "100")
"""Message sizes from 8 bytes to 16 GiB, one GPU a process."""


def build(blueprint: Blueprint, ask: Ask = PLAIN) -> dict[str, Any]:
    """The MPIJob for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    unmounted(NAME, ask)
    (made, launcher), queue = both(
        lambda: both(lambda: _crew(blueprint, ask), lambda: launcher_group(blueprint)),
        lambda: queues.of_kueue(blueprint, ask),
    )
    slots = made.share.devices
    return {
        "apiVersion": "kubeflow.org/v2beta1",
        "kind": "MPIJob",
        "metadata": metadata(NAME, queue),
        "spec": {
            "slotsPerWorker": slots,
            # Not the operator's default, AtStartup: mpirun would run into workers that are still pulling the image
            # and spend its retries on them.
            "launcherCreationPolicy": "WaitForWorkersReady",
            "runPolicy": {"cleanPodPolicy": "Running", "backoffLimit": 20},
            "mpiReplicaSpecs": {
                "Launcher": _launcher(blueprint, launcher, made),
                "Worker": _worker(blueprint, made),
            },
        },
    }


def notes(blueprint: Blueprint, ask: Ask = PLAIN) -> tuple[str, ...]:
    """What whoever sends it should know."""
    part = _crew(blueprint, ask).share
    slow = () if part.efa else ("without EFA interfaces NCCL goes by TCP, and the test says how fast that is",)
    return (*part.notes, *slow)


def _crew(blueprint: Blueprint, ask: Ask) -> Crew:
    return crew(
        blueprint,
        ask,
        workers=workers,
        addons=lambda _group: _needed(blueprint),
        refuses=lambda group, _part: without_kernels(group),
    )


def workers(blueprint: Blueprint, wanted: str | None) -> KubernetesGroup:
    """The training group with GPUs and EFA that the workers go to.

    Raises:
        DoesNotFit: none fits, several do and none was wanted, or the wanted one does not.
    """
    return worker_group(blueprint, wanted, no_gpus, "GPUs and EFA")


def no_gpus(group: Group) -> str:
    """Why its nodes cannot run it; empty where they have GPUs."""
    machine = group.node.hardware
    return "" if machine.accelerator is Accelerator.GPU else f"has no GPUs ({machine.instance})"


def _needed(blueprint: Blueprint) -> tuple[str, ...]:
    """The add-ons without which no worker starts: on a cluster without any GPUs too, so that all is said at once."""
    with_gpus = [group for group in blueprint.groups if not no_gpus(group)]
    plugins = plugins_of(with_gpus) if with_gpus else ("nvidia-device-plugin",)
    return (*plugins, EFA_PLUGIN, OPERATOR)


def without_kernels(group: Group) -> str:
    """Why the pinned image cannot run on a group; empty where it can."""
    machine = group.node.hardware
    if machine.accelerator_model not in WITHOUT_KERNELS:
        return ""
    return (
        f"group '{group.name}' has {machine.accelerator_model} GPUs ({machine.instance}), for which the test's "
        "image holds no code; use a group with A10G, A100 or newer GPUs"
    )


def _launcher(blueprint: Blueprint, group: KubernetesGroup, made: Crew) -> dict[str, Any]:
    return {
        "replicas": 1,
        # Here and not in the pod's spec, where the guide has it: the operator overrides that one and warns.
        "restartPolicy": "OnFailure",
        "template": {
            "spec": {
                "nodeSelector": launcher_selector(blueprint, group),
                **tolerating(group),
                "containers": [
                    {
                        "name": "test-nccl-launcher",
                        "image": made.ask.image or images.published(blueprint, NCCL_TESTS_IMAGE),
                        "imagePullPolicy": "IfNotPresent",
                        "env": [{"name": name, "value": value} for name, value in ENVIRONMENT.items()],
                        "command": command(made.count * made.share.devices, made.share.devices),
                    }
                ],
            }
        },
    }


def command(processes: int, per_node: int) -> list[str]:
    """The guide's `mpirun` line: one process a GPU, message sizes from 8 bytes to 16 GiB."""
    return [
        MPIRUN,
        "--allow-run-as-root",
        "--tag-output",
        *("-np", str(processes)),
        *("-N", str(per_node)),
        *("--bind-to", "none"),
        *("-x", "PATH"),
        *("-x", "LD_LIBRARY_PATH"),
        *("-x", "NCCL_DEBUG=INFO"),
        *("-x", "NCCL_BUFFSIZE"),
        *("-x", "NCCL_P2P_NET_CHUNKSIZE"),
        *("-x", "NCCL_TUNER_PLUGIN"),
        *MPI,
        PROGRAM,
        *ARGUMENTS,
    ]


def _worker(blueprint: Blueprint, made: Crew) -> dict[str, Any]:
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
                        "image": made.ask.image or images.published(blueprint, NCCL_TESTS_IMAGE),
                        "imagePullPolicy": "IfNotPresent",
                        "volumeMounts": [{"name": "shmem", "mountPath": SHARED_MEMORY}],
                        "resources": made.share.requests_and_limits,
                    }
                ],
                "volumes": [made.share.shared_memory],
            }
        },
    }
