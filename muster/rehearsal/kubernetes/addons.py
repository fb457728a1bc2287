"""The description's add-ons on the control plane: their real charts if these are available, else simulated objects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from muster.addons.addon import Addon, OwnObjects
from muster.addons.catalogue import CATALOGUE, kueue, trainer
from muster.addons.context import AddonContext
from muster.addons.installation_order import install_order
from muster.addons.values import runs_of, values_of, version_of, workloads_of
from muster.addons.workload import JobKind, Workload
from muster.blueprint.cluster import Blueprint
from muster.blueprint.dra import DRIVERS
from muster.blueprint.node import DEVICE_CLASSES
from muster.plain_data import value_at
from muster.rehearsal.kubernetes import volcano
from muster.rehearsal.kubernetes.client import ApiError, Client, JsonObject
from muster.rehearsal.kubernetes.cluster_snapshot import InstalledPlugin
from muster.rehearsal.kubernetes.control_plane import DEFAULT_QUEUE, ControlPlane
from muster.rehearsal.kubernetes.devices import Plugin, on_first_nodes
from muster.rehearsal.kubernetes.kueue import is_of_kueue
from muster.rehearsal.kubernetes.rehearsed_kinds import is_rehearsed, without_conversion
from muster.rehearsal.kubernetes.resource_claims import VERSION, device_class
from muster.rehearsal.machine_limits import RehearsalError
from muster.rehearsal.outcome import SimulatedPart

if TYPE_CHECKING:
    from muster.addons.charts import Charts
    from muster.addons.charts.chart_rendering import Rendered


@dataclass(frozen=True, slots=True)
class InstalledAddon:
    """One add-on, as it is to run."""

    addon: Addon
    objects: tuple[JsonObject, ...]
    """In the order of installation (`muster.addons.charts.chart_rendering`): pods wait for their service account."""
    values: Mapping[str, object]
    own_values: frozenset[str]
    """The keys of its values that the description sets."""
    simulated_part: SimulatedPart | None
    version: str
    notes: tuple[str, ...] = ()

    @property
    def plugins(self) -> tuple[Plugin, ...]:
        """Its DaemonSets, with the resource that they serve, or the DeviceClass of a DRA driver."""
        known = ((each, each.serves or self._drives(each)) for each in workloads_of(self.addon, self.values))
        serves = {each.name: served for each, served in known if served and each.kind == "DaemonSet"}
        return tuple(
            Plugin(
                (metadata := each["metadata"]).get("namespace", "default"),
                metadata["name"],
                each["spec"]["template"]["spec"],
                serves.get(metadata["name"], ""),
            )
            for each in self.objects
            if each["kind"] == "DaemonSet"
        )

    @property
    def device_class(self) -> str | None:
        """The DeviceClass of its DRA driver; None of other add-ons."""
        return DEVICE_CLASSES[DRIVERS[self.addon.name]] if self.addon.name in DRIVERS else None

    def _drives(self, workload: Workload) -> str | None:
        """The DeviceClass whose devices a DaemonSet publishes."""
        gpus = value_at(self.values, "resources", "gpus", "enabled")  # False: only ComputeDomains, of NVIDIA's driver
        return self.device_class if workload.kind == "DaemonSet" and gpus is not False else None

    @property
    def deployments(self) -> tuple[JsonObject, ...]:
        """Its Deployments. Without those of an operator, no controller creates, places or admits pods."""
        return tuple(each for each in self.objects if each["kind"] == "Deployment")


@dataclass(slots=True)
class InstalledAddons:
    """All of a cluster's add-ons."""

    addons: tuple[InstalledAddon, ...]
    notes: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, blueprint: Blueprint, charts: Charts | None = None) -> InstalledAddons:
        """The add-ons of the description, in the order of installation.

        Raises:
            RehearsalError: a chart cannot be rendered.
        """
        context = AddonContext.of_blueprint(blueprint)
        every = tuple(_rendered(turn.addon, context, charts) for turn in install_order(context))
        return cls(every, [note for each in every for note in each.notes])

    @property
    def plugins(self) -> tuple[Plugin, ...]:
        """Every DaemonSet."""
        return tuple(plugin for each in self.addons for plugin in each.plugins)

    @property
    def servers(self) -> dict[str, tuple[InstalledPlugin, ...]]:
        """Resource -> the plugins that serve it."""
        found: dict[str, tuple[InstalledPlugin, ...]] = {}
        for each in self.addons:
            for plugin in filter(lambda plugin: plugin.serves, each.plugins):
                server = InstalledPlugin(each.addon.name, plugin.pod, each.own_values)
                found[plugin.serves] = (*found.get(plugin.serves, ()), server)
        return found

    @property
    def csi_drivers(self) -> frozenset[str]:
        """The drivers of the add-ons' volumes, and of the storage classes of their charts."""
        things = [thing for each in self.addons for thing in each.objects]
        volumes = (each["spec"].get("csi") for each in things if each["kind"] == "PersistentVolume")
        classes = (each["provisioner"] for each in things if each["kind"] == "StorageClass")
        return frozenset((*(str(each["driver"]) for each in volumes if each), *map(str, classes)))

    @property
    def simulated_parts(self) -> tuple[SimulatedPart, ...]:
        """The simulated parts."""
        return tuple(each.simulated_part for each in self.addons if each.simulated_part)

    def runner(self, version: str, kind: str) -> InstalledAddon | None:
        """The add-on whose operator runs such jobs; None if the description has none."""
        return next((each for each in self.addons if JobKind(version, kind) in runs_of(each.addon, each.values)), None)

    def version_of(self, name: str) -> str:
        """The version of an add-on in the description; empty if the description does not have it, because HyperPod's
        chart may contain its own operator."""
        return next((each.version for each in self.addons if each.addon.name == name), "")

    def apply(self, plane: ControlPlane) -> None:
        """Applies the add-ons' objects to the control plane. An object whose kind is not defined (a ServiceMonitor,
        if no chart has Prometheus' CRDs) is left out with a note; for a simulated add-on there is no note.

        Args:
            plane: the control plane. If Kueue runs, its custom resources and certificates are created with it.

        Raises:
            RehearsalError: it rejects an object; the message names the add-on.
        """
        client, things = plane.client, [thing for each in self.addons for thing in each.objects]
        defined = {str(value_at(thing, "spec", "names", "kind")) for thing in things if thing["kind"] == _DEFINITION}
        client.create_namespaces(self._namespaces())
        for each in self.addons:
            if each.device_class and each.simulated_part and client.knows(VERSION, "DeviceClass"):
                _apply(client, each, device_class(each.device_class))
            for thing in each.objects:
                if not _is_made_elsewhere(each, thing, runs_kueue=plane.runs_kueue):
                    self._create(plane, each, thing, defined)

    def _create(self, plane: ControlPlane, each: InstalledAddon, thing: JsonObject, defined: Collection[str]) -> None:
        """Creates one object, or adds a note with the reason why not."""
        if thing["kind"] == _DEFINITION:
            _apply(plane.client, each, without_conversion(thing))
        elif not is_rehearsed(thing):
            self.notes.append(f"{each.addon.name}: {_named(thing)} is left out: a rehearsal creates no such kind")
        elif thing["kind"] in defined or plane.client.knows(thing["apiVersion"], thing["kind"]):
            if is_volcano_queue(thing):
                plane.wait_for_queue(DEFAULT_QUEUE)  # until it is open, no queue can be below `root`
            _apply(plane.client, each, on_first_nodes(thing) if thing["kind"] == "DaemonSet" else thing)
            if is_volcano_queue(thing):
                plane.wait_for_queue(thing["metadata"]["name"])
        elif each.simulated_part is None:
            self.notes.append(f"{each.addon.name}: {_named(thing)} is left out: the control plane has no such kind")

    def _namespaces(self) -> set[str]:
        own = {workload.namespace for each in self.addons for workload in workloads_of(each.addon, each.values)}
        things = {thing["metadata"].get("namespace", "default") for each in self.addons for thing in each.objects}
        return own | things | {each.addon.namespace for each in self.addons}


