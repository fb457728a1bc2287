"""What a GitOps tool applies, whichever it is: charts, overlays and objects, each after others. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

from muster.addons import overlay
from muster.addons.addon import Addon, Chart, Json, Kustomization, Manifest
from muster.addons.context import AddonContext, Volume
from muster.addons.installation_order import KEPT_KINDS, InstallStep, install_order
from muster.addons.manifest_patches import added
from muster.addons.namespaces import OF_EVERY_CLUSTER
from muster.addons.releases import Release, of_addon, of_chart
from muster.addons.values import values_of, version_of

Files = dict[str, list[Json] | str]
"""Path in the folder -> the YAML documents of the file, or its text."""


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


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that is applied as a whole: a release, or the files of a folder."""

    name: str
    namespace: str
    after: tuple[str, ...]
    """Parts that come before it."""
    release: Release | None = None
    files: Mapping[str, list[Json]] | None = None
    """Of a folder: name -> documents."""
    kept: bool = False
    """Whether it stays on the cluster when it is removed from the description."""

    @property
    def makes_namespace(self) -> bool:
        """Whether the tool creates its namespace, if it does not exist."""
        return self.namespace not in OF_EVERY_CLUSTER


def parts(context: AddonContext, tool: str) -> tuple[Part, ...]:
    """What a tool applies, each part after those that it names.

    Args:
        context: the cluster.
        tool: a value of `installed-by`.

    Raises:
        ValueError: a value is known only after `pulumi up`, or two parts have one name; the message has the remedy.
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
            made += (own := list(_of_addon(step, context, after)))
            last[step.addon.name] = own[-1].name
    made += charts((*early, *last.values()), before_addons=False)
    _require_known(made, context)
    return tuple(made)


def _of_addon(step: InstallStep, context: AddonContext, after: tuple[str, ...]) -> Iterator[Part]:
    """The chart or manifest of an add-on, then the objects that Muster makes."""
    addon = step.addon
    options = context.chosen[addon.name]
    version, source, kept = version_of(addon, options), addon.source, addon.is_kept(options)
    first = Part(addon.name, addon.namespace, after, kept=kept)
    if isinstance(source, Chart):
        yield replace(first, release=of_addon(addon, context))
    elif isinstance(source, Manifest | Kustomization):
        over = _overlay(addon, source, version, context)
        yield replace(first, files={"kustomization.yaml": [overlay.document(over, version, context)]})
    else:
        yield from _of_objects(addon.name, first, addon.objects(context))
        return
    yield from _of_objects(f"{addon.name}-objects", replace(first, after=(addon.name,)), addon.objects(context))


def _overlay(addon: Addon, source: Manifest | Kustomization, version: str, context: AddonContext) -> Kustomization:
    """An overlay over a manifest, which kustomize also takes as a base. No pinned manifest has tolerations itself."""
    if isinstance(source, Kustomization):
        return source
    tolerations = values_of(addon, context).get("tolerations")
    patches = (added("Deployment", ".*", {"/spec/template/spec/tolerations": tolerations}),) if tolerations else ()
    return Kustomization(source.address, lambda _: patches, {version: source.images_of(version)}, source.values)


def _of_objects(name: str, like: Part, objects: Iterable[Json]) -> Iterator[Part]:
    """Muster's objects: in one part, or in several if one is below another, which Volcano's webhook looks up.

    They go with the description's entry, also where the add-on stays: a queue that stayed would offer nodes twice.
    """
    depths: dict[str, int] = {}
    stages: dict[int, list[Json]] = {}
    for each in objects:
        depth = depths.get(each.get("spec", {}).get("parent"), -1) + 1
        depths[each["metadata"]["name"]] = depth
        stages.setdefault(depth, []).append(each)
    after = like.after
    for depth, listed in sorted(stages.items()):
        called = f"{name}-{depth + 1}" if depth else name
        yield replace(like, name=called, after=after, files={"objects.yaml": listed}, kept=False)
        after = (called,)


def _require_known(made: list[Part], context: AddonContext) -> None:
    """Refuses what a blueprint has instead of a value of AWS: ``id of scratch``. No value of AWS has a space."""
    for name, number in Counter(each.name for each in made).items():
        if number > 1:
            raise ValueError(f"a chart has the name {name}, which is also that of Muster's objects; rename it")
    values = (getattr(each, part.name) for each in context.volumes for part in fields(Volume))
    unknown = {each for each in values if isinstance(each, str) and " " in each}
    for part in made:
        written = str((part.files, part.release))
        for each in sorted(unknown):
            if each in written:
                remedy = "save `pulumi stack output --json` of the cluster's stack, and give the file as --outputs"
                raise ValueError(f"{part.name} needs the {each}, which exists only after `pulumi up`; {remedy}")


def marked(thing: Json, annotation: str, value: str) -> Json:
    """An object that the tool must not delete, because others also put objects into it; other objects as they are."""
    if thing["kind"] not in KEPT_KINDS:
        return thing
    metadata = thing["metadata"]
    return {**thing, "metadata": {**metadata, "annotations": {**metadata.get("annotations", {}), annotation: value}}}


def folder_of(part: Part, annotation: str, value: str) -> Files:
    """The files of a part's folder, by their paths."""
    return {
        f"{part.name}/{name}": [marked(each, annotation, value) for each in documents]
        for name, documents in (part.files or {}).items()
    }
