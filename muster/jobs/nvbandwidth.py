"""NVIDIA's nvbandwidth over NVLink between the nodes of one UltraServer: an MPIJob, and the ComputeDomain of its
workers.

After NVIDIA's documentation of ComputeDomains (GPU Operator, "Support for Multi-Node NVLink",
nvbandwidth-test-job.yaml) and AWS's article on P6e-GB200 with EKS (ai-on-eks), which runs the same image on these
nodes. Numbers of the group replace its numbers (2 workers, 4 GPUs). Differences:

- The launcher runs on a node of the workers, and not on one of a control plane, which EKS does not have. It needs no
  GPU. The documents run the image only on nodes with GB200, so it is not sent to the system nodes.
- On HyperPod, the workers are together by HyperPod's label of UltraServers.

The job uses no EFA and no huge pages: copies between GPUs go over NVLink alone.
"""

from dataclasses import replace
from typing import Any

from muster.addons.catalogue import nvidia_dra_driver
from muster.blueprint.kubernetes import Blueprint, KubernetesGroup
from muster.blueprint.ultraservers import nodes_of_one, nvlink_label
from muster.hardware.ultraservers import has_nvlink
from muster.jobs import images, job_metadata
from muster.jobs.group_selection import DoesNotFit, no_gpus, plugins_of, training_group
from muster.jobs.job_metadata import object_metadata, refuse_file_system
from muster.jobs.job_options import NO_OPTIONS, JobOptions
from muster.jobs.worker_set import WorkerSet, require_both, worker_placement, worker_set
from muster.size import Size
from muster.versions import NVBANDWIDTH_IMAGE

NAME = "nvbandwidth"
DRIVER, OPERATOR = nvidia_dra_driver.ADDON.name, "mpi-operator"
TEST = "multinode_device_to_device_memcpy_read_ce"

_LABELS = {"app": f"{NAME}-worker"}
_CHANNEL = "compute-domain-channel"
_TEMPLATE = f"{NAME}-channel"
_USER = 1000
"""The user of the image whose SSH keys mpirun uses."""