def _is_made_elsewhere(each: InstalledAddon, thing: JsonObject, *, runs_kueue: bool) -> bool:
    """Whether an object is created with Kueue, or after its webhooks (`job_prerequisites.create_queues`)."""
    with_it = {_DEFINITION, "Secret"}
    return is_of_kueue(thing) or (runs_kueue and each.addon.name == kueue.ADDON.name and thing["kind"] in with_it)


def _named(thing: JsonObject) -> str:
    return f"{thing['kind']} {thing['metadata']['name']}"


_DEFINITION = "CustomResourceDefinition"


def is_volcano_queue(thing: JsonObject) -> bool:
    """Whether it is a queue of Volcano, which opens only after its creation."""
    return (thing["apiVersion"], thing["kind"]) == (volcano.SCHEDULING, "Queue")


def _apply(client: Client, each: InstalledAddon, thing: JsonObject) -> None:
    try:
        client.apply(thing)
    except ApiError as fault:
        raise RehearsalError(
            f"{each.addon.name}: the control plane rejects its {thing['kind']} {thing['metadata']['name']}: {fault}"
        ) from None


def addons_that_run(version: str, kind: str) -> tuple[str, ...]:
    """The add-ons of Muster whose own operator runs such jobs."""
    return tuple(name for name, addon in CATALOGUE.items() if JobKind(version, kind) in addon.runs)


