"""A job's script as sbatch reads it: its options."""

import re
import shlex
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from muster.hardware.tables import read_table

_TABLE = read_table("sbatch_options.csv", "muster.rehearsal.slurm")
"""sbatch's options (its manual, 25.11), each with its letter, whether a rehearsal has it, and whether it stands alone:
then the next word is not its value."""

OPTIONS = frozenset(row["option"] for row in _TABLE)
REHEARSED = frozenset(row["option"] for row in _TABLE if row["rehearsed"])
"""The options that reach Slurm in a rehearsal: they decide whether and where a job starts. The others name files and
programs, or set variables of the job (LD_PRELOAD, for example)."""

_SWITCHES = frozenset(row["option"] for row in _TABLE if row["alone"])
_SHORT = {row["letter"]: row["option"] for row in _TABLE if row["letter"]}

_FILE_WITH_SLASH = frozenset({"exclude", "nodelist"})
"""The options whose value is the name of a file if it contains `/` (sbatch's manual)."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*")

_WHITE = " \t\v\f\r"
"""White space within a line, as C and sh know it. Python's `strip` knows more."""

_DIRECTIVE = "#SBATCH"
_COMMENTED = re.compile(r"#[ \t]+SBATCH[ \t]+-")
"""An option that sbatch reads as a comment, because a space is in its first word."""


class MalformedScript(ValueError):
    """sbatch would not accept the script; the message has the reason."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a script."""

    name: str
    """``gpus-per-node``: the long name, if the rehearsal reads the option; else as written."""
    value: str
    line: int = 0
    """Of the script."""

    def __str__(self) -> str:
        return f"--{self.name}={self.value}" if self.value else f"--{self.name}"


@dataclass(frozen=True, slots=True)
class Script:
    """A job's script."""

    text: str
    options: tuple[Option, ...]
    """In the order of the file: if two have the same name, the later one counts."""
    file: str = ""
    """Its file; empty for a job of Muster."""

    @property
    def asks(self) -> Mapping[str, str]:
        """The options that count, by name."""
        return {each.name: each.value for each in self.options}

    @property
    def unread(self) -> tuple[int, ...]:
        """The lines of options that come too late: sbatch reads none after the first command."""
        lines = enumerate(self.lines, 1)
        return tuple(at for at, line in lines if line.startswith(_DIRECTIVE) and at > len(_header(self.text)))

    @property
    def commented(self) -> tuple[int, ...]:
        """The lines with ``# SBATCH``, which sbatch reads as comments, where it looks for options."""
        return tuple(at for at, line in enumerate(_header(self.text), 1) if _COMMENTED.match(line))

    @property
    def files(self) -> tuple[Option, ...]:
        """The options that name a file with nodes, which is not read."""
        return tuple(each for each in self.options if each.name in _FILE_WITH_SLASH and "/" in each.value)

    @property
    def name(self) -> str:
        """The job's name, if the script sets it."""
        return self.asks.get("job-name", "")

    @property
    def lines(self) -> list[str]:
        """The lines of its text, as sbatch and sh count them."""
        return self.text.split("\n")

    def arguments(self, but: Collection[str] = ()) -> Iterator[str]:
        """Its options for sbatch's command line. Nothing else of a script reaches a program: what it would do (start
        containers, write to /fsx) must not happen on this machine.

        Of an option that sbatch does not have, only the name: sbatch rejects it.

        Args:
            but: the names of options to leave out.
        """
        for each in self.options:
            if each in self.files or each.name in but:
                continue
            if each.name in REHEARSED:
                yield str(each)
            elif each.name not in OPTIONS:
                yield f"-{each.name}" if len(each.name) == 1 and each.name not in _SHORT else f"--{each.name}"


def parse_script(text: str, file: str = "") -> Script:
    """Reads a script.

    Args:
        text: its content.
        file: its file; empty for a job of Muster.

    Raises:
        MalformedScript: sbatch would reject it.
    """
    if not text.strip():
        raise MalformedScript("the script is empty; give a batch script (`muster job` prints one)")
    if "\0" in text:
        raise MalformedScript("the script is not text; give a batch script")
    if "\r\n" in text:
        raise MalformedScript(
            "the script has the line endings of Windows, which sbatch rejects; convert it with dos2unix"
        )
    if not text.startswith("#!"):
        first = text.splitlines()[0]
        raise MalformedScript(
            f"the script's first line is '{first[:60]}', but sbatch requires a line such as #!/bin/bash"
        )
    words: list[tuple[int, str]] = []
    for number, line in enumerate(_header(text), 1):
        if not line.startswith(_DIRECTIVE):
            continue
        try:
            parts = shlex.split(line.removeprefix(_DIRECTIVE), comments=True)
        except ValueError as fault:
            raise MalformedScript(f"line {number}: {str(fault).lower()} in '{line.strip()}'; close it") from None
        if any(part in ("hetjob", "packjob") for part in parts):
            raise MalformedScript(
                f"line {number}: a rehearsal does not support heterogeneous jobs (several jobs in one); give one of "
                "its parts"
            )
        words += [(number, part) for part in parts]
    return Script(text, tuple(_read(words)), file)


def _header(text: str) -> list[str]:
    """The lines in which sbatch looks for options: those before the first that is neither empty nor a comment."""
    lines = text.split("\n")
    commands = (at for at, line in enumerate(lines) if line.strip(_WHITE) and not line.lstrip(_WHITE).startswith("#"))
    end = next(commands, len(lines))
    return lines[:end]


def _read(words: list[tuple[int, str]]) -> Iterator[Option]:
    """The options in the words of all lines together, as getopt reads them."""
    left = list(words)
    while left:
        line, word = left.pop(0)
        if word == "--":
            return
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            name = _whole(name)
        elif (letter := re.match(r"-(\w)=?(.*)", word, re.DOTALL)) is not None:
            name, value = _SHORT.get(letter[1], letter[1]), letter[2]
            if name in _SWITCHES and value:  # letters together: -HN2
                left.insert(0, (line, f"-{value}"))
                value = ""
            equals = value
        else:
            continue
        takes_next = name not in _SWITCHES and left and (name in OPTIONS or not left[0][1].startswith("-"))
        if not equals and takes_next:
            value = left.pop(0)[1]
        if not _NAME.fullmatch(name):
            raise MalformedScript(f"line {line}: '{word[:60]}' is not an option of sbatch; correct or remove it")
        yield Option(name, value, line)


def _whole(name: str) -> str:
    """The option that a shortened name stands for: ``part`` -> ``partition``. Another name stays as it is."""
    longer = [each for each in OPTIONS if each.startswith(name)]
    return longer[0] if len(longer) == 1 and name not in OPTIONS else name
