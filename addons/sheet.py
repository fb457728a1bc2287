"""Reads the sheets of add-ons, `catalogue/NAME.toml`: what an add-on is, apart from what depends on the cluster.

Keys of a sheet, besides the fields of `muster.addons.addon.Addon`:

- ``place``: its place in lists of add-ons. ``about``: the text of its key in a description.
- ``version``: the pinned one; without it, a description sets one. ``kubernetes``: the first and, if there is one, the
  last version that its project supports. ``images``: all that it runs, with the digest where its project publishes it.
- ``tolerations-at``: the paths in the values that get tolerations of the system groups' taints; with
  ``only-where-tainted``, only where there are such taints.
- ``values``: Muster's values. A text ``{WHAT WHICH DEVICE}`` in them is something of the nodes that have a device:
  ``tolerations`` of their taints, an ``affinity`` to them, the names of their ``groups``, whether there are ``any``.
  WHICH is a method of `AddonContext`: ``having``, ``offering``, ``driven``. A list in a list is part of it.
- ``chart``, ``eks``, ``manifest``: the source. ``chart.mirrored``: the values that take its images from a registry.
- ``defaults``: the chart's own values, as far as they decide where its pods run. A text ``{types CHART LIST}`` is a
  list of `chart_instance_types.csv`: the types that the chart lists, in its order, under the name of the DaemonSet that
  the list is for. A row's version (or commit) is that of the list; where every version of a chart was read, the first
  that lists the type.
- ``workloads``: what the chart runs. ``name``: ``{full}`` is the name that Helm's scaffold gives, by the overrides of
  the chart or of its ``sub-chart``; the chart cuts the whole name where it is ``shortened``. ``at``: the path of the
  values with `tolerations`, `affinity`, `nodeSelector` and `resources`; ``without`` names those of them that the chart
  does not read. Each of them may also be a key of its own: a path, paths of which the first with a value counts, or the
  chart's own value. ``if``, ``replicas``, ``priority-at`` and ``namespace-at`` are paths; ``priority`` and
  ``node-selector`` are the chart's own, as is ``namespace``, where it is not the add-on's; ``labels``: of its
  pods, where others select them; ``never-zero``: it has a
  replica even if the values set 0.
- ``relies-on``: derived values that the description's own may not replace, with the fields of
  `muster.addons.addon.Reliance`.
- ``own`` and ``objects``: the image, and the objects of an add-on that Muster makes itself; ``{image}`` in them.
- ``permissions``: the roles of service accounts, with the fields of `muster.addons.addon.Permissions`.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from muster.addon_sheets import SHEETS
from muster.addons.addon import (
    Addon,
    Chart,
    EksAddon,
    Json,
    Manifest,
    OwnObjects,
    Permissions,
    Reliance,
    Source,
    Statement,
    SwitchedNeed,
    Values,
    tolerations_added,
)
from muster.addons.context import AddonContext, GroupNodes, group_names, instance_types, system_tolerations, tolerations
from muster.addons.manifest_patches import changed
from muster.addons.values import at, over_defaults, values_of, version_of
from muster.addons.workload import JobKind, Placement, Workload, full_name, on_groups, shortened
from muster.hardware.tables import read_table
from muster.plain_data import with_texts


@cache
def chart_lists() -> Mapping[tuple[str, str], Mapping[str, str]]:
    """Chart, and the name of a DaemonSet -> each type that the chart lists for it -> the version of its row."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for row in read_table("chart_instance_types.csv", "muster.addons.catalogue"):
        found.setdefault((row["chart"], row["list"]), {})[row["instance_type"]] = row["version"]
    return found


def chart_instance_types(chart: str, name: str) -> list[str]:
    """The types that a chart lists, as a Kubernetes node is labelled: on HyperPod ``ml.p5.48xlarge``.

    Args:
        chart: the chart's name.
        name: of the DaemonSet that the list is for.
    """
    return list(chart_lists()[chart, name])


_FIELDS = ("serves", "exports", "loses", "last", "waits", "after", "needs")
_OF_A_POD = ("tolerations", "affinity", "nodeSelector", "resources")
_TYPES = re.compile(r"\{types (?P<chart>\S+) (?P<list>\S+)\}")


