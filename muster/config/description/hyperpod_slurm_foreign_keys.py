"""Keys that HyperPod with Slurm does not have, and what to write instead."""

from collections.abc import Mapping

from muster.config.description.foreign_keys import (
    NO_EC2_RESERVATIONS,
    NODES_OF_INSTANCES,
    OF_KUBERNETES_GROUPS,
    ForeignKeys,
    KeyMessage,
    is_key,
    of_others,
)

_NO_KUBERNETES = "HyperPod with Slurm has no Kubernetes"


def _kubernetes(key: str) -> KeyMessage:
    return KeyMessage(f"'{key}' is for Kubernetes: {_NO_KUBERNETES}", "remove it, or write backend: hyperpod")


def _of_slurm(key: str, remedy: str, stands_for: str = "") -> KeyMessage:
    return of_others(key, "HyperPod", remedy, stands_for)


_ONE_CONTROLLER = KeyMessage("a cluster has exactly one controller", "remove it: only login and groups have 'nodes'")

_CLUSTER: Mapping[str, KeyMessage] = {
    **{
        key: KeyMessage(
            f"'{key}' is for Kubernetes: task governance needs EKS", "remove it, or write backend: hyperpod"
        )
        for key in ("task-governance", "teams")
    },
    **{
        key: _kubernetes(key)
        for key in (
            *("kubernetes", "control-plane", "access", "api", "secrets-key", "secrets-key-on-destroy", "addons"),
            *("addons-in", "chart-mirror", "image-mirror"),
        )
    },
    "orchestrator": KeyMessage(
        "'orchestrator' is not a key here: backend: hyperpod-slurm has Slurm, backend: hyperpod has EKS",
        "remove it",
    ),
    "queues": _of_slurm("queues", "write groups: {NAME: {partition: ...}}", "groups"),
    "head": _of_slurm("head", "write controller: {instance: ...}", "controller"),
    "login-nodes": _of_slurm("login-nodes", "write login: {instance: ..., nodes: ...}"),
    "slurm": _of_slurm(
        "slurm", "remove it: change slurm.conf on the controller, with hyperpod: {config-strategy: merge}"
    ),
    "version": _of_slurm("version", "remove it: HyperPod's image has the version of Slurm"),
    "os": _of_slurm("os", "remove it: HyperPod's image for Slurm is Ubuntu"),
    "image": _of_slurm("image", "write hyperpod: {image: ...} in a group"),
    "post-install": _of_slurm("post-install", "write hyperpod: {lifecycle: {own: {at: ..., on-init-complete: ...}}}"),
    "s3": _of_slurm("s3", "write hyperpod: {execution-role: ...} with a role that may use the bucket"),
    "monitoring": _of_slurm("monitoring", "remove it"),
    "logs": _of_slurm("logs", "remove it: HyperPod creates the log group"),
    "size": _of_slurm("size", "remove it: the type of the controller sets its size (controller: {instance: ...})"),
    "on-failure": _of_slurm("on-failure", "remove it"),
    "on-destroy": _of_slurm("on-destroy", "write on-destroy in storage or registry"),
}

FOREIGN_KEYS: ForeignKeys = {
    "cluster": _CLUSTER,
    "controller": {"nodes": _ONE_CONTROLLER},
    "nodes": NODES_OF_INSTANCES,
    "group": {
        **OF_KUBERNETES_GROUPS,
        "labels": KeyMessage("Slurm has no node labels: jobs select a partition", "write another partition"),
        "taints": KeyMessage("Slurm has no taints: jobs select a partition", "write another partition"),
        "huge-pages": KeyMessage(
            "Muster does not allocate huge pages on nodes with Slurm",
            "allocate them in a lifecycle script",
        ),
        "efa": KeyMessage(
            "'efa' is not a key here: HyperPod attaches EFA to every type that supports it",
            "remove it, or write hyperpod: {interface: ...}",
        ),
        "threads-per-core": is_key(
            "threads-per-core",
            "hyperpod.threads-per-core",
            "write hyperpod: {threads-per-core: ...}",
        ),
        "memory": KeyMessage("HyperPod itself writes the memory of nodes to slurm.conf", "remove it"),
    },
    "capacity": {
        **NO_EC2_RESERVATIONS,
        "spot": KeyMessage(
            "AWS documents spot instances of HyperPod only for EKS", "write on-demand, or a training-plan"
        ),
    },
}
