"""Finds an add-on's chart in a place, renders it with values, and says in what it is not what was asked for."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

from addons.addon import Addon, Chart, EksAddon, Kustomization, Manifest, OwnObjects
from addons.charts.address import Mirror, Online
from addons.charts.documents import documents
from addons.charts.faults import ChartFault, NoChart
from addons.charts.folder import Folder
from addons.charts.helm import Helm, HelmSaysNo, Release, helm
from addons.charts.metadata import chart_version
from addons.charts.place import Found, Place
from addons.charts.rendered import Json, Rendered, installed
from addons.charts.versions import same
from addons.images import with_image
from addons.patched import patched
from addons.tolerated import with_tolerations

ONLINE = "online"


@dataclass(frozen=True, slots=True)
class Charts:
    """The charts of one place."""

    place: Place

    @classmethod
    def at(cls, where: str) -> Self:
        """The place that a user names.

        Args:
            where: a folder; ``online``: each add-on's own repository; ``https://`` or ``http://`` and the address of an
                index that has the charts; ``oci://`` and the registry that has them. A folder of the name `online` is
                ``./online``.

        Raises:
            ChartFault: there is no such folder.
        """
        if where == ONLINE:
            return cls(Online())
        if where.startswith(("https://", "http://", "oci://")):
            return cls(Mirror(where.rstrip("/")))
        folder = Path(where).expanduser()
        if not folder.is_dir():
            raise ChartFault(
                f"--charts '{where}': there is no such folder; give a folder with charts, the address of a mirror "
                f"(https:// or oci://), or {ONLINE}"
            )
        return cls(Folder(folder))

    def rendered(self, addon: Addon, version: str, values: Mapping[str, Any], kubernetes: str) -> Rendered:
        """What an installation of the add-on puts on a cluster.

        Args:
            addon: of the catalogue.
            version: the version that is asked for. Another one is taken where a folder has no better; a note says so.
            values: for the chart (`addons.values.values_of`); a manifest takes none.
            kubernetes: ``1.35``.

        Raises:
            NoChart: the place has none for this add-on.
            ChartFault: it has one, but it cannot be rendered; or the place cannot be asked.
        """
        source = addon.source
        if isinstance(source, EksAddon):
            raise NoChart(f"{addon.name} is an EKS add-on: EKS has its chart, and publishes none")
        if isinstance(source, OwnObjects):
            raise NoChart(f"{addon.name} has no chart: it is made of objects of Muster's own")
        with TemporaryDirectory(prefix="muster-") as scratch:
            found = self.place.find(addon, version, Path(scratch))
            if isinstance(source, Chart):
                release = Release(source.release or source.name, addon.namespace, values, kubernetes)
                return _from_chart(addon, source.name, found, version, release)
            return _from_manifest(addon, source, found, version, values)


def _from_manifest(
    addon: Addon, manifest: Manifest | Kustomization, found: Found, version: str, values: Mapping[str, Any]
) -> Rendered:
    try:
        text = found.path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise ChartFault(f"{addon.name}: {found.shown} cannot be read: {fault}") from fault
    images = manifest.images_of(version)
    objects = tuple(
        (with_image(each, images) if each["kind"] == "Deployment" else None) or each
        for each in _settled(addon, manifest, _objects(addon, text, found, "fetch it again"), values, found)
    )
    notes = tuple(_other_version(addon, found.version, version))
    return Rendered(objects, _source("manifest", addon.name, found.version, found), found.version, notes)


def _settled(
    addon: Addon, manifest: Manifest | Kustomization, objects: Iterable[Json], values: Mapping[str, Any], found: Found
) -> Iterable[Json]:
    """With what Muster sets in it. Of an overlay a place has what its base comes to."""
    if isinstance(manifest, Manifest):
        return [_tolerating(each, values.get("tolerations", ())) for each in objects]
    try:
        return patched(objects, manifest.patches(dict(values)))
    except (LookupError, TypeError, ValueError) as fault:
        base = f"render its base again (kubectl kustomize '{manifest.base_of('VERSION')}')"
        raise ChartFault(
            f"{addon.name}: {found.shown} is not what Muster's patches are for: {fault}; {base}"
        ) from fault


def _tolerating(thing: Json, tolerations: Iterable[Mapping[str, Any]]) -> Json:
    return with_tolerations(thing, tolerations) if thing["kind"] == "Deployment" else thing


def _from_chart(addon: Addon, chart: str, found: Found, version: str, release: Release) -> Rendered:
    try:
        own = chart_version(found.path)
    except ValueError as fault:
        raise ChartFault(f"{addon.name}: {found.shown} is no chart: {fault}; fetch it again") from fault
    engine = helm()
    look = f"look at addons.{addon.name}.values in the stack file, or leave --charts out for a stand-in"
    try:
        text = engine.template(found.path, release)
    except HelmSaysNo as fault:
        raise ChartFault(f"{addon.name}: Helm does not render {found.shown}: {fault}", look) from fault
    notes = (*_other_version(addon, own, version), *_other_kubernetes(engine, release.kubernetes))
    return Rendered(_objects(addon, text, found, look), _source("chart", chart, own, found), own, notes)


def _objects(addon: Addon, text: str, found: Found, remedy: str) -> tuple[Json, ...]:
    try:
        return installed(documents(text), addon.namespace)
    except ValueError as fault:
        raise ChartFault(f"{addon.name}: what {found.shown} gives is not for Kubernetes: {fault}", remedy) from fault


def _source(what: str, name: str, version: str | None, found: Found) -> str:
    return " ".join(each for each in (what, name, version, "from", found.shown) if each)


def _other_version(addon: Addon, own: str | None, asked: str) -> Iterator[str]:
    if own is None:
        yield f"{addon.name}: nothing says which version it is; {asked} is what would be installed"
    elif not same(own, asked):
        yield f"{addon.name}: version {own} is there and taken; {asked} is what would be installed"


def _other_kubernetes(engine: Helm, asked: str) -> Iterator[str]:
    if engine.kubernetes not in {None, asked}:
        yield f"rendered as for Kubernetes {engine.kubernetes} (Helm's library takes no other), not {asked}"
