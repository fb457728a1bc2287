"""Words for a backend that there is not, and for keys that the other backend has: where what is meant stands here, or
why there is none."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.fleet.description.forms import BACKENDS
from muster.fleet.document import Path_
from muster.fleet.near_miss import did_you_mean

_Words = tuple[str, str]
"""What was found, what to do."""

_NO_EC2_RESERVATION = (
    "HyperPod takes no reservation or Capacity Block of EC2",
    "write training-plan: {arn: ..., zone: ..., count: ...}, or leave capacity out",
)
_ON_EKS = ("'hyperpod' is for a cluster on HyperPod, and this one is on EKS", "write backend: hyperpod, or remove it")

_OF_EKS_GROUPS: Mapping[str, _Words] = {
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
}

_OF_OTHERS: Mapping[str, tuple[Mapping[str, _Words], Mapping[str, _Words], Mapping[str, _Words]]] = {
    "eks": (
        {"hyperpod": _ON_EKS},
        {"hyperpod": _ON_EKS},
        {
            "training-plan": (
                "EKS's groups take no training plan: it is for HyperPod",
                "write reservation or capacity-block, or backend: hyperpod",
            )
        },
    ),
    "hyperpod": (
        {},
        _OF_EKS_GROUPS,
        dict.fromkeys(("reservation", "reservation-group", "capacity-block"), _NO_EC2_RESERVATION),
    ),
    "parallelcluster": ({}, {}, {}),
}
"""The backend -> what it says to the other's keys of a cluster, of a group, and of a group's capacity."""


def backend(raw: Mapping[Any, Any]) -> Iterator[tuple[Path_, str, str]]:
    """A cluster has one of the backends, and all of them are named to whoever gives none."""
    if "backend" not in raw:
        yield ("backend",), "'backend' is missing", f"write {' or '.join(f'backend: {each}' for each in BACKENDS)}"
    elif isinstance(said := raw["backend"], str) and said not in BACKENDS:
        got = f"'{said}' is not a choice here{did_you_mean(said, BACKENDS)}"
        yield ("backend",), got, f"choices: {', '.join(BACKENDS)}"


def on_eks(raw: Mapping[Any, Any]) -> Iterator[tuple[Path_, str, str]]:
    """HyperPod's keys in a cluster on EKS."""
    return _keys(raw, "eks")


def on_hyperpod(raw: Mapping[Any, Any]) -> Iterator[tuple[Path_, str, str]]:
    """EKS's keys in a cluster on HyperPod."""
    return _keys(raw, "hyperpod")


def on_parallelcluster(raw: Mapping[Any, Any]) -> Iterator[tuple[Path_, str, str]]:
    """Kubernetes' keys in a cluster on ParallelCluster."""
    return _keys(raw, "parallelcluster")


def _keys(raw: Mapping[Any, Any], backend: str) -> Iterator[tuple[Path_, str, str]]:
    of_cluster, of_group, of_capacity = _OF_OTHERS[backend]
    yield from _told(raw, (), of_cluster)
    groups = raw.get("groups")
    for name, group in groups.items() if isinstance(groups, Mapping) else ():
        if isinstance(group, Mapping):
            yield from _told(group, ("groups", name), of_group)
            yield from _told(group.get("capacity"), ("groups", name, "capacity"), of_capacity)


def _told(block: object, path: Path_, words: Mapping[str, _Words]) -> Iterator[tuple[Path_, str, str]]:
    if isinstance(block, Mapping):
        yield from (((*path, key), *words[key]) for key in block if key in words)
