"""Diagrams of clusters, drawn from their blueprints: `docs/assets/STACK.svg`."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from muster.blueprint.cluster import Group
from muster.blueprint.kubernetes import Blueprint
from muster.blueprint.node import Node
from muster.config.project import open_stack

ROOT = Path(__file__).resolve().parent.parent
STACKS = ("p5-odcr", "hyperpod-p5")
"""The clusters in the documentation."""

_COLUMN, _GAP, _LEFT, _SIDE = 420, 20, 24, 250
_CELL, _PER_ROW = 15, 16
_STYLE = (
    "text{font:13px system-ui,-apple-system,'Segoe UI',sans-serif;fill:#1d2430}"
    ".s{font-size:12px;fill:#4a5568}.b{font-weight:600}.t{font-size:16px;font-weight:600}"
)


@dataclass
class _Drawing:
    """SVG elements from top to bottom."""

    parts: list[str] = field(default_factory=list)

    def box(
        self, x: float, y: float, width: float, height: float, fill: str, line: str, *, dashed: bool = False
    ) -> None:
        """A rectangle with round corners."""
        dash = ' stroke-dasharray="6 4"' if dashed else ""
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="8" fill="{fill}" '
            f'stroke="{line}"{dash}/>'
        )

    def text(self, x: float, y: float, words: str, style: str = "") -> None:
        """One line of text."""
        kind = f' class="{style}"' if style else ""
        self.parts.append(f'<text x="{x:g}" y="{y:g}"{kind}>{escape(words)}</text>')

    def cells(self, x: float, y: float, count: int, fill: str, per_row: int = _PER_ROW) -> float:
        """A small square for each of several things. Returns where they end."""
        for number in range(count):
            row, column = divmod(number, per_row)
            self.parts.append(
                f'<rect x="{x + column * _CELL:g}" y="{y + row * _CELL:g}" '
                f'width="{_CELL - 3}" height="{_CELL - 3}" rx="2" fill="{fill}"/>'
            )
        return y + -(-count // per_row) * _CELL


def pages() -> Iterator[tuple[Path, str]]:
    """Each diagram by its path below the root."""
    for stack in STACKS:
        blueprint = open_stack(ROOT, stack).derive()
        assert isinstance(blueprint, Blueprint), "only clusters with Kubernetes are drawn"
        yield Path(f"docs/assets/{stack}.svg"), diagram(blueprint)


def diagram(blueprint: Blueprint) -> str:
    """The whole picture. It has its own background, so it is readable on light and dark pages."""
    zones = sorted({*blueprint.network.private, *blueprint.network.public})
    drawing = _Drawing()
    x, width = _LEFT + _SIDE + _GAP, len(zones) * _COLUMN + (len(zones) + 1) * _GAP
    drawing.text(_LEFT, 36, f"{blueprint.stack}: {blueprint.backend} in {blueprint.region}", "t")
    top = 60.0
    y = top + 64
    for number, zone in enumerate(zones):
        drawing.text(x + _GAP + number * (_COLUMN + _GAP), y - 12, zone, "b")
    if blueprint.network.public:
        for number, zone in enumerate(zones):
            if zone in blueprint.network.public:
                left = x + _GAP + number * (_COLUMN + _GAP)
                drawing.box(left, y, _COLUMN, 38, "#eaf5ea", "#4d8a52")
                drawing.text(left + 12, y + 24, "public subnet")
        y += 38 + _GAP
    for group in blueprint.groups:
        y = _group(drawing, blueprint, group, zones, x, y) + _GAP
    for storage in blueprint.storage:
        left = x + _GAP + (zones.index(storage.zone) if storage.zone in zones else 0) * (_COLUMN + _GAP)
        drawing.box(left, y, _COLUMN, 38, "#fdf1dc", "#a36a00")
        drawing.text(left + 12, y + 24, f"FSx for Lustre: {storage.name}", "b")
        y += 38 + _GAP
    side = _side(drawing, blueprint, top)
    bottom = max(y, side) + 4
    frame = _Drawing()
    frame.box(x, top, width, bottom - top, "#f6f8fb", "#5b6b84", dashed=True)
    frame.text(x + _GAP, top + 20, f"VPC {blueprint.network.cidr or blueprint.network.vpc or ''}".strip(), "s")
    total_width, total_height = x + width + _LEFT, bottom + 24
    label = f"The cluster {blueprint.stack}: {len(zones)} zones, {len(blueprint.groups)} groups of nodes"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total_width:g} {total_height:g}" role="img"',
            f' aria-label="{escape(label)}">',
            f"<style>{_STYLE}</style>",
            f'<rect width="{total_width:g}" height="{total_height:g}" rx="12" fill="#ffffff"/>',
            *frame.parts,
            *drawing.parts,
            "</svg>",
            "",
        ]
    )


def _group(drawing: _Drawing, blueprint: Blueprint, group: Group, zones: list[str], x: float, y: float) -> float:
    """A box across the zones of a group's subnets. Returns where it ends."""
    node = group.node
    assert isinstance(node, Node), "nodes of Kubernetes"
    own = sorted(zones.index(zone) for zone, subnet in blueprint.network.private.items() if subnet in group.subnets)
    first, last = (own[0], own[-1]) if own else (0, len(zones) - 1)
    left = x + _GAP + first * (_COLUMN + _GAP)
    width = (last - first + 1) * _COLUMN + (last - first) * _GAP
    efa = sum(slot.is_efa for slot in node.slots)
    lines = (
        [f"pods {node.allocatable.pods}", f"memory {node.allocatable.memory_mib / 1024:.0f} GiB"]
        if node.allocatable.memory_mib
        else []
    )
    if node.huge_pages.mib:
        lines.append(f"huge pages {node.huge_pages.mib / 1024:.0f} GiB")
    height = 66.0 + (44 if node.hardware.accelerators else 0) + (30 + -(-efa // _PER_ROW) * _CELL if efa else 0)
    drawing.box(left, y, width, height, "#ffffff", "#33557f")
    name = ("ml." if blueprint.hyperpod else "") + node.hardware.instance
    drawing.text(left + 14, y + 24, f"{group.name}: {_count(group)} x {name}", "b")
    drawing.text(
        left + 14,
        y + 44,
        "private subnet" + ("s" if len(own) > 1 else "") + (", " + ", ".join(lines) if lines else ""),
        "s",
    )
    below = y + 66
    if node.hardware.accelerators:
        drawing.text(left + 14, below + 4, f"{node.hardware.accelerators} x {node.hardware.accelerator_model}", "s")
        below = drawing.cells(left + 14, below + 12, node.hardware.accelerators, "#3f7d3f") + 14
    if efa:
        cards = len({slot.card for slot in node.slots})
        drawing.text(left + 14, below + 4, f"{efa} EFA interfaces on {cards} network cards", "s")
        drawing.cells(left + 14, below + 12, efa, "#2f6fb0")
    return y + height


def _count(group: Group) -> str:
    nodes: Any = group.described.nodes
    if hasattr(nodes, "count"):
        return str(nodes.count)
    return str(nodes.min) if nodes.min == nodes.max else f"{nodes.min} to {nodes.max}"


def _side(drawing: _Drawing, blueprint: Blueprint, top: float) -> float:
    """The control plane and the add-ons, to the left of the VPC. Returns where they end."""
    y = top
    control_plane = blueprint.control_plane
    drawing.box(_LEFT, y, _SIDE, 58, "#eeeaf8", "#5f4b9b")
    drawing.text(_LEFT + 14, y + 24, "EKS control plane", "b")
    drawing.text(_LEFT + 14, y + 44, f"Kubernetes {control_plane.kubernetes}" if control_plane else "existing", "s")
    y += 58 + _GAP
    if blueprint.hyperpod:
        drawing.box(_LEFT, y, _SIDE, 40, "#eeeaf8", "#5f4b9b")
        drawing.text(_LEFT + 14, y + 25, "SageMaker HyperPod cluster", "b")
        y += 40 + _GAP
    names = list(_addons(blueprint))
    height = 40.0 + 20 * len(names)
    drawing.box(_LEFT, y, _SIDE, height, "#f3f4f6", "#5b6b84")
    drawing.text(_LEFT + 14, y + 24, "Add-ons", "b")
    for number, name in enumerate(names):
        drawing.text(_LEFT + 14, y + 46 + 20 * number, name, "s")
    return y + height


def _addons(blueprint: Blueprint) -> Iterator[str]:
    yield from (each.name for each in blueprint.eks_addons)
    addons = getattr(blueprint.described, "addons", None)
    for name in type(addons).model_fields if addons is not None else ():
        if getattr(addons, name) and name != "charts":
            yield name.replace("_", "-")
