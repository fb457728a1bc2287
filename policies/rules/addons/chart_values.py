"""Values of an add-on, compared with its chart: keys that it does not read, images that are older than it."""

import re
from collections.abc import Iterator, Mapping

from muster.addons.chart_values import ChartKeys, UnknownKey, chart_keys
from muster.finding import Level
from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import Addon, Fleet
from muster.fleet.resources.eks import AddonKind
from muster.message_text import closest_match
from muster.plain_data import value_at
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.chart_contents import PartKind
from muster.policies.lookups.installed_addons import catalogued, parts
from muster.policies.lookups.scheduling import node_kinds
from muster.policies.lookups.versions import EFA_IMAGE_KNOWS_P6, KUEUE_V1BETA2_SINCE, TRAINER_OF_KUEUE, version_tuple
from muster.unknown import UNKNOWN
from muster.versions import ADDONS

_WHY = "Helm ignores a key that no template reads: the release succeeds, and the chart's default still applies."
_SOURCE = "Helm guide, values files; values.yaml and templates of the charts, addons/catalogue/chart_values.json"


@rule(
    "addon-values-known",
    title="An add-on's chart reads all values that are set",
    severity=Severity.MEDIUM,
    judges=Addon,
    backends=ON_KUBERNETES,
    why=_WHY,
    source=_SOURCE,
    remedy="Write the key as in the chart's own values, or remove it.",
    facts=("addons.md#surprises-12",),
)
def addon_values_known(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    keys = _keys_of(addon)
    if keys is None or not _is_exact(addon, keys):
        return
    if addon.values is UNKNOWN:
        yield rule.unjudged(addon.place, "its values")
        return
    for each in keys.unknown(addon.values):
        path = ".".join(each.path)
        got = f"chart {addon.chart} {addon.version} does not read the value `{path}`, so Helm ignores it"
        yield rule.finding(addon.place, at=f"values.{path}", got=got, remedy=_remedy(each, keys))


@rule(
    "addon-values-known-nearby",
    title="A chart of another version probably reads all values that are set",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=Addon,
    backends=ON_KUBERNETES,
    why=_WHY + " Muster knows the keys of another version of this chart, or of a chart of this name: they may differ.",
    source=_SOURCE,
    remedy="Compare the key with the values of the chart's version (`helm show values`).",
    facts=("addons.md#surprises-12",),
)
def addon_values_known_nearby(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    keys = _keys_of(addon)
    if keys is None or addon.values is UNKNOWN or _is_exact(addon, keys):
        return
    for each in keys.unknown(addon.values):
        path = ".".join(each.path)
        got = f"chart {addon.chart} {keys.version} does not read the value `{path}`"
        remedy = f"{_remedy(each, keys)}; `helm show values` prints the values of {addon.version}"
        yield rule.finding(addon.place, at=f"values.{path}", got=got, remedy=remedy)


@rule(
    "addon-image-of-its-chart",
    title="The images of an add-on are not older than its chart",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=Addon,
    backends=ON_KUBERNETES,
    why="A chart is made for the image of its release, with its flags, configuration, CRDs and permissions. An "
    "older image may not know them, and has the bugs that newer releases fix.",
    source="Helm guide, values files; addons/catalogue/chart_values.json (appVersion of Chart.yaml)",
    remedy="Remove the tag, or set `version` to the chart's release that has this image.",
    facts=("addons.md#add-ons",),
    leaves_to=("efa-plugin-knows-p6", "kueue-knows-trainer", "kueue-serves-its-queues"),
)
def addon_image_of_its_chart(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    keys = _keys_of(addon)
    if keys is None or not _is_exact(addon, keys) or addon.values is UNKNOWN:
        return
    for path, own in keys.tags.items():
        given = value_at(addon.values, *path.split("."))
        set_, least = version_tuple(given), version_tuple(own)
        if set_ and least and set_[:2] < least[:2] and not _reported(addon, set_, fleet, rule):
            got = f"the image tag is {given}, but chart {addon.chart} {addon.version} is made for {own}"
            remedy = "remove the tag, or set `version` to the chart's release that has this image"
            yield rule.finding(addon.place, at=f"values.{path}", got=got, remedy=remedy)


_BARE = re.compile(r"[0-9]+\.[0-9]")
_TAGS_ELSEWHERE: Mapping[str, tuple[str, ...]] = {"volcano": ("basic.image_tag_version",)}
"""Add-on -> paths of tags that have no default."""


@rule(
    "addon-image-tag-exists",
    title="The tag of an add-on's image has the format of its project's tags",
    judges=Addon,
    backends=ON_KUBERNETES,
    why="If the project publishes v0.20.0, no image has the tag 0.20.0: the pods end in ImagePullBackOff.",
    source="muster/versions.py, the images of the add-ons' projects; NVIDIA/k8s-device-plugin v0.20.0, README.md",
    remedy="Write the tag with its v, or remove it.",
    facts=("addons.md#add-ons",),
)
def addon_image_tag_exists(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    keys, known = _keys_of(addon), catalogued(addon)
    if keys is None or known is None or addon.values is UNKNOWN:
        return
    own = [each.reference.rpartition(":")[2] for each in ADDONS[known.name].images]
    if not own or not all(each.startswith("v") for each in own):
        return
    for path in (*list(keys.tags)[:1], *_TAGS_ELSEWHERE.get(known.name, ())):
        *above, _ = path.split(".")
        given = value_at(addon.values, *path.split("."))
        mirrored = any(value_at(addon.values, *above, key) is not None for key in ("repository", "image_registry"))
        if isinstance(given, str) and _BARE.match(given) and not mirrored:
            got = f"the image tag is {given}, but the project of {addon.ref.name} publishes v{given}"
            yield rule.finding(addon.place, at=f"values.{path}", got=got, remedy=f"write v{given}, or remove the tag")


_EKS_VERSION = re.compile(r"v?\d+\.\d+\.\d+-eksbuild\.\d+")


@rule(
    "addon-version-of-its-form",
    title="The version of an add-on is one of an EKS add-on, or one of a chart, depending on how it is installed",
    judges=Addon,
    backends=ON_KUBERNETES,
    why="EKS rejects a version of an add-on that DescribeAddonVersions does not list. All listed versions have the "
    "format vX.Y.Z-eksbuild.N, and no chart has such a version.",
    source="EKS API, CreateAddon (addonVersion) and DescribeAddonVersions",
    remedy="Write a version that `aws eks describe-addon-versions` lists, or remove it.",
    facts=("addons.md#add-ons",),
)
def addon_version_of_its_form(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if catalogued(addon) is None or not isinstance(addon.version, str) or addon.installed_by is not None:
        return
    of_eks = _EKS_VERSION.fullmatch(addon.version) is not None
    if addon.kind is AddonKind.EKS_ADDON and not of_eks:
        got = f"{addon.version} is not a version of an EKS add-on"
        remedy = (
            f"use a version that `aws eks describe-addon-versions --addon-name {addon.chart}` lists, for example "
            "v1.2.3-eksbuild.1"
        )
        yield rule.finding(addon.place, at="version", got=got, remedy=remedy)
    elif addon.kind is AddonKind.CHART and of_eks:
        got = f"{addon.version} is a version of an EKS add-on, but {addon.ref.name} is installed from its chart"
        yield rule.finding(addon.place, at="version", got=got, remedy="write a version of the chart, or remove it")


def _reported(addon: Addon, version: tuple[int, ...], fleet: Fleet, rule: Rule) -> bool:
    """Whether another rule finds a fault in this version of the image."""
    if addon.chart == "kueue":
        return version < KUEUE_V1BETA2_SINCE and rule.leaves("kueue-serves-its-queues")
    if addon.chart == "kubeflow-trainer":
        beside_kueue = any(parts(fleet, PartKind.KUEUE))
        return beside_kueue and version < TRAINER_OF_KUEUE and rule.leaves("kueue-knows-trainer")
    on_p6 = any(spot.machine.efa_lookalikes for spot in node_kinds(fleet))
    of_efa = addon.chart == "aws-efa-k8s-device-plugin" and version < EFA_IMAGE_KNOWS_P6
    return of_efa and on_p6 and rule.leaves("efa-plugin-knows-p6")


def _keys_of(addon: Addon) -> ChartKeys | None:
    if addon.kind is not AddonKind.CHART or addon.installed_by is not None or not isinstance(addon.chart, str):
        return None
    return chart_keys(addon.chart)


def _is_exact(addon: Addon, keys: ChartKeys) -> bool:
    """Whether the keys are those of exactly its chart: in another program, another chart may have this name."""
    return catalogued(addon) is not None and keys.is_of(addon.version)


def _remedy(unknown: UnknownKey, keys: ChartKeys) -> str:
    *above, key = unknown.path
    if close := closest_match(key, unknown.siblings):
        return f"write `{'.'.join((*above, close))}`, or remove it"
    elsewhere = keys.paths_ending_in(key)
    if len(elsewhere) == 1:
        return f"write `{elsewhere[0]}`, or remove it"
    return "remove it, or write it as in the chart's own values"
