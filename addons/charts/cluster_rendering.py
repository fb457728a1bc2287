"""Renders all that is installed on a cluster, judges where it lands, and says whose fault it is where it is wrong.

Pure of pulumi; Helm runs where charts are rendered.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from addons.addon import Addon, Chart, EksAddon, Kustomization, Manifest, OwnObjects
from addons.charts import ChartFault, Charts, NoChart, Rendered, placement
from addons.charts.placement import (
    JoiningNode,
    PlacementFault,
    RenderedObjects,
    WorkloadPlacement,
    misplaced,
    served_twice,
    workload_placements,
)
from addons.charts.sources import CachedPlace, same
from addons.context import AddonContext
from addons.image_names import named_images
from addons.installation_order import address, chart_address, install_order
from addons.manifest_patches import with_image
from addons.values import pin_of, values_of, version_of, workloads_of

# Which of a user's values brings a fault about. Pure: whoever asks renders.
#
# Values are left out one by one: where a fault goes with one of them, that is the one.

Values = Mapping[str, Any]
ValuePath = tuple[str, ...]

Wrong = Callable[[Values], bool]
"""A user's values -> whether the fault is there with them."""


def find_faulty_value(values: Values, wrong: Wrong) -> ValuePath | None:
    """The path of the value that brings a fault about, as deep as one value alone does; empty where only several
    together do. None where the fault is there without any: then it is not theirs.

    Args:
        values: the user's own, with which the fault is there.
        wrong: asked of parts of them.
    """
    if wrong({}):
        return None
    path: ValuePath = ()
    while (key := _culprit(values, path, wrong)) is not None:
        path = (*path, key)
    return path


def _culprit(values: Values, path: ValuePath, wrong: Wrong) -> str | None:
    below = values
    for step in path:
        below = below[step]
    if not isinstance(below, Mapping):
        return None
    return next((key for key in below if not wrong(_without(values, (*path, key)))), None)


def _without(values: Values, path: ValuePath) -> dict[str, Any]:
    head, *rest = path
    if not rest:
        return {key: value for key, value in values.items() if key != head}
    return {**values, head: _without(values[head], tuple(rest))}


Json = dict[str, Any]

BY_EKS = "EKS renders it"
NO_CHARTS = "no charts at hand; give --charts"


class FaultOwner(Enum):
    """Who can mend it."""

    USERS = auto()
    """Values or a version in the description, or a chart of its own."""
    CHARTS = auto()
    """Another version was rendered than would be installed."""
    OURS = auto()


@dataclass(frozen=True, slots=True)
class OwnedFault:
    """A fault, and where it comes from."""

    fault: PlacementFault
    whose: FaultOwner
    path: str
    """In the description: ``addons.nvidia-device-plugin.values.affinity``."""


@dataclass(frozen=True, slots=True)
class RenderedAddon:
    """One add-on, and what came of it."""

    addon: Addon
    version: str
    address: str
    """Where its chart or manifest would be taken from."""
    place: str
    """In the description."""
    values: Mapping[str, Any]
    rendered: Rendered | None
    why: str = ""
    """Why it was not rendered."""
    broken: str = ""
    """Why it cannot be rendered, though it is there."""
    made: tuple[Json, ...] = ()
    """Objects of our own."""
    landings: tuple[WorkloadPlacement, ...] = ()
    """Of what was rendered, and of our own."""
    images: tuple[str, ...] = ()

    @property
    def objects(self) -> tuple[Json, ...]:
        """All that an installation puts on a cluster; our own come last."""
        return (*(self.rendered.everything if self.rendered else ()), *self.made)

    @property
    def is_rendered(self) -> bool:
        """Whether there is something to look at, be it of another version."""
        return self.rendered is not None or isinstance(self.addon.source, OwnObjects)

    @property
    def is_checked(self) -> bool:
        """Whether all that would be installed was looked at."""
        found = self.rendered.version if self.rendered else None
        return self.is_rendered and (found is None or same(found, self.version))

    @property
    def is_open(self) -> bool:
        """Whether it could be looked at if its chart were at hand: what EKS renders nobody else can."""
        return not self.is_checked and not self.broken and not isinstance(self.addon.source, EksAddon)

    @property
    def missing(self) -> str:
        """What there is to say of one that is open."""
        if self.rendered is None:
            return self.why
        return f"version {self.version}: {self.rendered.version} was rendered instead"


