"""The charts and images that a network without internet access copies for a stack, with source and destination. Pure.

In the mirror an image has its name without the registry's host; a chart has its name only.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from muster.addon_sheets import ADDONS
from muster.addons.addon import Addon, Chart, EksAddon, OwnObjects, Patched
from muster.addons.context import AddonContext, Mirrors
from muster.addons.image_names import full_reference
from muster.addons.installation_order import KINDS, install_order
from muster.addons.releases import OCI, repository_of
from muster.addons.values import version_of


@dataclass(frozen=True, slots=True, order=True)
class Copy:
    """One chart or image to copy."""

    what: Literal["chart", "image"]
    source: str
    """An image's reference with its registry; a chart's address in a registry (``oci://``), or its index's address."""
    name: str
    """A chart's name; an image's whole reference."""
    version: str | None
    """Of a chart."""
    destination: str | None
    """An image's reference, or a chart's address; None where no mirror is given."""
    digest: str | None
    """None where it is not known."""
    users: tuple[str, ...] = field(compare=False)
    """The add-ons and jobs that need it."""

    @property
    def of_index(self) -> bool:
        """Whether it is a chart of an index, not of a registry."""
        return self.what == "chart" and not self.source.startswith(OCI)


@dataclass(frozen=True, slots=True, order=True)
class Fetched:
    """A file that the deploying machine fetches, not the cluster: a manifest, or the base of an overlay."""

    addon: str
    kind: str
    address: str


@dataclass(frozen=True, slots=True, order=True)
class Unknown:
    """Why the list of an add-on is not complete."""

    addon: str
    why: str


@dataclass(frozen=True, slots=True)
class MirrorList:
    """All that one stack needs."""

    copies: tuple[Copy, ...]
    fetched: tuple[Fetched, ...]
    eks: tuple[str, ...]
    """EKS add-ons: their images are in EKS's registries in every Region."""
    unknown: tuple[Unknown, ...]

    @property
    def charts(self) -> tuple[Copy, ...]:
        """The charts."""
        return tuple(each for each in self.copies if each.what == "chart")

    @property
    def images(self) -> tuple[Copy, ...]:
        """The images."""
        return tuple(each for each in self.copies if each.what == "image")

    @property
    def clashes(self) -> dict[str, tuple[str, ...]]:
        """Destination -> the sources that would have the same name there."""
        found: dict[str, set[str]] = {}
        for each in self.copies:
            if each.destination:
                found.setdefault(each.destination, set()).add(each.source)
        return {name: tuple(sorted(sources)) for name, sources in found.items() if len(sources) > 1}


def mirror_list(
    context: AddonContext,
    to: Mirrors,
    jobs: Mapping[str, Iterable[str]],
) -> MirrorList:
    """The list of charts and images to copy for a cluster.

    Args:
        context: the cluster and its chosen add-ons.
        to: the mirrors to copy to.
        jobs: job -> the images that it names.
    """
    addons = [step.addon for step in install_order(context)]
    images = _images(addons, context, jobs)
    copies = [*_charts(addons, context, to), *(_image(*image, users, to) for image, users in images)]
    return MirrorList(
        tuple(sorted(copies)),
        tuple(_fetched(addons, context)),
        tuple(each.name for each in addons if isinstance(each.source, EksAddon)),
        tuple(_unknown(addons, context)),
    )


def _charts(addons: Iterable[Addon], context: AddonContext, to: Mirrors) -> Iterator[Copy]:
    for addon in addons:
        if isinstance(addon.source, Chart):
            options = context.chosen[addon.name]
            if where := repository_of(addon.source, options):
                yield _chart(where, addon.source.name, version_of(addon, options), addon.name, to)
    for release, chart in context.charts.items():
        yield _chart(chart.repository, chart.chart, chart.version, f"charts.{release}", to)


def _chart(repository: str, name: str, version: str, user: str, to: Mirrors) -> Copy:
    where = repository.rstrip("/")
    source = f"{where}/{name}" if where.startswith(OCI) else where
    destination = f"{to.charts.rstrip('/')}/{name}" if to.charts else None
    return Copy("chart", source, name, version, destination, None, (user,))


def _is_pinned(addon: Addon, context: AddonContext) -> bool:
    return version_of(addon, context.chosen[addon.name]) == ADDONS[addon.name].version


def _images(
    addons: Iterable[Addon],
    context: AddonContext,
    jobs: Mapping[str, Iterable[str]],
) -> Iterable[tuple[tuple[str, str | None], tuple[str, ...]]]:
    """Every image with its digest, and its users."""
    found: dict[str, tuple[str | None, list[str]]] = {}

    def add(reference: str, user: str) -> None:
        name, at, written = full_reference(reference).partition("@")
        if at and ":" not in name.rpartition("/")[2]:
            name = full_reference(reference)  # it has no tag
        known, users = found.setdefault(name, (None, []))
        found[name] = (known or (written if at else None), [*users, *([] if user in users else [user])])

    for addon in addons:
        if _is_pinned(addon, context):
            for image in ADDONS[addon.name].images:
                add(image, addon.name)
        elif isinstance(addon.source, OwnObjects):
            add(addon.source.image.format(version=version_of(addon, context.chosen[addon.name])), addon.name)
    for job, references in jobs.items():
        for reference in references:
            add(reference, f"job {job}")
    return [((name, digest), tuple(users)) for name, (digest, users) in found.items()]


def _image(reference: str, digest: str | None, users: tuple[str, ...], to: Mirrors) -> Copy:
    return Copy("image", reference, reference, None, to.image(reference) if to.images else None, digest, users)


def _fetched(addons: Iterable[Addon], context: AddonContext) -> Iterator[Fetched]:
    for addon in addons:
        version = version_of(addon, context.chosen[addon.name])
        if isinstance(addon.source, Patched):
            yield Fetched(addon.name, KINDS[type(addon.source)], addon.source.address_of(version))


def _unknown(addons: Iterable[Addon], context: AddonContext) -> Iterator[Unknown]:
    """Add-ons and charts of which not all images are known."""
    for addon in addons:
        if isinstance(addon.source, Chart) and not repository_of(addon.source, context.chosen[addon.name]):
            yield Unknown(
                addon.name, "its chart: AWS does not publish it; package it yourself and push it to the mirror"
            )
        if isinstance(addon.source, EksAddon | OwnObjects):
            continue
        version, pin = version_of(addon, context.chosen[addon.name]), ADDONS[addon.name]
        if version != pin.version:
            yield Unknown(addon.name, f"its images in version {version}: Muster knows only those of {pin.version}")
        elif not pin.images:
            yield Unknown(addon.name, "its images: Muster does not know them")
    for release in context.charts:
        yield Unknown(f"charts.{release}", "its images: it is not one of Muster's add-ons")
