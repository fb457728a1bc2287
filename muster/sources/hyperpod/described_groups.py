"""The instance groups of a request, as groups of a description."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from muster.blueprint.hyperpod.lifecycle_bundle import ON_CREATE
from muster.blueprint.labels import GROUP, PURPOSE
from muster.config.description.node_group import Purpose
from muster.config.identifiers import PLACEHOLDER, LifecycleBucket, TrainingPlanArn
from muster.finding import KeyPath
from muster.hardware.catalogue import Hardware, hardware
from muster.hardware.hyperpod_types import ML
from muster.plain_data import value_at
from muster.sources.described_parts import add_name, machine_of
from muster.sources.draft import Draft, known, text
from muster.sources.hyperpod.described_network import Network
from muster.unknown import UNKNOWN

_LONGEST = 36
_FOLDER_OF_MUSTER = re.compile(r"s3://\$\{?\w+\}?/(?P<group>[a-z0-9-]+)")
"""A folder with the name of its group, in a bucket that is not known: as `muster config` prints it."""


def add_group(
    draft: Draft, values: Mapping[str, Any], raw: Mapping[str, Any], path: KeyPath, network: Network, shared: list[str]
) -> None:
    """Adds a group of a cluster on EKS, or leaves it out, if its type or its number of instances is not known.

    Args:
        draft: the description.
        values: the group in the file.
        raw: the same with its placeholders.
        path: where it is in the file.
        network: the network.
        shared: the security groups of the cluster that are known.
    """
    if not is_described(draft, values, path):
        return
    name = name_of_group(draft, values, path)
    made = nodes_of(draft, values, path, name, network, shared)
    made |= _kubernetes(draft, values, path, name, made["for"])
    add_capacity(draft, values, path, name, made, network)
    made["hyperpod"] = dict(settings_of(draft, values, raw, path, ("groups", name)))
    draft.cluster["groups"][name] = made


def is_described(draft: Draft, values: Mapping[str, Any], path: KeyPath) -> bool:
    """Whether the description can have a group. One of a type that is not known is left out."""
    instance = type_of(values)
    if machine_of(instance) is None:
        what = f"Muster does not know the instance type {instance}" if instance else "its instance type is not known"
        draft.leave(path, what)
        return False
    draft.take((*path, "InstanceType"), (*path, "InstanceCount"))
    return True


def type_of(values: Mapping[str, Any]) -> str:
    """The instance type as EC2 writes it; empty if it is not known."""
    return (text(values.get("InstanceType")) or "").removeprefix(ML)


def name_of_group(draft: Draft, values: Mapping[str, Any], path: KeyPath) -> str:
    """The name of a group in the description."""
    where = (*path, "InstanceGroupName")
    taken = draft.cluster["groups"]
    name = add_name(draft, values.get("InstanceGroupName"), where, taken, instead="group", longest=_LONGEST)
    draft.origin(("groups", name), path)
    return name


def nodes_of(
    draft: Draft, values: Mapping[str, Any], path: KeyPath, name: str, network: Network, shared: list[str]
) -> dict[str, Any]:
    """Purpose, type, number, zone and security groups of a group; arguments as of `add_group`."""
    instance = type_of(values)
    machine = hardware(instance)
    count = values.get("InstanceCount")
    if count is None:
        count = values.get("TargetCount")
    number = count if isinstance(count, int) else 1
    if not isinstance(count, int):
        draft.placeholder("groups", name, "nodes")
    made: dict[str, Any] = {"for": _purpose(draft, values, machine, path, name), "instance": instance, "nodes": number}
    least = values.get("MinInstanceCount")
    if isinstance(least, int):
        made["nodes"] = {"count": number, "minimum": least}
        draft.take((*path, "MinInstanceCount"))
    own = values.get("OverrideVpcConfig")
    if zone := network.zone_of(own, (*path, "OverrideVpcConfig")):
        made["zone"] = zone
        draft.placeholder("groups", name, "zone")
    carried = network.security_groups(own, (*path, "OverrideVpcConfig")) if own is not None else shared
    if carried:
        made["security-groups"] = carried
    return made


def add_capacity(
    draft: Draft, values: Mapping[str, Any], path: KeyPath, name: str, made: dict[str, Any], network: Network
) -> None:
    """Adds the capacity of a group to `made`, its description so far."""
    nodes = made["nodes"]
    count = nodes["count"] if isinstance(nodes, dict) else nodes
    capacity = _capacity(draft, values, path, name, made["for"], made.get("zone") or network.first_zone, count)
    if capacity is not None:
        made["capacity"] = capacity


def _purpose(draft: Draft, values: Mapping[str, Any], machine: Hardware, path: KeyPath, name: str) -> str:
    """The purpose in Muster's own label; otherwise training for instances with accelerators."""
    labels = value_at(values, "KubernetesConfig", "Labels")
    labels = labels if isinstance(labels, Mapping) else {}
    at = (*path, "KubernetesConfig", "Labels")
    if labels.get(GROUP) == name:
        draft.take((*at, GROUP))
    if labels.get(PURPOSE) in [*Purpose]:
        draft.take((*at, PURPOSE))
        return str(labels[PURPOSE])
    return "training" if machine.accelerators else "system"