def sheet(name: str) -> Mapping[str, Any]:
    """The sheet of an add-on."""
    return SHEETS[name]


def addon(name: str, *, values: Values | None = None, source: Source | None = None, **more: Any) -> Addon:
    """An add-on, from its sheet.

    Args:
        name: the add-on's.
        values: the cluster -> its values, where its sheet does not say them.
        source: its source, where that is not in its sheet.
        more: other fields of `Addon`.
    """
    read = sheet(name)
    made: Addon
    fields: dict[str, Any] = {
        "workloads": lambda given: workloads(name, over_defaults(defaults(name), given)),
        "runs": tuple(JobKind(each["api-version"], each["kind"]) for each in read.get("runs", ())),
        "needs_if": tuple(_switched(each) for each in read.get("needs-if", ())),
        "relies_on": tuple(Reliance(**each) for each in read.get("relies-on", ())),
        "before_nodes": read.get("before-nodes"),
        "permissions": lambda _: permissions(name),
        **({"objects": lambda context: _own_objects(made, context)} if "objects" in read else {}),
        **{field: read[field] for field in _FIELDS if field in read},
        **more,
    }
    source = source or _source(read, values or _own_values(read))
    made = Addon(name=name, namespace=read["namespace"], source=source, reason=read["reason"], **fields)
    return made


def _own_objects(made: Addon, context: AddonContext) -> tuple[Json, ...]:
    """The objects of a sheet, with the image from the mirror, if there is one, and the tolerations of the values."""
    assert isinstance(made.source, OwnObjects)
    image = context.mirrors.image(made.source.image.format(version=version_of(made, context.chosen[made.name])))
    patches = tolerations_added(values_of(made, context))
    return tuple(changed(_filled(each, "image", image), patches) for each in sheet(made.name)["objects"])


def mirrored(name: str, registry: str) -> Json:
    """The values that take the images of an add-on's chart from a registry."""
    filled: Json = _filled(sheet(name)["chart"]["mirrored"], "registry", registry)
    return filled


def defaults(name: str) -> Json:
    """The values of an add-on's chart, as far as they decide where its pods run."""
    listed: Json = with_texts(sheet(name).get("defaults", {}), _types_of)
    return listed


def permissions(name: str, **arns: str) -> tuple[Permissions, ...]:
    """The roles of an add-on's service accounts.

    Args:
        name: the add-on's.
        arns: what replaces ``{NAME}`` in the resources of statements, and in policies.
    """
    read = sheet(name)
    return tuple(
        Permissions(
            read["namespace"],
            each["service-account"],
            tuple(each.get("managed", ())),
            tuple(_statement(statement, arns) for statement in each.get("statements", ())),
            _with_arns(each.get("policies", ()), arns),
            each.get("by-oidc", False),
            tuple(each.get("services", ())),
        )
        for each in read.get("permissions", ())
    )


def _statement(read: Mapping[str, Any], arns: Mapping[str, str]) -> Statement:
    return Statement(tuple(read["actions"]), _with_arns(read.get("resources", ["*"]), arns))


def _with_arns(given: Iterable[str], arns: Mapping[str, str]) -> tuple[str, ...]:
    for key, arn in arns.items():
        given = [each.replace(f"{{{key}}}", arn) for each in given]
    return tuple(given)


def workloads(name: str, values: Mapping[str, Any], release: str = "") -> tuple[Workload, ...]:
    """What an add-on runs with these values.

    Args:
        name: the add-on's.
        values: all of them, the chart's own included.
        release: the name of its release, where that is not its chart's.
    """
    read = sheet(name)
    chart = release or read.get("chart", read).get("name", name)
    return tuple(
        _workload(each, chart, read["namespace"], values)
        for each in read["workloads"]
        if "if" not in each or _value(values, each["if"])
    )


