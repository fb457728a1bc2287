"""Renders all add-ons of a cluster, and checks which groups their pods may be on.

Pure of pulumi; Helm runs where charts are rendered.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any

from muster.addons.addon import Addon, Chart, EksAddon, Kustomization, Manifest, OwnObjects
from muster.addons.charts import ChartFault, Charts, NoChart, Rendered
from muster.addons.charts.placement import (
    MIRROR,
    RENDERS,
    PlacementFault,
    PlannedNode,
    RenderedObjects,
    WorkloadPlacement,
    devices_offered_twice,
    placement_faults,
    workload_placements,
)
from muster.addons.charts.sources import same
from muster.addons.context import AddonContext
from muster.addons.image_names import named_images
from muster.addons.installation_order import address, chart_address, install_order
from muster.addons.manifest_patches import with_image
from muster.addons.values import pin_of, values_of, version_of, workloads_of

Json = dict[str, Any]
Values = Mapping[str, Any]

BY_EKS = "EKS renders it"
NO_CHARTS = "no charts are available; give --charts"


class FaultOwner(Enum):
    """Who can correct a fault."""

    USERS = auto()
    """The user: values or a version in the description, or a chart of the user's."""
    CHARTS = auto()
    """The user who gave the charts with `--charts`: another version was rendered than would be installed."""
    OURS = auto()
    """Muster."""


@dataclass(frozen=True, slots=True)
class OwnedFault:
    """A fault, and what causes it."""

    fault: PlacementFault
    owner: FaultOwner
    path: str
    """In the description: ``addons.nvidia-device-plugin``."""


@dataclass(frozen=True, slots=True)
class RenderedAddon:
    """One add-on, rendered or not."""

    addon: Addon
    version: str
    address: str
    """Of its chart or manifest."""
    place: str
    """In the description."""
    values: Values
    rendered: Rendered | None = None
    why: str = ""
    """Why it was not rendered."""
    broken: str = ""
    """Why its chart cannot be rendered."""
    made: tuple[Json, ...] = ()
    """Objects that Muster makes."""
    placements: tuple[WorkloadPlacement, ...] = ()
    images: tuple[str, ...] = ()

    @property
    def objects(self) -> tuple[Json, ...]:
        """All that an installation creates; Muster's objects come last."""
        return (*(self.rendered.everything if self.rendered else ()), *self.made)

    @property
    def is_rendered(self) -> bool:
        """Whether there are objects, also of another version."""
        return self.rendered is not None or isinstance(self.addon.source, OwnObjects)

    @property
    def is_checked(self) -> bool:
        """Whether the objects that would be installed were checked."""
        found = self.rendered.version if self.rendered else None
        return self.is_rendered and (found is None or same(found, self.version))

    @property
    def is_open(self) -> bool:
        """Whether it could be checked if its chart were given; EKS add-ons cannot."""
        return not self.is_checked and not self.broken and not isinstance(self.addon.source, EksAddon)

    @property
    def missing(self) -> str:
        """What is missing, where the result is open."""
        if self.rendered is None:
            return self.why
        return f"version {self.version}: {self.rendered.version} was rendered instead"


@dataclass(frozen=True, slots=True)
class Rendering:
    """All add-ons of a cluster."""

    addons: tuple[RenderedAddon, ...]
    faults: tuple[OwnedFault, ...] = ()
    eks: tuple[str, ...] = ()
    """EKS add-ons that the cluster comes with."""


def render(context: AddonContext, nodes: Iterable[PlannedNode], charts: Charts | None) -> Rendering:
    """Renders everything, in the order of installation, and checks it.

    Args:
        context: the cluster, and the chosen add-ons.
        nodes: at least one of each group in each of its zones.
        charts: where charts are; None where none are given.
    """
    renderer = _Renderer(context, tuple(nodes), charts)
    every = tuple(map(renderer.rendered, renderer.requests()))
    return Rendering(every, tuple(renderer.faults(every)), context.eks_addons)


def rendered(context: AddonContext, charts: Charts) -> tuple[RenderedAddon, ...]:
    """Renders everything, without checks."""
    renderer = _Renderer(context, (), charts)
    return tuple(map(renderer.rendered, renderer.requests()))


