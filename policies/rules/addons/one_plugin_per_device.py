"""Two device plugins for the same devices on the same nodes."""

from collections.abc import Iterator, Mapping, Sequence

from muster.fleet.resources import Addon, Fleet
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.chart_contents import PLUGINS, AddonPart, PartKind
from muster.policies.lookups.device_plugins import (
    group_names,
    nodes_with,
    plugin_built_in,
    schedulable_on,
)
from muster.policies.lookups.installed_addons import comes_before, earlier_parts, parts, parts_of
from muster.policies.lookups.pod_placement import NodeKind, Schedulable
from muster.unknown import NotKnown


def one_plugin_per_device(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    def judge(part: AddonPart) -> Iterator[Verdict]:
        nodes = nodes_with(PLUGINS[part.what], fleet)
        built_in = [spot for spot in nodes if plugin_built_in(spot, PLUGINS[part.what], fleet)]
        if len(built_in) < len(nodes):  # else addon-serves-a-group reports it
            yield from _beside_the_image(
                part, [spot for spot in built_in if schedulable_on(part, spot) is Schedulable.YES], rule
            )
        yield from _beside(part, nodes, fleet, rule)

    yield from rule.each((part for part in parts_of(addon) if part.what in PLUGINS), judge, addon.place)


def _beside_the_image(part: AddonPart, nodes: Sequence[NodeKind], rule: Rule) -> Iterator[Verdict]:
    if nodes:
        got = f"{part.what} of {part.name} runs on {and_list(group_names(nodes))}, whose image already contains one"
        yield rule.finding(part.addon, part.at, got=got, change="keep it off these nodes by affinity in its values")


def _beside(part: AddonPart, nodes: Sequence[NodeKind], fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Compares a plugin with the first one on each of its nodes, and not with every other one."""
    earlier = earlier_parts(part, fleet)
    if not earlier:
        return
    other = next((each for each in earlier if each.bundled != part.bundled), None)
    if part.what is PartKind.NEURON_PLUGIN and other:
        got = f"{part.name} and {other.name} both create the service account neuron-device-plugin in kube-system"
        yield rule.finding(part.addon, part.at, got=got, change=f"{part.without}, or {other.without}")
        return
    certain, possible = _first_on(fleet)
    answers = {spot: schedulable_on(part, spot) for spot in nodes}
    shared = {spot: certain.get((part.what, spot), part) for spot in nodes if answers[spot] is Schedulable.YES}
    where = [spot for spot, first in shared.items() if comes_before(first.addon, part.addon, fleet)]
    if where:
        other = shared[where[0]]
        on = group_names(spot for spot in where if schedulable_on(other, spot) is Schedulable.YES)
        got = f"{part.name} and {other.name} both run {part.what} on {and_list(on)}"
        yield rule.finding(part.addon, part.at, got=got, change=f"{part.without}, or {other.without}")
        return
    maybe = [possible.get((part.what, spot), part) for spot in nodes if answers[spot] is not Schedulable.NO]
    for first in (each for each in (maybe if nodes else earlier) if comes_before(each.addon, part.addon, fleet)):
        raise NotKnown(f"whether {part.name} and {first.name} run {part.what} on the same node")


_First = Mapping[tuple[PartKind, NodeKind], AddonPart]


@cached_by_identity(4)
def _first_on(fleet: Fleet) -> tuple[_First, _First]:
    """The first plugin of each kind that runs on each node, and the first that may run there."""
    certain: dict[tuple[PartKind, NodeKind], AddonPart] = {}
    possible: dict[tuple[PartKind, NodeKind], AddonPart] = {}
    for part in parts(fleet, *PLUGINS):
        for spot in nodes_with(PLUGINS[part.what], fleet):
            answer = schedulable_on(part, spot)
            if answer is Schedulable.YES:
                certain.setdefault((part.what, spot), part)
            if answer is not Schedulable.NO:
                possible.setdefault((part.what, spot), part)
    return certain, possible
