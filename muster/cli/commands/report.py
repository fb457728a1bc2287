"""`muster report`: the findings of the policy pack in a run of the engine, in any output format.

An event of the engine has a rule's name, a message, a level and a URN. The rule's sheet adds the remedy and the source.
The stack file, if it is in this checkout, adds the line. Violations of other packs are reported as `PACK/POLICY`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import AfterValidator, Field

from muster import user_files
from muster.cli.findings import ENGINE, Report, ReportedFinding, StackReport, SuppressedFinding, Where
from muster.cli.options import Json, Strict, Verbose
from muster.cli.outputs import OutputOption, outputs, write
from muster.cli.stacks import place_in_file
from muster.cli.writers import text
from muster.config.document import CLUSTER_PATH, value_at
from muster.finding import Level, NotEvaluated, OurBug, WrongInput, parse_dotted_path
from muster.json_text import JsonModel, ListOf, MalformedJson, NotJson, exceeded_limit, load, parse_model
from muster.policies.engine.configuration import MUSTER
from muster.policies.engine.messages import (
    NOT_EVALUATED,
    read_bug,
    read_finding,
    read_place,
    read_suppressed,
    read_unjudged,
)
from muster.secret_texts import without_credentials
from muster.whole_number import whole_number

if TYPE_CHECKING:
    from muster.stack.stack_file import StackFile

_NO_PACK = "a run of Muster's policy pack; run Pulumi with --policy-pack and the path of policies/"
_NOT_ASKED = "the resources that the program registers: the program ended before the policy pack ran"
_ENDS = re.compile(r"(preview|update|refresh|destroy) failed")
"""The last error of a failed run. It only names the operation that failed."""

_CONSEQUENCE = "an unhandled error occurred: program exited with non-zero exit code"
"""The engine's error after a program that has reported the cause itself and exited with a code other than 0."""

_TOLD = re.compile(
    r"^(?P<file>.{1,255}?):(?P<line>\d+):(?P<column>\d+): (?P<rule>[a-z0-9-]+): (?P<got>.*)\n"
    r"  (?:fix:|->) (?P<remedy>.*)",
    re.MULTILINE,
)
"""A finding as the first gate (`muster/program.py`) prints it."""

_COLOUR = re.compile(r"<\{%[^%]{0,40}%\}>")
"""The engine's color tags (`diag/colors`). A run that prints to a terminal leaves them in its events."""

_PATH = re.compile(r"(?<![\w./:-])[a-z][a-z0-9-]*(?:\.[\w/-]+|\[\d+\])+")
"""Text that may be a path in a description: ``groups.workers``, ``access[0].policy``."""


def report(
    events: Annotated[
        Path,
        typer.Option(
            "--events",
            metavar="FILE",
            help="File with the engine's events, from Pulumi's --event-log or streamed by --json; - for stdin.",
        ),
    ],
    *,
    output: OutputOption = None,
    as_json: Json = False,
    strict: Strict = False,
    verbose: Verbose = False,
) -> None:
    """Report the findings of the policy pack in a preview or an update, with the remedy and source of each.

    The exit codes are those of `check`: 1 if a mandatory policy of any pack was violated or the run failed, 3 if the
    policy pack reported a bug in Muster.
    """
    wanted = outputs(output, as_json=as_json, verbose=verbose)
    log = read_events(events)
    whole = Report((run_report(log, str(events)),), strict, bugs(log))
    write(whole, wanted)
    if whole.bugs:
        raise OurBug(*whole.bugs)
    raise typer.Exit(whole.exit())


