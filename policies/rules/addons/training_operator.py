"""The training operator: its schemes, and HyperPod's job auto-resume."""

from collections.abc import Iterator

from muster.blueprint.hyperpod.auto_resume import NEWEST, SUPPORTED_RELEASES
from muster.finding import Level
from muster.fleet.resources import Addon, Fleet
from muster.plain_data import value_at
from policies.engine.finding_text import or_list
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.chart_contents import PartKind
from policies.lookups.installed_addons import parts, parts_of
from policies.lookups.versions import version_tuple

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
    for part in (each for each in mine if each.what is PartKind.TRAINING_OPERATOR and each.bundled):
        schemes = value_at(part.values, "schemes") or ()
        version = version_tuple(part.version)
        if _GONE not in schemes or (version is not None and version < _SINCE):
            continue
        if version is None:
            tag = value_at(part.values, "image", "tag")
            yield rule.unjudged(addon.place, f"the release of the training operator's image '{tag}'")
            continue
        left = ", ".join(each for each in schemes if each != _GONE)
        yield rule.finding(
            addon.place,
            at=part.at,
            got=f"the training operator of {part.name} is {part.version} and is started with {_GONE}, gone since 1.9.0",
            remedy=f"set training-operators.schemes: [{left}]",
        )


@rule(
    "training-operator-resumes-jobs",
    title="HyperPod's job auto-resume is stated to work with the training operator's release",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="After HyperPod has replaced a node, its auto-resume starts PyTorchJobs again by what the operator writes into "
    "them. AWS states the releases it expects that to work with; of others nobody says anything.",
    source="aws/sagemaker-hyperpod-cli helm_chart/readme.md, Notes",
    remedy="Take a release that AWS states, or try a node's replacement before you rely on it.",
    facts=("addons.md#conflicts",),
)
def training_operator_resumes_jobs(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    resuming = [each.name for each in parts(fleet, PartKind.AUTO_RESUME)]
    for part in (each for each in mine if each.what is PartKind.TRAINING_OPERATOR and resuming):
        if (version := version_tuple(part.version)) is None:
            yield rule.unjudged(addon.place, f"the release of {part.what} of {part.name}")
        elif version not in map(version_tuple, SUPPORTED_RELEASES):
            release = "v" + ".".join(map(str, version))
            got = f"{part.name} {release} beside {resuming[0]}: auto-resume is stated for {or_list(SUPPORTED_RELEASES)}"
            at = f"{part.at}.image" if part.bundled else "version"
            yield rule.finding(addon.place, at=at, got=got, remedy=f"take {NEWEST}, or try it before you rely on it")
