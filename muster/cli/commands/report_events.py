"""Reads the engine's event log: one event per line, as JSON.

`pulumi preview --event-log FILE` writes them (a flag of PULUMI_DEBUG_COMMANDS), and `pulumi preview --json` streams
them if PULUMI_ENABLE_STREAMING_JSON_PREVIEW is set; `pulumi up --json` always does (engine 3.260:
`pkg/backend/display/display.go`, `sdk/go/common/apitype/events.go`). A log without the engine's last event is
refused: the pack reports at the end of a run, so the missing part may have all its findings.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import Field

from muster import user_files
from muster.address_credentials import without_credentials
from muster.cli.exits import WrongInput
from muster.json_text import JsonModel, ListOf, MalformedJson, NotJson, exceeded_limit, load, parse_model


class Policy(JsonModel):
    """A violation of a policy."""

    policy_name: str
    policy_pack_name: str = ""
    enforcement_level: str = ""
    message: str = ""
    urn: str = Field("", alias="resourceUrn")


class AnalyzedPolicies(JsonModel):
    """The policies of a pack that the engine evaluated."""

    policy_pack_name: str = ""
    passed: ListOf[str] | None = None
    failed: ListOf[str] | None = None


class Diagnostic(JsonModel):
    """A message of the engine or of a program."""

    severity: str = ""
    message: str = ""
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


def read(file: Path) -> list[Event]:
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
    events = list(_events(file, lines, whole=text.endswith("\n")))
    if not any("cancel_event" in event.model_fields_set for event in events):
        raise WrongInput(
            f"'{file}' ends after line {lines[-1][0]} without the engine's last event (cancelEvent): the engine was "
            "still running, or was stopped. The policy pack reports at the end, so run Pulumi again until it ends"
        )
    return sorted(events, key=lambda event: event.sequence)


def _events(file: Path, lines: list[tuple[int, str]], *, whole: bool) -> Iterator[Event]:
    for number, line in lines:
        try:
            yield parse_model(Event, without_credentials(load(line)))
        except NotJson as fault:
            if number == lines[-1][0] and not whole:
                raise WrongInput(
                    f"{file}:{number}: the line is incomplete: the engine was stopped while it wrote; run Pulumi again"
                ) from None
            raise WrongInput(
                f"{file}:{number}: this is not an event of the engine: it {fault.problem}; {_HOW}"
            ) from None
        except MalformedJson as fault:
            raise WrongInput(f"{file}:{number}: this is not an event of the engine: {fault}; {_HOW}") from None
