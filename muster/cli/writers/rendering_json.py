"""What add-ons' charts gave, and where it lands, as JSON."""

from typing import Any

from addons.graph import KINDS
from addons.landing import Landing
from addons.rendering import BY_EKS, RenderedAddon, Rendering
from muster.cli.report import CONTRACT, StackReport
from muster.cli.writers.json import dump, judgement


def write(rendering: Rendering, report: StackReport) -> str:
    """All of it."""
    said = judgement(report)
    return dump(
        {
            "contract": CONTRACT,
            "stack": report.stack,
            "addons": [_addon(each) for each in rendering.addons],
            "eks": [{"name": name, "rendered": False, "why": BY_EKS} for name in rendering.eks],
            "findings": said["findings"],
            "notEvaluated": said["notEvaluated"],
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
        "workloads": [_workload(landing) for landing in each.landings],
        "images": list(each.images),
        "objects": [_object(thing) for thing in (found.everything if found else ())],
        "makes": [_object(thing) for thing in each.made],
    }


def _workload(landing: Landing) -> dict[str, Any]:
    return {
        "kind": landing.kind,
        "namespace": landing.namespace,
        "name": landing.name,
        "hook": landing.hook,
        "groups": list(landing.groups),
        "obstacles": {group: landing.obstacle(group) for group in landing.obstacles if landing.obstacle(group)},
    }


def _object(thing: dict[str, Any]) -> dict[str, Any]:
    metadata = thing["metadata"]
    return {
        "apiVersion": thing["apiVersion"],
        "kind": thing["kind"],
        "name": metadata["name"],
        "namespace": metadata.get("namespace"),
    }