def run_report(events: "list[Event]", log: str = "") -> StackReport:
    """The report of the stack of one run of the engine.

    Args:
        events: all events of the run, in their order.
        log: the file of the events; the place of findings and errors that have no resource.
    """
    project, stack = _of(events)
    opened = _described(project, stack)
    gate = list(dict.fromkeys(_by_gate(events)))
    policies = _policies(events)
    suppressed = [each for event in policies for each in _suppressed(event)]
    broken = [event for event in policies if not (_is_unjudged(event) or _suppressed(event) or _bug(event))]
    findings = [*gate, *dict.fromkeys(_finding(event, opened, log) for event in broken)]
    failed = any(each.level is Level.MANDATORY for each in findings) or bool(bugs(events))
    findings += _errors(events, log, refused=bool(gate), failed=failed)
    return StackReport(
        stack=stack or log or "unknown",
        file=str(opened.document.file) if opened else "",
        judged=_judged(events),
        objects=len(_registered(events)),
        findings=tuple(sorted(findings)),
        not_evaluated=tuple(sorted(_unjudged(events, policies, refused=bool(gate)))),
        suppressed=tuple(sorted(suppressed)),
    )


def bugs(events: "Iterable[Event]") -> tuple[str, ...]:
    """The bugs of Muster that the pack reported."""
    return tuple(filter(None, map(_bug, _policies(events))))


def _policies(events: "Iterable[Event]") -> "list[Policy]":
    return [event.policy_event for event in events if event.policy_event]


def _bug(event: "Policy") -> str:
    return read_bug(event.message) if _is_muster(event) else ""


def _suppressed(event: "Policy") -> tuple[SuppressedFinding, ...]:
    """The findings that the pack reported as suppressed. Its message has only rule, place, reason and end date."""
    suppressed = read_suppressed(event.message) if _is_muster(event) else ()
    return tuple(
        SuppressedFinding(
            ReportedFinding(Where("", 0, 0, each.where), each.rule, Level.ADVISORY, each.where, "", "", ""),
            each.reason,
            each.until,
            each.where,
        )
        for each in suppressed
    )


def _of(events: "list[Event]") -> tuple[str, str]:
    """The project and the stack, read from the first URN. Both are empty if no event has a URN."""
    urns = (urn for event in events for urn in _urns(event) if urn.startswith("urn:pulumi:"))
    parts = next(urns, "").removeprefix("urn:pulumi:").split("::")
    return (parts[1], parts[0]) if len(parts) > 1 else ("", "")


def _urns(event: "Event") -> Iterator[str]:
    steps = (event.resource_pre_event, event.res_outputs_event, event.res_op_failed_event)
    yield from (each.metadata.urn for each in steps if each)
    yield from (each.urn for each in (event.policy_event, event.diagnostic_event) if each)


def _registered(events: "list[Event]") -> set[str]:
    """The URNs of the registered resources, without the stack itself and its providers."""
    urns = {urn for event in events if event.resource_pre_event for urn in _urns(event) if urn}
    return {urn for urn in urns if "::pulumi:pulumi:Stack::" not in urn and "pulumi:providers:" not in urn}


def _described(project: str, stack: str) -> "StackFile | None":
    """The stack file, or None where this checkout is of another project or has no such stack."""
    from muster.stack import project as checkout
    from muster.stack.linked_stacks import PROJECT

    try:
        root = checkout.root()
        if project != PROJECT or not checkout.has_stack(root, stack):
            return None
        return checkout.open_stack(root, stack)
    except (checkout.NoProject, checkout.NoStack, OSError, ValueError):
        return None


def _finding(event: "Policy", opened: "StackFile | None", log: str) -> ReportedFinding:
    urn, message = event.urn, event.message
    level = Level.ADVISORY if event.enforcement_level == "advisory" else Level.MANDATORY
    if not _is_muster(event):
        name = f"{event.policy_pack_name}/{event.policy_name}"
        return ReportedFinding(_place(message, urn, opened, log), name, level, urn, message, "", "")
    rule = event.policy_name
    got, remedy, source = read_finding(message)
    general, known = _sheet(rule)
    return ReportedFinding(
        _place(read_place(message) or got, urn, opened, log), rule, level, urn, got, remedy or general, source or known
    )


