"""Kueue's version and the kinds of jobs it manages."""

from collections.abc import Iterator, Mapping

from muster.addons.catalogue.kueue import FRAMEWORKS
from muster.fleet.resources import Addon, Fleet
from muster.fleet.resources.eks import AddonKind
from muster.message_text import closest_match
from muster.plain_data import value_at
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.chart_contents import AddonPart, PartKind, release_of
from muster.policies.lookups.installed_addons import first_parts, parts_of
from muster.policies.lookups.versions import version_tuple
from muster.unknown import NotKnown

_OFF_SINCE = (0, 19, 0)
_FRAMEWORK = "kubeflow.org/pytorchjob"
_MPI_FRAMEWORK = "kubeflow.org/mpijob"
_FRAMEWORKS_OF = (0, 19, 2)
"""The version of Kueue that `FRAMEWORKS` was read from."""


def kueue_manages_training_jobs(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    training = [each.name for each in first_parts(fleet, PartKind.TRAINING_OPERATOR)]
    mpi = [each.name for each in first_parts(fleet, PartKind.MPI_JOBS)]
    for part in (each for each in parts_of(addon) if each.what is PartKind.KUEUE and addon.chart == "kueue"):
        given = value_at(part.values, *_CONFIGURATION)
        if isinstance(given, str):
            yield from _judged_configuration(rule, part, given, {_FRAMEWORK: training, _MPI_FRAMEWORK: mpi})
            yield from _unknown_frameworks(rule, part, given, version_tuple(part.version))
        elif training and release_of(part, part.version) >= _OFF_SINCE:  # Kueue manages MPIJobs by itself
            if addon.kind is AddonKind.MANIFEST:
                # Its configuration is in the manifest, where a program may have transformed it.
                raise NotKnown(f"the frameworks in the ConfigMap kueue-manager-config of {part.name}")
            yield _finding(rule, part, training[0], f"by default, version {part.version} does not include")


_CONFIGURATION = ("managerConfig", "controllerManagerConfigYaml")


def _judged_configuration(
    rule: Rule, part: AddonPart, text: str, operators: Mapping[str, list[str]]
) -> Iterator[Verdict]:
    """The findings about a configuration in the values.

    Args:
        rule: the rule.
        part: Kueue.
        text: the configuration.
        operators: framework -> the add-ons that run its jobs.
    """
    frameworks = _frameworks(text)
    if frameworks is None:
        got = f"the configuration of {part.name} is not YAML that Kueue can read, so its manager does not start"
        at = ".".join(("values", *_CONFIGURATION))
        yield rule.finding(part.addon, at, got=got, change="write it as in the chart's own values")
        return
    for framework, running in operators.items():
        if running and framework not in frameworks:
            yield _finding(rule, part, running[0], "its configuration does not list", framework)


def _unknown_frameworks(rule: Rule, part: AddonPart, text: str, version: tuple[int, ...] | None) -> Iterator[Verdict]:
    """Kinds of jobs that Kueue does not know: with them, its manager does not start. A newer Kueue may know more."""
    newer = version is None or version > _FRAMEWORKS_OF
    for each in sorted((_frameworks(text) or set()) - set(FRAMEWORKS)):
        near = closest_match(each, FRAMEWORKS)
        if near or not newer:
            got = f"the configuration of {part.name} lists {each}, a kind of job that Kueue does not know"
            remedy = (
                f"write {near}" if near else "remove it, or write a kind that Kueue knows, such as batch/job or pod"
            )
            level = rule.advice if newer else rule
            yield level.finding(part.addon, ".".join(("values", *_CONFIGURATION)), got=got, change=remedy)


def _frameworks(text: str) -> set[str] | None:
    """The kinds of jobs that a configuration lists; None if Kueue cannot read it."""
    import yaml  # noqa: PLC0415  (only descriptions with Kueue need it: check must be fast)

    try:
        given = yaml.safe_load(text)
        named = ((given or {}).get("integrations") or {}).get("frameworks") or []
    except (yaml.YAMLError, AttributeError):
        return None
    return {str(each).lower() for each in named} if isinstance(named, list) and isinstance(given, Mapping) else None


def _finding(rule: Rule, part: AddonPart, operator: str, what: str, framework: str = _FRAMEWORK) -> Verdict:
    got = f"{part.name} does not manage the jobs of {operator}: {what} {framework}"
    change = f'add "{framework}" to integrations.frameworks in managerConfig.controllerManagerConfigYaml'
    return rule.advice.finding(part.addon, "values", got=got, change=change)
