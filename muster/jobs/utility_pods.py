"""Utility pods on system nodes: a shell with the file system, and TensorBoard."""

from typing import Any

from muster.blueprint.kubernetes import Blueprint, KubernetesGroup
from muster.config.description.node_group import Purpose
from muster.jobs import bert, images, job_metadata
from muster.jobs.group_selection import DoesNotFit, launcher_group, launcher_selector
from muster.jobs.job_metadata import object_metadata
from muster.jobs.job_options import NO_OPTIONS, JobOptions
from muster.jobs.worker_set import require_both, tolerations_of
from muster.versions import AWS_CLI_IMAGE, TENSORBOARD_IMAGE

_SIZES = ("group", "nodes", "devices", "efa", "memory", "huge_pages", "queue")


def utility_group(blueprint: Blueprint) -> KubernetesGroup | None:
    """Its system group; None if the cluster's system nodes are not a group of this description.

    Raises:
        DoesNotFit: no image of Muster runs on any of them.
    """
    if not any(group.described.purpose is Purpose.SYSTEM for group in blueprint.groups):
        return None
    return launcher_group(blueprint)


def utility_placement(blueprint: Blueprint) -> dict[str, Any]:
    """Its placement.

    Raises:
        DoesNotFit: no image of Muster runs on any system node.
    """
    group = utility_group(blueprint)
    if group is None:
        return {"nodeSelector": {"kubernetes.io/arch": "amd64"}}
    return {"nodeSelector": launcher_selector(blueprint, group), **tolerations_of(group)}


def refuse_worker_options(name: str, ask: JobOptions) -> None:
    """Refuses options for workers.

    Raises:
        DoesNotFit: such an option is given.
    """
    given = [f"--{each.replace('_', '-')}" for each in _SIZES if getattr(ask, each) is not None]
    if given:
        raise DoesNotFit(f"{name} has no workers to size or to send to a queue; leave out {', '.join(given)}")


def utility_resources(cpu: str, memory: str) -> dict[str, dict[str, str]]:
    """A container's `resources`: requests equal limits."""
    return {"limits": {"cpu": cpu, "memory": memory}, "requests": {"cpu": cpu, "memory": memory}}


DATA_SHELL = "data-shell"


def build_data_shell(blueprint: Blueprint, ask: JobOptions = NO_OPTIONS) -> dict[str, Any]:
    """The Pod for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    (_, where), claim = require_both(
        lambda: require_both(lambda: refuse_worker_options(DATA_SHELL, ask), lambda: utility_placement(blueprint)),
        lambda: job_metadata.file_system_claim(blueprint, ask),
    )
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": object_metadata(DATA_SHELL, claim=claim),
        "spec": {
            **where,
            "restartPolicy": "Never",
            "containers": [
                {
                    "name": "shell",
                    "image": ask.image or images.mirrored_image(blueprint, AWS_CLI_IMAGE),
                    # A shell that reacts to SIGTERM; `sleep` as process 1 does not.
                    "command": ["/bin/sh", "-c", "trap 'exit 0' TERM; while true; do sleep 30 & wait; done"],
                    "workingDir": job_metadata.PATH,
                    "resources": utility_resources("500m", "2Gi"),
                    "volumeMounts": job_metadata.container_mounts(),
                }
            ],
            "volumes": job_metadata.pod_volumes(claim),
        },
    }


TENSORBOARD = "tensorboard"

TENSORBOARD_PORT = 6006

_TENSORBOARD_LABELS = {"app.kubernetes.io/name": TENSORBOARD}


def build_tensorboard(blueprint: Blueprint, ask: JobOptions = NO_OPTIONS) -> dict[str, Any]:
    """The Deployment for a cluster.

    Raises:
        DoesNotFit: this cluster cannot run it; every reason at once.
    """
    (_, where), claim = require_both(
        lambda: require_both(lambda: refuse_worker_options(TENSORBOARD, ask), lambda: utility_placement(blueprint)),
        lambda: job_metadata.file_system_claim(blueprint, ask),
    )
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": object_metadata(TENSORBOARD, claim=claim, labels=_TENSORBOARD_LABELS),
        "spec": {
            "replicas": 1,
            "selector": {"matchLabels": dict(_TENSORBOARD_LABELS)},
            "template": {
                "metadata": {"labels": dict(_TENSORBOARD_LABELS)},
                "spec": {
                    **where,
                    "containers": [
                        {
                            "name": TENSORBOARD,
                            "image": ask.image or images.mirrored_image(blueprint, TENSORBOARD_IMAGE),
                            "command": [
                                "tensorboard",
                                "--logdir",
                                bert.OUTPUT,
                                "--bind_all",
                                "--port",
                                str(TENSORBOARD_PORT),
                            ],
                            "ports": [{"name": "http", "containerPort": TENSORBOARD_PORT}],
                            "resources": utility_resources("500m", "2Gi"),
                            "volumeMounts": [{**each, "readOnly": True} for each in job_metadata.container_mounts()],
                        }
                    ],
                    "volumes": job_metadata.pod_volumes(claim),
                },
            },
        },
    }


def tensorboard_service(blueprint: Blueprint, ask: JobOptions = NO_OPTIONS) -> tuple[dict[str, Any], ...]:
    """The Service.

    Raises:
        DoesNotFit: this cluster cannot run it.
    """
    return (
        {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": object_metadata(
                TENSORBOARD, claim=job_metadata.file_system_claim(blueprint, ask), labels=_TENSORBOARD_LABELS
            ),
            "spec": {
                "selector": dict(_TENSORBOARD_LABELS),
                "ports": [{"name": "http", "port": TENSORBOARD_PORT, "targetPort": "http"}],
            },
        },
    )