def _is_muster(event: "Policy | AnalyzedPolicies") -> bool:
    return event.policy_pack_name == "muster"


def _is_unjudged(event: "Policy") -> bool:
    return _is_muster(event) and event.policy_name == NOT_EVALUATED and event.enforcement_level == "advisory"


def _sheet(rule: str) -> tuple[str, str]:
    """The remedy and the source in a rule's sheet. Both are empty if this version of Muster has no such rule."""
    known = text.known_sheet(rule)
    return (known.remedy, known.source[0]) if known else ("", "")


def _place(words: str, urn: str, opened: "StackFile | None", log: str) -> Where:
    """The line of the first path in `words` that the description has; the resource if it has none of them; the log if
    there is no resource."""
    if opened is None:
        return Where("" if urn else log, 0, 0, urn)
    for path in _PATH.findall(words):
        if value_at(opened.document.data, CLUSTER_PATH + parse_dotted_path(path)) is not None:
            return place_in_file(opened, path)
    return Where(str(opened.document.file), 0, 0, urn)


def _told_errors(events: "Iterable[Event]") -> "list[Diagnostic]":
    """The errors of the engine and of the program."""
    told = (event.diagnostic_event for event in events)
    return [each for each in told if each and each.severity == "error"]


def _by_gate(events: "Iterable[Event]") -> Iterator[ReportedFinding]:
    """The findings for which the first gate refused the description: an error event of the program has them. The pack
    reports the others."""
    for each in _told_errors(events):
        for match in _TOLD.finditer(each.message):
            line, column = (whole_number(match[name]) or 1 for name in ("line", "column"))
            place, source = Where(match["file"], line, column, ""), _sheet(match["rule"])[1]
            yield ReportedFinding(place, match["rule"], Level.MANDATORY, "", match["got"], match["remedy"], source)


def _errors(events: "Iterable[Event]", log: str, *, refused: bool, failed: bool) -> Iterator[ReportedFinding]:
    """The errors that are not findings of a policy. Without them a run that failed for another reason would pass."""
    found = [
        (each.message, each.urn)
        for each in _told_errors(events)
        if not (_TOLD.search(each.message) or _ENDS.fullmatch(each.message))
        and not (refused and each.message.startswith(_CONSEQUENCE))
    ]
    result = next((event.summary_event.result for event in events if event.summary_event), "succeeded")
    if result != "succeeded" and not (found or failed):
        found.append((f"the run {result or 'has no result'}, and no event has the reason", ""))
    for got, urn in found:
        yield ReportedFinding(Where("" if urn else log, 0, 0, urn), ENGINE, Level.MANDATORY, urn, got, _RUN_AGAIN, "")


_RUN_AGAIN = (
    "fix this error and run Pulumi again: Muster evaluated the rules on only a part of the program, or not at all"
)


def _judged(events: "Iterable[Event]") -> dict[str, int]:
    """The number of evaluations of each policy, by name. Muster's own rules are evaluated once, on the whole stack."""
    counts: Counter[str] = Counter()
    for event in events:
        for summary in (event.asked_of_stack, event.asked):
            if summary:
                pack = "" if _is_muster(summary) else f"{summary.policy_pack_name}/"
                counts.update(f"{pack}{name}" for name in (*(summary.passed or ()), *(summary.failed or ())))
    for name in (NOT_EVALUATED, MUSTER):
        del counts[name]
    return dict(sorted(counts.items()))


def _unjudged(events: "list[Event]", policies: "Iterable[Policy]", *, refused: bool) -> Iterator[NotEvaluated]:
    """The rules that the pack could not evaluate; the whole program if the pack did not run. A description that the
    first gate refused has been evaluated in full, so it adds nothing."""
    for event in filter(_is_unjudged, policies):
        rule, missing = read_unjudged(event.message)
        yield NotEvaluated(rule or "muster", event.urn, missing)
    if refused or any(event.asked_of_stack and _is_muster(event.asked_of_stack) for event in events):
        return
    packs = next((event.summary_event.policy_packs or {} for event in events if event.summary_event), {})
    ran = any(name.partition("|")[0] == "muster" for name in packs)
    yield NotEvaluated("muster", "", _NOT_ASKED if ran else _NO_PACK)


