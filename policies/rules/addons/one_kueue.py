"""Two of Kueue; HyperPod's task governance is one, too."""

from collections.abc import Iterator

from muster.fleet.resources import Addon, EksAddon, Fleet
from policies.reading.part import What
from policies.reading.parts import parts_of, rivals
from policies.rule import Rule, Verdict, rule


@rule(
    "one-kueue",
    title="Kueue comes once: by its chart, by its manifest, or with HyperPod's task governance",
    judges=Addon | EksAddon,
    backends=("eks", "hyperpod"),
    why="Task governance brings its own Kueue into kueue-system, and wants none before it: two controllers admit the "
    "same jobs, with two sets of webhooks in front of every pod.",
    source="SageMaker AI developer guide, HyperPod task governance setup; awsome-distributed-training, task-governance",
    remedy="Leave one of them out.",
    facts=("addons.md#surprises-9", "addons.md#conflicts"),
)
def one_kueue(addon: Addon | EksAddon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    for part in (each for each in mine if each.what is What.KUEUE):
        for other in rivals(part, fleet):
            got = f"{part.name} and {other.name} both bring Kueue"
            yield rule.finding(addon.place, got=got, remedy=f"{part.without}, or {other.without}")
