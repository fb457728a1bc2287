"""The description of a cluster with Slurm: what its instance groups are in Slurm is in the request.

In the older form it is in `provisioning_parameters.json`, which the request does not have.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from muster.config.description.hyperpod_slurm_cluster import ConfigStrategy
from muster.config.description.hyperpod_slurm_nodes import PartitionName
from muster.config.identifiers import PLACEHOLDER, FileSystemId, GroupName, MountName, StorageName
from muster.finding import KeyPath
from muster.fleet.resources.hyperpod import LUSTRE_MOUNT, OPENZFS_MOUNT
from muster.hardware.default_types import HYPERPOD_CONTROLLER
from muster.plain_data import as_list, value_at
from muster.sources.draft import Draft, is_valid, known, text
from muster.sources.hyperpod.described_groups import (
    add_capacity,
    is_described,
    name_of_group,
    nodes_of,
    settings_of,
    type_of,
)
from muster.sources.hyperpod.described_network import Network
from muster.sources.hyperpod.described_settings import name_of_cluster, provisioning_of

BACKEND = "hyperpod-slurm"
_SLURM = ("Orchestrator", "Slurm")
_SERVICE = {"Controller": "controller", "Login": "login"}
"""Node type -> the key of the description."""
_LUSTRE_DIRECTORY, _HOME = "/fsx", "/home"
"""SageMaker's defaults of `MountPath`."""


def is_slurm(document: Mapping[str, Any]) -> bool:
    """Whether a request is of a cluster with Slurm."""
    if isinstance(value_at(document, "Orchestrator", "Eks"), Mapping):
        return False
    return isinstance(value_at(document, *_SLURM), Mapping) or any(_config(each) for _, each in _groups(document))


def add_cluster(draft: Draft, document: Mapping[str, Any], raw: Mapping[str, Any], network: Network) -> None:
    """Adds the cluster to a description.

    Args:
        draft: the description.
        document: the request.
        raw: the same with its placeholders.
        network: the network, which is added when the description is finished.

    Raises:
        InvalidFile: no instance group states what it is in Slurm.
    """
    if not any(_config(each) for _, each in _groups(document)):
        got = "no instance group has SlurmConfig, so it is not known which one is the controller"
        remedy = "add SlurmConfig with NodeType, and PartitionNames for compute groups, as provisioning_parameters.json"
        raise draft.file.fault(("InstanceGroups",), got, f"{remedy} states them")
    draft.cluster = {"backend": BACKEND, **name_of_cluster(draft, document, ("ClusterName",))}
    draft.origin(("name",), ("ClusterName",))
    draft.cluster |= {"network": {}, "groups": {}}
    network.add_cluster(value_at(document, "VpcConfig", "Subnets"), ("VpcConfig", "Subnets"))
    shared = network.security_groups(document.get("VpcConfig"), ("VpcConfig",))
    for path, each in _groups(document):
        _add_group(draft, each, raw["InstanceGroups"][path[-1]], path, network, shared)
    if "controller" not in draft.cluster:
        draft.placeholder("controller")
        draft.cluster["controller"] = {"instance": HYPERPOD_CONTROLLER}
    draft.cluster["groups"] = draft.cluster.pop("groups")  # after the controller and the login nodes
    draft.cluster["hyperpod"] = {**provisioning_of(draft, document), **_strategy(draft, document)}
    _add_accounting(draft, document)
    _add_file_systems(draft, document)


def _groups(document: Mapping[str, Any]) -> Iterator[tuple[KeyPath, Mapping[str, Any]]]:
    listed = document.get("InstanceGroups")
    for index, each in enumerate(listed if isinstance(listed, list) else []):
        if isinstance(each, Mapping):
            yield ("InstanceGroups", index), each


def _config(group: Mapping[str, Any]) -> Mapping[str, Any]:
    given = group.get("SlurmConfig")
    return given if isinstance(given, Mapping) else {}


def _add_group(
    draft: Draft, values: Mapping[str, Any], raw: Any, path: KeyPath, network: Network, shared: list[str]
) -> None:
    node_type = _config(values).get("NodeType")
    key = _SERVICE.get(node_type) if isinstance(node_type, str) else None
    if key and key in draft.cluster:
        draft.leave(path, f"a cluster has one group of NodeType {node_type}")
    elif is_described(draft, values, path):
        if key or node_type == "Compute":
            draft.take((*path, "SlurmConfig", "NodeType"))
        else:
            why = "the group has no SlurmConfig" if node_type is None else f"SageMaker does not know '{node_type}'"
            draft.leave((*path, "SlurmConfig", "NodeType"), f"{why}: here it is a group of compute nodes")
        if key:
            draft.cluster[key] = _service(draft, key, values, raw, path, network, shared)
        else:
            _add_compute(draft, values, raw, path, network, shared)


def _service(
    draft: Draft, key: str, values: Mapping[str, Any], raw: Any, path: KeyPath, network: Network, shared: list[str]
) -> dict[str, Any]:
    """The controller, or the login nodes."""
    draft.origin((key,), path)
    name, count = values.get("InstanceGroupName"), values.get("InstanceCount")
    made: dict[str, Any] = {}
    if draft.accepted(GroupName, name, (*path, "InstanceGroupName")):
        draft.take((*path, "InstanceGroupName"))
        made |= {} if name == key else {"name": name}
    made["instance"] = type_of(values)
    if key == "login":
        made["nodes"] = count if isinstance(count, int) else 1
    elif isinstance(count, int) and count != 1:
        draft.leave((*path, "InstanceCount"), "a cluster has one controller")
    own = values.get("OverrideVpcConfig")
    groups = network.security_groups(own, (*path, "OverrideVpcConfig")) if own is not None else shared
    if value_at(own, "Subnets") is not None:
        draft.leave((*path, "OverrideVpcConfig", "Subnets"), "the controller and login nodes are in the cluster's zone")
    if _config(values).get("PartitionNames"):
        draft.leave((*path, "SlurmConfig", "PartitionNames"), "only compute groups are in partitions")
    settings = dict(settings_of(draft, values, raw, path, (key,)))
    return made | ({"security-groups": groups} if groups else {}) | {"hyperpod": settings}


