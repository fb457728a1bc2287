"""The fleet of a description: its blueprint with its add-ons, as rules read them."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from muster.addons.addon import Chart, EksAddon
from muster.addons.catalogue import CATALOGUE
from muster.addons.context import AddonContext
from muster.addons.values import known_values, values_of_chart, version_of
from muster.blueprint.cluster import Blueprint, ClusterBlueprint
from muster.config.description.addons import KnownChart
from muster.fleet.resources import Addon as JudgedAddon
from muster.fleet.resources import Fleet, Place, Ref
from muster.fleet.resources.eks import AddonKind
from muster.fleet.resources.ref import KUBERNETES_ADDON
from muster.plain_data import with_scalars
from muster.unknown import EMPTY


def described_fleet(blueprint: ClusterBlueprint, as_of: date) -> Fleet:
    """A blueprint with its add-ons, as rules see it."""
    return blueprint.fleet(as_of, tuple(observed_addons(blueprint)) if blueprint.on_kubernetes else ())


def observed_addons(blueprint: Blueprint) -> Iterator[JudgedAddon]:
    """The add-ons of a cluster: those of the catalog, and other charts, whichever of its stacks installs them."""
    context, elsewhere = AddonContext.of_blueprint(blueprint), blueprint.elsewhere
    for name, options in context.chosen.items():
        addon = CATALOGUE[name]
        source = addon.source
        read = not blueprint.by_outputs or name not in elsewhere
        kind, named, values = AddonKind.MANIFEST, addon.name, {} if read else EMPTY
        derived: Any = {}
        if isinstance(source, Chart | EksAddon):
            kind = AddonKind.CHART if isinstance(source, Chart) else AddonKind.EKS_ADDON
            named = source.name
            values = _plain(known_values(addon, context)) if read else EMPTY
            derived = _plain(source.values(context)) if read and getattr(options, "values", None) else {}
        yield JudgedAddon(
            Ref(KUBERNETES_ADDON, name),
            version_of(addon, options),
            Place(f"addons.{name}"),
            kind,
            named,
            values,
            elsewhere.get(name),
            _other_stack(name, blueprint),
            derived,
            controller=options.controller,
        )
    for release, chart in blueprint.described.addons.charts.items():
        yield JudgedAddon(
            Ref(KUBERNETES_ADDON, release),
            chart.version,
            Place(f"addons.charts.{release}"),
            AddonKind.CHART,
            chart.chart,
            EMPTY if isinstance(chart, KnownChart) else _plain(values_of_chart(chart, context)),
            elsewhere.get(f"charts.{release}"),
            _other_stack(f"charts.{release}", blueprint),
            before_addons=chart.before_addons,
            controller=chart.controller,
        )


def _other_stack(key: str, blueprint: Blueprint) -> str | None:
    stack = blueprint.elsewhere.get(key, blueprint.stack)
    return None if stack == blueprint.cluster_stack else stack


def _plain(value: Any) -> Any:
    """The value as a registration returns it: with lists instead of tuples."""
    return with_scalars(value, lambda each: each)
