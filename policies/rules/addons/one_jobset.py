"""JobSet, and Trainer's own copy of it."""

from collections.abc import Iterator

from muster.fleet.resources import Addon, EksAddon, Fleet
from policies.reading.part import What
from policies.reading.parts import in_order, parts_of
from policies.rule import Rule, Verdict, rule


@rule(
    "one-jobset",
    title="Trainer brings its JobSet only where there is no other",
    judges=Addon,
    why="The chart of Kubeflow Trainer installs JobSet unless told not to. Beside another one two controllers make "
    "pods of the same JobSets, and Helm refuses what the other release owns.",
    source="kubeflow/trainer charts/kubeflow-trainer/values.yaml, jobset.install",
    remedy="Set jobset.install to false among Trainer's values.",
    facts=("addons.md#conflicts",),
)
def one_jobset(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    for part in (each for each in mine if each.what is What.JOBSET and each.bundled):
        others = [
            each.name
            for other in in_order(fleet)
            if isinstance(other, Addon | EksAddon) and other.ref != addon.ref
            for each in parts_of(other)[0]
            if each.what is What.JOBSET and not each.bundled
        ]
        if others:
            got = f"{addon.ref.name} installs JobSet (jobset.install), and {others[0]} is JobSet"
            yield rule.finding(addon.place, at=part.at, got=got, remedy=f"{part.without}, or remove {others[0]}")