Words = Annotated[str, AfterValidator(lambda text: _COLOUR.sub("", text).strip())]
"""A message without the engine's color tags."""


class Policy(JsonModel):
    """A violation of a policy."""

    policy_name: str
    policy_pack_name: str = ""
    enforcement_level: str = ""
    message: Words = ""
    urn: str = Field("", alias="resourceUrn")


class AnalyzedPolicies(JsonModel):
    """The policies of a pack that the engine evaluated."""

    policy_pack_name: str = ""
    passed: ListOf[str] | None = None
    failed: ListOf[str] | None = None


class Diagnostic(JsonModel):
    """A message of the engine or of a program."""

    severity: str = ""
    message: Words = ""
    urn: str = ""


class Metadata(JsonModel):
    """The metadata of a step."""

    urn: str = ""


class Step(JsonModel):
    """An operation on a resource."""

    metadata: Metadata = Metadata()


class Summary(JsonModel):
    """How a run ended."""

    result: str = ""
    policy_packs: dict[str, Any] | None = Field(None, alias="PolicyPacks")


class Event(JsonModel):
    """One event: its sequence number, and one of the other fields."""

    sequence: int
    cancel_event: Any = None
    policy_event: Policy | None = None
    asked_of_stack: AnalyzedPolicies | None = Field(None, alias="policyAnalyzeStackSummaryEvent")
    asked: AnalyzedPolicies | None = Field(None, alias="policyAnalyzeSummaryEvent")
    diagnostic_event: Diagnostic | None = None
    resource_pre_event: Step | None = None
    res_outputs_event: Step | None = None
    res_op_failed_event: Step | None = None
    summary_event: Summary | None = None


_MOST_EVENTS = 100_000
"""The largest number of events of one run. An event takes about 2 kB of memory, and a resource has three events."""

_HOW = (
    "create a log with `PULUMI_DEBUG_COMMANDS=true pulumi preview --event-log FILE`, "
    "or with `PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true pulumi preview --json > FILE`"
)


def read_events(file: Path) -> list[Event]:
    """The events of a log, in their order.

    Args:
        file: the log; ``-`` is stdin.

    Raises:
        WrongInput: it cannot be read, is something else, or is cut off.
    """
    try:
        text = user_files.read_text(file, user_files.LOG)
    except user_files.CannotRead as fault:
        raise WrongInput(f"'{file}': {fault}; {_HOW}") from None
    many = f"has more than {_MOST_EVENTS} lines" if text.count("\n") > _MOST_EVENTS else exceeded_limit(text)
    if many:
        raise WrongInput(f"'{file}' {many}; {user_files.LOG.remedy}")
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        raise WrongInput(f"'{file}' is empty: it contains no event of the engine; {_HOW}")
    events = [_event(f"{file}:{number}", line) for number, line in lines]
    if not any("cancel_event" in event.model_fields_set for event in events):
        raise WrongInput(
            f"'{file}' ends after line {lines[-1][0]} without the engine's last event (cancelEvent): the engine was "
            "still running, or was stopped. The policy pack reports at the end, so run Pulumi again until it ends"
        )
    return sorted(events, key=lambda event: event.sequence)


def _event(place: str, line: str) -> Event:
    try:
        return parse_model(Event, without_credentials(load(line)))
    except (NotJson, MalformedJson) as fault:
        what = f"it {fault.problem}" if isinstance(fault, NotJson) else fault
        raise WrongInput(f"{place}: this is not an event of the engine: {what}; {_HOW}") from None