def _kubernetes(draft: Draft, values: Mapping[str, Any], path: KeyPath, name: str, purpose: str) -> dict[str, Any]:
    made: dict[str, Any] = {}
    config = values.get("KubernetesConfig")
    labels = value_at(config, "Labels") if isinstance(config, Mapping) else None
    at = (*path, "KubernetesConfig")
    own = {}
    for key, value in labels.items() if isinstance(labels, Mapping) else ():
        if (key, value) in ((GROUP, name), (PURPOSE, purpose)):
            continue
        if isinstance(value, str):
            own[str(key)] = value
            draft.origin(("groups", name, "labels", str(key)), (*at, "Labels", key))
            draft.take((*at, "Labels", key))
    if own:
        made["labels"] = own
    taints = value_at(config, "Taints") if isinstance(config, Mapping) else None
    found = {}
    for index, each in enumerate(taints if isinstance(taints, list) else []):
        key = text(each.get("Key")) if isinstance(each, Mapping) else None
        effect = text(each.get("Effect")) if isinstance(each, Mapping) else None
        if key and effect and each.get("Value") in (None, "true"):
            found[key] = effect
            draft.origin(("groups", name, "taints", key), (*at, "Taints", index))
            draft.take((*at, "Taints", index))
        else:
            draft.leave((*at, "Taints", index), "a taint of a description has a key, the value true and an effect")
    if found:
        made["taints"] = found
    return made


def _capacity(
    draft: Draft, values: Mapping[str, Any], path: KeyPath, name: str, purpose: str, zone: str, count: int
) -> Any:
    plan = values.get("TrainingPlanArn")
    spot = value_at(values, "CapacityRequirements", "Spot")
    if isinstance(values.get("CapacityRequirements"), Mapping):
        draft.take((*path, "CapacityRequirements"))
    if plan is not None and plan != "":
        draft.take((*path, "TrainingPlanArn"))
        place = ("groups", name, "capacity", "training-plan")
        instead = f"arn:aws:sagemaker:{zone[:-1]}:111122223333:training-plan/{PLACEHOLDER}"
        good = draft.accepted(TrainingPlanArn, plan, (*path, "TrainingPlanArn"))
        for key in ("zone", "count", *(() if good else ("arn",))):
            draft.placeholder(*place, key)
        return {"training-plan": {"arn": plan if good else instead, "zone": zone, "count": max(count, 1)}}
    if spot is not None and spot is not UNKNOWN:
        return {"spot": {"interruptions-accepted": True}} if purpose == "training" else "spot"
    return None


def settings_of(
    draft: Draft, values: Mapping[str, Any], raw: Mapping[str, Any], path: KeyPath, described: KeyPath
) -> Iterator[tuple[str, Any]]:
    """The settings that only HyperPod has.

    Args:
        draft: the description.
        values: the group in the file.
        raw: the same with its placeholders.
        path: where it is in the file.
        described: where it is in the description: ``("groups", "workers")``.
    """
    own = (*described, "hyperpod")
    if isinstance(threads := values.get("ThreadsPerCore"), int):
        yield "threads-per-core", threads
        draft.origin((*own, "threads-per-core"), (*path, "ThreadsPerCore"))
        draft.take((*path, "ThreadsPerCore"))
    checks = values.get("OnStartDeepHealthChecks")
    if isinstance(checks, list):
        known_checks = [each for each in checks if isinstance(each, str)]
        draft.origin((*own, "deep-health-checks"), (*path, "OnStartDeepHealthChecks"))
        draft.take((*path, "OnStartDeepHealthChecks"))
        if known_checks:
            yield "deep-health-checks", [_kebab(each) for each in known_checks]
    yield from _volumes(draft, values, path, own)
    yield "lifecycle", _lifecycle(draft, values, raw, path, own)
    yield from _image(draft, values, path, own)
    yield from _updates(draft, values, path, own)
    if isinstance(interface := value_at(values, "NetworkInterface", "InterfaceType"), str):
        yield "interface", interface
        draft.take((*path, "NetworkInterface", "InterfaceType"))