def _add_compute(
    draft: Draft, values: Mapping[str, Any], raw: Any, path: KeyPath, network: Network, shared: list[str]
) -> None:
    name = name_of_group(draft, values, path)
    made = nodes_of(draft, values, path, name, network, shared)
    listed = as_list(_config(values).get("PartitionNames"))
    partition = next(iter(listed), None)
    at = (*path, "SlurmConfig", "PartitionNames")
    draft.take((*at, 0))
    good = draft.accepted(PartitionName, partition, (*at, 0))
    for index in range(1, len(listed)):
        draft.leave((*at, index), "a group is in one partition")
    if not good:
        draft.placeholder("groups", name, "partition")
    made = {"for": made.pop("for"), "partition": partition if good else PLACEHOLDER, **made}
    if value_at(values, "CapacityRequirements", "Spot") is not None:
        draft.leave((*path, "CapacityRequirements"), "with Slurm, instances are on demand or of a training plan")
        values = {key: value for key, value in values.items() if key != "CapacityRequirements"}
    add_capacity(draft, values, path, name, made, network)
    made["hyperpod"] = dict(settings_of(draft, values, raw, path, ("groups", name)))
    draft.cluster["groups"][name] = made


def _strategy(draft: Draft, document: Mapping[str, Any]) -> dict[str, Any]:
    given = value_at(document, *_SLURM, "SlurmConfigStrategy")
    strategy = given.lower() if isinstance(given, str) else None
    if strategy not in [*ConfigStrategy]:
        return {}
    draft.take((*_SLURM, "SlurmConfigStrategy"))
    draft.origin(("hyperpod", "config-strategy"), (*_SLURM, "SlurmConfigStrategy"))
    return {"config-strategy": strategy}


_ACCOUNTING = {"Endpoint": "endpoint", "Port": "port", "SecretArn": "secret", "Name": "database"}


def _add_accounting(draft: Draft, document: Mapping[str, Any]) -> None:
    at = (*_SLURM, "AccountingDatabase")
    given = value_at(document, *at)
    made: dict[str, Any] = {}
    for key, own in _ACCOUNTING.items() if isinstance(given, Mapping) else ():
        if known(given.get(key)) is not None:
            made[own] = given[key]
            draft.take((*at, key))
            draft.origin(("accounting", own), (*at, key))
    if made:
        draft.cluster["accounting"] = made
        draft.origin(("accounting",), at)


def _add_file_systems(draft: Draft, document: Mapping[str, Any]) -> None:
    """The file systems that nodes mount. In a description, each is mounted on every node."""
    for path, group in _groups(document):
        listed = group.get("InstanceStorageConfigs")
        for index, each in enumerate(listed if isinstance(listed, list) else []):
            for kind in (LUSTRE_MOUNT, OPENZFS_MOUNT):
                mount = each.get(kind) if isinstance(each, Mapping) else None
                if isinstance(mount, Mapping):
                    _add_mount(draft, kind, mount, (*path, "InstanceStorageConfigs", index, kind))


def _add_mount(draft: Draft, kind: str, mount: Mapping[str, Any], path: KeyPath) -> None:
    lustre = kind == LUSTRE_MOUNT
    given = mount.get("MountPath")
    directory = text(given) if given is not None else _LUSTRE_DIRECTORY if lustre else _HOME
    name = (directory or "").removeprefix("/")
    if (lustre and not is_valid(StorageName, name)) or (not lustre and directory != _HOME):
        wanted = "a Lustre file system is mounted at /NAME" if lustre else f"OpenZFS is mounted at {_HOME}"
        draft.leave(path, f"{wanted}, with lower-case letters, digits and dashes" if lustre else wanted)
        return
    at: tuple[str, ...] = ("storage", name, "existing-lustre") if lustre else ("home",)
    made: dict[str, Any] = {"id": _id(draft, mount, path, at)}
    if lustre:
        good = draft.accepted(MountName, mount.get("MountName"), (*path, "MountName"))
        made["mount-name"] = mount["MountName"] if good else PLACEHOLDER
        if not good:
            draft.placeholder(*at, "mount-name")
    block = {name: {"existing-lustre": made}} if lustre else made
    key = at[0]
    if draft.cluster.setdefault(key, block) == block:
        draft.take(path)
        draft.origin(at, path)
    else:
        draft.leave(path, "all nodes mount the same file systems, at most one of each kind")


_DNS = re.compile(r"(fs-[0-9a-f]+)\..+")


def _id(draft: Draft, mount: Mapping[str, Any], path: KeyPath, at: tuple[str, ...]) -> str:
    """The id of the file system, which its DNS name begins with."""
    found = _DNS.fullmatch(text(mount.get("DnsName")) or "")
    if found and draft.accepted(FileSystemId, found[1], (*path, "DnsName")):
        return found[1]
    draft.placeholder(*at, "id")
    return f"fs-{PLACEHOLDER}"
