"""Words for a backend that there is not, and for keys that another backend has: where what is meant stands here, or why
there is none."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.fleet.description import pcluster_words
from muster.fleet.description.forms import BACKENDS
from muster.fleet.description.pcluster_words import Words
from muster.fleet.dotted import Path_
from muster.fleet.near_miss import did_you_mean

_NO_EC2_RESERVATION = (
    "HyperPod takes no reservation or Capacity Block of EC2",
    "write training-plan: {arn: ..., zone: ..., count: ...}, or leave capacity out",
)
_ON_EKS = ("'hyperpod' is for a cluster on HyperPod, and this one is on EKS", "write backend: hyperpod, or remove it")
_ON_SLURM = (
    "'hyperpod' is for a cluster on HyperPod, and this one has Slurm",
    "write backend: hyperpod, or remove it",
)
_NO_TRAINING_PLAN = (
    "{} no training plan: it is for HyperPod",
    "write reservation or capacity-block, or backend: hyperpod",
)

_OF_EKS_GROUPS: Mapping[str, Words] = {
    "image": ("'image' is 'hyperpod.image' here", "write hyperpod: {image: {release: ...}} or {image: {id: ...}}"),
    "volume": ("'volume' is 'hyperpod.volume' here", "write hyperpod: {volume: {size: ...}}"),
    "updates": ("'updates' is 'hyperpod.updates' here", "write hyperpod: {updates: {schedule: ...}}"),
    "interfaces": ("'interfaces' is 'hyperpod.interface' here", "write hyperpod: {interface: efa}, or leave it out"),
    "node-repair": (
        "HyperPod mends the nodes of all groups alike",
        "write node-recovery below the cluster's hyperpod:, and remove it here",
    ),
    "self-managed": ("SageMaker runs HyperPod's instances, nobody else can", "remove it"),
    "subnets": ("HyperPod's instances are in private subnets", "remove it"),
    "local-storage": ("HyperPod sets up the NVMe disks itself", "remove it"),
    "session": ("HyperPod's instances take sessions of AWS Systems Manager in any case", "remove it"),
    "was": ("HyperPod knows a group by its name: a renamed one is another group", "remove it"),
}
"""On HyperPod."""


def _of_slurm(here: str) -> Mapping[str, Words]:
    """What only a cluster with Slurm has, where another one is described."""
    other = "write backend: parallelcluster, or remove it"

    def said(key: str) -> str:
        return f"'{key}' is for a cluster with Slurm on ParallelCluster, and this one is on {here}"

    return {
        "queues": (said("queues"), "write groups: {NAME: ...}, or backend: parallelcluster"),
        "head": (said("head"), other),
        "slurm": (said("slurm"), other),
        "accounting": (said("accounting"), other),
        "os": (said("os"), other),
        "version": (said("version"), "write kubernetes: for Kubernetes' version, or backend: parallelcluster"),
        "image": (said("image"), "write it in a group, or backend: parallelcluster"),
        "post-install": (said("post-install"), other),
        "s3": (said("s3"), other),
        "monitoring": (said("monitoring"), "write addons: {cloudwatch-observability: {}}, or backend: parallelcluster"),
        "on-failure": (said("on-failure"), other),
        "on-destroy": (said("on-destroy"), "write it in storage, registry and the like, or backend: parallelcluster"),
    }


_KUBERNETES_AT_SLURM: Mapping[str, Words] = {
    "kubernetes": (
        "'kubernetes' is a version, and Slurm has no Kubernetes",
        "remove it, or write backend: eks",
    ),
    "control-plane": ("Slurm has no control plane of EKS: its controller is on the head node", "write head: {...}"),
    "access": (
        "who may use Slurm is who may log in to the head node",
        "write head: {login: ssm}, or login: {key-pair: NAME}",
    ),
    "api": ("Slurm has no API for the outside: people log in to the head node", "write head: {ssh-from: NETWORK}"),
    "secrets-key": ("Slurm keeps no secrets of Kubernetes", "remove it"),
    "secrets-key-on-destroy": ("Slurm keeps no secrets of Kubernetes", "remove it"),
    "groups": ("groups are in queues here", "write queues: {QUEUE: {groups: {NAME: ...}}}"),
    "addons": (
        "add-ons are for Kubernetes",
        "write post-install: {install: [docker, pyxis]} or {scripts: [...]}, or bring them in an image",
    ),
    "addons-in": ("add-ons are for Kubernetes", "remove it"),
    "chart-mirror": ("charts are for Kubernetes", "remove it"),
    "image-mirror": ("images of add-ons are for Kubernetes", "remove it: jobs name their images"),
    "hyperpod": _ON_SLURM,
}
_GROUPS_AT_SLURM: Mapping[str, Words] = {
    "zone": ("'zone' is 'zones' of the queue here", "write zones: [ZONE] in the queue; capacity decides it, too"),
    "security-groups": ("'security-groups' are the queue's here", "write security-groups: [...] in the queue"),
    "subnets": ("compute nodes are in private subnets", "remove it"),
    "volume": ("'volume' is 'root' of the queue here", "write root: 200GiB in the queue"),
    "image": ("all nodes have one image", "write image: ami-... for the cluster"),
    "interfaces": ("'interfaces' is 'efa' here", "write efa: true or false, or leave it out"),
    "local-storage": ("NVMe disks are one volume at /local_scratch in any case", "remove it"),
    "session": ("nodes take sessions of AWS Systems Manager in any case", "remove it"),
    "updates": ("'updates' is 'slurm.on-update' here", "write slurm: {on-update: drain} for the cluster"),
    "node-repair": ("ParallelCluster replaces nodes that fail by itself", "remove it"),
    "self-managed": ("ParallelCluster runs the nodes, nobody else can", "remove it"),
    "was": ("ParallelCluster knows a group by its name: a renamed one is another group", "remove it"),
    "labels": ("Slurm has no labels: jobs choose a queue", "put the nodes into a queue of their own"),
    "taints": ("Slurm has no taints: jobs choose a queue", "put the nodes into a queue of their own"),
    "huge-pages": (
        "nobody sets huge pages aside on Slurm's nodes",
        "write a script that does (vm.nr_hugepages) below post-install, or remove it",
    ),
    "hyperpod": _ON_SLURM,
}
_NODES_AT_SLURM: Mapping[str, Words] = {
    "start": ("'start' is not said here: 'min' nodes run at first, and others start for jobs", "remove it"),
    "scaled-by": ("Slurm starts and ends nodes for jobs by itself", "remove it"),
    "count": ("'count' is a number by itself here", "write nodes: 4, or nodes: {min: 0, max: 10}"),
    "minimum": ("'minimum' is 'min' here", "write nodes: {min: 0, max: 10}"),
}

_NODES = "nodes"
_ON_HYPERPOD = dict.fromkeys(("reservation", "reservation-group", "capacity-block"), _NO_EC2_RESERVATION)


def _no_plan(whose: str) -> Mapping[str, Words]:
    got, remedy = _NO_TRAINING_PLAN
    return {"training-plan": (got.format(whose), remedy)}


_MEMORY = ("Kubernetes knows a node's memory from the node", "remove it: `muster plan` says what pods may have")

_TOLD: Mapping[str, Mapping[str, Mapping[str, Words]]] = {
    "eks": {
        "cluster": {"hyperpod": _ON_EKS, **_of_slurm("EKS")},
        "group": {
            "hyperpod": _ON_EKS,
            "efa": ("'efa' is 'interfaces' here", "write interfaces: aws or plain, or leave it out"),
            "threads-per-core": ("'threads-per-core' is for HyperPod and Slurm", "remove it"),
            "memory": _MEMORY,
        },
        "capacity": _no_plan("EKS's groups take"),
    },
    "hyperpod": {
        "cluster": _of_slurm("HyperPod"),
        "group": {
            **_OF_EKS_GROUPS,
            "efa": ("'efa' is 'hyperpod.interface' here", "write hyperpod: {interface: efa}, or leave it out"),
            "threads-per-core": (
                "'threads-per-core' is 'hyperpod.threads-per-core' here",
                "write hyperpod: {threads-per-core: ...}",
            ),
            "memory": _MEMORY,
        },
        "capacity": _ON_HYPERPOD,
    },
    "parallelcluster": {
        "cluster": {**_KUBERNETES_AT_SLURM, **pcluster_words.CLUSTER},
        "head": pcluster_words.HEAD,
        "queue": pcluster_words.QUEUE,
        "group": {**_GROUPS_AT_SLURM, **pcluster_words.GROUP},
        "capacity": _no_plan("Slurm's queues take"),
        "reservation": pcluster_words.RESERVATION,
        "capacity-block": pcluster_words.CAPACITY_BLOCK,
        _NODES: _NODES_AT_SLURM,
    },
}
"""The backend -> a kind of block -> what is said to keys of others there."""

_MEANT: Mapping[str, str] = {
    "slurm": "parallelcluster",
    "pcluster": "parallelcluster",
    "kubernetes": "eks",
    "sagemaker": "hyperpod",
}
"""What people call a backend that they mean."""


def backend(raw: Mapping[Any, Any]) -> Iterator[tuple[Path_, str, str]]:
    """A cluster has one of the backends, and all of them are named to whoever gives none."""
    if "backend" not in raw:
        *first, last = (f"backend: {each}" for each in BACKENDS)
        yield ("backend",), "'backend' is missing", f"write {', '.join(first)} or {last}"
    elif isinstance(said := raw["backend"], str) and said not in BACKENDS:
        meant = f"; did you mean '{_MEANT[said.lower()]}'?" if said.lower() in _MEANT else did_you_mean(said, BACKENDS)
        yield ("backend",), f"'{said}' is not a choice here{meant}", f"choices: {', '.join(BACKENDS)}"


def on_eks(raw: Mapping[Any, Any]) -> Iterator[tuple[Path_, str, str]]:
    """Other backends' keys in a cluster on EKS."""
    return _keys(raw, "eks")


