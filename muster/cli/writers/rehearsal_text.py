"""A rehearsal as text for people: the nodes, what happened, the verdict with cause and remedy, what was simulated."""

from collections.abc import Callable, Iterator, Mapping

from muster.cli.findings import Where
from muster.cli.tables import REPORT, table
from muster.cli.writers.rehearsal_view import headline
from muster.kubernetes_quantity import BUILT_IN, format_amount, format_amounts, is_bytes
from muster.rehearsal.outcome import (
    Amount,
    Drill,
    GroupedCause,
    Moment,
    NodeReport,
    Outcome,
    Program,
    SimulatedPart,
    Sum,
    Tone,
    Unit,
    group_causes,
    nodes_by_group,
)
from muster.terminal import Style, text_of

_MOST_NODES = 24
"""Beyond this number, nodes are listed by group."""
_MOST_PODS = 3
_PARTS = {Unit.POD: "the job's pods", Unit.NODE: "the job"}


def write(outcome: Outcome, places: Mapping[str, Where], style: Style) -> Iterator[str]:
    """Parts of the report, each with its line ends.

    Args:
        outcome: the rehearsal.
        places: the position in the stack file of the path of a cause.
        style: the terminal's.
    """
    if outcome.nodes:
        yield table(("node", "zone", "offers", "in use", _PARTS[outcome.unit]), _nodes(outcome), "Nodes", REPORT) + "\n"
    if outcome.moments:
        yield text_of(("Timeline", *(_moment(each, style) for each in outcome.moments), ""))
    for drill in outcome.drills:
        yield text_of((*_drill(drill, places, style), ""))
    if outcome.simulated_parts:
        yield text_of(("Simulated", *map(_simulated_part, outcome.simulated_parts), ""))
    if outcome.programs:
        yield text_of((style.dim(f"Run: {', '.join(map(_program, outcome.programs))}"), ""))
    yield text_of(f"note: {note}" for note in outcome.notes)
    yield text_of(_verdict(outcome, places, style))


def _nodes(outcome: Outcome) -> Iterator[tuple[str, ...]]:
    many = len(outcome.nodes) > _MOST_NODES
    for nodes in nodes_by_group(outcome.nodes) if many else ((node,) for node in outcome.nodes):
        first = nodes[0]
        pods = sum(len(node.pods) for node in nodes)
        yield (
            f"{len(nodes)} x {first.group} ({first.instance})" if many else f"{first.name} ({first.instance})",
            ", ".join(dict.fromkeys(node.zone for node in nodes)) or "-",
            _amounts(nodes, lambda each: each.offered, what_lacks=True),
            _amounts(nodes, lambda each: each.used),
            str(pods) if many else ", ".join(first.pods) or "-",
        )


def _amounts(nodes: tuple[NodeReport, ...], of: Callable[[Amount], int], *, what_lacks: bool = False) -> str:
    """Devices and huge pages, summed; ``24 of 32`` where nodes offer fewer than planned."""
    text = []
    for resource in nodes[0].amounts:
        if resource in BUILT_IN:
            continue
        every = [node.amounts[resource] for node in nodes]
        number, planned = sum(of(each) for each in every), sum(each.planned for each in every)
        lacking = f" of {planned}" if what_lacks and number != planned and not is_bytes(resource) else ""
        if number or lacking:
            text.append(f"{resource} {format_amount(resource, number)}{lacking}")
    return ", ".join(text) or "-"


def _moment(moment: Moment, style: Style) -> str:
    text = moment.said
    painted = {Tone.GOOD: style.good(text), Tone.BAD: style.bad(text), Tone.STEP: text}[moment.tone]
    return f"  {moment.seconds:6.1f} s  {painted}"


def _program(program: Program) -> str:
    return f"{program.name} {program.version}" + (f" (of {program.source})" if program.source != "built" else "")


def _simulated_part(part: SimulatedPart) -> str:
    return f"  {part.name}: {part.simulated_by} ({part.why})"


def _drill(drill: Drill, places: Mapping[str, Where], style: Style) -> Iterator[str]:
    yield f"Drill: {drill.name}"
    yield from (_moment(each, style) for each in drill.moments)
    for each in group_causes(drill.waiting):
        yield from _cause(each, places, style)
    yield f"  result: {drill.said if drill.comes_back else style.bad(drill.said)}"


def _verdict(outcome: Outcome, places: Mapping[str, Where], style: Style) -> Iterator[str]:
    for each in group_causes(outcome.waiting):
        yield from _cause(each, places, style, outcome.request_at(each))
    seconds = f", {outcome.seconds['total']:.1f} s, {outcome.peak_memory_mib} MiB" if "total" in outcome.seconds else ""
    paint = style.good if outcome.is_good else style.bad
    yield f"{paint(headline(outcome))} ({outcome.scheduler}{seconds})"


def _cause(seen: GroupedCause, places: Mapping[str, Where], style: Style, in_job: str = "") -> Iterator[str]:
    """Pods that wait for one cause. If the remedy is in the job's file, its place there is first."""
    cause = seen.cause
    names = ", ".join(seen.pods[:_MOST_PODS])
    more = f" and {len(seen.pods) - _MOST_PODS} more" if len(seen.pods) > _MOST_PODS else ""
    where = places.get(cause.where)
    in_stack = f"{where.file}:{where.line}:{where.column}" if where else ""
    place = f"{in_job or in_stack}: " if in_job or in_stack else ""
    yield f"{place}{style.bad(f'{names}{more}')}: {cause.said}"
    yield f"    fix: {cause.remedy}"
    if in_job and in_stack:
        yield f"    the group is at {in_stack}"
    for each in cause.sums:
        yield f"    {_sum(each)}"
    reason, _ = seen.reasons[0]
    if reason:
        yield style.dim(f"    message of {seen.speaker}: {reason}")


def _sum(sum_: Sum) -> str:
    requested_amount, offered, most, in_use, free = format_amounts(
        sum_.resource, sum_.asked, sum_.offered, sum_.most_on_a_node, sum_.in_use, sum_.most_free
    )
    nodes = f"{sum_.nodes} node{'' if sum_.nodes == 1 else 's'}"
    return (
        f"{sum_.resource}: requested {requested_amount}; offered {offered} by {nodes} (at most {most} by one node); "
        f"in use {in_use}; free on one node: at most {free}"
    )
