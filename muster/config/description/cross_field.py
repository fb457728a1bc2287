"""Checks of several keys together, on a document as it is written.

A model's own "after" validator runs only when every field of the model is valid, and reports one fault for the whole
block. These checks run even if other keys are wrong, and each reports its own key. They ignore a key that is wrong by
itself, which pydantic reports.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from muster import backends
from muster.config.description import addon_queues
from muster.config.description.auto_mode_cross_field import auto_mode_faults
from muster.config.description.karpenter_cross_field import in_another_stack, karpenter_faults, on_hyperpod
from muster.config.description.kubernetes_cluster import CONTROL_PLANE_KEYS, AddonsOf
from muster.config.description.node_settings import GP3_IOPS, GP3_IOPS_PER_GIB, GP3_IOPS_PER_MIBPS, GP3_MIBPS, Volume
from muster.config.request_limits import limit_faults
from muster.finding import KeyPath
from muster.hardware.catalogue import Accelerator, Hardware, UnknownInstance, hardware
from muster.message_text import did_you_mean, show_value
from muster.plain_data import value_at

Fault = tuple[KeyPath, str, str]
"""Where, what is wrong, what to do."""


def _backend(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """Faults in `backend`. If it is missing, the remedy names all backends."""
    if "backend" not in raw:
        *first, last = (f"backend: {each}" for each in backends.MODULES)
        yield ("backend",), "'backend' is missing", f"write {', '.join(first)} or {last}"
        return
    given, choices = raw["backend"], f"valid values: {', '.join(backends.MODULES)}"
    if not isinstance(given, str):
        yield ("backend",), f"{show_value(given)} is not a valid value", choices
    elif given not in backends.MODULES:
        meant = backends.meant_by(given.lower())
        hint = f"; did you mean '{meant}'?" if meant else did_you_mean(given, backends.MODULES)
        yield ("backend",), f"'{given}' is not a valid value{hint}", choices


def _control_plane(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """An existing control plane already has its endpoint, logs, key and network."""
    source, network = raw.get("control-plane"), raw.get("network")
    if _has_key(source, "existing"):
        for key in CONTROL_PLANE_KEYS:
            if key in raw:
                yield (key,), f"an existing control plane already has {key}", "remove it here"
        if _has_key(network, "create"):
            yield (
                ("network",),
                "an existing control plane already has a network",
                "describe that network under network: existing",
            )
    elif (source == "create" or _has_key(source, "create")) and "api" not in raw:
        yield ("api",), "'api' is missing", "write api: private, or api: {public: [networks]}"
    if "secrets-key" in raw and "secrets-key-on-destroy" in raw and not _has_key(source, "existing"):
        got = "'secrets-key' is your own key, which `destroy` does not delete"
        yield ("secrets-key-on-destroy",), got, "remove it, or remove secrets-key"


def _made_once(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """No two groups have the same original name."""
    groups = raw.get("groups")
    if not isinstance(groups, Mapping):
        return
    made: dict[Any, Any] = {name: name for name, group in groups.items() if not _has_key(group, "was")}
    for name, group in groups.items():
        was = group["was"] if _has_key(group, "was") else None
        if not isinstance(was, str):
            continue
        if was in made:
            got = f"group '{made[was]}' was created under the name '{was}'"
            yield ("groups", name, "was"), got, "remove it, or write the former name of this group"
        made.setdefault(was, name)


def _volumes(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    groups = raw.get("groups")
    for name, group in groups.items() if isinstance(groups, Mapping) else ():
        volume = group.get("volume") if isinstance(group, Mapping) else None
        if isinstance(volume, Mapping):
            for key, got, remedy in _gp3(volume):
                yield ("groups", name, "volume", key), got, remedy


def tag_faults(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """IAM ignores the case of tag keys (IAM user guide, "Tags for IAM resources"), and every cluster has IAM roles."""
    tags = raw.get("tags")
    first: dict[str, str] = {}
    for key in tags if isinstance(tags, Mapping) else ():
        if isinstance(key, str) and (other := first.setdefault(key.casefold(), key)) != key:
            got = f"'{key}' and '{other}' differ only in case, and IAM treats them as the same key"
            yield ("tags", key), got, "keep only one of them"


def _of_the_cluster(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """Keys of a cluster belong in the stack of the cluster."""
    models: list[type[BaseModel]] = [AddonsOf, *(each.description.load() for each in backends.every())]
    own, *clusters = ({info.alias or name for name, info in model.model_fields.items()} for model in models)
    cluster = set().union(*clusters)
    for key in raw:
        if key in cluster - own:
            got = f"'{key}' describes a cluster, but this stack has add-ons for the cluster of another stack"
            yield (key,), got, "remove it, or describe the cluster here and remove addons-of"


def _gp3(volume: Mapping[Any, Any]) -> Iterator[tuple[str, str, str]]:
    """EBS user guide, "gp3": 500 IOPS a GiB, and 4 IOPS for every MiB/s."""
    sized, rated, moved = (_alone(volume, key) for key in ("size", "iops", "throughput"))
    if rated is None:
        return
    iops = rated.iops or GP3_IOPS
    if sized is not None and iops > (most := max(GP3_IOPS, sized.size.gib * GP3_IOPS_PER_GIB)):
        got = f"a volume of {sized.size} cannot have {iops} IOPS"
        yield "iops", got, f"write at most {most}: gp3 allows {GP3_IOPS_PER_GIB} for each GiB"
    if moved is not None and (need := (moved.throughput or GP3_MIBPS) * GP3_IOPS_PER_MIBPS) > iops:
        got = f"{moved.throughput} MiB/s need {need} IOPS, but the volume has {iops}"
        yield "throughput", got, f"write iops: {need}, or a throughput of at most {iops // GP3_IOPS_PER_MIBPS}"


def _alone(volume: Mapping[Any, Any], key: str) -> Volume | None:
    """A volume with only this key; None if the key is wrong by itself."""
    try:
        return Volume.model_validate({key: volume[key]} if key in volume else {})
    except ValidationError:
        return None


def _hyperpod(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """AWS does not publish the chart of HyperPod."""
    addons = raw.get("addons")
    hyperpod = addons.get("hyperpod") if isinstance(addons, Mapping) else None
    if isinstance(hyperpod, Mapping) and "repository" not in hyperpod and "chart-mirror" not in raw:
        yield (
            ("addons", "hyperpod"),
            (
                "AWS does not publish the chart of HyperPod, and the description does not set the repository of your "
                "package"
            ),
            (
                "package the chart (docs/how-to/hyperpod.md, Package HyperPod's chart), and write repository: "
                "oci://..., or chart-mirror"
            ),
        )


def _observability(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """The add-on needs a workspace to write to. For an add-on that another stack installs, the workspace is not
    checked."""
    addons = raw.get("addons")
    settings = addons.get("hyperpod-observability") if isinstance(addons, Mapping) else None
    if isinstance(settings, Mapping) and "workspace" not in settings:
        remedy = "write the ARN of an Amazon Managed Prometheus workspace"
        yield ("addons", "hyperpod-observability", "workspace"), "'workspace' is missing", remedy


def _inference(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """The add-on needs a bucket and a policy. For an add-on that another stack installs, they are not checked."""
    addons = raw.get("addons")
    settings = addons.get("hyperpod-inference") if isinstance(addons, Mapping) else None
    if not isinstance(settings, Mapping):
        return
    for key, remedy in _OF_INFERENCE.items():
        if key not in settings:
            yield ("addons", "hyperpod-inference", key), f"'{key}' is missing", remedy


_OF_INFERENCE = {
    "tls-bucket": "write the name of a bucket, such as hyperpod-tls-111122223333-us-west-2",
    "load-balancer-policy": "create a policy from docs/install/iam_policy.json of the AWS Load Balancer Controller "
    "v2.13.0, and write its ARN",
}


_DNS_NAME = re.compile(r"(?P<id>fs-[0-9a-f]+)\.(?P<service>fsx|efs)\.[a-z0-9-]+\.amazonaws\.com(\.cn)?")


def existing_lustre(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """AWS's DNS name of a file system begins with its id (FSx for Lustre user guide, "Mounting from an EC2 instance").
    Your own DNS names may be arbitrary."""
    storage = raw.get("storage")
    for name, block in storage.items() if isinstance(storage, Mapping) else ():
        existing = block.get("existing-lustre") if isinstance(block, Mapping) else None
        if not isinstance(existing, Mapping):
            continue
        written, id_ = existing.get("dns-name"), existing.get("id")
        found = _DNS_NAME.fullmatch(written) if isinstance(written, str) else None
        at = ("storage", name, "existing-lustre", "dns-name")
        if found and found["service"] == "efs":
            yield at, f"'{written}' is the DNS name of an EFS file system", "remove it"
        elif found and isinstance(id_, str) and found["id"] != id_:
            yield at, f"'{written}' is the DNS name of {found['id']}", "remove it, or write that id in id"


_SYSTEM = frozenset(
    ["bin", "boot", "dev", "etc", "lib", "lib64", "opt", "proc", "root", "run", "sbin", "sys", "tmp", "usr", "var"]
)


def system_mounts(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """No file system hides a directory of the operating system: nodes with Slurm mount each at its name."""
    storage = raw.get("storage")
    yield from (mount_fault(name) for name in storage if name in _SYSTEM) if isinstance(storage, Mapping) else ()


def mount_fault(name: str) -> Fault:
    """The fault of a file system with the name of a directory that nodes use."""
    got = f"nodes would mount the file system at /{name}, which the operating system uses"
    return ("storage", name), got, "give the file system another name, as in fsx"


def _dra_groups(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """The groups that a DRA driver serves exist."""
    groups = raw.get("groups")
    if not isinstance(groups, Mapping):
        return
    for driver in _DEVICES:
        named = value_at(raw, "addons", driver, "groups")
        for number, name in enumerate(named if isinstance(named, list) else ()):
            at: KeyPath = ("addons", driver, "groups", number)
            if isinstance(name, str) and name not in groups:
                got = (
                    f"there is no group '{name}'{did_you_mean(name, groups)} (there are: {', '.join(map(str, groups))})"
                )
                yield at, got, "write the name of a group of this cluster"
            elif isinstance(name, str) and (lacking := _without_devices(driver, groups[name])):
                yield at, f"the nodes of group '{name}' have no {lacking}", "remove it from the list"


def _without_devices(driver: str, group: object) -> str:
    """The devices of a driver that the nodes of a group do not have; empty if they have them, or if it is unknown."""
    instance = group.get("instance") if isinstance(group, Mapping) else None
    try:
        machine = hardware(instance) if isinstance(instance, str) else None
    except UnknownInstance:
        machine = None
    if machine is None:
        return ""
    has, what = _DEVICES[driver]
    return "" if has(machine) else f"{what} ({machine.instance})"


_DEVICES: Mapping[str, tuple[Callable[[Hardware], bool], str]] = {
    "nvidia-dra-driver": (lambda machine: machine.accelerator is Accelerator.GPU, "NVIDIA GPUs"),
    "efa-dra-driver": (lambda machine: machine.max_efa > 0, "EFA interfaces"),
}
"""DRA driver -> whether a machine has its devices, and their name."""


def _has_key(block: object, key: str) -> bool:
    return isinstance(block, Mapping) and key in block


Check = Callable[[Mapping[Any, Any]], Iterator[Fault]]

_ON_A_CONTROL_PLANE: tuple[Check, ...] = (
    _control_plane,
    tag_faults,
    _hyperpod,
    _inference,
    _observability,
    existing_lustre,
    _dra_groups,
    addon_queues.queue_faults,
)
ON_HYPERPOD: tuple[Check, ...] = (on_hyperpod, *_ON_A_CONTROL_PLANE)
ON_EKS: tuple[Check, ...] = (_made_once, _volumes, karpenter_faults, auto_mode_faults, *_ON_A_CONTROL_PLANE)
_OF_ADDONS: tuple[Check, ...] = (
    _of_the_cluster,
    _hyperpod,
    _inference,
    _observability,
    in_another_stack,
    addon_queues.queue_faults,
)


_ON_A_CLUSTER = (_dra_groups, addon_queues.queue_faults)
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
        yield from limit_faults(raw, record.sent_fields.load())


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