@dataclass(frozen=True, slots=True)
class Rendering:
    """All of a cluster's."""

    addons: tuple[RenderedAddon, ...]
    faults: tuple[OwnedFault, ...] = ()
    eks: tuple[str, ...] = ()
    """EKS's own add-ons, which have no chart for anybody else."""


def render(site: AddonContext, nodes: Iterable[JoiningNode], charts: Charts | None) -> Rendering:
    """Renders everything, in the order of installation, and judges it.

    Args:
        site: the cluster, and what is chosen for it.
        nodes: at least one of each group, and of each zone that it is in.
        charts: where charts are; None where none are at hand.
    """
    with TemporaryDirectory(prefix="muster-") as folder:
        work = _Work(site, tuple(nodes), charts and replace(charts, place=CachedPlace(charts.place, Path(folder))))
        every = tuple(work.rendered(each, each.own) for each in work.wanted())
        return Rendering(every, tuple(work.faults(every)), site.eks_addons)


def rendered(site: AddonContext, charts: Charts) -> tuple[RenderedAddon, ...]:
    """Renders everything, and asks nothing."""
    work = _Work(site, (), charts)
    return tuple(work.rendered(each, each.own) for each in work.wanted())


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is to be rendered."""

    addon: Addon
    version: str
    address: str
    place: str
    own: Mapping[str, Any]
    """The user's values."""
    pinned: str | None
    """The version that our values are for; None of a chart that is none of ours."""


