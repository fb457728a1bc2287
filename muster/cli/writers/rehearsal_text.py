"""A rehearsal as text for people: the nodes, what happened, the verdict with cause and remedy, what was simulated."""

from collections.abc import Iterator, Mapping

from muster.cli.findings import Where
from muster.cli.tables import REPORT, table
from muster.cli.writers.rehearsal_view import headline, node_heads, node_rows, program_text, sum_text, waiting_pods
from muster.rehearsal.outcome import Drill, GroupedCause, Moment, Outcome, SimulatedPart, Tone, group_causes
from muster.terminal import Style, text_of


def write(outcome: Outcome, places: Mapping[str, Where], style: Style) -> Iterator[str]:
    """Parts of the report, each with its line ends.

    Args:
        outcome: the rehearsal.
        places: the position in the stack file of the path of a cause.
        style: the terminal's.
    """
    if outcome.nodes:
        yield table(node_heads(outcome), node_rows(outcome), "Nodes", REPORT) + "\n"
    if outcome.moments:
        yield text_of(("Timeline", *(_moment(each, style) for each in outcome.moments), ""))
    for drill in outcome.drills:
        yield text_of((*_drill(drill, places, style), ""))
    if outcome.simulated_parts:
        yield text_of(("Simulated", *map(_simulated_part, outcome.simulated_parts), ""))
    if outcome.programs:
        yield text_of((style.dim(f"Run: {', '.join(map(program_text, outcome.programs))}"), ""))
    yield text_of(f"note: {note}" for note in outcome.notes)
    yield text_of(_verdict(outcome, places, style))


def _moment(moment: Moment, style: Style) -> str:
    text = moment.said
    painted = {Tone.GOOD: style.good(text), Tone.BAD: style.bad(text), Tone.STEP: text}[moment.tone]
    return f"  {moment.seconds:6.1f} s  {painted}"


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
    seconds = f", {outcome.seconds:.1f} s, {outcome.peak_memory_mib} MiB" if outcome.seconds else ""
    paint = style.good if outcome.is_good else style.bad
    yield f"{paint(headline(outcome))} ({outcome.scheduler}{seconds})"


def _cause(seen: GroupedCause, places: Mapping[str, Where], style: Style, in_job: str = "") -> Iterator[str]:
    """Pods that wait for one cause. If the remedy is in the job's file, its place there is first."""
    cause = seen.cause
    where = places.get(cause.where)
    in_stack = f"{where.file}:{where.line}:{where.column}" if where else ""
    place = f"{in_job or in_stack}: " if in_job or in_stack else ""
    yield f"{place}{style.bad(waiting_pods(seen))}: {cause.said}"
    yield f"    fix: {cause.remedy}"
    if in_job and in_stack:
        yield f"    the group is at {in_stack}"
    for each in cause.sums:
        yield f"    {sum_text(each)}"
    reason, _ = seen.reasons[0]
    if reason:
        yield style.dim(f"    message of {seen.speaker}: {reason}")
