"""Two training operators."""

from collections.abc import Iterator

from muster.fleet.resources import Addon, Fleet
from policies.reading.part import What
from policies.reading.parts import before, parts_of
from policies.rule import Rule, Verdict, rule


@rule(
    "one-training-operator",
    title="One training operator runs PyTorchJobs",
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="Both watch the same jobs and make pods for them, and both bring the same CRDs, of two releases.",
    source="aws/sagemaker-hyperpod-cli charts/training-operators; kubeflow/trainer manifests/overlays/standalone",
    remedy="Leave one of them out.",
    facts=("rules.md#48", "pains.md#13", "addons.md#conflicts"),
)
def one_training_operator(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    for part in (each for each in mine if each.what is What.TRAINING_OPERATOR):
        for other in before(part, fleet):
            got = f"{part.what} comes with {part.name} and with {other.name}"
            yield rule.finding(addon.place, at=part.at, got=got, remedy=f"{part.without}, or {other.without}")
