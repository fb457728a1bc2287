"""A device plugin's placement against the nodes that need it."""

from collections.abc import Iterator

from muster.fleet.resources import Addon, Fleet
from policies.reading.landing import Lands
from policies.reading.part import DRIVERS, PLUGINS
from policies.reading.parts import before, parts, parts_of
from policies.reading.plugins import labelled_spots, lands_on, offers_device, plugin_built_in, why_kept_off
from policies.rule import Rule, Verdict, rule


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
        if part.bundled or any(not other.bundled for other in before(part, fleet)):
            continue  # of HyperPod's group-has-its-device-plugin says so; of several plugins the first answers for all
        if not fleet.kubernetes_groups:
            yield rule.unjudged(addon.place, "the groups of its cluster")
        serving = [*parts(fleet, part.what), *parts(fleet, *(k for k, v in DRIVERS.items() if v is part.what))]
        for spot in labelled_spots(fleet):
            if not offers_device(spot, resource, fleet) or plugin_built_in(spot, resource, fleet):
                continue
            answers = {lands_on(each, spot) for each in serving}
            if answers == {Lands.NO}:
                yield rule.finding(
                    addon.place,
                    at=part.at,
                    got=f"{part.what} of {part.name} is kept off the nodes of {spot.name}, which have {resource}: "
                    f"{why_kept_off(part, spot)}",
                    remedy="leave tolerations and affinity out of its values"
                    if spot.group and spot.group.purpose
                    else f"let its tolerations and affinity cover {spot.name}",
                )
            elif Lands.YES not in answers:
                yield rule.unjudged(addon.place, f"the labels of {spot.name} that {part.what} of {part.name} asks for")
