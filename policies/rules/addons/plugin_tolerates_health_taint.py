"""Device plugins on HyperPod's nodes, while HyperPod looks at them."""

from collections.abc import Iterator

from muster.fleet.matching import tolerates
from muster.fleet.resources import Addon, Fleet
from policies.reading.landing import HEALTH_TAINT, HYPERPOD, Lands
from policies.reading.part import PLUGINS
from policies.reading.parts import parts_of
from policies.reading.plugins import every_spot, lands_on, offers_device
from policies.rule import Rule, Verdict, rule


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
    nodes = [spot for spot in every_spot(fleet) if HYPERPOD in spot.said]
    for part in (each for each in mine if each.what in PLUGINS):
        there = [
            f"ml.{spot.machine.instance}"
            for spot in nodes
            if offers_device(spot, PLUGINS[part.what], fleet) and lands_on(part, spot) is Lands.YES
        ]
        tolerant = all(any(tolerates(each, HEALTH_TAINT) for each in pod.get("tolerations") or ()) for pod in part.pods)
        if there and not tolerant:
            got = (
                f"{part.what} of {part.name} is on HyperPod's nodes ({there[0]}), and does not tolerate {HEALTH_TAINT}"
            )
            remedy = f"add {{key: {HEALTH_TAINT.key}, operator: Exists}} to its tolerations"
            yield rule.finding(addon.place, at=part.at, got=got, remedy=remedy)
