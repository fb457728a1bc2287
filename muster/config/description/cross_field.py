"""Checks of several keys together, on a document as it is written.

A model's own "after" validator runs only when every field of the model is valid, and reports one fault for the whole
block. These checks run even if other keys are wrong, and each reports its own key. They ignore a key that is wrong by
itself, which pydantic reports.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from muster import backends
from muster.addon_sheets import ADDONS, SHEETS, by_pulumi
from muster.config.description import addon_queues
from muster.config.description.addons import Installer
from muster.config.description.base import StrictModel
from muster.config.description.iam_cross_field import addon_role_faults, kubernetes_role_faults
from muster.config.description.karpenter_cross_field import (
    auto_mode_faults,
    in_another_stack,
    karpenter_faults,
    on_hyperpod,
)
from muster.config.description.kubernetes_cluster import CONTROL_PLANE_KEYS, AddonsOf
from muster.config.description.network import CUSTOM_NETWORKING, VPC_CNI
from muster.config.description.node_group import Tier
from muster.config.description.node_settings import (
    BOTTLEROCKET_DATA,
)
from muster.config.description.written_blocks import Check, Fault, block, blocks, machine_of
from muster.config.request_limits import limit_faults, text_fields
from muster.finding import KeyPath, dotted_path
from muster.hardware.ami import Family
from muster.hardware.catalogue import Accelerator, Hardware
from muster.message_text import did_you_mean, show_value
from muster.versions import EKS_ADDONS


def _backend(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """Faults in `backend`. If it is missing, the remedy names all backends."""
    if "backend" not in raw:
        *first, last = (f"backend: {each}" for each in backends.RECORDS)
        yield ("backend",), "'backend' is missing", f"write {', '.join(first)} or {last}"
        return
    given, choices = raw["backend"], f"valid values: {', '.join(backends.RECORDS)}"
    if not isinstance(given, str):
        yield ("backend",), f"{show_value(given)} is not a valid value", choices
    elif given not in backends.RECORDS:
        meant = backends.meant_by(given.lower())
        hint = f"; did you mean '{meant}'?" if meant else did_you_mean(given, backends.RECORDS)
        yield ("backend",), f"'{given}' is not a valid value{hint}", choices


def _control_plane(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """An existing control plane already has its endpoint, logs, key and network."""
    source = raw.get("control-plane")
    existing = isinstance(source, Mapping) and "existing" in source
    if existing:
        for key in CONTROL_PLANE_KEYS:
            if key in raw:
                yield (key,), f"an existing control plane already has {key}", "remove it here"
        for name in block(raw, "addons", "eks-addons").keys() & next(iter(EKS_ADDONS.values())):
            got = f"an existing control plane already has {name}, which its owner configures"
            yield ("addons", "eks-addons", name), got, "remove it here"
        if "control-plane" in block(raw, "network", "existing"):
            at, got = ("network", "existing", "control-plane"), "an existing control plane already has its subnets"
            yield at, got, "remove it here"
        if "create" in block(raw, "network"):
            got = "an existing control plane already has a network"
            yield ("network",), got, "describe that network under network: existing"
    elif (source == "create" or "create" in block(raw, "control-plane")) and "api" not in raw:
        yield ("api",), "'api' is missing", "write api: private, or api: {public: [networks]}"
    if "secrets-key" in raw and "secrets-key-on-destroy" in raw and not existing:
        got = "'secrets-key' is your own key, which `destroy` does not delete"
        yield ("secrets-key-on-destroy",), got, "remove it, or remove secrets-key"


def _made_once(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """No two groups have the same original name."""
    groups = block(raw, "groups")
    made: dict[Any, Any] = {name: name for name, each in groups.items() if "was" not in block(groups, name)}
    for name in groups:
        was = block(groups, name).get("was")
        if isinstance(was, str):
            if was in made:
                got = f"group '{made[was]}' was created under the name '{was}'"
                yield ("groups", name, "was"), got, "remove it, or write the former name of this group"
            made.setdefault(was, name)


def _bottlerocket(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """What Bottlerocket has otherwise, or not at all (bottlerocket.dev, bootstrap-containers and container-runtime)."""
    for name, group in blocks(raw, "groups").items():
        at, scripts = ("groups", name), block(group, "scripts")
        family = block(group, "image", "custom").get("family")
        if Family.BOTTLEROCKET.value not in (group.get("image"), family, *block(group, "image")):
            if "image" in scripts:
                yield (*at, "scripts", "image"), "nodes of al2023 run scripts without a container", "remove it"
            continue
        if "before" in scripts and "image" not in scripts:
            got = "Bottlerocket runs a script only in a bootstrap container"
            remedy = "write image: public.ecr.aws/bottlerocket/bottlerocket-bootstrap:TAG, or your copy of it"
            yield (*at, "scripts"), got, remedy
        if "after" in scripts:
            got = "Bottlerocket runs no script after its node has joined"
            yield (*at, "scripts", "after"), got, "run it in a DaemonSet, or write image: al2023"
        if "config" in block(group, "containerd"):
            got = "Bottlerocket has its own settings instead of containerd's configuration"
            yield (*at, "containerd", "config"), got, "remove it, or write image: al2023"
        for number, each in enumerate(group.get("volumes") or ()):
            if isinstance(each, Mapping) and each.get("device") == BOTTLEROCKET_DATA:
                got = f"{BOTTLEROCKET_DATA} is the data volume of Bottlerocket (`volume`)"
                yield (*at, "volumes", number, "device"), got, "write another device name, as in /dev/sdf"


def tag_faults(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """IAM ignores the case of tag keys (IAM user guide, "Tags for IAM resources"), and every cluster has IAM roles."""
    first: dict[str, str] = {}
    for key in block(raw, "tags"):
        if isinstance(key, str) and (other := first.setdefault(key.casefold(), key)) != key:
            got = f"'{key}' and '{other}' differ only in case, and IAM treats them as the same key"
            yield ("tags", key), got, "keep only one of them"


def _eks_addons_of_the_cluster(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """EKS add-ons are installed by the stack of the cluster."""
    if "eks-addons" in block(raw, "addons"):
        yield ("addons", "eks-addons"), "EKS add-ons are in the stack of the cluster", "move them there"


def _of_the_cluster(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """Keys of a cluster belong in the stack of the cluster."""
    models: list[type[StrictModel]] = [AddonsOf, *(each.description.load() for each in backends.RECORDS.values())]
    own, *clusters = (model.keys().keys() for model in models)
    cluster = set().union(*clusters)
    for key in raw:
        if key in cluster - own:
            got = f"'{key}' describes a cluster, but this stack has add-ons for the cluster of another stack"
            yield (key,), got, "remove it, or describe the cluster here and remove addons-of"


def _addons_of_hyperpod(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """AWS does not publish the chart of HyperPod."""
    addons = blocks(raw, "addons")
    if "repository" not in addons.get("hyperpod", {"repository": ""}) and "chart-mirror" not in raw:
        got = "AWS does not publish the chart of HyperPod, and the description does not set the repository of yours"
        remedy = (
            "package the chart (docs/how-to/hyperpod.md, Package HyperPod's chart), and write repository: oci://..."
        )
        yield ("addons", "hyperpod"), got, f"{remedy}, or chart-mirror"


_DNS_NAME = re.compile(r"(?P<id>fs-[0-9a-f]+)\.(?P<service>fsx|efs)\.[a-z0-9-]+\.amazonaws\.com(\.cn)?")


def existing_file_systems(raw: Mapping[Any, Any]) -> Iterator[KeyPath]:
    """The places of existing file systems of FSx."""
    for name in block(raw, "storage"):
        yield from (("storage", name, key) for key in ("existing-lustre", "existing-openzfs"))


def dns_name_faults(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """AWS's DNS name of a file system begins with its id (FSx for Lustre user guide, "Mounting from an EC2 instance").
    Your own DNS names may be arbitrary."""
    for place in existing_file_systems(raw):
        existing = block(raw, *place)
        written, id_ = existing.get("dns-name"), existing.get("id")
        found = _DNS_NAME.fullmatch(written) if isinstance(written, str) else None
        at = (*place, "dns-name")
        if found and found["service"] == "efs":
            yield at, f"'{written}' is the DNS name of an EFS file system", "remove it"
        elif found and isinstance(id_, str) and found["id"] != id_:
            yield at, f"'{written}' is the DNS name of {found['id']}", "remove it, or write that id in id"


def _groups_of_addons(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """The groups of a DRA driver exist, and have its devices; those of a chart exist."""
    groups = raw.get("groups")
    users: dict[KeyPath, tuple[Callable[[Hardware], bool], str]] = {
        ("addons", name): of for name, of in _DEVICES.items()
    }
    users |= {("addons", "charts", name): (lambda _: True, "") for name in block(raw, "addons", "charts")}
    for user, (has, devices) in users.items() if isinstance(groups, Mapping) else ():
        named = block(raw, *user).get("groups")
        if not named and "groups-at" in block(raw, *user):
            yield (*user, "groups-at"), "there are no groups, so Muster places nothing", "add groups, or remove it"
        for number, name in enumerate(named if isinstance(named, list) else ()):
            at: KeyPath = (*user, "groups", number)
            if not isinstance(name, str):
                continue
            if name not in block(raw, "groups"):
                known = ", ".join(map(str, block(raw, "groups")))
                got = f"there is no group '{name}'{did_you_mean(name, block(raw, 'groups'))} (there are: {known})"
                yield at, got, "write the name of a group of this cluster"
            elif (machine := machine_of(block(raw, "groups", name))) and not has(machine):
                got = f"the nodes of group '{name}' have no {devices} ({machine.instance})"
                yield at, got, "remove it from the list"


def _installers(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """What a GitOps tool cannot install: EKS add-ons, and what nodes of this cluster need first."""
    made_by = [raw.get("backend"), *(each.get("provisioned-by") for each in blocks(raw, "groups").values())]
    for name, options in blocks(raw, "addons").items():
        given, why = options.get("installed-by"), by_pulumi(name) if name in ADDONS else None
        other = given != Installer.PULUMI and given in [*Installer]
        if why and other and (name in made_by or "eks" in SHEETS[name]):
            yield ("addons", name, "installed-by"), f"{given} cannot install {name}: {why}", "remove it"


_DEVICES: Mapping[str, tuple[Callable[[Hardware], bool], str]] = {
    "nvidia-dra-driver": (lambda machine: machine.accelerator is Accelerator.GPU, "NVIDIA GPUs"),
    "efa-dra-driver": (lambda machine: machine.max_efa > 0, "EFA interfaces"),
}
"""DRA driver -> whether a machine has its devices, and their name."""


def subnet_faults(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """Subnets that groups and queues name are those of the network, whose zones are known."""
    network, existing = block(raw, "network"), block(raw, "network", "existing")
    zones = {
        id_: zone
        for tier in Tier
        for zone, ids in block(existing, tier).items()
        for id_ in (ids if isinstance(ids, list) else [ids])
        if isinstance(id_, str)
    }
    queues = [("queues", name) for name in blocks(raw, "queues")]
    groups = [(*at, "groups", name) for at in ((), *queues) for name in blocks(raw, *at, "groups")]
    for at in (*queues, *groups):
        own = block(raw, *at)
        named = own.get("subnets")
        for index, id_ in enumerate(named if isinstance(named, list) else ()):
            path, zone = (*at, "subnets", index), own.get("zone")
            if not isinstance(id_, str):
                continue
            if id_ not in zones:
                if existing:
                    got = f"{id_} is not in network.existing{did_you_mean(id_, zones)}"
                    yield path, got, "list it there, below its zone"
                elif not network or "create" in network:
                    yield path, "the subnets of a new network have no ids yet", "write private or public, or a zone"
            elif zone and zones[id_] != zone:
                yield path, f"{id_} is listed in {zones[id_]}, but zone is {zone}", "remove zone, or this subnet"
        if named and own.get("zones"):
            yield (*at, "zones"), "the queue names its subnets, and with them its zones", "remove it, or remove subnets"


def _pod_networks(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """Custom networking of the VPC CNI: what does not go with it."""
    network = block(raw, "network")
    kind = next((each for each in ("create", "existing") if "pods" in block(network, each)), None)
    if kind is None:
        return
    at: KeyPath = ("network", kind, "pods")
    if "existing" in block(raw, "control-plane"):
        yield at, "an existing control plane already has its VPC CNI, which its owner configures", "remove it here"
    for name, group in blocks(raw, "groups").items():
        if group.get("provisioned-by") == "auto-mode":
            got = "nodes of EKS Auto Mode do not use the VPC CNI, which has the subnets of pods"
            yield ("groups", name, "provisioned-by"), got, "write karpenter, or remove pods from the network"
    values = block(raw, "addons", "eks-addons", VPC_CNI, "values")
    for path in (("eniConfig",), ("env", CUSTOM_NETWORKING), ("env", "ENI_CONFIG_LABEL_DEF")):
        if path[-1] in block(values, *path[:-1]):
            yield ("addons", "eks-addons", VPC_CNI, "values", *path), f"{dotted_path(at)} sets it", "remove it here"


_ON_A_CONTROL_PLANE: tuple[Check, ...] = (
    _control_plane,
    tag_faults,
    kubernetes_role_faults,
    _addons_of_hyperpod,
    _installers,
    dns_name_faults,
    subnet_faults,
    _groups_of_addons,
    addon_queues.queue_faults,
)
ON_HYPERPOD: tuple[Check, ...] = (on_hyperpod, *_ON_A_CONTROL_PLANE)
ON_EKS: tuple[Check, ...] = (
    _made_once,
    _bottlerocket,
    _pod_networks,
    karpenter_faults,
    auto_mode_faults,
    *_ON_A_CONTROL_PLANE,
)
_OF_ADDONS: tuple[Check, ...] = (
    _of_the_cluster,
    _eks_addons_of_the_cluster,
    addon_role_faults,
    _addons_of_hyperpod,
    _installers,
    in_another_stack,
    addon_queues.queue_faults,
)


_ON_A_CLUSTER = (_groups_of_addons, addon_queues.queue_faults)
"""Checks of add-ons that read the cluster."""


def addon_faults(cluster: Mapping[Any, Any], addons: Mapping[Any, Any]) -> Iterator[Fault]:
    """Faults of the add-ons of a separate stack on their cluster. The document of that stack is valid by itself.

    Args:
        cluster: the description of the cluster, as it is written.
        addons: that of the stack with add-ons.
    """
    joined = {"addons": addons.get("addons"), **{key: cluster.get(key) for key in ("groups", "storage")}}
    for check in _ON_A_CLUSTER:
        yield from check(joined)


def sent_text_faults(model: type[BaseModel], raw: object) -> Iterator[Fault]:
    """Texts that AWS's APIs do not accept, in a document that is to become this model."""
    if isinstance(raw, Mapping) and (record := backends.described_by(model)):
        yield from limit_faults(raw, text_fields(record.description.load(), record.name))


def cross_field_faults(model: type[BaseModel], raw: object) -> Iterator[Fault]:
    """Faults of several keys together, in a document that is to become this model."""
    if not isinstance(raw, Mapping):
        return
    checks = _OF_ADDONS if model is AddonsOf else ()
    if record := backends.described_by(model):
        yield from _backend(raw)
        checks = record.cross_field_checks.load()
    for check in checks:
        yield from check(raw)
