"""Values of add-ons: the user's merged over the mirror's and the derived ones, and all over the chart's. Pure.

Helm's rules: maps are merged, lists replaced, and a null deletes the chart's default. They apply to our releases:
pulumi 3.272 sends a null inside `values` as null (seen in what the offline monitor records), and the Kubernetes
provider passes it to Helm since 4.30.0 (its changelog, pulumi-kubernetes#2997).
"""

from collections.abc import Mapping
from typing import Any

from muster.addon_sheets import ADDONS
from muster.addons.addon import Addon, ArnOf, Chart
from muster.addons.context import AddonContext, group_names, tolerations
from muster.addons.workload import JobKind, Workload, among, on_nodes
from muster.blueprint.labels import GROUP
from muster.config.description.addons import KnownOptions, Options, OtherChart
from muster.plain_data import merged, with_texts
from muster.unknown import UNKNOWN


def values_of(addon: Addon, context: AddonContext) -> dict[str, Any]:
    """Values derived from the cluster, the mirror's merged over them, and the user's over both; of an add-on without a
    chart, what Muster sets in its objects. Empty where another stack installs it."""
    options = context.chosen[addon.name]
    if isinstance(options, KnownOptions):
        return {}
    source = addon.source
    derived = source.values(context)
    if isinstance(source, Chart) and source.mirrored and context.mirrors.images:
        derived = merged(derived, source.mirrored(context.mirrors.images, version_of(addon, options)))
    return merged(derived, getattr(options, "values", {}))


def values_of_chart(chart: OtherChart, context: AddonContext) -> dict[str, Any]:
    """The values of a chart of the description's own, merged over those that place its pods on the nodes of groups."""
    if not chart.groups:
        return chart.values
    nodes = [each for each in context.nodes if each.group in chart.groups]
    names = group_names(nodes)
    where = {"nodeSelector": {GROUP: names[0]}} if len(names) == 1 else {"affinity": on_nodes(among(GROUP, names))}
    derived: dict[str, Any] = {**where, **({"tolerations": tainted} if (tainted := tolerations(nodes)) else {})}
    placed: dict[str, Any] = {}
    for path in [each.split(".") for each in chart.groups_at] or [[]]:
        below = derived
        for key in reversed(path):
            below = {key: below}
        placed = merged(placed, below)
    return merged(placed, chart.values)


def known_values(addon: Addon, context: AddonContext) -> dict[str, Any]:
    """The values, with UNKNOWN for each that only AWS knows."""
    known: dict[str, Any] = with_texts(
        values_of(addon, context), lambda each: UNKNOWN if isinstance(each, ArnOf) else each
    )
    return known


def workloads_of(addon: Addon, values: Mapping[str, Any]) -> tuple[Workload, ...]:
    """What the add-on runs with these values; empty where the user's have a form that its chart does not take
    (`nodeSelector: 3`), which Helm or the API server reports."""
    try:
        return addon.workloads(values)
    except (AttributeError, KeyError, TypeError, ValueError):
        return ()


def runs_of(addon: Addon, values: Mapping[str, Any]) -> tuple[JobKind, ...]:
    """The jobs that the add-on runs with these values: its own, and those of operators that its chart includes."""
    return (*addon.runs, *(kind for kinds in addon.brings(values).values() for kind in kinds))


def version_of(addon: Addon, options: Options) -> str:
    """The user's version, written as the project writes its versions (with or without a v), or the pinned one."""
    pinned = ADDONS[addon.name].version
    if options.version is None or not pinned:
        return options.version or pinned
    return f"{'v' if pinned.startswith('v') else ''}{options.version.removeprefix('v')}"


def over_defaults(defaults: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The values that the chart's templates see: nulls have deleted their keys."""
    result: dict[str, Any] = _without_nulls(merged(defaults, given))
    return result


def at(values: Mapping[str, Any], *path: str) -> Any:
    """The value at a path; None where there is none."""
    found: Any = values
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def _without_nulls(value: Any) -> Any:
    """The API server treats a null as a missing field, so nulls are dropped, also in lists."""
    if isinstance(value, dict):
        return {key: _without_nulls(each) for key, each in value.items() if each is not None}
    if isinstance(value, list):
        return [_without_nulls(each) for each in value]
    return value
