"""Progress of a long step on stderr, and how many seconds each step takes."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from muster import terminal


class Progress:
    """Shows progress on stderr."""

    def line(self, text: str) -> None:
        """Prints a line that stays."""
        terminal.show_status("")
        terminal.complain(text)

    def status(self, text: str) -> None:
        """Prints a line that the next one overwrites; on a terminal only."""
        terminal.show_status(text)


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
