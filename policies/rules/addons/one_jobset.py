"""Two of JobSet; Trainer has a copy of its own."""

from collections.abc import Iterator

from muster.fleet.resources import Addon, EksAddon, Fleet
from policies.reading.part import What
from policies.reading.parts import before, in_order, parts_of
from policies.rule import Rule, Verdict, rule


@rule(
    "one-jobset",
    title="JobSet comes once: Trainer brings its own only where there is no other",
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="The chart of Kubeflow Trainer installs JobSet unless told not to. Beside another one two controllers make "
    "pods of the same JobSets, and Helm refuses what the other release owns. So it is with two of JobSet's own.",
    source="kubeflow/trainer charts/kubeflow-trainer/values.yaml, jobset.install",
    remedy="Leave one of them out: jobset.install is false among Trainer's values, then.",
    facts=("addons.md#conflicts",),
)
def one_jobset(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    for part in (each for each in mine if each.what is What.JOBSET):
        if not part.bundled:
            for other in (each for each in before(part, fleet) if not each.bundled):
                got = f"{part.name} and {other.name} are both JobSet"
                yield rule.finding(addon.place, got=got, remedy=f"{part.without}, or {other.without}")
            continue
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
