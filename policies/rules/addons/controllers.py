"""Controllers of jobs: installed once, Kueue, the training operator, etcd."""

import json
import re
from collections.abc import Iterator, Mapping

from muster.addons.catalogue.kueue import FRAMEWORKS
from muster.blueprint.hyperpod.auto_resume import NEWEST, SUPPORTED_RELEASES
from muster.fleet.resources import Addon, Fleet
from muster.fleet.resources.eks import AddonKind
from muster.message_text import closest_match, or_list
from muster.plain_data import value_at
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.chart_contents import AddonPart, PartKind, release_of
from muster.policies.lookups.installed_addons import (
    Installed,
    by_eks,
    comes_before,
    conflicting_part,
    first_named,
    first_parts,
    name_of,
    parts_of,
    removal,
    source_kind,
)
from muster.policies.lookups.versions import version_tuple
from muster.unknown import NotKnown

_PARTS = (PartKind.FSX_CSI, PartKind.JOBSET, PartKind.KUEUE, PartKind.MPI_JOBS, PartKind.TRAINING_OPERATOR)
"""Parts that several charts contain."""
_CHARTS = frozenset(
    {
        "aws-efs-csi-driver",
        "aws-fsx-openzfs-csi-driver",
        "cert-manager",
        "gpu-operator",
        "hyperpod-helm-chart",
        "kubeflow-trainer",
        "kuberay-operator",
        "metrics-server",
        "volcano",
    }
)
"""Charts and EKS add-ons with cluster-wide objects under fixed names: CRDs, webhooks, an APIService. Several releases
of a device plugin may run on different nodes: one-plugin-per-device judges those."""


