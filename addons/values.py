"""Values of add-ons: the user's laid over the mirror's and the derived ones, and all over the chart's own. Pure.

Helm's rules: maps are merged, lists replaced, and a null deletes what the chart would have by itself. It holds for our
releases, too: pulumi 3.272 sends a null inside `values` as null (seen in what the offline monitor records), and the
Kubernetes provider hands it to Helm since 4.30.0 (its changelog, pulumi-kubernetes#2997).
"""

from collections.abc import Mapping
from typing import Any

from addons.addon import Addon, Chart
from addons.context import AddonContext
from addons.workload import JobKind, Workload
from muster.config.description.addons import KnownOptions, Options
from muster.versions import ADDONS, Pin


def values_of(addon: Addon, site: AddonContext) -> dict[str, Any]:
    """What the add-on is given: derived from the cluster, then the mirror's, and the user's over that.

    Of what has no chart, what Muster sets in it. Nothing where another stack installs it with settings of its own.
    """
    options = site.chosen[addon.name]
    if isinstance(options, KnownOptions):
        return {}
    source = addon.as_chosen(options).source
    derived = source.values(site)
    if isinstance(source, Chart) and source.mirrored and site.mirrors.images:
        derived = merged(derived, source.mirrored(site.mirrors.images))
    return merged(derived, getattr(options, "values", {}))


def workloads_of(addon: Addon, values: Mapping[str, Any]) -> tuple[Workload, ...]:
    """What the add-on runs with these values; nothing where a user's have no form that its chart could take
    (`nodeSelector: 3`). Whoever renders the chart hears it from Helm, or sees it land nowhere."""
    try:
        return addon.workloads(values)
    except (AttributeError, KeyError, TypeError, ValueError):
        return ()


def runs_of(addon: Addon, values: Mapping[str, Any]) -> tuple[JobKind, ...]:
    """The jobs that the add-on runs with these values: its own, and those of operators that it brings along."""
    return (*addon.runs, *(kind for kinds in addon.brings(values).values() for kind in kinds))


def version_of(addon: Addon, options: Options) -> str:
    """The user's choice, written as the project writes its versions (with or without a v), or the pinned version."""
    pinned = pin_of(addon, options).version
    if options.version is None or not pinned:
        return options.version or pinned
    return f"{'v' if pinned.startswith('v') else ''}{options.version.removeprefix('v')}"


def pin_of(addon: Addon, options: Options) -> Pin:
    """What is pinned of it, in the form that the description wants."""
    source = addon.as_chosen(options).source
    return (source.pin if isinstance(source, Chart) else None) or ADDONS[addon.name]


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """One laid over the other. A null stays: it is for the chart's own value, which is not here."""
    result = dict(below)
    for key, value in above.items():
        under = result.get(key)
        result[key] = merged(under, value) if isinstance(under, dict) and isinstance(value, dict) else value
    return result


def over_defaults(defaults: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """What the chart's templates see of the values: nulls have deleted what they stood for."""
    result: dict[str, Any] = _without_nulls(merged(defaults, given))
    return result


def at(values: Mapping[str, Any], *path: str) -> Any:
    """The value at a path; None where it, or what should hold it, is not there."""
    found: Any = values
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def _without_nulls(value: Any) -> Any:
    """The API server takes a null for a field that is not there, so they are dropped in lists, too."""
    if isinstance(value, dict):
        return {key: _without_nulls(each) for key, each in value.items() if each is not None}
    if isinstance(value, list):
        return [_without_nulls(each) for each in value]
    return value
