"""The rendered charts of add-ons, and the nodes that their pods can run on, as text and JSON."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from muster.addons.charts.cluster_rendering import BY_EKS, RenderedAddon, Rendering
from muster.addons.charts.placement import WorkloadPlacement
from muster.addons.installation_order import KINDS
from muster.cli.findings import CONTRACT, StackReport
from muster.cli.tables import table
from muster.cli.writers import text
from muster.cli.writers.json import dump, judgement
from muster.terminal import Style, text_of

HEADS = ("add-on", "workload", "runs on")


def write_table(rendering: Rendering, report: StackReport, style: Style) -> Iterator[str]:
    """All of it."""
    rows = [(each.addon.name, *_row(placement)) for each in rendering.addons for placement in each.placements]
    if rows:
        yield table(HEADS, rows, "Groups that the pods can run on, by labels and taints") + "\n"
    for each in rendering.addons:
        yield text_of(_addon_lines(each, style))
    if rendering.eks:
        yield text_of([f"{', '.join(rendering.eks)}: {style.dim(f'not rendered: {BY_EKS}')}"])
    if not rendering.addons:
        yield text_of([f"{report.stack}: the description has no add-ons to render"])
    yield text_of(text.verification_lines(report, style))
    if rendering.addons:
        yield text_of([_counted(rendering)])


def _row(placement: WorkloadPlacement) -> tuple[str, str]:
    what = f"{placement.display_name} (hook)" if placement.hook else placement.display_name
    return what, ", ".join(placement.groups) or "no group"


def _away(placement: WorkloadPlacement) -> Iterator[str]:
    """Why it is not on the other groups; too long for a table."""
    for group in placement.obstacles:
        if group not in placement.groups:
            yield f"    {placement.display_name}, not on {group}: {placement.obstacle(group)}"


def _addon_lines(each: RenderedAddon, style: Style) -> Iterator[str]:
    name = style.strong(each.addon.name)
    if each.rendered:
        counted = Counter(thing["kind"] for thing in each.rendered.everything)
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(counted.items()))
        yield f"{name}: {each.rendered.source}: {kinds}"
        for note in each.rendered.notes:
            yield style.warn(f"    {note}")
    elif each.is_checked:
        yield f"{name}: objects that Muster itself defines"
    elif each.broken:
        yield f"{name}: {style.bad('cannot be rendered')}"
    else:
        paint = style.dim if each.why == BY_EKS else style.warn
        yield f"{name}: {paint(f'not rendered: {each.why}')}"
    for placement in each.placements:
        yield from (style.dim(line) for line in _away(placement))
    if each.made:
        yield style.dim(f"    then makes {', '.join(map(_called, each.made))}")


def _called(thing: dict[str, object]) -> str:
    metadata = thing["metadata"]
    assert isinstance(metadata, dict)
    namespace = metadata.get("namespace")
    return f"{thing['kind']} {namespace}/{metadata['name']}" if namespace else f"{thing['kind']} {metadata['name']}"


def _counted(rendering: Rendering) -> str:
    checked = sum(each.is_checked for each in rendering.addons)
    by_eks = sum(each.why == BY_EKS for each in rendering.addons)
    text = f"{checked} of {len(rendering.addons)} add-ons rendered and checked"
    return f"{text}; EKS renders {by_eks}" if by_eks else text


def write_json(rendering: Rendering, report: StackReport) -> str:
    """All of it."""
    judged = judgement(report)
    return dump(
        {
            "contract": CONTRACT,
            "stack": report.stack,
            "addons": [_addon(each) for each in rendering.addons],
            "eks": [{"name": name, "rendered": False, "why": BY_EKS} for name in rendering.eks],
            "findings": judged["findings"],
            "notEvaluated": judged["notEvaluated"],
        }
    )


def _addon(each: RenderedAddon) -> dict[str, Any]:
    found = each.rendered
    return {
        "name": each.addon.name,
        "version": each.version,
        "kind": KINDS[type(each.addon.source)],
        "namespace": each.addon.namespace,
        "address": each.address or None,
        "rendered": found is not None,
        "checked": each.is_checked,
        "why": each.broken or each.why or None,
        "source": found.source if found else None,
        "notes": list(found.notes) if found else [],
        "workloads": [_workload(placement) for placement in each.placements],
        "images": list(each.images),
        "objects": [_object(thing) for thing in (found.everything if found else ())],
        "makes": [_object(thing) for thing in each.made],
    }


def _workload(placement: WorkloadPlacement) -> dict[str, Any]:
    return {
        "kind": placement.kind,
        "namespace": placement.namespace,
        "name": placement.name,
        "hook": placement.hook,
        "groups": list(placement.groups),
        "obstacles": {group: placement.obstacle(group) for group in placement.obstacles if placement.obstacle(group)},
    }


def _object(thing: dict[str, Any]) -> dict[str, Any]:
    metadata = thing["metadata"]
    return {
        "apiVersion": thing["apiVersion"],
        "kind": thing["kind"],
        "name": metadata["name"],
        "namespace": metadata.get("namespace"),
    }
