"""Everything that Muster prints goes through here, and is escaped here: a name in a file is text, never a control code
of a terminal, a new line, or a workflow command of a CI runner. Color and progress are only for a terminal."""

import contextlib
import io
import os
import re
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TextIO

_OURS = f"\x1b{os.urandom(8).hex()}"
"""Stands for the escape character in Muster's own colors. It is random, so that no file can contain it."""

RUNNER_COMMAND = re.compile(r"(?<=#)#(?=[A-Za-z]{0,16}\[)")
"""`##[` and `##vso[` start a command of a runner anywhere in a line (actions/runner, `ActionCommand.cs`)."""


class CannotPrint(Exception):
    """The output cannot be written; the message states why."""


def printable(text: str, keep: str = "") -> str:
    """The text with a visible escape for each character that has no glyph: control characters, marks that change the
    direction of writing, characters without width, lone surrogates.

    Args:
        text: any text.
        keep: the characters that stay.
    """
    if text.isprintable():
        return text
    return "".join(
        char if char in keep or char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def visible(text: str) -> str:
    """Text from a file, safe inside a line of any format: printable, and no command of a runner."""
    return RUNNER_COMMAND.sub(r"\\x23", printable(text))


def text_of(lines: Iterable[str]) -> str:
    """Lines as text. Each stays one line, and none is a command of a runner: `::` starts one at the start of a line."""
    shown = map(visible, lines)
    return "".join(f"{_colon_escaped(line) if line.lstrip(' ').startswith('::') else line}\n" for line in shown)


def _colon_escaped(line: str) -> str:
    return line.replace(":", r"\x3a", 1)


class Style(NamedTuple):
    """How text is printed: with ANSI colors where `colour` is set, with all details where `verbose` is."""

    colour: bool = False
    verbose: bool = False

    def _paint(self, code: str, text: str) -> str:
        return f"{_OURS}[{code}m{text}{_OURS}[0m" if self.colour and text else text

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


def style(*, verbose: bool = False) -> Style:
    """The style of stdout."""
    return Style(_has_colour(sys.stdout), verbose)


def error_style() -> Style:
    """The style of stderr."""
    return Style(_has_colour(sys.stderr))


def _has_colour(stream: TextIO) -> bool:
    """Color on a terminal, except with NO_COLOR (no-color.org) or TERM=dumb."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def is_terminal() -> bool:
    """Whether stdout is a terminal."""
    return sys.stdout.isatty()


def is_error_terminal() -> bool:
    """Whether stderr is a terminal."""
    return sys.stderr.isatty()


def document(text: str) -> str:
    """Text of a format, which has escaped the names in it. What it left is visible at last: only line ends and tabs of
    the format stay."""
    return "\n".join(printable(line, keep="\t") for line in text.split("\n"))


def write(text: str) -> None:
    """Prints a document to stdout. A reader that has closed the pipe (`| head -1`) is not an error, and does not change
    the exit code."""
    _send(sys.stdout, document(text))


def write_lines(lines: Iterable[str]) -> None:
    """Prints lines to stdout."""
    _send(sys.stdout, text_of(lines))


def complain(*lines: str) -> None:
    """Prints lines to stderr."""
    _send(sys.stderr, text_of(lines))


def others_print() -> contextlib.AbstractContextManager[object]:
    """Sends to stderr what code of the user prints: stdout has the report alone."""
    return contextlib.redirect_stdout(sys.stderr)


def show_status(text: str) -> None:
    """Shows a line on stderr that the next one overwrites, and an empty one removes; on a terminal only."""
    if sys.stderr.isatty():
        _send(sys.stderr, f"\r\x1b[K{visible(text)}")


@contextlib.contextmanager
def progress(message: str) -> Iterator[None]:
    """Shows a line on stderr during a long operation, and removes it afterwards. Does nothing without a terminal."""
    show_status(f"{message} ...")
    try:
        yield
    finally:
        show_status("")


_ESCAPED = printable(_OURS)


def _send(stream: TextIO, text: str) -> None:
    try:
        stream.write(text.replace(_ESCAPED, "\x1b"))
        stream.flush()
    except OSError as fault:
        # Else the interpreter flushes once more at its end, and complains.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if not isinstance(fault, BrokenPipeError):
            raise CannotPrint(
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
