"""Logs of real runs of the engine (3.260), and what is taken out of them before they are kept.

`tests/pulumi_engine/test_events.py` records them anew, and compares.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "events"
FOREIGN = FOLDER / "foreign.jsonl"
"""A preview of another team's program (`FOREIGN` in `tests/pulumi_engine/test_p5_odcr.py`) with the pack."""
REFUSED = FOLDER / "refused.jsonl"
"""A preview of p5-odcr, filled in, with a node more than its reservation holds: the first gate refuses it."""

_NOISE = frozenset({"debug", "info#err"})
"""What the language host says of itself, and its traceback where the engine stops it."""


def scrubbed(events: Iterable[dict[str, Any]], checkout: str) -> list[dict[str, Any]]:
    """The events without the hour, the machine's paths, what providers drew at random, and noise, in a fixed order."""
    kept = [event for event in events if event.get("diagnosticEvent", {}).get("severity") not in _NOISE]
    made = []
    for number, event in enumerate(kept):
        text = json.dumps({**event, "sequence": number, "timestamp": 0}).replace(checkout, "/checkout")
        made.append(_plain(json.loads(text)))
    return made


def _plain(event: dict[str, Any]) -> dict[str, Any]:
    for kind in ("resourcePreEvent", "resOutputsEvent"):
        for side in ("old", "new"):
            state = event.get(kind, {}).get("metadata", {}).get(side)
            if state:
                state.pop("id", None)
    event.get("summaryEvent", {}).pop("durationSeconds", None)
    return event


def written(events: Iterable[dict[str, Any]]) -> str:
    """As the engine writes them: one a line."""
    return "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events)


def read(file: Path) -> list[dict[str, Any]]:
    """The events of a log."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