def build(blueprint: Blueprint, ask: JobOptions = NO_OPTIONS) -> dict[str, Any]:
    """The MPIJob for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    refuse_file_system(NAME, ask)
    made, queue = require_both(
        lambda: workers_of_test(blueprint, ask), lambda: job_metadata.kueue_queue(blueprint, ask)
    )
    return {
        "apiVersion": "kubeflow.org/v2beta1",
        "kind": "MPIJob",
        "metadata": object_metadata(NAME, queue),
        "spec": {
            "slotsPerWorker": made.share.devices,
            "launcherCreationPolicy": "WaitForWorkersReady",
            "runPolicy": {"cleanPodPolicy": "Running"},
            "sshAuthMountPath": "/home/mpiuser/.ssh",
            "mpiReplicaSpecs": {"Launcher": _launcher(blueprint, made), "Worker": _worker(blueprint, made)},
        },
    }


def compute_domain(blueprint: Blueprint, ask: JobOptions = NO_OPTIONS) -> tuple[dict[str, Any], ...]:
    """The ComputeDomain, from which NVIDIA's driver creates the template of the channel.

    Raises:
        DoesNotFit: this cluster cannot run the job.
    """
    made = workers_of_test(blueprint, ask)
    return (
        {
            "apiVersion": "resource.nvidia.com/v1beta1",
            "kind": "ComputeDomain",
            "metadata": object_metadata(NAME, job_metadata.kueue_queue(blueprint, ask)),
            "spec": {"numNodes": made.count, "channel": {"resourceClaimTemplate": {"name": _TEMPLATE}}},
        },
    )


def workers_of_test(blueprint: Blueprint, ask: JobOptions) -> WorkerSet:
    """Its workers: by default, those nodes of the group that are in one UltraServer.

    Raises:
        DoesNotFit: this cluster cannot have them; every reason at once.
    """
    without_efa = replace(ask, efa=ask.efa or 0, huge_pages=ask.huge_pages or Size(0))
    made = worker_set(
        blueprint,
        without_efa,
        job=NAME,
        workers=workers,
        addons=lambda group: (*plugins_of([group]), OPERATOR) if group else (),
        refuses=lambda _group, _part: _no_driver(blueprint),
    )
    most = nodes_of_one(made.group)
    if ask.nodes is None:
        return replace(made, count=min(made.count, most))
    if ask.nodes > most and not ask.beyond_the_group:
        raise DoesNotFit(
            f"--nodes {ask.nodes}: only {most} nodes of group '{made.group.name}' are in one UltraServer, and NVLink "
            f"connects only these; give at most {most}"
        )
    return made


def workers(blueprint: Blueprint, wanted: str | None) -> KubernetesGroup:
    """The training group in UltraServers with NVLink.

    Raises:
        DoesNotFit: none fits, several fit and none is requested, or the requested one does not fit.
    """
    return training_group(blueprint, wanted, _no_nvlink, "GPUs in UltraServers")


def _no_nvlink(group: KubernetesGroup) -> str:
    if reason := no_gpus(group):
        return reason
    if group.described.ultraserver is None or not has_nvlink(group.node.hardware.instance):
        return f"has no NVLink between nodes ({group.node.hardware.instance})"
    return ""


def _no_driver(blueprint: Blueprint) -> str:
    chosen = blueprint.described.addons.chosen
    if DRIVER in chosen:
        return ""
    entry = nvidia_dra_driver.for_compute_domains(chosen)
    return f"the job needs the add-on '{DRIVER}', which creates ComputeDomains; add `{entry}` below addons:"


def _launcher(blueprint: Blueprint, made: WorkerSet) -> dict[str, Any]:
    per_node = made.share.devices
    return {
        "replicas": 1,
        "restartPolicy": "OnFailure",
        "template": {
            "spec": {
                **worker_placement(made.group),
                "containers": [
                    {
                        "name": f"{NAME}-launcher",
                        "image": _image(blueprint, made),
                        "imagePullPolicy": "IfNotPresent",
                        "securityContext": {"runAsUser": _USER},
                        "command": [
                            "mpirun",
                            *("--bind-to", "core"),
                            *("--map-by", f"ppr:{per_node}:node"),
                            *("-np", str(made.count * per_node)),
                            "--report-bindings",
                            "-q",
                            NAME,
                            *("-t", TEST),
                        ],
                    }
                ],
            }
        },
    }


def _worker(blueprint: Blueprint, made: WorkerSet) -> dict[str, Any]:
    placement, resources = made.placement, made.share.requests_and_limits
    channel = {"name": _CHANNEL, "resourceClaimTemplateName": _TEMPLATE}
    together = {"labelSelector": {"matchLabels": dict(_LABELS)}, "topologyKey": nvlink_label(blueprint)}
    return {
        "replicas": made.count,
        "restartPolicy": "Never",
        "template": {
            "metadata": {"labels": dict(_LABELS)},
            "spec": {
                **placement,
                "affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [together]}},
                "containers": [
                    {
                        "name": f"{NAME}-worker",
                        "image": _image(blueprint, made),
                        "imagePullPolicy": "IfNotPresent",
                        "securityContext": {"runAsUser": _USER},
                        "command": ["/usr/sbin/sshd", "-De", "-f", "/home/mpiuser/.sshd_config"],
                        "resources": {**resources, "claims": [*resources.get("claims", ()), {"name": _CHANNEL}]},
                    }
                ],
                "resourceClaims": [*placement.get("resourceClaims", ()), channel],
            },
        },
    }


def _image(blueprint: Blueprint, made: WorkerSet) -> str:
    return made.ask.image or images.mirrored_image(blueprint, NVBANDWIDTH_IMAGE)
