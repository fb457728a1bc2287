"""Runs the real Pulumi program without an engine, and records what it registers.

Importing this package is cheap; `run_program` and `record` load pulumi.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from muster.fleet.registration import Registration
    from muster.offline.recording import Recording


def record(program: Callable[[], Any], **settings: Any) -> "Recording":
    """Runs a program; see `muster.offline.recording.record`."""
    from muster.offline.recording import record as run

    return run(program, **settings)


def run_program(program: Callable[[], Any], **settings: Any) -> "list[Registration]":
    """The registrations of a program, sorted by URN; see `muster.offline.recording.record`."""
    return list(record(program, **settings).registrations)


__all__ = ["record", "run_program"]
