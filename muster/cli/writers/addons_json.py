"""The graph of add-ons as JSON: a list, in the order of installation."""

from collections.abc import Iterable
from typing import Any

from addons.graph import Entry, Made
from muster.cli.writers.json import dump


def write(entries: Iterable[Entry]) -> str:
    """All of it. Fields may be added, never renamed."""
    return dump([entry(each) for each in entries])


def entry(each: Entry) -> dict[str, Any]:
    """One add-on."""
    first, last = each.kubernetes or (None, None)
    return {
        "name": each.name,
        "version": each.version,
        "kind": each.kind,
        "namespace": each.namespace,
        "after": list(each.after),
        "afterReasons": dict(each.after),
        "beforeNodes": each.before_nodes,
        "serves": {group: list(devices) for group, devices in each.serves.items()},
        "reason": each.reason,
        "runs": [{"apiVersion": kind.api_version, "kind": kind.kind} for kind in each.runs],
        "makes": [made(thing) for thing in each.makes],
        "kubernetes": {"first": first, "last": last} if first else None,
        "address": each.address or None,
        "loses": each.loses,
        "kept": each.kept,
    }


def made(thing: Made) -> dict[str, Any]:
    """An object of our own."""
    return {
        "apiVersion": thing.api_version,
        "kind": thing.kind,
        "name": thing.name,
        "namespace": thing.namespace,
    }
