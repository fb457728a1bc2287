"""The picture of a rehearsed cluster: each node once, by group, zone and UltraServer, with the job's pods on it. The
text and the page of a rehearsal draw it."""

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from itertools import chain
from typing import NamedTuple

from muster.kubernetes_quantity import BUILT_IN, format_amounts, is_device
from muster.message_text import count_noun, list_names
from muster.rehearsal.outcome import Amount, NodeReport, Outcome
from muster.terminal import Style, visible

FEW = 16
"""Up to so many nodes, the picture names each node and its pods; of more, each is a sign."""
_COLUMNS = 77
"""Of 80: the escape of `::` at the start of a line adds three."""


class Mark(Enum):
    """The state of a node: its sign in text, the classes of its cell on the page, its meaning, its color in text."""

    RUNS = "#", "runs", "runs the job", Style.good
    RUNS_WITH_FEWER = "%", "runs fewer", "runs the job, but offers fewer devices than planned", Style.warn
    OTHERS = "o", "others", "in use by other pods", Style.dim
    FREE = ".", "free", "free", Style.dim
    FEWER = "!", "fewer", "free, but offers fewer devices than planned", Style.warn
    LOST = "x", "lost", "lost in the drill", Style.bad

    def __init__(self, sign: str, classes: str, meaning: str, paint: Callable[[Style, str], str]) -> None:
        self.sign, self.classes, self.meaning, self.paint = sign, classes, meaning, paint


class Cell(NamedTuple):
    """One node."""

    node: NodeReport
    mark: Mark
    said: str
    """The job's pods, and what is wrong: ``nccl-tests-worker-0``, ``free, vpc.amazonaws.com/efa 31 of 32``."""


class Place(NamedTuple):
    """The nodes of one type in a group and a zone."""

    title: str
    """``workers, 64 x p5.48xlarge in us-west-2a``."""
    devices: str
    ultraservers: dict[str, list[Cell]]
    """By name; the empty name has the nodes that are in none."""


def places(outcome: Outcome) -> list[Place]:
    """Every node, in the order in which groups and zones first appear."""
    lost = {name for drill in outcome.drills for name in drill.lost}
    found: dict[tuple[str, str, str], dict[str, list[Cell]]] = {}
    for node in outcome.nodes:
        place = found.setdefault((node.group, node.instance, node.zone), {})
        place.setdefault(node.ultraserver, []).append(_cell(node, lost=node.name in lost))
    made = []
    for (group, instance, zone), ultraservers in found.items():
        nodes, number = [cell.node for cell in chain(*ultraservers.values())], len(ultraservers.keys() - {""})
        title = f"{group}, {len(nodes)} x {instance}{f' in {zone}' if zone else ''}"
        title += f", {count_noun(number, 'UltraServer')}" if number else ""
        made.append(Place(title, devices(nodes), ultraservers))
    return made


def _cell(node: NodeReport, *, lost: bool) -> Cell:
    amounts = [(name, each) for name, each in node.amounts.items() if is_device(name)]
    others = any(each.used for _, each in amounts)
    fewer = [f"{name} {each.offered} of {each.planned}" for name, each in amounts if each.offered < each.planned]
    pods = ", ".join(node.pods) or ("no pod of the job" if lost else "in use by other pods" if others else "free")
    if lost:
        mark = Mark.LOST
    else:
        idle = Mark.FEWER if fewer else Mark.OTHERS if others else Mark.FREE
        mark = (Mark.RUNS_WITH_FEWER if fewer else Mark.RUNS) if node.pods else idle
    return Cell(node, mark, ", ".join((f"lost with {pods}" if lost else pods, *fewer)))


def devices(nodes: Iterable[NodeReport]) -> str:
    """Devices, and huge pages in use: ``in use: nvidia.com/gpu 16 of 32``; ``offers: nvidia.com/gpu 32`` if none is in
    use."""
    amounts: dict[str, Amount] = {}
    for resource, each in (pair for node in nodes for pair in node.amounts.items()):
        if resource not in BUILT_IN and (each.used or (is_device(resource) and each.planned)):
            sum_ = amounts.get(resource, Amount(0, 0, 0))
            amounts[resource] = Amount(sum_.planned + each.planned, sum_.offered + each.offered, sum_.used + each.used)
    in_use, said = any(each.used for each in amounts.values()), []
    for resource, each in amounts.items():
        used, offered = format_amounts(resource, each.used, each.offered)
        lacking = f" ({each.planned} planned)" if is_device(resource) and each.offered < each.planned else ""
        said.append(f"{resource} {f'{used} of ' if in_use else ''}{offered}{lacking}")
    return f"{'in use' if in_use else 'offers'}: {', '.join(said)}" if said else ""


def legend(drawn: Iterable[Place]) -> Iterator[tuple[Mark, str]]:
    """Each mark of a picture, with the number of its nodes, and the names of the nodes with something wrong."""
    nodes: dict[Mark, list[str]] = {}
    for cell in (cell for place in drawn for cell in chain(*place.ultraservers.values())):
        nodes.setdefault(cell.mark, []).append(cell.node.name)
    for mark in (each for each in Mark if each in nodes):
        named = "" if mark in {Mark.RUNS, Mark.OTHERS, Mark.FREE} else f" ({list_names(nodes[mark])})"
        yield mark, f"{mark.meaning}: {len(nodes[mark])}{named}"


def picture_lines(outcome: Outcome, style: Style) -> Iterator[str]:
    """The picture in characters, at most 80 columns wide."""
    marks, drawn, few = {mark.sign: mark for mark in Mark}, places(outcome), len(outcome.nodes) <= FEW
    for place in drawn:
        yield from _folded("", "; ".join(filter(None, (place.title, place.devices))))
        if not few:
            signs = " ".join("".join(cell.mark.sign for cell in cells) for cells in place.ultraservers.values())
            for row in textwrap.wrap(signs, _COLUMNS):
                yield "  " + re.sub(r"(\S)\1*", lambda run: marks[run[1]].paint(style, run[0]), row)
            continue
        for name, cells in place.ultraservers.items():
            if name:
                yield from _folded("  ", f"UltraServer {name}")
            for cell in cells:
                yield from _folded(f"  {cell.mark.paint(style, cell.mark.sign)} ", f"{cell.node.name}: {cell.said}")
    for mark, meaning in () if few else legend(drawn):
        yield from _folded(f"  {mark.paint(style, mark.sign)} ", meaning)


def _folded(before: str, text: str) -> Iterator[str]:
    first, *others = textwrap.wrap(visible(text), _COLUMNS - 6, break_on_hyphens=False) or [""]
    yield before + first
    yield from (f"      {line}" for line in others)
