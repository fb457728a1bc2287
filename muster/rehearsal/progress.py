"""What a long step says while it goes on: a line that changes on a terminal, elsewhere one at its start and end."""

import sys
from typing import TextIO


class Progress:
    """Says how far things are, on stderr."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._live = self._stream.isatty()
        self._shown = 0

    def line(self, text: str) -> None:
        """Something that stays."""
        self.status("")
        self._write(f"{text}\n")

    def status(self, text: str) -> None:
        """Something that the next one overwrites; on a terminal only."""
        if self._live and (text or self._shown):
            self._write(f"\r{text.ljust(self._shown)}\r{text}")
            self._shown = len(text)

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:  # nobody reads it; the work goes on
            self._live = False


class Silent(Progress):
    """Says nothing."""

    def line(self, text: str) -> None:
        """Nothing."""

    def status(self, text: str) -> None:
        """Nothing."""