def operator_installed_once(addon: Installed, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if name_of(addon) in _CHARTS:
        yield from _second_release(addon, fleet, rule)
    mine = parts_of(addon)
    for index, part in enumerate(mine):
        if part.what in _PARTS and (other := conflicting_part(part, fleet) or _beside(part, mine[:index])):
            got = f"{part.name} and {other.name} both install {part.what}"
            yield rule.finding(addon, part.at, got=got, change=(part.without, other.without))


def _beside(part: AddonPart, earlier: tuple[AddonPart, ...]) -> AddonPart | None:
    """The first part of its kind in the same chart."""
    return next((each for each in earlier if each.what is part.what), None)


def _second_release(addon: Installed, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    # EKS installs an add-on once on a cluster: two of EKS's add-ons are on two clusters.
    first = [first_named(fleet).get((name_of(addon), eks)) for eks in ((False,) if by_eks(addon) else (False, True))]
    other = next((each for each in first if each and comes_before(each, addon, fleet)), None)
    if other is not None:
        one, two = f"{addon.ref.name} ({source_kind(addon)})", f"{other.ref.name} ({source_kind(other)})"
        got = f"{one} and {two} both install {name_of(addon)}"
        yield rule.finding(addon, got=got, change=tuple(map(removal, (addon, other))))


_OFF_SINCE = (0, 19, 0)
_FRAMEWORK = "kubeflow.org/pytorchjob"
_MPI_FRAMEWORK = "kubeflow.org/mpijob"
_FRAMEWORKS_OF = (0, 19, 2)
"""The version of Kueue that `FRAMEWORKS` was read from."""


def kueue_manages_training_jobs(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    kinds = {_FRAMEWORK: PartKind.TRAINING_OPERATOR, _MPI_FRAMEWORK: PartKind.MPI_JOBS}
    operators = {each: first.name for each, what in kinds.items() for first in first_parts(fleet, what)[:1]}
    for part in (each for each in parts_of(addon) if each.what is PartKind.KUEUE and addon.chart == "kueue"):
        given = value_at(part.values, *_CONFIGURATION)
        if isinstance(given, str):
            yield from _configured(rule, part, given, operators)
        elif _FRAMEWORK in operators and release_of(part, part.version) >= _OFF_SINCE:  # it manages MPIJobs by itself
            if addon.kind is AddonKind.MANIFEST:
                # Its configuration is in the manifest, where a program may have transformed it.
                raise NotKnown(f"the frameworks in the ConfigMap kueue-manager-config of {part.name}")
            yield _unmanaged(rule, part, _FRAMEWORK, operators)


_CONFIGURATION = ("managerConfig", "controllerManagerConfigYaml")
_AT = ".".join(("values", *_CONFIGURATION))


def _configured(rule: Rule, part: AddonPart, text: str, operators: Mapping[str, str]) -> Iterator[Verdict]:
    """The findings about a configuration in the values. With kinds of jobs that Kueue does not know, its manager does
    not start; a newer Kueue may know more."""
    frameworks = _frameworks(text)
    if frameworks is None:
        got = f"the configuration of {part.name} is not YAML that Kueue can read, so its manager does not start"
        yield rule.finding(part.addon, _AT, got=got, change="write it as in the chart's own values")
        return
    yield from (_unmanaged(rule, part, each, operators) for each in operators if each not in frameworks)
    version = version_tuple(part.version)
    newer = version is None or version > _FRAMEWORKS_OF
    for each in sorted(frameworks - set(FRAMEWORKS)):
        near = closest_match(each, FRAMEWORKS)
        if near or not newer:
            got = f"the configuration of {part.name} lists {each}, a kind of job that Kueue does not know"
            change = f"write {near or 'a kind that Kueue knows, such as batch/job or pod'}"
            yield (rule.advice if newer else rule).finding(part.addon, _AT, got=got, change=change)


def _unmanaged(rule: Rule, part: AddonPart, framework: str, operators: Mapping[str, str]) -> Verdict:
    got = f"{part.name} does not manage the jobs of {operators[framework]}: its configuration does not list {framework}"
    change = f'add "{framework}" to integrations.frameworks in managerConfig.controllerManagerConfigYaml'
    return rule.advice.finding(part.addon, "values", got=got, change=change)


def _frameworks(text: str) -> set[str] | None:
    """The kinds of jobs that a configuration lists; None if Kueue cannot read it."""
    import yaml  # noqa: PLC0415  (only descriptions with Kueue need it: check must be fast)

    try:
        given = yaml.safe_load(text)
        named = ((given or {}).get("integrations") or {}).get("frameworks") or []
    except (yaml.YAMLError, AttributeError):
        return None
    return {str(each).lower() for each in named} if isinstance(named, list) and isinstance(given, Mapping) else None


def training_operator_resumes_jobs(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    resuming = [each.name for each in first_parts(fleet, PartKind.AUTO_RESUME)]
    for part in (each for each in parts_of(addon) if each.what is PartKind.TRAINING_OPERATOR and resuming):
        version = release_of(part, part.version)
        if version not in map(version_tuple, SUPPORTED_RELEASES):
            release = "v" + ".".join(map(str, version))
            got = f"{part.name} is {release}, but AWS states auto-resume only for {or_list(SUPPORTED_RELEASES)}"
            at = f"{part.at}.image" if part.bundled else "version"
            yield rule.finding(addon, at, got=got, change=f"use {NEWEST}, or test it before you rely on it")


_GONE = (3, 6)
_FLAG = re.compile(
    r"""(?<![a-z])enable[-_]v2[\\"']*(?:\s*(?:[=:]|,\s*"value":)[\s\\"']*(?P<said>\w*))?""", re.IGNORECASE
)
"""A flag of the program, an environment variable, or a line of its configuration file, in the values as JSON."""
_ON = frozenset({"1", "t", "true"})


def etcd_speaks_v2(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for part in (each for each in parts_of(addon) if each.what is PartKind.ETCD and _for_torchx(each)):
        if release_of(part, part.version) >= _GONE:
            at = "version" if addon.kind is not AddonKind.CHART else part.at
            got = f"{part.name} runs etcd {part.version}, which does not have the v2 API that TorchX's rendezvous uses"
            yield rule.finding(addon, at, got=got, change="use v3.5.x, started with --enable-v2=true")


def _for_torchx(part: AddonPart) -> bool:
    """Whether an etcd is for TorchX: Muster's own add-on is, a chart's is if its values turn the v2 API on."""
    addon = part.addon
    flags = _FLAG.finditer(json.dumps(part.values, default=str))
    return isinstance(addon, Addon) and (
        addon.kind is not AddonKind.CHART
        or any(found["said"] is None or found["said"].lower() in _ON for found in flags)
    )
