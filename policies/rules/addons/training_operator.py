"""The training operator: its schemes, and HyperPod's job auto-resume."""

from collections.abc import Iterator

from muster.blueprint.hyperpod.auto_resume import NEWEST, SUPPORTED_RELEASES
from muster.finding import Level
from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import Addon, Fleet
from muster.message_text import or_list
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.chart_contents import PartKind, release_of
from muster.policies.lookups.installed_addons import first_parts, parts_of
from muster.policies.lookups.versions import version_tuple


@rule(
    "training-operator-resumes-jobs",
    title="AWS states that HyperPod's job auto-resume works with the training operator's release",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=Addon,
    backends=ON_KUBERNETES,
    why="After HyperPod has replaced a node, its auto-resume restarts PyTorchJobs based on what the operator writes "
    "into them. AWS states the releases with which it expects this to work. Other releases are undocumented.",
    source=("https://github.com/aws/sagemaker-hyperpod-cli/blob/011ca927123e/helm_chart/readme.md",),
    remedy="Use a release that AWS states, or test the replacement of a node before you rely on it.",
    facts=("addons.md#conflicts",),
)
def training_operator_resumes_jobs(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    resuming = [each.name for each in first_parts(fleet, PartKind.AUTO_RESUME)]
    for part in (each for each in parts_of(addon) if each.what is PartKind.TRAINING_OPERATOR and resuming):
        version = release_of(part, part.version)
        if version not in map(version_tuple, SUPPORTED_RELEASES):
            release = "v" + ".".join(map(str, version))
            got = f"{part.name} is {release}, but AWS states auto-resume only for {or_list(SUPPORTED_RELEASES)}"
            at = f"{part.at}.image" if part.bundled else "version"
            yield rule.finding(addon, at, got=got, change=f"use {NEWEST}, or test it before you rely on it")