def _kebab(name: str) -> str:
    """``InstanceStress`` as ``instance-stress``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def _volumes(draft: Draft, values: Mapping[str, Any], path: KeyPath, own: KeyPath) -> Iterator[tuple[str, Any]]:
    listed = values.get("InstanceStorageConfigs")
    for index, each in enumerate(listed if isinstance(listed, list) else []):
        at = (*path, "InstanceStorageConfigs", index, "EbsVolumeConfig")
        volume = each.get("EbsVolumeConfig") if isinstance(each, Mapping) else None
        if not isinstance(volume, Mapping):
            continue
        key, size = text(known(volume.get("VolumeKmsKeyId"))), volume.get("VolumeSizeInGB")
        draft.take((*at, "RootVolume"), (*at, "VolumeKmsKeyId"))
        if volume.get("RootVolume") is True:
            if key:
                yield "root-volume-key", key
            continue
        made: dict[str, Any] = {"size": f"{size}GiB"} if isinstance(size, int) else {}
        if size is None or size is UNKNOWN or isinstance(size, int):
            draft.take((*at, "VolumeSizeInGB"))
        else:
            draft.leave((*at, "VolumeSizeInGB"), "it is not a whole number")
        if size is UNKNOWN:
            made["size"] = "500GiB"
            draft.placeholder(*map(str, own), "volume", "size")
        draft.origin((*own, "volume"), at)
        yield "volume", {**made, **({"key": key} if key else {})}


def _lifecycle(draft: Draft, values: Mapping[str, Any], raw: Mapping[str, Any], path: KeyPath, own: KeyPath) -> Any:
    """The lifecycle scripts. Scripts in a folder with the group's name, in a bucket that is not known, are Muster's."""
    given = values.get("LifeCycleConfig")
    if given is None:
        return "none"
    scripts = given if isinstance(given, Mapping) else {}
    at = (*path, "LifeCycleConfig")
    draft.take(*((*at, key) for key in ("SourceS3Uri", "OnCreate", "OnInitComplete")))
    written = value_at(raw, "LifeCycleConfig", "SourceS3Uri")
    folder = _FOLDER_OF_MUSTER.fullmatch(written) if isinstance(written, str) else None
    of_kubernetes = draft.cluster.get("backend") == "hyperpod"  # only there, Muster has scripts of its own
    if of_kubernetes and folder and folder["group"] == own[-2] and scripts.get("OnCreate") == ON_CREATE:
        return "default"
    source = scripts.get("SourceS3Uri")
    good = draft.accepted(LifecycleBucket, source, (*at, "SourceS3Uri"))
    made: dict[str, Any] = {"at": source if good else f"s3://{PLACEHOLDER}"}
    if not good:
        draft.placeholder(*map(str, own), "lifecycle", "own", "at")
    for key, given_as in (("on-create", "OnCreate"), ("on-init-complete", "OnInitComplete")):
        if script := text(known(scripts.get(given_as))):
            made[key] = script
            draft.origin((*own, "lifecycle", "own", key), (*at, given_as))
    if not {"on-create", "on-init-complete"} & made.keys():
        made["on-create"] = ON_CREATE
        draft.placeholder(*map(str, own), "lifecycle", "own", "on-create")
    return {"own": made}


def _image(draft: Draft, values: Mapping[str, Any], path: KeyPath, own: KeyPath) -> Iterator[tuple[str, Any]]:
    for key, given_as in (("id", "ImageId"), ("release", "ImageReleaseVersion")):
        if image := text(known(values.get(given_as))):
            draft.origin((*own, "image"), (*path, given_as))
            draft.take((*path, given_as))
            yield "image", {key: image}
            return


def _updates(draft: Draft, values: Mapping[str, Any], path: KeyPath, own: KeyPath) -> Iterator[tuple[str, Any]]:
    patching = value_at(values, "AutoPatchConfig", "PatchingStrategy")
    schedule = value_at(values, "ScheduledUpdateConfig", "ScheduleExpression")
    if isinstance(patching, str):
        draft.take((*path, "AutoPatchConfig", "PatchingStrategy"))
        draft.origin((*own, "updates"), (*path, "AutoPatchConfig"))
        yield "updates", {"patching": _kebab(patching)}
    elif isinstance(schedule, str):
        at = (*path, "ScheduledUpdateConfig")
        deployment = value_at(values, "ScheduledUpdateConfig", "DeploymentConfig")
        deployment = deployment if isinstance(deployment, Mapping) else {}
        draft.take((*at, "ScheduleExpression"))
        draft.origin((*own, "updates"), at)
        made: dict[str, Any] = {"schedule": schedule}
        batch = value_at(deployment, "RollingUpdatePolicy", "MaximumBatchSize")
        if isinstance(batch, Mapping) and isinstance(batch.get("Value"), int):
            made["at-once"] = {"count" if batch.get("Type") == "INSTANCE_COUNT" else "percent": batch["Value"]}
            draft.take((*at, "DeploymentConfig", "RollingUpdatePolicy", "MaximumBatchSize"))
        if isinstance(wait := deployment.get("WaitIntervalInSeconds"), int):
            made["wait-seconds"] = wait
            draft.take((*at, "DeploymentConfig", "WaitIntervalInSeconds"))
        yield "updates", made