def addon_values(blueprint: Blueprint) -> dict[str, Mapping[str, Any]]:
    """Add-on -> the values of its chart, for every add-on of the description."""
    context = AddonContext.of_blueprint(blueprint)
    return {name: values_of(CATALOGUE[name], context) for name in context.chosen if name in CATALOGUE}


def training_runtimes(blueprint: Blueprint) -> tuple[JsonObject, ...]:
    """The runtimes of TrainJobs that the description's trainer installs. If the description has no trainer, which is a
    separate finding, those that Muster's trainer would install."""
    context = AddonContext.of_blueprint(blueprint)
    given = values_of(trainer.ADDON, context) if trainer.ADDON.name in context.chosen else {}
    return trainer.runtimes(given) if given else trainer.DEFAULT_RUNTIMES


def _left_out(rendered: Rendered) -> Iterator[str]:
    """A line for each kind: Volcano alone has seven webhooks."""
    from muster.addons.charts import NOT_RUN  # noqa: PLC0415 - needed only with charts

    for kind, number in Counter(rendered.left_out).items():
        yield f"{number} {kind} left out: {NOT_RUN[kind]}"


def _rendered(addon: Addon, context: AddonContext, charts: Charts | None) -> InstalledAddon:
    options = context.chosen[addon.name]
    values, version = values_of(addon, context), version_of(addon, options)
    own = frozenset(getattr(options, "values", {}))
    ours = addon.objects(context)
    if isinstance(addon.source, OwnObjects):
        return InstalledAddon(addon, ours, values, own, None, version)
    if charts is not None:
        from muster.addons.charts import ChartFault, NoChart  # noqa: PLC0415 - needed only with charts

        try:
            rendered = charts.rendered(addon, version, values, context.kubernetes)
        except NoChart as fault:
            why = str(fault)
        except ChartFault as fault:
            raise RehearsalError(str(fault)) from None
        else:
            notes = tuple(f"{addon.name}: {each}" for each in (rendered.source, *rendered.notes, *_left_out(rendered)))
            return InstalledAddon(addon, (*rendered.objects, *ours), values, own, None, version, notes)
    else:
        why = "no charts are available; give --charts"
    objects = tuple(each.manifest for each in workloads_of(addon, values))
    kinds = " and ".join(sorted({each["kind"] for each in objects})) or "nothing"
    part = SimulatedPart(addon.name, f"a {kinds} with the placement of Muster's values", why)
    return InstalledAddon(addon, (*objects, *ours), values, own, part, version)
