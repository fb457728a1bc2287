"""Reads what the engine writes while it runs: one event a line, as JSON.

`pulumi preview --event-log FILE` writes them (a flag of PULUMI_DEBUG_COMMANDS), and `pulumi preview --json` streams
them where PULUMI_ENABLE_STREAMING_JSON_PREVIEW is set; `pulumi up --json` always does (engine 3.260:
`pkg/backend/display/display.go`, `sdk/go/common/apitype/events.go`). A log without an end is refused: the pack speaks
last, so what is missing may be all it says.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from muster.cli.exits import WrongInput

Event = Mapping[str, Any]

_HOW = (
    "write one with `PULUMI_DEBUG_COMMANDS=true pulumi preview --event-log FILE`, "
    "or with `PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true pulumi preview --json > FILE`"
)
_COLOUR = re.compile(r"<\{%.*?%\}>")
"""The engine's own marks for colour; it leaves them in where it prints to a terminal (`diag/colors`)."""


def read(file: Path) -> list[Event]:
    """The events of a log, in their order.

    Args:
        file: the log; ``-`` is stdin.

    Raises:
        WrongInput: it cannot be read, is something else, or is cut off.
    """
    text = _text(file)
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        raise WrongInput(f"'{file}' is empty: no event of the engine is in it; {_HOW}")
    if problem := _other(text):
        raise WrongInput(f"'{file}' {problem}; {_HOW}")
    events = list(_events(file, lines, whole=text.endswith("\n")))
    if not any("cancelEvent" in event for event in events):
        raise WrongInput(
            f"'{file}' ends after line {lines[-1][0]} without the engine's last event (cancelEvent): it was still "
            "running, or was stopped; what the pack says comes last, so run it again to its end"
        )
    return sorted(events, key=lambda event: event["sequence"])


def words(text: str) -> str:
    """A message without the engine's marks for colour."""
    return _COLOUR.sub("", text).strip()


def _text(file: Path) -> str:
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except (OSError, ValueError) as fault:
        raise WrongInput(f"cannot read '{file}': {getattr(fault, 'strerror', None) or fault}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise WrongInput(f"'{file}' is no log of events: byte {fault.start} is not UTF-8; {_HOW}") from None


def _other(text: str) -> str:
    """What a file is that is one JSON document; empty for a log."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    if isinstance(whole, dict) and "sequence" in whole:
        return ""  # a log of one line
    if isinstance(whole, dict) and ("steps" in whole or "changeSummary" in whole):
        return "is the summary that `pulumi preview --json` prints, which says nothing of policies"
    if isinstance(whole, dict) and "deployment" in whole:
        return "is a state that `pulumi stack export` prints, no log of events"
    return "is JSON, but no log of events"


def _events(file: Path, lines: list[tuple[int, str]], *, whole: bool) -> Iterator[Event]:
    for number, line in lines:
        try:
            event = json.loads(line)
        except (ValueError, RecursionError) as fault:
            if number == lines[-1][0] and not whole:
                raise WrongInput(
                    f"{file}:{number}: the line is cut off: the engine was stopped while it wrote; run it again"
                ) from None
            said = fault.msg if isinstance(fault, json.JSONDecodeError) else "nested too deeply"
            raise WrongInput(f"{file}:{number}: this is no event of the engine: {said}; {_HOW}") from None
        if not isinstance(event, dict) or not isinstance(event.get("sequence"), int):
            raise WrongInput(f"{file}:{number}: this is no event of the engine: it has no sequence; {_HOW}")
        yield event
