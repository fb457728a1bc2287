"""`muster addons`: the add-ons of a stack in their order."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from muster import terminal
from muster.cli.options import Json, Stack
from muster.cli.tables import table
from muster.cli.writers.json import dump
from muster.config.description.addons import Installer
from muster.terminal import Style, visible

if TYPE_CHECKING:
    from muster.addons.installation_order import Entry


def addons(stack: Stack, *, as_json: Json = False) -> None:
    """Show the add-ons of a stack in order of installation: versions, dependencies, groups served.

    The list begins with EKS's own add-ons. Needs no charts and no AWS account. `muster rehearse STACK --charts DIR`
    renders the charts, and runs their pods on a real scheduler.
    """
    from muster.addons.installation_order import graph
    from muster.cli.stacks import open_kubernetes

    blueprint = open_kubernetes(stack)
    entries = graph(blueprint)
    if as_json:
        terminal.write(dump(list(map(entry_json, entries))))  # fields may be added, never renamed
        return
    numbers = {each.name: str(number) for number, each in enumerate(entries, 1)}
    title = f"{visible(blueprint.stack)}: add-ons, in order of installation"
    terminal.write(table(HEADS, [_row(each, numbers) for each in entries], title) + "\n")
    terminal.write_lines(line for each in entries for line in _entry_lines(each, terminal.style()))


HEADS = ("", "add-on", "version", "kind", "namespace", "Kubernetes", "serves", "after")


def _row(each: "Entry", numbers: dict[str, str]) -> tuple[str, ...]:
    return (
        numbers[each.name],
        each.name,
        each.version or "by EKS",
        each.kind,
        each.namespace,
        minors(each),
        "; ".join(f"{group}: {', '.join(devices)}" for group, devices in each.serves.items()) or "-",
        ", ".join(numbers[name] for name in each.after) or "-",
    )


def minors(each: "Entry") -> str:
    """The documented Kubernetes versions of an add-on, as text."""
    if each.kubernetes is None:
        return "by EKS" if each.kind == "eks-addon" else "unknown"
    first, last = each.kubernetes
    return f"{first} to {last}" if last else f"{first} and newer"


def _entry_lines(each: "Entry", style: Style) -> Iterator[str]:
    yield f"{style.strong(each.name)}: {visible(each.reason)}"
    if each.controller:
        yield style.dim(f"    applied by {each.controller}: `muster addons export`")
    if each.before_nodes:
        yield style.dim(f"    before the nodes: {visible(each.before_nodes)}")
    for name, why in each.after.items():
        yield style.dim(f"    after {name}: {visible(why)}")
    if each.runs:
        yield style.dim(f"    runs {', '.join(f'{kind.kind} ({kind.api_version})' for kind in each.runs)}")
    if each.makes:
        yield style.dim(f"    then makes {', '.join(map(_called, each.makes))}")
    if each.loses:
        other = "delete" if each.kept else "keep"
        yield style.warn(f"    {visible(each.removal)}; set on-destroy: {other} to change this")


def _called(thing: Mapping[str, Any]) -> str:
    named = (thing["metadata"].get("namespace"), thing["metadata"]["name"])
    return visible(f"{thing['kind']} {'/'.join(filter(None, named))}")


def entry_json(each: "Entry") -> dict[str, Any]:
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
        "makes": [
            {
                "apiVersion": thing["apiVersion"],
                "kind": thing["kind"],
                "name": thing["metadata"]["name"],
                "namespace": thing["metadata"].get("namespace"),
            }
            for thing in each.makes
        ],
        "kubernetes": {"first": first, "last": last} if first else None,
        "address": each.address or None,
        "loses": each.loses,
        "kept": each.kept,
        "installedBy": each.controller or Installer.PULUMI.value,
    }
