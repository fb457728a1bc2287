"""What a GitOps tool applies, whichever it is: charts, overlays and objects, each after others. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from posixpath import join, normpath
from typing import NamedTuple

from muster.addons import overlay
from muster.addons.addon import Chart, Json, OwnObjects, Patched
from muster.addons.context import AddonContext, Volume
from muster.addons.installation_order import KEPT_KINDS, InstallStep, install_order
from muster.addons.releases import Release, of_addon, of_chart
from muster.addons.values import version_of
from muster.finding import WrongInput
from muster.plain_data import merged

Files = dict[str, list[Json]]
"""Path in the folder -> the YAML documents of the file."""

OVERLAY, OBJECTS = "kustomization.yaml", "objects.yaml"

_NEVER_DELETED = {
    "argocd.argoproj.io/sync-options": "Prune=false,Delete=false",
    "kustomize.toolkit.fluxcd.io/prune": "disabled",
    "helm.sh/resource-policy": "keep",
}
"""Annotations by which each tool keeps an object."""


class Target(NamedTuple):
    """Where the files are, and the cluster that they are for."""

    name: str
    """The cluster's name in AWS."""
    repository: str = ""
    """The address of the Git repository that has the files."""
    path: str = "."
    """The folder of the files in the repository."""
    destination: str = ""
    """The name by which an Argo CD on another cluster knows this one; empty where Argo CD runs on it."""

    def folder(self, name: str) -> str:
        """The path in the repository of a folder below."""
        return normpath(join(self.path.strip("/"), name))


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that is applied as a whole: a release, or the files of a folder."""

    name: str
    namespace: str
    after: tuple[str, ...]
    """Parts that come before it."""
    release: Release | None = None
    files: Mapping[str, list[Json]] = field(default_factory=dict)
    """Of a folder: name -> documents."""
    kept: bool = False
    """Whether it stays on the cluster when it is removed from the description."""


def parts(context: AddonContext, tool: str) -> tuple[Part, ...]:
    """What a tool applies, each part after those that it names.

    Args:
        context: the cluster.
        tool: a value of `installed-by`.

    Raises:
        ValueError: a value is known only after `pulumi up`; the message has the remedy.
    """
    here = context.own.applied_by(tool)

    def charts(after: tuple[str, ...], *, before_addons: bool) -> list[Part]:
        listed = here.other_charts(before_addons=before_addons).items()
        return [Part(name, chart.namespace, after, of_chart(name, chart, here)) for name, chart in listed]

    made = charts((), before_addons=True)
    early = tuple(each.name for each in made)
    last: dict[str, str] = {}
    """Add-on -> its part that comes last."""
    for step in install_order(context):
        if here.has(step.addon.name):
            after = (*early, *(last[each] for each in step.after if each in last))
            made += _of_addon(step, context, after)
            last[step.addon.name] = made[-1].name
    made += charts((*early, *last.values()), before_addons=False)
    _require_known(made, context)
    return tuple(made)


def _of_addon(step: InstallStep, context: AddonContext, after: tuple[str, ...]) -> Iterator[Part]:
    """The chart or manifest of an add-on, then the objects that Muster makes, which go with the description's entry
    also where the add-on stays: a queue that stayed would offer nodes twice.

    The name of objects has a dot: no chart can have it.
    """
    addon = step.addon
    options = context.chosen[addon.name]
    version, source = version_of(addon, options), addon.source
    first = Part(addon.name, addon.namespace, after, kept=addon.is_kept(options))
    if isinstance(source, Chart):
        yield replace(first, release=of_addon(addon, context))
    elif isinstance(source, Patched):
        yield replace(first, files={OVERLAY: [overlay.document(source, version, context)]})
    before = after if isinstance(source, OwnObjects) else (addon.name,)
    for depth, objects in _by_depth(addon.objects(context)).items():
        name = f"{addon.name}.objects{depth or ''}"
        yield Part(name, addon.namespace, before, files={OBJECTS: objects})
        before = (name,)


def _by_depth(objects: Iterable[Json]) -> dict[int, list[Json]]:
    """Muster's objects by the number of those above them, which Volcano's webhook looks up."""
    depths: dict[str, int] = {}
    found: dict[int, list[Json]] = {}
    for each in objects:
        depth = depths[each["metadata"]["name"]] = depths.get(each.get("spec", {}).get("parent"), -1) + 1
        keep = {"metadata": {"annotations": _NEVER_DELETED}} if each["kind"] in KEPT_KINDS else {}
        found.setdefault(depth, []).append(merged(each, keep))
    return dict(sorted(found.items()))


def _require_known(made: list[Part], context: AddonContext) -> None:
    """Refuses what a blueprint has instead of a value of AWS: ``id of scratch``. No value of AWS has a space."""
    values = (getattr(each, part.name) for each in context.volumes for part in fields(Volume))
    unknown = sorted({each for each in values if isinstance(each, str) and " " in each})
    for part in made:
        written = str((part.files, part.release))
        for each in unknown:
            if each in written:
                remedy = "save `pulumi stack output --json` of the cluster's stack, and give the file as --outputs"
                raise WrongInput(f"{part.name} needs the {each}, which exists only after `pulumi up`; {remedy}")


def folders(parts: Iterable[Part]) -> Files:
    """The files of all folders, by their paths."""
    return {f"{part.name}/{name}": documents for part in parts for name, documents in part.files.items()}


def thing(kind: str, name: str, namespace: str, spec: Json) -> Json:
    """An object of a tool; the kind is written as ``helm.toolkit.fluxcd.io/v2/HelmRelease``."""
    version, _, kind = kind.rpartition("/")
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, "namespace": namespace}, "spec": spec}
