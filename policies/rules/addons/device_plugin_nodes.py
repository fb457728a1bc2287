"""The nodes that device plugins run on."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import Addon, Fleet
from muster.fleet.resources.eks import AddonKind
from policies.engine.finding_text import and_list, singular_or_plural
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.chart_contents import DRIVERS, PLUGINS, PartKind
from policies.lookups.device_plugins import (
    every_node_kind,
    labelled_node_kinds,
    offers_device,
    plugin_built_in,
    schedulable_on,
    why_not_scheduled,
)
from policies.lookups.installed_addons import earlier_parts, parts, parts_of
from policies.lookups.scheduling import HEALTH_TAINT, HYPERPOD, Schedulable, untolerated_taints

_PLACED_BY = dict.fromkeys(PLUGINS, "tolerations, affinity and nodeSelector") | {
    PartKind.EFA_PLUGIN: "tolerations, affinity, nodeSelector and supportedInstanceLabels"
}
"""Device plugin -> the values that decide where it runs."""


@rule(
    "plugin-reaches-its-nodes",
    title="A device plugin runs on every node that has its devices",
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="A node that the plugin does not tolerate or does not choose offers no devices. The DaemonSet says DESIRED 0 "
    "and no error, the node bills, every job waits.",
    source="aws/eks-charts aws-efa-k8s-device-plugin and NVIDIA/k8s-device-plugin, templates and values of the charts",
    remedy="Leave tolerations and affinity to Muster, or let them cover these nodes.",
    facts=("rules.md#49", "pains.md#10", "addons.md#surprises-1", "addons.md#surprises-2"),
)
def plugin_reaches_its_nodes(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    for part in (each for each in mine if each.what in PLUGINS and each.pods):
        resource = PLUGINS[part.what]
        if part.bundled or any(not other.bundled for other in earlier_parts(part, fleet)):
            continue  # group-has-its-device-plugin judges HyperPod's; the first of several plugins is judged for all
        if not fleet.kubernetes_groups:
            yield rule.unjudged(addon.place, "the groups of its cluster")
        serving = [*parts(fleet, part.what), *parts(fleet, *(k for k, v in DRIVERS.items() if v is part.what))]
        for spot in labelled_node_kinds(fleet):
            if not offers_device(spot, resource, fleet) or plugin_built_in(spot, resource, fleet):
                continue
            answers = {schedulable_on(each, spot) for each in serving}
            if answers == {Schedulable.NO}:
                yield rule.finding(
                    addon.place,
                    at=part.at,
                    got=f"{part.what} of {part.name} is kept off the nodes of {spot.name}, which have {resource}: "
                    f"{why_not_scheduled(part, spot)}",
                    remedy=f"leave {_PLACED_BY[part.what]} out of its values"
                    if spot.group and spot.group.purpose
                    else f"let its tolerations and affinity cover {spot.name}",
                )
            elif Schedulable.YES not in answers:
                yield rule.unjudged(addon.place, f"the labels of {spot.name} that {part.what} of {part.name} asks for")


@rule(
    "plugin-stays-with-its-devices",
    title="A device plugin runs on no node without its devices",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="Where it finds no device it ends and is started again, for ever: the EFA plugin on a type that could have "
    "EFA, in a group whose template asks for none.",
    source="aws/sagemaker-hyperpod-cli#367; aws/eks-charts#1239",
    remedy="Let its affinity choose the nodes that have the devices.",
    facts=("rules.md#46", "pains.md#10"),
)
def plugin_stays_with_its_devices(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    if addon.kind is AddonKind.MANIFEST:
        return  # NVIDIA's own waits where it finds no device (FAIL_ON_INIT_ERROR), EFA's has its list of types
    nodes = list(labelled_node_kinds(fleet))
    for part in (each for each in mine if each.what in PLUGINS):
        resource = PLUGINS[part.what]
        having = {spot.machine.instance for spot in nodes if offers_device(spot, resource, fleet)}
        elsewhere = [
            spot.name
            for spot in nodes
            # Charts choose by type: of two groups of one type they reach both or neither.
            if spot.machine.instance not in having
            and offers_device(spot, resource, fleet) is False
            and schedulable_on(part, spot) is Schedulable.YES
        ]
        if elsewhere:
            lacking = f"{and_list(elsewhere)}, which {singular_or_plural(elsewhere, 'has', 'have')} no {resource}"
            got = f"{part.what} of {part.name} is on {lacking}"
            remedy = (
                "leave affinity and instance types out of its values" if part.at else "choose its nodes by affinity"
            )
            yield rule.finding(addon.place, at=part.at, got=got, remedy=remedy)


@rule(
    "plugin-tolerates-health-taint",
    title="A device plugin on HyperPod nodes tolerates their health taint",
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="HyperPod taints a node while it checks or replaces it. A plugin that does not tolerate that leaves, the node "
    "offers no devices, and the deep health checks that need them never end.",
    source="aws/sagemaker-hyperpod-cli helm_chart/readme.md and HyperPodHelmChart/values.yaml",
    remedy="Add the toleration to the plugin's values.",
    facts=("rules.md#49",),
)
def plugin_tolerates_health_taint(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    nodes = [spot for spot in every_node_kind(fleet) if HYPERPOD in spot.known_labels]
    for part in (each for each in mine if each.what in PLUGINS):
        there = [
            f"ml.{spot.machine.instance}"
            for spot in nodes
            if offers_device(spot, PLUGINS[part.what], fleet) and schedulable_on(part, spot) is Schedulable.YES
        ]
        tolerant = not any(untolerated_taints(pod, [HEALTH_TAINT]) for pod in part.pods)
        if there and not tolerant:
            got = (
                f"{part.what} of {part.name} is on HyperPod's nodes ({there[0]}), and does not tolerate {HEALTH_TAINT}"
            )
            remedy = f"add {{key: {HEALTH_TAINT.key}, operator: Exists}} to its tolerations"
            yield rule.finding(addon.place, at=part.at, got=got, remedy=remedy)
