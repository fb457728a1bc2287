"""Kueue's TrainJobs, and the Trainer that defines them."""

from collections.abc import Iterator

from muster.fleet.resources import Addon, Fleet
from policies.reading.part import What
from policies.reading.parts import parts, parts_of
from policies.reading.versions import numbers
from policies.rule import Rule, Verdict, rule

_LEAST = (2, 0, 0)


@rule(
    "kueue-knows-trainer",
    title="Beside Kueue, Kubeflow Trainer is 2.0.0 or newer",
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="Kueue suspends and admits TrainJobs as 2.0.0 defines them; those of earlier releases it cannot read.",
    source="kubernetes-sigs/kueue site/content/en/docs/tasks/run/trainjobs.md at v0.19.2",
    remedy="Take Trainer 2.0.0 or newer.",
    facts=("rules.md#48", "pains.md#13"),
)
def kueue_knows_trainer(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    queues = [each.name for each in parts(fleet, What.KUEUE)]
    for part in (each for each in mine if each.what is What.TRAINER and queues):
        version = numbers(part.version)
        if version is None:
            yield rule.unjudged(addon.place, "Trainer's version")
        elif version < _LEAST or ("-" in str(part.version) and version == _LEAST):
            got = f"{part.name} {part.version} beside {queues[0]}, which knows TrainJobs of 2.0.0 and newer"
            yield rule.finding(addon.place, at="version", got=got, remedy="take 2.0.0 or newer")