@dataclass(frozen=True, slots=True)
class _Work:
    """One cluster, with its charts."""

    site: AddonContext
    nodes: tuple[JoiningNode, ...]
    charts: Charts | None

    def wanted(self) -> Iterator[_Wanted]:
        """Our add-ons in their order, then the description's own charts."""
        for turn in install_order(self.site):
            addon = turn.addon
            options = self.site.chosen[addon.name]
            where = address(addon, options, self.site)
            own = getattr(options, "values", {})
            pinned = pin_of(addon, options).version
            yield _Wanted(addon, version_of(addon, options), where, f"addons.{addon.name}", own, pinned)
        for release, chart in self.site.charts.items():
            source = Chart(chart.repository, chart.chart, lambda _: {}, release=release)
            name, where = f"charts.{release}", chart_address(chart.repository, chart.chart, self.site)
            addon = Addon(name, chart.namespace, source, "a chart of the description's own", lambda _: ())
            yield _Wanted(addon, chart.version, where, f"addons.{name}", chart.values, None)

    def rendered(self, each: _Wanted, own: Mapping[str, Any]) -> RenderedAddon:
        """One of them, with these values of the user's."""
        addon, site = each.addon, self._with(each, own)
        values = values_of(addon, site) if each.pinned else own
        made = tuple(addon.objects(site))
        blank = RenderedAddon(addon, each.version, each.address, each.place, values, None, made=made)
        if isinstance(addon.source, EksAddon):
            blank = replace(blank, why=BY_EKS)
        elif not isinstance(addon.source, OwnObjects):
            blank = self._from_chart(blank)
        landed = workload_placements(blank.objects, self.nodes)
        return replace(blank, landings=landed, images=named_images(blank.objects))

    def _from_chart(self, each: RenderedAddon) -> RenderedAddon:
        if self.charts is None:
            return replace(each, why=NO_CHARTS)
        try:
            found = self.charts.rendered(each.addon, each.version, each.values, self.site.kubernetes)
        except NoChart as fault:
            return replace(each, why=str(fault))
        except ChartFault as fault:
            return replace(each, broken=fault.what)
        return replace(each, rendered=self._mirrored(each, found))

    def _mirrored(self, each: RenderedAddon, found: Rendered) -> Rendered:
        """A manifest's images as the installation sets them; a chart's values have done it."""
        source = each.addon.source
        if not isinstance(source, Manifest | Kustomization):
            return found
        images = {name: self.site.mirrors.image(image) for name, image in source.images_of(each.version).items()}

        def mirrored(thing: Json) -> Json:
            return (with_image(thing, images) if thing["kind"] == "Deployment" else None) or thing

        return replace(found, everything=tuple(map(mirrored, found.everything)))

    def _with(self, each: _Wanted, own: Mapping[str, Any]) -> AddonContext:
        """The cluster, with other values of the user's for one add-on."""
        if not each.pinned or own is each.own:
            return self.site
        options = self.site.chosen[each.addon.name].model_copy(update={"values": dict(own)})
        return replace(self.site, chosen={**self.site.chosen, each.addon.name: options})

    def faults(self, every: Iterable[RenderedAddon]) -> Iterator[OwnedFault]:
        """What is wrong with all of them, and whose fault it is."""
        wanted = {each.addon.name: each for each in self.wanted()}
        landed = [_landed(each) for each in every if each.is_rendered]
        for each in every:
            if each.broken:
                yield from self._blamed(wanted[each.addon.name], _does_not_render(each))
        for one in landed:
            for fault in misplaced(one, self.site):
                yield from self._blamed(wanted[one.addon.name], fault)
        for fault in served_twice(landed, self.site):
            yield from self._blamed(
                wanted[fault.addon], fault, [one for one in landed if one.addon.name != fault.addon]
            )

    def _blamed(
        self, each: _Wanted, fault: PlacementFault, others: Iterable[RenderedObjects] = ()
    ) -> Iterator[OwnedFault]:
        beside = tuple(others)

        def wrong(own: Mapping[str, Any]) -> bool:
            again = self.rendered(each, own)
            if fault.check == placement.RENDERS:
                return bool(again.broken)
            if not again.is_rendered:
                # Without that value the chart does not render: nothing can be said, so it is not that value alone,
                # but it may well be the user's values.
                return bool(own)
            one = _landed(again)
            return fault in {*misplaced(one, self.site), *served_twice((*beside, one), self.site)}

        path = find_faulty_value(each.own, wrong) if each.own else None
        if path is not None:
            yield OwnedFault(fault, FaultOwner.USERS, ".".join((each.place, "values", *path)))
        elif each.pinned is None:
            yield OwnedFault(fault, FaultOwner.USERS, each.place)
        elif not same(each.version, each.pinned):
            yield OwnedFault(fault, FaultOwner.USERS, f"{each.place}.version")
        else:
            yield OwnedFault(fault, self._ours(each, fault), each.place)

    def _ours(self, each: _Wanted, fault: PlacementFault) -> FaultOwner:
        """Whether our values are wrong, or what was rendered is not what they are for."""
        source = each.addon.source
        if fault.check == placement.RENDERS or (
            fault.check == placement.MIRROR and not getattr(source, "mirrored", None)
        ):
            return FaultOwner.CHARTS
        found = self.rendered(each, {}).rendered
        if found is None:
            return FaultOwner.OURS if isinstance(source, OwnObjects) else FaultOwner.CHARTS
        return FaultOwner.OURS if found.version and same(found.version, each.version) else FaultOwner.CHARTS


def _landed(each: RenderedAddon) -> RenderedObjects:
    return RenderedObjects(each.addon, workloads_of(each.addon, each.values), each.landings, each.images)


def _does_not_render(each: RenderedAddon) -> PlacementFault:
    remedy = "mend the value that Helm names, or give --charts a chart of that version that is whole"
    return PlacementFault(placement.RENDERS, each.addon.name, each.addon.name, "", each.broken, remedy)
