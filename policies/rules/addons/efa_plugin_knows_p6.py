"""The EFA plugin's release on types with devices that look like EFA interfaces."""

from collections.abc import Iterator

from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import Addon, Fleet
from muster.plain_data import value_at
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.chart_contents import AddonPart, PartKind, release_of
from muster.policies.lookups.device_plugins import every_node_kind, schedulable_on
from muster.policies.lookups.installed_addons import parts_of
from muster.policies.lookups.pod_placement import Schedulable
from muster.policies.lookups.versions import EFA_IMAGE_KNOWS_P6

_LEAST_CHART = (0, 5, 10)
"""The release of the chart that has the image `EFA_IMAGE_KNOWS_P6`."""


@rule(
    "efa-plugin-knows-p6",
    title="On p6-b200 nodes, the EFA device plugin is 0.5.10 or newer",
    judges=Addon,
    backends=ON_KUBERNETES,
    why="In addition to its 8 EFA interfaces, a p6-b200.48xlarge has 2 devices for NVLink that look like them. Older "
    "plugins offer 10 interfaces, and pods that get one of the two fail in NCCL.",
    source=(
        "https://github.com/aws/sagemaker-hyperpod-cli/issues/282",
        "https://github.com/aws/eks-charts/blob/v0.0.242/stable/aws-efa-k8s-device-plugin/values.yaml",
    ),
    remedy="Use chart 0.5.10 or newer, whose image is 0.5.6 or newer.",
    facts=("rules.md#46", "pains.md#10"),
)
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
