"""Keys that HyperPod with Slurm does not have, and what to write instead."""

from collections.abc import Mapping

from muster.config.description.foreign_keys import NO_EC2_RESERVATIONS, OF_KUBERNETES_GROUPS, ForeignKeys, KeyMessage

_NO_KUBERNETES = "HyperPod with Slurm has no Kubernetes"


def _kubernetes(key: str) -> KeyMessage:
    return f"'{key}' is for Kubernetes: {_NO_KUBERNETES}", "remove it, or write backend: hyperpod"


def _parallelcluster(key: str, remedy: str) -> KeyMessage:
    return f"'{key}' applies only to a Slurm cluster on ParallelCluster, but this one is on HyperPod", remedy


_CLUSTER: Mapping[str, KeyMessage] = {
    **{
        key: _kubernetes(key)
        for key in (
            *("kubernetes", "control-plane", "access", "api", "secrets-key", "secrets-key-on-destroy", "addons"),
            *("addons-in", "chart-mirror", "image-mirror"),
        )
    },
    "orchestrator": (
        "'orchestrator' is not a key here: backend: hyperpod-slurm has Slurm, backend: hyperpod has EKS",
        "remove it",
    ),
    "queues": _parallelcluster("queues", "write groups: {NAME: {partition: ...}}"),
    "head": _parallelcluster("head", "write controller: {instance: ...}"),
    "login-nodes": _parallelcluster("login-nodes", "write login: {instance: ..., nodes: ...}"),
    "slurm": _parallelcluster(
        "slurm", "remove it: change slurm.conf on the controller, with hyperpod: {config-strategy: merge}"
    ),
    "version": _parallelcluster("version", "remove it: HyperPod's image has the version of Slurm"),
    "os": _parallelcluster("os", "remove it: HyperPod's image for Slurm is Ubuntu"),
    "image": _parallelcluster("image", "write hyperpod: {image: ...} in a group"),
    "post-install": _parallelcluster(
        "post-install", "write hyperpod: {lifecycle: {own: {at: ..., on-init-complete: ...}}}"
    ),
    "s3": _parallelcluster("s3", "write hyperpod: {execution-role: ...} with a role that may use the bucket"),
    "monitoring": _parallelcluster("monitoring", "remove it"),
    "logs": _parallelcluster("logs", "remove it: HyperPod creates the log group"),
    "on-failure": _parallelcluster("on-failure", "remove it"),
    "on-destroy": _parallelcluster("on-destroy", "write on-destroy in storage or registry"),
}

FOREIGN_KEYS: ForeignKeys = {
    "cluster": _CLUSTER,
    "group": {
        **OF_KUBERNETES_GROUPS,
        "labels": ("Slurm has no node labels: jobs select a partition", "write another partition"),
        "taints": ("Slurm has no taints: jobs select a partition", "write another partition"),
        "huge-pages": (
            "Muster does not allocate huge pages on nodes with Slurm",
            "allocate them in a lifecycle script",
        ),
        "efa": (
            "'efa' is not a key here: HyperPod attaches EFA to every type that supports it",
            "remove it, or write hyperpod: {interface: ...}",
        ),
        "threads-per-core": (
            "'threads-per-core' is not a key here: its equivalent is 'hyperpod.threads-per-core'",
            "write hyperpod: {threads-per-core: ...}",
        ),
        "memory": ("HyperPod itself writes the memory of nodes to slurm.conf", "remove it"),
    },
    "capacity": {
        **NO_EC2_RESERVATIONS,
        "spot": ("AWS documents spot instances of HyperPod only for EKS", "write on-demand, or a training-plan"),
    },
}
