"""Releases of the NVIDIA device plugin that mount EFA's device files into every pod with GPUs."""

from collections.abc import Iterator

from muster.blueprint.node import EFA_RESOURCE
from muster.edits import Remedy, set_to
from muster.fleet.resources import Addon, Fleet
from muster.plain_data import mappings_at, value_at
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.chart_contents import PLUGINS, AddonPart, PartKind, release_of
from muster.policies.lookups.device_plugins import group_names, nodes_with, offers_device, schedulable_on
from muster.policies.lookups.installed_addons import parts, parts_of
from muster.policies.lookups.pod_placement import Schedulable
from muster.unknown import NotKnown, all_of

_FIRST, _MENDED = (0, 19, 0), (0, 19, 3)


def nvidia_plugin_spares_efa(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    def judge(part: AddonPart) -> Iterator[Verdict]:
        nodes = [
            spot
            for spot in nodes_with(EFA_RESOURCE, fleet)
            if offers_device(spot, PLUGINS[part.what], fleet) and schedulable_on(part, spot) is not Schedulable.NO
        ]
        if (nodes or any(parts(fleet, PartKind.EFA_PLUGIN))) and all_of(
            lambda: _FIRST <= release_of(part, part.version) < _MENDED, lambda: _mofed(part)
        ):
            holders = group_names(nodes)
            where = f"on nodes with EFA ({and_list(holders)})" if nodes else "on a cluster with the EFA device plugin"
            got = f"{part.what} {part.version} of {part.name} mounts /dev/infiniband into pods with GPUs {where}"
            yield rule.finding(addon, part.at, got=got, change=_change(part))

    plugins = [part for part in parts_of(addon) if part.what is PartKind.NVIDIA_PLUGIN]
    yield from rule.each(plugins, judge, addon.place)


def _change(part: AddonPart) -> Remedy | tuple[Remedy, ...]:
    """What this add-on's own values allow: a chart that contains the operator pins it, with an old plugin."""
    own, wanted = part.at.removeprefix("values").removeprefix("."), ".".join(map(str, _MENDED))
    if own.endswith("devicePlugin"):
        newer = "use the operator v26.3.3" if own == "devicePlugin" else f"set {own}.version to v{wanted}"
        return f"set {own}.env to MOFED_ENABLED=false", f"{newer} or newer"
    if own:
        return set_to(f"v{wanted}", at=f"{part.at}.image.tag", words="or newer")
    newer = f"use {wanted} or newer"
    return (set_to(False, at="values.mofedEnabled"), newer) if part.at else newer


def _mofed(part: AddonPart) -> bool:
    """Whether it mounts the devices, as its values do by default.

    Raises:
        NotKnown: a ConfigMap decides.
    """
    if value_at(part.values, "mofedEnabled") is False:
        return False
    for each in mappings_at(part.values, "env"):
        if value_at(each, "name") == "MOFED_ENABLED":
            return str(value_at(each, "value")).lower() != "false"
    if any(value_at(part.values, "config", key) for key in ("map", "data", "name")):
        raise NotKnown(f"the value of mofedEnabled in the plugin's configuration, in the values of {part.name}")
    return True