def on_hyperpod(raw: Mapping[Any, Any]) -> Iterator[tuple[Path_, str, str]]:
    """Other backends' keys in a cluster on HyperPod."""
    return _keys(raw, "hyperpod")


def on_parallelcluster(raw: Mapping[Any, Any]) -> Iterator[tuple[Path_, str, str]]:
    """Kubernetes' keys, and ParallelCluster's own names, in a cluster on ParallelCluster."""
    return _keys(raw, "parallelcluster")


def _keys(raw: Mapping[Any, Any], backend: str) -> Iterator[tuple[Path_, str, str]]:
    told = _TOLD[backend]
    for kind, path, block in _blocks(raw):
        words = told.get(kind, {})
        yield from (((*path, key), *words[key]) for key in block if key in words)


def _blocks(raw: Mapping[Any, Any]) -> Iterator[tuple[str, Path_, Mapping[Any, Any]]]:
    """Every block that another backend may have keys in, as a document is written."""
    yield "cluster", (), raw
    if isinstance(head := raw.get("head"), Mapping):
        yield "head", ("head",), head
    yield from _groups(raw, ())
    for path, queue in _named(raw, (), "queues"):
        yield "queue", path, queue
        yield from _groups(queue, path)


def _groups(block: Mapping[Any, Any], at: Path_) -> Iterator[tuple[str, Path_, Mapping[Any, Any]]]:
    for path, group in _named(block, at, "groups"):
        yield "group", path, group
        for key in ("capacity", _NODES):
            if isinstance(below := group.get(key), Mapping):
                yield key, (*path, key), below
                yield from ((kind, (*path, key, kind), each) for kind, each in _kinds(below))


def _kinds(capacity: Mapping[Any, Any]) -> Iterator[tuple[str, Mapping[Any, Any]]]:
    """The blocks of a capacity that have keys which are said elsewhere."""
    for kind in ("reservation", "capacity-block"):
        if isinstance(block := capacity.get(kind), Mapping):
            yield kind, block


def _named(block: Mapping[Any, Any], at: Path_, key: str) -> Iterator[tuple[Path_, Mapping[Any, Any]]]:
    named = block.get(key)
    for name, each in named.items() if isinstance(named, Mapping) else ():
        if isinstance(each, Mapping):
            yield (*at, key, name), each
