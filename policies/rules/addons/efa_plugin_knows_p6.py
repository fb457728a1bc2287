"""The EFA plugin's release on types with devices that look like EFA interfaces."""

from collections.abc import Iterator

from muster.fleet.resources import Addon, Fleet
from muster.plain_data import value_at
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.chart_contents import AddonPart, PartKind, release_of
from muster.policies.lookups.device_plugins import every_node_kind, schedulable_on
from muster.policies.lookups.installed_addons import parts_of
from muster.policies.lookups.pod_placement import Schedulable
from muster.policies.lookups.versions import EFA_IMAGE_KNOWS_P6

_LEAST_CHART = (0, 5, 10)
"""The release of the chart that has the image `EFA_IMAGE_KNOWS_P6`."""


def efa_plugin_knows_p6(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for part in (each for each in parts_of(addon) if each.what is PartKind.EFA_PLUGIN):
        nodes = [spot for spot in every_node_kind(fleet) if spot.machine.efa_lookalikes]
        where = [spot for spot in nodes if schedulable_on(part, spot) is not Schedulable.NO]
        given, least, what, at = _deciding_version(part)
        if where and release_of(part, given) < least:
            wanted = ".".join(map(str, least))
            spot = where[0]
            got = f"{what} {given} of {part.name} offers NVLink's devices on {spot.name} as EFA interfaces"
            yield rule.finding(addon, at, got=got, change=f"use {what} {wanted} or newer")


def _deciding_version(part: AddonPart) -> tuple[object, tuple[int, ...], str, str]:
    """The version that decides (the image's if a tag is set, else the chart's), its minimum, its noun and its path."""
    if tag := value_at(part.values, "image", "tag"):
        return tag, EFA_IMAGE_KNOWS_P6, "image", f"{part.at}.image.tag"
    return part.version, _LEAST_CHART, "chart", "version"  # HyperPod's chart contains a newer one
