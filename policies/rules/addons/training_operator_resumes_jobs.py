"""The training operator's release against HyperPod's job auto-resume."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.hyperpod.auto_resume import NEWEST, STATED
from muster.fleet.resources import Addon, Fleet
from policies.reading.part import What
from policies.reading.parts import parts, parts_of
from policies.reading.versions import numbers
from policies.rule import Rule, Severity, Verdict, rule
from policies.words import choice


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
    resuming = [each.name for each in parts(fleet, What.AUTO_RESUME)]
    for part in (each for each in mine if each.what is What.TRAINING_OPERATOR and resuming):
        if (version := numbers(part.version)) is None:
            yield rule.unjudged(addon.place, f"the release of {part.what} of {part.name}")
        elif version not in map(numbers, STATED):
            said = "v" + ".".join(map(str, version))
            got = f"{part.name} {said} beside {resuming[0]}: auto-resume is stated for {choice(STATED)}"
            at = f"{part.at}.image" if part.bundled else "version"
            yield rule.finding(addon.place, at=at, got=got, remedy=f"take {NEWEST}, or try it before you rely on it")
