"""A rehearsal as one HTML page that needs nothing else: no script, no font, no picture from elsewhere, no network.

Every text on it is data and is escaped; what cannot be printed (control characters, marks that turn the direction of
writing) becomes a visible escape. The page stays small with thousands of nodes: large groups are drawn as tiles, and
every list has a limit, and ends with the number of omitted items.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING, Any

from muster.cli.writers import rehearsal_view
from muster.kubernetes_quantity import format_amount, format_amounts, is_device, short_name
from muster.message_text import count_noun
from muster.rehearsal.outcome import Moment, Outcome, PodState, group_causes
from muster.terminal import visible

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATE = "rehearsal.html.jinja"

MOST_CELLS = 64
"""Devices that are drawn one by one; more become a bar."""

_MOST_TILE_ROWS = 2000
"""Rows in the tables of every node, on the whole page."""


def write(outcome: Outcome) -> str:
    """The page."""
    zones = rehearsal_view.draw_zones(outcome.nodes)
    nodes = [node for zone in zones for group in zone.groups for node in group.nodes]
    return (
        _environment()
        .get_template(_TEMPLATE)
        .render(
            outcome=outcome,
            headline=rehearsal_view.headline(outcome),
            causes=group_causes(outcome.waiting),
            not_running=rehearsal_view.not_running(outcome),
            pods=pod_parts(outcome),
            zones=zones,
            looks=rehearsal_view.count_looks(nodes),
            over=any(parts.over for node in nodes for parts in node.devices.values()),
            missing=any(parts.missing for node in nodes for parts in node.devices.values()),
            rows=_rows(zones),
            totals=rehearsal_view.group_totals(outcome.nodes),
            waits="it waits" if outcome.slurm else "pods wait",
            parts=f"{outcome.unit.value}s",
            per=outcome.unit.value,
            refused="job" if outcome.slurm else "pod",
            steps=[(name, taken) for name, taken in outcome.seconds.items() if name != "total"],
        )
    )


def pod_parts(outcome: Outcome) -> Mapping[str, int]:
    """How many of the job's pods are in which state."""
    return {state.value: sum(pod.state is state for pod in outcome.pods) for state in PodState}


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    made = Environment(
        loader=FunctionLoader(_text),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        short=short_name, seconds=_seconds, few=_few, ends=_ends, spread=_spread, lasted=_lasted, counted=count_noun
    )
    made.tests.update(device=is_device)
    made.globals.update(
        amount=format_amount,
        amounts=format_amounts,
        causes_of=group_causes,
        described=_described,
        at_a_glance=_at_a_glance,
        MOST_CELLS=MOST_CELLS,
    )
    return made


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _printable(value: Any) -> Any:
    """A value that a template prints: markup unchanged, and text with a visible escape for each character that cannot
    be printed."""
    return visible(value) if type(value) is str and not value.isprintable() else value


def _seconds(number: float) -> str:
    return f"{number:.1f} s"


def _few(items: Sequence[Any], most: int) -> tuple[Sequence[Any], int]:
    """The first items, and the number of the others. A single remaining item is shown, not counted."""
    return (items, 0) if len(items) <= most + 1 else (items[:most], len(items) - most)


def _ends(items: Sequence[Any], first: int, last: int) -> tuple[Sequence[Any], int, Sequence[Any]]:
    """Both ends of a long list, and how many there are between."""
    left = len(items) - first - last
    return (items, 0, ()) if left <= 0 else (items[:first], left, items[-last:])


def _lasted(moments: Iterable[Moment]) -> tuple[float, float]:
    """The first and the last second."""
    seconds = [each.seconds for each in moments]
    return min(seconds, default=0), max(seconds, default=0)


def _spread(moments: Sequence[Moment], tone: str) -> str:
    """Strokes of a timeline that is 1,000 wide, for all moments of a tone: good ones rise, bad ones fall."""
    first, last = _lasted(moments)
    height = {"good": "M{} 12v-11", "bad": "M{} 12v11", "step": "M{} 9v6"}[tone]
    places = (round(5 + 990 * (each.seconds - first) / ((last - first) or 1)) for each in moments if each.tone == tone)
    return "".join(height.format(place) for place in dict.fromkeys(places))


def _described(resource: str, parts: rehearsal_view.Parts) -> str:
    """The parts of an amount as text, for screen readers: ``8 used, 0 free, 1 not offered``."""
    used, free, over, missing = format_amounts(resource, parts.in_use, parts.free, parts.over, parts.missing)
    words = [f"{used} used", f"{free} free"]
    if parts.over:
        words.append(f"{over} of the used no longer offered")
    if parts.missing:
        words.append(f"{missing} not offered")
    return ", ".join(words)


def _at_a_glance(node: rehearsal_view.NodeDrawn) -> str:
    """A node's devices in a line: ``GPU 8 of 8, EFA 31 of 32 (1 not offered)``."""
    parts = []
    for resource, each in node.devices.items():
        gone = each.missing + each.over
        used = f"{short_name(resource)} {each.in_use} of {each.all}"
        parts.append(f"{used} ({gone} not offered)" if gone else used)
    return ", ".join(parts)


def _rows(zones: Iterable[rehearsal_view.ZoneDrawn]) -> Mapping[tuple[str, str], Sequence[rehearsal_view.NodeDrawn]]:
    """The nodes that the tables under the tiles list, by zone and group, up to the limit of the page."""
    left, listed = _MOST_TILE_ROWS, {}
    for zone in zones:
        for group in zone.groups:
            if not group.cards:
                listed[zone.name, group.name] = tuple(islice(group.nodes, left))
                left -= len(listed[zone.name, group.name])
    return listed
