"""Prints to stdout and stderr: color and progress only on a terminal, one line per message."""

import contextlib
import io
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TextIO

from muster.cli.exits import WrongInput


@dataclass(frozen=True, slots=True)
class Style:
    """How text is printed: with ANSI colors where `colour` is set, with all details where `verbose` is."""

    colour: bool = False
    verbose: bool = False

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text

    def bad(self, text: str) -> str:
        """Errors and mandatory findings."""
        return self._paint("31;1", text)

    def warn(self, text: str) -> str:
        """Warnings and advisory findings."""
        return self._paint("33", text)

    def good(self, text: str) -> str:
        """Success."""
        return self._paint("32", text)

    def strong(self, text: str) -> str:
        """Headings."""
        return self._paint("1", text)

    def dim(self, text: str) -> str:
        """Details."""
        return self._paint("2", text)


def style_of(stream: TextIO, *, verbose: bool = False) -> Style:
    """Color on a terminal, except with NO_COLOR (no-color.org) or TERM=dumb."""
    colour = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Style(colour, verbose)


def one_line(text: str) -> str:
    """Text from a user's file, safe to print: line breaks and control characters become visible escapes."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def write(text: str) -> None:
    """Prints to stdout. A reader that has closed the pipe (`| head -1`) is not an error, and does not change
    the exit code."""
    _send(sys.stdout, text)


def write_lines(lines: Iterable[str]) -> None:
    """Prints lines to stdout."""
    write("".join(f"{line}\n" for line in lines))


def complain(*lines: str) -> None:
    """Prints lines to stderr."""
    _send(sys.stderr, "".join(f"{line}\n" for line in lines))


def _send(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
        stream.flush()
    except OSError as fault:
        # Else the interpreter flushes once more at its end, and complains.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if not isinstance(fault, BrokenPipeError):
            raise WrongInput(
                f"the output cannot be written: {fault.strerror}; free some space, or print it elsewhere"
            ) from None


def open_streams() -> None:
    """Prepares stdout and stderr for any output.

    Characters outside of their encoding do not raise, and output to streams that the caller closed is discarded.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


@contextlib.contextmanager
def progress(message: str) -> Iterator[None]:
    """Shows a line on stderr during a long operation, and removes it afterwards. Does nothing without a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    complain_inline = f"{message} ..."
    _send(sys.stderr, complain_inline)
    try:
        yield
    finally:
        _send(sys.stderr, f"\r{' ' * len(complain_inline)}\r")
