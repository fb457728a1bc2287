"""The kinds of jobs that a training operator is told to run against those its release knows."""

from collections.abc import Iterator

from muster.fleet.resources import Addon, Fleet
from policies.reading.part import What
from policies.reading.parts import parts_of
from policies.reading.unknowns import found_at
from policies.reading.versions import numbers
from policies.rule import Rule, Verdict, rule

_GONE, _SINCE = "mxjob", (1, 9, 0)


@rule(
    "training-operator-knows-schemes",
    title="The training operator knows the schemes it is started with",
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="HyperPod's chart starts it with mxjob, which 1.9.0 dropped: a newer image ends at once with 'scheme mxjob is "
    "not supported yet', and no PyTorchJob ever starts.",
    source="kubeflow/trainer pkg/controller.v1/register_controller.go at v1.8.1 and v1.9.0; HyperPodHelmChart "
    "charts/training-operators/values.yaml",
    remedy="Give the schemes without mxjob beside the newer image.",
    facts=("pains.md#13", "addons.md#conflicts"),
)
def training_operator_knows_schemes(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    for part in (each for each in mine if each.what is What.TRAINING_OPERATOR and each.bundled):
        schemes = found_at(part.values, "schemes") or ()
        version = numbers(part.version)
        if _GONE not in schemes or (version is not None and version < _SINCE):
            continue
        if version is None:
            tag = found_at(part.values, "image", "tag")
            yield rule.unjudged(addon.place, f"the release of the training operator's image '{tag}'")
            continue
        left = ", ".join(each for each in schemes if each != _GONE)
        yield rule.finding(
            addon.place,
            at=part.at,
            got=f"the training operator of {part.name} is {part.version} and is started with {_GONE}, gone since 1.9.0",
            remedy=f"set training-operators.schemes: [{left}]",
        )
