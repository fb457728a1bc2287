"""The fleet of a description: its blueprint with its add-ons, as rules read them."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from muster.addons.addon import Addon, Chart, EksAddon, Source
from muster.addons.catalogue import CATALOGUE
from muster.addons.context import AddonContext
from muster.addons.values import known_values, version_of
from muster.blueprint.cluster import Blueprint, ClusterBlueprint
from muster.config.description.addons import KnownChart
from muster.fleet.resources import Addon as JudgedAddon
from muster.fleet.resources import Fleet, Place, Ref
from muster.fleet.resources.eks import AddonKind
from muster.fleet.resources.ref import KUBERNETES_ADDON
from muster.unknown import EMPTY


def described_fleet(blueprint: ClusterBlueprint, as_of: date) -> Fleet:
    """A blueprint with its add-ons, as rules see it."""
    return blueprint.fleet(as_of, observed_addons(blueprint) if blueprint.on_kubernetes else ())


def observed_addons(blueprint: Blueprint) -> tuple[JudgedAddon, ...]:
    """The add-ons of a cluster: those of the catalog, and other charts, whichever of its stacks installs them."""
    return tuple(_observed_addons(AddonContext.of_blueprint(blueprint), blueprint))


def kind_of(source: Source) -> AddonKind:
    """The kind of add-on that is registered for a source."""
    if isinstance(source, Chart):
        return AddonKind.CHART
    return AddonKind.EKS_ADDON if isinstance(source, EksAddon) else AddonKind.MANIFEST


def _observed_addons(context: AddonContext, blueprint: Blueprint) -> Iterator[JudgedAddon]:
    elsewhere = blueprint.elsewhere
    for name, options in context.chosen.items():
        addon = CATALOGUE[name]
        source = addon.as_chosen(options).source
        yield JudgedAddon(
            Ref(KUBERNETES_ADDON, name),
            version_of(addon, options),
            Place(f"addons.{name}"),
            kind_of(source),
            _name(addon, source),
            _values(addon, source, context) if not blueprint.by_outputs or name not in elsewhere else EMPTY,
            elsewhere.get(name),
            _other_stack(name, blueprint),
        )
    for release, chart in blueprint.described.addons.charts.items():
        yield JudgedAddon(
            Ref(KUBERNETES_ADDON, release),
            chart.version,
            Place(f"addons.charts.{release}"),
            AddonKind.CHART,
            chart.chart,
            EMPTY if isinstance(chart, KnownChart) else _plain(chart.values),
            elsewhere.get(f"charts.{release}"),
            _other_stack(f"charts.{release}", blueprint),
            chart.before_addons,
        )


def _other_stack(key: str, blueprint: Blueprint) -> str | None:
    stack = blueprint.elsewhere.get(key, blueprint.stack)
    return None if stack == blueprint.cluster_stack else stack


def _values(addon: Addon, source: Source, context: AddonContext) -> dict[str, Any]:
    values: dict[str, Any] = _plain(known_values(addon, context)) if isinstance(source, Chart | EksAddon) else {}
    return values


def _name(addon: Addon, source: Source) -> str:
    return source.name if isinstance(source, Chart | EksAddon) else addon.name


def _plain(value: Any) -> Any:
    """The value as a registration returns it: with lists instead of tuples."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value
