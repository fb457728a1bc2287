"""Renders all add-ons of a cluster, checks which groups their pods may be on, and finds the value that causes a fault.

Pure of pulumi; Helm runs where charts are rendered.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path
from tempfile import TemporaryDirectory
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
from muster.addons.charts.sources import CachedPlace, same
from muster.addons.context import AddonContext
from muster.addons.image_names import named_images
from muster.addons.installation_order import address, chart_address, install_order
from muster.addons.manifest_patches import with_image
from muster.addons.values import pin_of, values_of, version_of, workloads_of

Json = dict[str, Any]
Values = Mapping[str, Any]
ValuePath = tuple[str, ...]


def find_faulty_value(values: Values, has_fault: Callable[[Values], bool]) -> ValuePath | None:
    """The path of the user's value that causes a fault: leaving it out alone removes the fault. As deep as one value
    causes it; empty where only several together do. None where the fault exists without any value.

    Args:
        values: the user's, with which the fault exists.
        has_fault: whether it exists with some of them.
    """
    if has_fault({}):
        return None
    path: ValuePath = ()
    while (key := _faulty_key(values, path, has_fault)) is not None:
        path = (*path, key)
    return path


def _faulty_key(values: Values, path: ValuePath, has_fault: Callable[[Values], bool]) -> str | None:
    below = values
    for step in path:
        below = below[step]
    if not isinstance(below, Mapping):
        return None
    return next((key for key in below if not has_fault(_without(values, (*path, key)))), None)


def _without(values: Values, path: ValuePath) -> dict[str, Any]:
    head, *rest = path
    if not rest:
        return {key: value for key, value in values.items() if key != head}
    return {**values, head: _without(values[head], tuple(rest))}


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
    """In the description: ``addons.nvidia-device-plugin.values.affinity``."""


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
    with TemporaryDirectory(prefix="muster-") as folder:
        cached = charts and replace(charts, place=CachedPlace(charts.place, Path(folder)))
        renderer = _Renderer(context, tuple(nodes), cached)
        every = tuple(renderer.rendered(each, each.own) for each in renderer.requests())
        return Rendering(every, tuple(renderer.faults(every)), context.eks_addons)


def rendered(context: AddonContext, charts: Charts) -> tuple[RenderedAddon, ...]:
    """Renders everything, without checks."""
    renderer = _Renderer(context, (), charts)
    return tuple(renderer.rendered(each, each.own) for each in renderer.requests())


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

    def rendered(self, request: _Request, own: Values) -> RenderedAddon:
        """One of them, with these values of the user's."""
        addon, context = request.addon, self._with(request, own)
        values = values_of(addon, context) if request.pinned else own
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

    def _with(self, request: _Request, own: Values) -> AddonContext:
        """The cluster, with other values of the user's for one add-on."""
        if not request.pinned or own is request.own:
            return self.context
        name = request.addon.name
        options = self.context.chosen[name].model_copy(update={"values": dict(own)})
        return replace(self.context, chosen={**self.context.chosen, name: options})

    def faults(self, every: Iterable[RenderedAddon]) -> Iterator[OwnedFault]:
        """The faults of all add-ons, and what causes each."""
        requests = {each.addon.name: each for each in self.requests()}
        objects = [_objects(each) for each in every if each.is_rendered]
        for each in every:
            if each.broken:
                remedy = "correct the value that Helm names, or give --charts a complete chart of that version"
                name = each.addon.name
                fault = PlacementFault(RENDERS, name, name, "", each.broken, remedy)
                yield self._owned(requests[name], fault)
        for one in objects:
            for fault in placement_faults(one, self.context):
                yield self._owned(requests[one.addon.name], fault)
        for fault in devices_offered_twice(objects, self.context):
            others = [one for one in objects if one.addon.name != fault.addon]
            yield self._owned(requests[fault.addon], fault, others)

    def _owned(self, request: _Request, fault: PlacementFault, others: Iterable[RenderedObjects] = ()) -> OwnedFault:
        beside = tuple(others)

        def has_fault(own: Values) -> bool:
            again = self.rendered(request, own)
            if fault.check == RENDERS:
                return bool(again.broken)
            if not again.is_rendered:
                # The chart does not render without that value, so it is not that value alone; it may be the user's.
                return bool(own)
            one = _objects(again)
            found = {*placement_faults(one, self.context), *devices_offered_twice((*beside, one), self.context)}
            return fault in found

        path = find_faulty_value(request.own, has_fault) if request.own else None
        if path is not None:
            return OwnedFault(fault, FaultOwner.USERS, ".".join((request.place, "values", *path)))
        if request.pinned is None:
            return OwnedFault(fault, FaultOwner.USERS, request.place)
        if not same(request.version, request.pinned):
            return OwnedFault(fault, FaultOwner.USERS, f"{request.place}.version")
        return OwnedFault(fault, self._owner(request, fault), request.place)

    def _owner(self, request: _Request, fault: PlacementFault) -> FaultOwner:
        """Of a fault that no value of the user's causes: Muster, or the given chart, where Muster's values are for
        another."""
        source = request.addon.source
        if fault.check == RENDERS or (fault.check == MIRROR and not getattr(source, "mirrored", None)):
            return FaultOwner.CHARTS
        found = self.rendered(request, {}).rendered
        if found is None:
            return FaultOwner.OURS if isinstance(source, OwnObjects) else FaultOwner.CHARTS
        return FaultOwner.OURS if found.version and same(found.version, request.version) else FaultOwner.CHARTS


def _objects(each: RenderedAddon) -> RenderedObjects:
    return RenderedObjects(each.addon, workloads_of(each.addon, each.values), each.placements, each.images)
