"""Two device plugins for the same devices on the same nodes."""

from collections.abc import Iterator

from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import Addon, Fleet
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.chart_contents import PLUGINS, AddonPart, PartKind
from muster.policies.lookups.device_plugins import (
    every_node_kind,
    group_names,
    offers_device,
    plugin_built_in,
    schedulable_on,
)
from muster.policies.lookups.installed_addons import earlier_parts, parts_of
from muster.policies.lookups.scheduling import NodeKind, Schedulable


@rule(
    "one-plugin-per-device",
    title="Only one device plugin offers the devices of a node",
    judges=Addon,
    backends=ON_KUBERNETES,
    why="Two plugins register the same resource with the kubelet, one after the other, without an error. When the "
    "first of them ends, running pods lose their devices, and the node offers none.",
    source="NVIDIA/k8s-device-plugin#255; EKS user guide, device-management-nvidia; HyperPod chart's readme, section 7",
    remedy="Remove one of them, or keep it off these nodes.",
    facts=("addons.md#conflicts", "rules.md#47"),
)
def one_plugin_per_device(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    for part in (each for each in mine if each.what in PLUGINS):
        resource = PLUGINS[part.what]
        nodes = [spot for spot in every_node_kind(fleet) if offers_device(spot, resource, fleet)]
        built_in = [spot for spot in nodes if plugin_built_in(spot, resource, fleet)]
        if len(built_in) < len(nodes):  # else addon-serves-a-group reports it
            yield from _beside_the_image(
                part, [spot for spot in built_in if schedulable_on(part, spot) is Schedulable.YES], rule
            )
        for other in earlier_parts(part, fleet):
            yield from _beside(part, other, nodes, rule)


def _beside_the_image(part: AddonPart, nodes: list[NodeKind], rule: Rule) -> Iterator[Verdict]:
    if nodes:
        yield rule.finding(
            part.addon.place,
            at=part.at,
            got=f"{part.what} of {part.name} runs on {and_list(group_names(nodes))}, whose Bottlerocket image already "
            "contains one",
            remedy="keep it off these nodes with affinity, or let Muster set its affinity",
            program_remedy="set affinity in its values so that it does not run on these nodes",
        )


def _beside(part: AddonPart, other: AddonPart, nodes: list[NodeKind], rule: Rule) -> Iterator[Verdict]:
    shared = {spot: {schedulable_on(part, spot), schedulable_on(other, spot)} for spot in nodes}
    where = group_names(spot for spot, answers in shared.items() if answers == {Schedulable.YES})
    one, two = (part.name, part.without), (other.name, other.without)
    if part.what is PartKind.NEURON_PLUGIN and part.bundled != other.bundled:
        got = f"{one[0]} and {two[0]} both create the service account neuron-device-plugin in kube-system"
        yield rule.finding(part.addon.place, at=part.at, got=got, remedy=f"{one[1]}, or {two[1]}")
    elif where:
        got = f"{one[0]} and {two[0]} both run {part.what} on {and_list(where)}"
        yield rule.finding(part.addon.place, at=part.at, got=got, remedy=f"{one[1]}, or {two[1]}")
    elif not nodes or any(Schedulable.NO not in answers for answers in shared.values()):
        what = f"whether {one[0]} and {two[0]} run {part.what} on the same node"
        yield rule.unjudged(part.addon.place, what)
