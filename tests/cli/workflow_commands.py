"""Reads workflow commands as GitHub's runner does (actions/runner, `src/Runner.Common/ActionCommand.cs`, TryParseV2).

A command is a line that begins, but for white space, with two colons and has two more; its properties stand between,
parted by commas, each split at its first equals sign. Escapes are undone in this order: CR, LF, then colon and comma in
properties alone, and the percent sign last.
"""

from dataclasses import dataclass

DATA = (("%0D", "\r"), ("%0A", "\n"), ("%25", "%"))
PROPERTY = (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%"))


@dataclass(frozen=True)
class Command:
    """A command of a job's log."""

    name: str
    properties: dict[str, str]
    data: str


def parsed(line: str) -> Command:
    """The command of a line.

    Raises:
        AssertionError: it is none.
    """
    line = line.lstrip()
    assert line.startswith("::"), line
    head, two, data = line[2:].partition("::")
    assert two, line
    name, _, rest = head.partition(" ")
    pairs = [part.split("=", 1) for part in rest.strip().split(",") if part]
    properties = {pair[0]: _undone(pair[1], PROPERTY) for pair in pairs if len(pair) == 2 and pair[1]}
    return Command(name, properties, _undone(data, DATA))


def _undone(text: str, escapes: tuple[tuple[str, str], ...]) -> str:
    for written, meant in escapes:
        text = text.replace(written, meant)
    return text