def _workload(read: Mapping[str, Any], chart: str, namespace: str, values: Mapping[str, Any]) -> Workload:
    part = read.get("at", "")
    own = {key: value for key, value in (_value(values, part) or {}).items() if key not in read.get("without", ())}
    own |= {key: _first(read[key], values) for key in _OF_A_POD if key in read}
    inside = read.get("sub-chart")
    names = {"nameOverride": inside, **(_value(values, inside) or {})} if inside else values
    whole = read["name"].replace("{full}", full_name(chart, names))
    priority = read.get("priority") or (_value(values, read["priority-at"]) if "priority-at" in read else None)
    replicas = _value(values, read["replicas"]) if "replicas" in read else None
    return Workload(
        read["kind"],
        shortened(whole) if read.get("shortened") else whole,
        (_value(values, read["namespace-at"]) if "namespace-at" in read else None) or read.get("namespace", namespace),
        Placement.of(own, priority, read.get("node-selector")),
        own.get("resources") or {},
        replicas=1 if replicas is None or (replicas == 0 and read.get("never-zero")) else replicas,
        serves=read.get("serves"),
        labels=read.get("labels", {}),
    )


def _first(given: Any, values: Mapping[str, Any]) -> Any:
    """The chart's own value, or the value at the first of these paths that has one."""
    paths = [given] if isinstance(given, str) else given
    if isinstance(paths, dict) or not all(isinstance(each, str) for each in paths):
        return with_texts(given, _types_of)
    return next(filter(None, (_value(values, path) for path in paths)), None)


def _value(values: Mapping[str, Any], path: str) -> Any:
    return at(values, *path.split(".")) if path else values


def _switched(read: Mapping[str, str]) -> SwitchedNeed:
    part = tuple(read["part"].split(".")) if "part" in read else ()
    return SwitchedNeed(tuple(read["switch"].split(".")), read["addon"], read["why"], part)


def _source(read: Mapping[str, Any], values: Values) -> Source:
    if chart := read.get("chart"):
        images = chart.get("mirrored")
        in_registry = (lambda registry, _version: _filled(images, "registry", registry)) if images else None
        return Chart(chart.get("repository", ""), chart["name"], values, mirrored=in_registry)
    if eks := read.get("eks"):
        return EksAddon(eks["name"], values, annotated=eks.get("annotated"))
    if own := read.get("own"):
        return OwnObjects(own["image"], values)
    manifest = read["manifest"]
    images = manifest.get("images", {})
    return Manifest(manifest["address"], lambda version: _filled(images, "number", version.removeprefix("v")), values)


_OF_NODES: Mapping[str, Callable[[tuple[GroupNodes, ...]], Any]] = {
    "tolerations": tolerations,
    "affinity": lambda nodes: on_groups(instance_types(nodes), group_names(nodes)),
    "groups": group_names,
    "any": bool,
}
_NODES = re.compile(r"\{(?P<what>\w+) (?P<which>having|offering|driven) (?P<device>\S+)\}")


def _derived(value: Any, context: AddonContext) -> Any:
    """Values of a sheet for a cluster."""
    if isinstance(value, dict):
        return {key: _derived(each, context) for key, each in value.items()}
    if isinstance(value, list):
        made = [_derived(each, context) for each in value]
        return [part for each in made for part in (each if isinstance(each, list) else [each])]
    found = _NODES.fullmatch(value) if isinstance(value, str) else None
    return _OF_NODES[found["what"]](getattr(context, found["which"])(found["device"])) if found else value


def _own_values(read: Mapping[str, Any]) -> Values:
    paths = [path.split(".") for path in read.get("tolerations-at", ())]

    def values(context: AddonContext) -> Json:
        listed = system_tolerations(context)
        made: Json = _derived(read.get("values", {}), context)
        for *above, last in paths if listed or not read.get("only-where-tainted") else ():
            here = made
            for key in above:
                here = here.setdefault(key, {})
            here[last] = listed
        return made

    return values


def _filled(value: Any, name: str, text: str) -> Any:
    """The value with a text in place of ``{NAME}``."""
    return with_texts(value, lambda each: each.replace(f"{{{name}}}", text))


def _types_of(text: str) -> Any:
    """The list of instance types that a text names; otherwise the text."""
    found = _TYPES.fullmatch(text)
    return chart_instance_types(found["chart"], found["list"]) if found else text
