"""The training operator: its schemes, and HyperPod's job auto-resume."""

from collections.abc import Iterator

from muster.blueprint.hyperpod.auto_resume import NEWEST, SUPPORTED_RELEASES
from muster.fleet.resources import Addon, Fleet
from muster.policies.engine.finding_text import or_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.chart_contents import PartKind, release_of
from muster.policies.lookups.installed_addons import first_parts, parts_of
from muster.policies.lookups.versions import version_tuple


def training_operator_resumes_jobs(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    resuming = [each.name for each in first_parts(fleet, PartKind.AUTO_RESUME)]
    for part in (each for each in parts_of(addon) if each.what is PartKind.TRAINING_OPERATOR and resuming):
        version = release_of(part, part.version)
        if version not in map(version_tuple, SUPPORTED_RELEASES):
            release = "v" + ".".join(map(str, version))
            got = f"{part.name} is {release}, but AWS states auto-resume only for {or_list(SUPPORTED_RELEASES)}"
            at = f"{part.at}.image" if part.bundled else "version"
            yield rule.finding(addon, at, got=got, change=f"use {NEWEST}, or test it before you rely on it")
