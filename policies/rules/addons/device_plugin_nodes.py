"""The nodes that device plugins run on."""

from collections.abc import Iterator
from functools import partial

from muster.fleet.resources import Addon, Fleet
from muster.fleet.resources.eks import AddonKind
from muster.policies.engine.finding_text import and_list, singular_or_plural
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.chart_contents import DRIVERS, PLUGINS, AddonPart, PartKind
from muster.policies.lookups.device_plugins import (
    labelled_node_kinds,
    nodes_with,
    offers_device,
    plugin_built_in,
    schedulable_on,
    why_not_scheduled,
)
from muster.policies.lookups.installed_addons import earlier_parts, parts, parts_of
from muster.policies.lookups.pod_placement import HEALTH_TAINT, HYPERPOD, NodeKind, Schedulable, untolerated_taints
from muster.unknown import NotKnown, if_known

_PLACED_BY = dict.fromkeys(PLUGINS, "tolerations, affinity and nodeSelector") | {
    PartKind.EFA_PLUGIN: "tolerations, affinity, nodeSelector and supportedInstanceLabels"
}
"""Device plugin -> the values that determine where it runs."""
_SELECTED_BY: dict[PartKind, tuple[str, ...]] = dict.fromkeys(PLUGINS, ("affinity", "nodeSelector")) | {
    PartKind.EFA_PLUGIN: ("affinity", "nodeSelector", "supportedInstanceLabels")
}
"""Device plugin -> the values that select its nodes."""


def plugin_reaches_its_nodes(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for part in (each for each in parts_of(addon) if each.what in PLUGINS and each.pods):
        if part.bundled or any(not other.bundled for other in earlier_parts(part, fleet)):
            continue  # group-has-its-device-plugin judges HyperPod's; of several plugins only the first is judged
        if not fleet.kubernetes_groups:
            raise NotKnown("the groups of its cluster")
        resource = PLUGINS[part.what]
        having = [spot for spot in labelled_node_kinds(fleet) if if_known(lambda: offers_device(spot, resource, fleet))]
        own = [spot for spot in having if not plugin_built_in(spot, resource, fleet)]
        yield from rule.each(own, partial(_reaches, part, fleet, rule), addon.place)


def _reaches(part: AddonPart, fleet: Fleet, rule: Rule, spot: NodeKind) -> Iterator[Verdict]:
    serving = [*parts(fleet, part.what), *parts(fleet, *(k for k, v in DRIVERS.items() if v is part.what))]
    answers = {schedulable_on(each, spot) for each in serving}
    if answers == {Schedulable.NO}:
        cannot = f"{part.what} of {part.name} cannot run on {spot.name} with {PLUGINS[part.what]}"
        cover = f"make its tolerations and affinity cover the nodes of {spot.name}"
        described = f"remove {_PLACED_BY[part.what]} from its values"
        change = described if part.addon.place.described else cover
        yield rule.finding(part.addon, part.at, got=f"{cannot}: {why_not_scheduled(part, spot)}", change=change)
    elif Schedulable.YES not in answers:
        raise NotKnown(f"the labels of {spot.name} that {part.what} of {part.name} requires")


def plugin_stays_with_its_devices(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine = parts_of(addon)
    if addon.kind is AddonKind.MANIFEST:
        return  # NVIDIA's manifest waits if it finds no device (FAIL_ON_INIT_ERROR), EFA's has a list of types
    nodes = list(labelled_node_kinds(fleet))
    for part in (each for each in mine if each.what in PLUGINS):
        resource = PLUGINS[part.what]
        having = {spot.machine.instance for spot in nodes if if_known(lambda: offers_device(spot, resource, fleet))}
        elsewhere = [
            spot.name
            for spot in nodes
            # Charts select nodes by type: of two groups with one type they select both or neither.
            if spot.machine.instance not in having
            and not if_known(lambda: offers_device(spot, resource, fleet), True)
            and schedulable_on(part, spot) is Schedulable.YES
        ]
        if elsewhere:
            above = f"{own}." if (own := part.at.removeprefix("values").removeprefix(".")) else ""
            lacking = f"{and_list(elsewhere)}, which {singular_or_plural(elsewhere, 'has', 'have')} no {resource}"
            got = f"{part.what} of {part.name} runs on {lacking}"
            keys = [f"{above}{key}" for key in _SELECTED_BY[part.what]]
            described, other = (
                f"remove {and_list(keys)} from its values",
                f"select nodes that have {resource} by affinity",
            )
            yield rule.finding(addon, part.at, got=got, change=described if addon.place.described else other)


def plugin_tolerates_health_taint(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for part in (each for each in parts_of(addon) if each.what in PLUGINS):
        there = [
            f"ml.{spot.machine.instance}"
            for spot in nodes_with(PLUGINS[part.what], fleet)
            if HYPERPOD in spot.known_labels and schedulable_on(part, spot) is Schedulable.YES
        ]
        tolerant = not any(untolerated_taints(pod, [HEALTH_TAINT]) for pod in part.pods)
        if there and not tolerant:
            got = f"{part.what} of {part.name} on HyperPod's {there[0]} does not tolerate {HEALTH_TAINT}"
            remedy = f"add {{key: {HEALTH_TAINT.key}, operator: Exists}} to its tolerations"
            yield rule.finding(addon, part.at, got=got, change=remedy)
