"""Progress of a long step on stderr, and how many seconds each step takes."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO


class Progress:
    """Shows progress on stderr."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._live = self._stream.isatty()
        self._shown = 0

    def line(self, text: str) -> None:
        """Prints a line that stays."""
        self.status("")
        self._write(f"{text}\n")

    def status(self, text: str) -> None:
        """Prints a line that the next one overwrites; on a terminal only."""
        if self._live and (text or self._shown):
            self._write(f"\r{text.ljust(self._shown)}\r{text}")
            self._shown = len(text)

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:  # no reader is left; the work continues
            self._live = False


class SilentProgress(Progress):
    """Shows nothing."""

    def line(self, text: str) -> None:
        """Nothing."""

    def status(self, text: str) -> None:
        """Nothing."""


@contextmanager
def time_step(seconds: dict[str, float], step: str) -> Iterator[None]:
    """Records the seconds of a step that completes; a step that fails is not recorded."""
    began = time.perf_counter()
    yield
    seconds[step] = round(time.perf_counter() - began, 2)
