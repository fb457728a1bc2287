"""Releases of the NVIDIA device plugin that mount EFA's device files into every pod with GPUs."""

from collections.abc import Iterator

from muster.blueprint.node import EFA_RESOURCE
from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import Addon, Fleet
from muster.plain_data import mappings_at, value_at
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.chart_contents import PLUGINS, AddonPart, PartKind
from muster.policies.lookups.device_plugins import every_node_kind, group_names, offers_device, schedulable_on
from muster.policies.lookups.installed_addons import parts, parts_of
from muster.policies.lookups.pod_placement import Schedulable
from muster.policies.lookups.versions import version_tuple

_FIRST, _MENDED = (0, 19, 0), (0, 19, 3)


@rule(
    "nvidia-plugin-spares-efa",
    title="On nodes with EFA, the NVIDIA device plugin does not mount /dev/infiniband",
    judges=Addon,
    backends=ON_KUBERNETES,
    why="Releases 0.19.0 to 0.19.2 mount /dev/infiniband into every pod with GPUs unless mofedEnabled is false. The "
    "EFA plugin's interfaces collide with these files, and libfabric finds none. The GPU operator v26.3.0 to v26.3.2 "
    "contains these releases.",
    source=(
        "https://github.com/NVIDIA/k8s-device-plugin/issues/1692",
        "https://github.com/NVIDIA/gpu-operator/blob/v26.7.0/deployments/gpu-operator/values.yaml",
    ),
    remedy="Use 0.19.3 or newer, or set mofedEnabled to false.",
    facts=("rules.md#47", "addons.md#surprises-4", "pains.md#11"),
)
def nvidia_plugin_spares_efa(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    for part in (each for each in mine if each.what is PartKind.NVIDIA_PLUGIN):
        version, on = version_tuple(part.version), _mofed(part)
        if version is not None and not (_FIRST <= version < _MENDED):
            continue
        nodes = [
            spot
            for spot in every_node_kind(fleet)
            if offers_device(spot, EFA_RESOURCE, fleet)
            and offers_device(spot, PLUGINS[part.what], fleet)
            and schedulable_on(part, spot) is not Schedulable.NO
        ]
        if on is False or not (nodes or any(parts(fleet, PartKind.EFA_PLUGIN))):
            continue
        if version is None or on is None:
            of = f"the release of {part.what} of {part.name}"
            set_ = f"the value of mofedEnabled in the plugin's configuration, in the values of {part.name}"
            yield rule.unjudged(addon.place, of if version is None else set_)
            continue
        holders = group_names(nodes)
        where = f"on nodes with EFA ({and_list(holders)})" if nodes else "on a cluster with the EFA device plugin"
        got = f"{part.what} {part.version} of {part.name} mounts /dev/infiniband into pods with GPUs {where}"
        yield rule.finding(addon.place, at=part.at, got=got, remedy=_remedy(part))


def _remedy(part: AddonPart) -> str:
    """The remedy that this add-on's own values allow: a chart that contains the operator pins it, with an old
    plugin."""
    own, wanted = part.at.removeprefix("values").removeprefix("."), ".".join(map(str, _MENDED))
    if own.endswith("devicePlugin"):
        newer = "use the operator v26.3.3" if own == "devicePlugin" else f"set {own}.version to v{wanted}"
        return f"set {own}.env to MOFED_ENABLED=false, or {newer} or newer"
    if own:
        return f"set {own}.image.tag to v{wanted} or newer"
    return f"set mofedEnabled: false, or use {wanted} or newer" if part.at else f"use {wanted} or newer"


def _mofed(part: AddonPart) -> bool | None:
    """Whether it mounts the devices, as its values do by default. None if a ConfigMap decides."""
    if value_at(part.values, "mofedEnabled") is False:
        return False
    for each in mappings_at(part.values, "env"):
        if value_at(each, "name") == "MOFED_ENABLED":
            return str(value_at(each, "value")).lower() != "false"
    own = (value_at(part.values, "config", key) for key in ("map", "data", "name"))
    return None if any(own) else True