@dataclass(frozen=True, slots=True)
class _Request:
    """One add-on to render."""

    addon: Addon
    version: str
    address: str
    place: str
    own: Values
    """The user's values."""
    pinned: str | None
    """The version that Muster's values are for; None of a chart of the user's."""


@dataclass(frozen=True, slots=True)
class _Renderer:
    """One cluster, with its charts."""

    context: AddonContext
    nodes: tuple[PlannedNode, ...]
    charts: Charts | None

    def requests(self) -> Iterator[_Request]:
        """The add-ons in their order, then the user's charts."""
        for step in install_order(self.context):
            addon = step.addon
            options = self.context.chosen[addon.name]
            where = address(addon, options, self.context)
            own, pinned = getattr(options, "values", {}), pin_of(addon, options).version
            yield _Request(addon, version_of(addon, options), where, f"addons.{addon.name}", own, pinned)
        for release, chart in self.context.charts.items():
            source = Chart(chart.repository, chart.chart, lambda _: {}, release=release)
            name, where = f"charts.{release}", chart_address(chart.repository, chart.chart, self.context)
            addon = Addon(name, chart.namespace, source, "a chart that the description adds", lambda _: ())
            yield _Request(addon, chart.version, where, f"addons.{name}", chart.values, None)

    def rendered(self, request: _Request) -> RenderedAddon:
        """One of them."""
        addon, context = request.addon, self.context
        values = values_of(addon, context) if request.pinned else request.own
        made = RenderedAddon(
            addon, request.version, request.address, request.place, values, made=tuple(addon.objects(context))
        )
        if isinstance(addon.source, EksAddon):
            made = replace(made, why=BY_EKS)
        elif not isinstance(addon.source, OwnObjects):
            made = self._from_chart(made)
        placements = workload_placements(made.objects, self.nodes)
        return replace(made, placements=placements, images=named_images(made.objects))

    def _from_chart(self, each: RenderedAddon) -> RenderedAddon:
        if self.charts is None:
            return replace(each, why=NO_CHARTS)
        try:
            found = self.charts.rendered(each.addon, each.version, each.values, self.context.kubernetes)
        except NoChart as fault:
            return replace(each, why=str(fault))
        except ChartFault as fault:
            return replace(each, broken=fault.what)
        return replace(each, rendered=self._mirrored(each, found))

    def _mirrored(self, each: RenderedAddon, found: Rendered) -> Rendered:
        """A manifest with the images that the installation sets; a chart's values have set them."""
        source = each.addon.source
        if not isinstance(source, Manifest | Kustomization):
            return found
        images = {name: self.context.mirrors.image(image) for name, image in source.images_of(each.version).items()}

        def mirrored(thing: Json) -> Json:
            return (with_image(thing, images) if thing["kind"] == "Deployment" else None) or thing

        return replace(found, everything=tuple(map(mirrored, found.everything)))

    def faults(self, every: Iterable[RenderedAddon]) -> Iterator[OwnedFault]:
        """The faults of all add-ons, and what causes each."""
        requests = {each.addon.name: each for each in self.requests()}
        by_name = {each.addon.name: each for each in every}
        objects = [_objects(each) for each in by_name.values() if each.is_rendered]
        remedy = "correct the value that Helm names, or give --charts a complete chart of that version"
        broken = [
            PlacementFault(RENDERS, name, name, "", each.broken, remedy)
            for name, each in by_name.items()
            if each.broken
        ]
        placed = [fault for one in objects for fault in placement_faults(one, self.context)]
        for fault in (*broken, *placed, *devices_offered_twice(objects, self.context)):
            request = requests[fault.addon]
            yield OwnedFault(fault, _owner(request, by_name[fault.addon], fault), request.place)


def _owner(request: _Request, each: RenderedAddon, fault: PlacementFault) -> FaultOwner:
    """Who can correct a fault: the user who sets values or another version, else whoever gave the charts, where
    Muster's values are for another chart, else Muster."""
    if request.pinned is None or request.own or not same(request.version, request.pinned):
        return FaultOwner.USERS
    mirrors = getattr(request.addon.source, "mirrored", None)
    if fault.check == RENDERS or (fault.check == MIRROR and not mirrors) or not each.is_checked:
        return FaultOwner.CHARTS
    return FaultOwner.OURS


def _objects(each: RenderedAddon) -> RenderedObjects:
    return RenderedObjects(each.addon, workloads_of(each.addon, each.values), each.placements, each.images)
