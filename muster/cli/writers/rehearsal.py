"""A rehearsal as text for people, as JSON by the contract of `muster rehearse --json`, and as one HTML page that needs
nothing else: no script, no font, no picture from elsewhere, no network. Every text on it is data and is escaped."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from muster.cli.findings import CONTRACT, ReportedFinding, Where
from muster.cli.writers import cluster_picture
from muster.cli.writers.json import dump, finding, place
from muster.cli.writers.text import findings
from muster.kubernetes_quantity import format_amounts
from muster.message_text import count_noun, list_names
from muster.rehearsal.outcome import (
    Cause,
    Drill,
    GroupedCause,
    Moment,
    NodeReport,
    Outcome,
    PodState,
    Program,
    Sum,
    Tone,
    Unit,
    Verdict,
    Waiting,
    group_causes,
)
from muster.terminal import Style, text_of, visible

if TYPE_CHECKING:
    from jinja2 import Environment


def headline(outcome: Outcome) -> str:
    """The worst result in a sentence: ``nccl-tests starts on p5-odcr: 3 of 3 pods run``, or that it does not start, or
    that it does not recover from a drill."""
    ends = [f"{each.name} ({each.running_at_last} of {each.running_before} run)" for each in outcome.not_back]
    if outcome.verdict is Verdict.STARTS and ends:
        return f"{outcome.job} starts on {outcome.stack}, but does not recover from {list_names(ends)}"
    starts = outcome.verdict is Verdict.STARTS
    found = f"{outcome.job} {'starts' if starts else 'does not start'} on {outcome.stack}"
    if starts and outcome.if_exist:
        found += f", if {list_names(outcome.if_exist)} exist{'s' if len(outcome.if_exist) == 1 else ''}"
    back = [f"{each.name}{f' only if {each.assumes}' if each.assumes else ''}" for each in outcome.drills]
    return f"{found}: {_tally(outcome)}" + (f"; it recovers from {list_names(back)}" if back else "")


def _tally(outcome: Outcome) -> str:
    """``2 of 3 pods run, 1 waiting``; of a Slurm job, which has all of its nodes or none, on how many nodes it runs."""
    total, states = len(outcome.pods), Counter(pod.state for pod in outcome.pods)
    if outcome.unit is Unit.NODE:
        if not states[PodState.WAITING] and outcome.verdict is not Verdict.STARTS:
            return "Slurm refuses it"
        return f"it {'runs on' if outcome.verdict is Verdict.STARTS else 'waits for'} {count_noun(total, 'node')}"
    if not total:
        return "it has no pods"
    others = {"waiting": states[PodState.WAITING], "not created": states[PodState.NOT_CREATED]}
    counts = (f"{count} {state}" for state, count in others.items() if count)
    return ", ".join((f"{states[PodState.RUNNING]} of {total} pods run", *counts))


def sum_text(sum_: Sum) -> str:
    """The arithmetic of a resource in a sentence."""
    requested, offered, most, in_use, free = format_amounts(
        sum_.resource, sum_.asked, sum_.offered, sum_.most_on_a_node, sum_.in_use, sum_.most_free
    )
    nodes = count_noun(sum_.nodes, "node")
    return (
        f"{sum_.resource}: requested {requested}; offered {offered} by {nodes} (at most {most} by one node); "
        f"in use {in_use}; free on one node: at most {free}"
    )


def program_text(program: Program) -> str:
    """``etcd 3.6.8``, with its source if it was there before Muster."""
    source = "" if program.source in {"built", "downloaded"} else f" (of {program.source})"
    return f"{program.name} {program.version}{source}"


def json_document(outcome: Outcome, places: dict[str, Where], found: Iterable[ReportedFinding] = ()) -> str:
    """The whole rehearsal, as one document; amounts are milli-CPUs, bytes, or devices.

    Args:
        outcome: the rehearsal.
        places: the position in the stack file of the path of a cause.
        found: the findings about the job's file.
    """
    return dump(
        {
            "contract": CONTRACT,
            "stack": outcome.stack,
            "job": outcome.job,
            "kind": outcome.kind,
            "kubernetes": outcome.kubernetes or None,
            "slurm": outcome.slurm or None,
            "verdict": outcome.verdict.value,
            "ifExist": list(outcome.if_exist),
            "unit": outcome.unit.value,
            "pods": {"running": outcome.running, "waiting": outcome.not_running},
            "waiting": [_waiting_json(each, places) for each in outcome.waiting],
            "standIns": [
                {"name": each.name, "playedBy": each.simulated_by, "why": each.why} for each in outcome.simulated_parts
            ],
            "findings": [finding(each) for each in found],
            "notes": list(outcome.notes),
            "nodes": [_node(each) for each in outcome.nodes],
            "placed": {pod.name: pod.node for pod in outcome.pods},
            "timeline": [_moment_json(each) for each in outcome.moments],
            "drills": [_drill_json(each, places) for each in outcome.drills],
            "binaries": {each.name: {"version": each.version, "source": each.source} for each in outcome.programs},
            "seconds": outcome.seconds,
            "peakMemoryMiB": outcome.peak_memory_mib,
        }
    )


def _waiting_json(waiting: Waiting, places: dict[str, Where]) -> dict[str, Any]:
    return {"pod": waiting.pod, "reason": waiting.reason, **_cause_json(waiting.cause, places)}


def _cause_json(cause: Cause, places: dict[str, Where]) -> dict[str, Any]:
    where = places.get(cause.where)
    return {
        "id": cause.id,
        "cause": cause.said,
        "remedy": cause.remedy,
        "where": place(where) if where else None,
        "arithmetic": [
            {
                "resource": each.resource,
                "asked": each.asked,
                "nodes": each.nodes,
                "mostOnANode": each.most_on_a_node,
                "offered": each.offered,
                "inUse": each.in_use,
                "mostFree": each.most_free,
            }
            for each in cause.sums
        ],
    }


def _node(node: NodeReport) -> dict[str, Any]:
    return {
        "name": node.name,
        "group": node.group,
        "instance": node.instance,
        "zone": node.zone,
        "resources": {
            name: {"planned": each.planned, "offered": each.offered, "used": each.used}
            for name, each in node.amounts.items()
        },
        "pods": list(node.pods),
        "ultraServer": node.ultraserver or None,
    }


def _moment_json(moment: Moment) -> dict[str, Any]:
    return {"seconds": moment.seconds, "what": moment.said, "tone": moment.tone.value}


def _drill_json(drill: Drill, places: dict[str, Where]) -> dict[str, Any]:
    return {
        "drill": drill.name,
        "lost": list(drill.lost),
        "running": {"before": drill.running_before, "after": drill.running_after, "atLast": drill.running_at_last},
        "comesBack": drill.comes_back,
        "said": drill.said,
        "assumes": drill.assumes or None,
        "timeline": [_moment_json(each) for each in drill.moments],
        "waiting": [_waiting_json(each, places) for each in drill.waiting],
    }


def text_parts(
    outcome: Outcome,
    places: Mapping[str, Where],
    style: Style,
    found: Iterable[ReportedFinding] = (),
    fails: str = "",
) -> Iterator[str]:
    """Parts of the report, each with its line ends: verdict and causes, nodes, timeline, and the rest.

    Args:
        outcome: the rehearsal.
        places: the position in the stack file of the path of a cause.
        style: the terminal's.
        found: the findings about the job's file.
        fails: why the command fails although the job starts; empty if it does not.
    """
    yield text_of(_verdict(outcome, places, style, fails))
    yield text_of(findings(found, style))
    if outcome.nodes:
        yield text_of(("", style.strong("Nodes"), *cluster_picture.picture_lines(outcome, style)))
    if outcome.moments:
        yield text_of(("", style.strong("Timeline"), *(_moment(each, style) for each in outcome.moments)))
    for drill in outcome.drills:
        yield text_of(("", *_drill(drill, places, style)))
    if outcome.simulated_parts:
        yield text_of(("", style.strong("Simulated"), *(f"  {each}" for each in outcome.simulated_parts)))
    if outcome.programs:
        yield text_of(("", style.dim(f"Run: {', '.join(map(program_text, outcome.programs))}")))
    yield text_of(f"note: {note}" for note in outcome.notes)


def _moment(moment: Moment, style: Style) -> str:
    text = moment.said
    painted = {Tone.GOOD: style.good(text), Tone.BAD: style.bad(text), Tone.STEP: text}[moment.tone]
    return f"  {moment.seconds:6.1f} s  {painted}"


def _drill(drill: Drill, places: Mapping[str, Where], style: Style) -> Iterator[str]:
    yield style.strong(f"Drill: {drill.name}")
    yield from (_moment(each, style) for each in drill.moments)
    for each in group_causes(drill.waiting):
        yield from _cause(each, places, style)
    yield f"  result: {drill.said if drill.comes_back else style.bad(drill.said)}"


def _verdict(outcome: Outcome, places: Mapping[str, Where], style: Style, fails: str) -> Iterator[str]:
    seconds = f", {outcome.seconds:.1f} s, {outcome.peak_memory_mib} MiB" if outcome.seconds else ""
    paint = style.good if outcome.is_good else style.bad
    ran = f"{outcome.scheduler}{seconds}" if outcome.programs else "nothing ran: the cause needs no control plane"
    yield f"{paint(headline(outcome))} ({ran})"
    if fails:
        yield style.bad(f"but {fails}")
    for each in group_causes(outcome.waiting):
        yield from _cause(each, places, style, outcome.request_at(each))


def _cause(seen: GroupedCause, places: Mapping[str, Where], style: Style, in_job: str = "") -> Iterator[str]:
    """Pods that wait for one cause. If the remedy is in the job's file, its place there is first."""
    cause = seen.cause
    in_stack = str(places.get(cause.where, ""))
    place = f"{in_job or in_stack}: " if in_job or in_stack else ""
    yield f"{place}{style.bad(list_names(seen.pods))}: {cause.said}"
    yield f"    fix: {cause.remedy}"
    if in_job and in_stack:
        yield f"    the group is at {in_stack}"
    for each in cause.sums:
        yield f"    {sum_text(each)}"
    if seen.reason:
        yield style.dim(f"    message of {seen.speaker}: {seen.reason}")


def html_page(
    outcome: Outcome, places: Mapping[str, Where], found: Iterable[ReportedFinding] = (), fails: str = ""
) -> str:
    """The page; its arguments are those of `text_parts`."""
    known = {"outcome": outcome, "places": places, "found": list(found), "fails": fails, "headline": headline(outcome)}
    return _environment().get_template("rehearsal.html.jinja").render(known, drawn=cluster_picture.places(outcome))


@cache
def _environment() -> "Environment":
    from muster.text_templates import environment

    made = environment("muster.cli")
    made.autoescape, made.finalize = True, _printable
    made.globals.update(
        {each.__name__: each for each in (group_causes, list_names, sum_text, program_text)},
        picture=cluster_picture,
    )
    return made


def _printable(value: Any) -> Any:
    """A value that a template prints: markup unchanged, and text with a visible escape for each character that cannot
    be printed."""
    return visible(value) if type(value) is str and not value.isprintable() else value
