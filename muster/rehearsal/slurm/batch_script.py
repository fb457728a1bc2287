"""A job's script as sbatch reads it: its options, and what they request of each node, in numbers."""

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil

from muster.rehearsal.supervisor import MARK
from muster.whole_number import whole_number

_SHORT = {
    "A": "account",
    "C": "constraint",
    "G": "gpus",
    "H": "hold",
    "J": "job-name",
    "N": "nodes",
    "W": "wait",
    "a": "array",
    "b": "begin",
    "c": "cpus-per-task",
    "d": "dependency",
    "n": "ntasks",
    "p": "partition",
    "q": "qos",
    "t": "time",
    "w": "nodelist",
    "x": "exclude",
}
"""Short options of sbatch (its manual, 22.05) for the options that the rehearsal reads."""

_SWITCHES = frozenset({"hold", "wait"})
"""The options among them without a value."""

_DIRECTIVE = "#SBATCH"
_COMMENTED = re.compile(r"#[ \t]+SBATCH[ \t]+-")
"""An option that sbatch reads as a comment, because a space is in its first word."""

NODE_MARK = "MUSTER_REHEARSED_NODE"
"""The variable in which whatever runs on a simulated node has the node's name."""


class MalformedScript(ValueError):
    """sbatch would not accept the script; the message has the reason."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a script."""

    line: int
    """Counted from 1."""
    name: str
    """``gpus-per-node``: the long name, if the rehearsal reads the option; else as written."""
    value: str


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
        lines = enumerate(self.text.splitlines(), 1)
        return tuple(at for at, line in lines if line.startswith(_DIRECTIVE) and at > len(_header(self.text)))

    @property
    def commented(self) -> tuple[int, ...]:
        """The lines with ``# SBATCH``, which sbatch reads as comments, where it looks for options."""
        return tuple(at for at, line in enumerate(_header(self.text), 1) if _COMMENTED.match(line))

    @property
    def name(self) -> str:
        """The job's name, if the script sets it."""
        return self.asks.get("job-name", "")

    def line(self, name: str) -> int:
        """The line of the option that counts; 0 if it is not given."""
        return next((each.line for each in reversed(self.options) if each.name == name), 0)

    def at(self, name: str) -> str:
        """``" (job.sbatch:4)"``, for a job of Muster ``" (line 4)"``; empty if the option is not given."""
        line = self.line(name)
        return f" ({self.place(line)})" if line else ""

    def place(self, line: int) -> str:
        """``job.sbatch:4``, for a job of Muster ``line 4``."""
        return f"{self.file}:{line}" if self.file else f"line {line}"

    def simulated_text(self, folder: str) -> str:
        """The same options with a body that only waits: for a file `end` in the folder, or until the folder is deleted.

        First it creates a file `began-JOBID` there.

        What the script would do (start containers, write to /fsx) must not happen on this machine.
        """
        # Not --wait: sbatch would return only after the job has ended.
        kept = [line for line in _header(self.text)[1:] if not _only_waits(line)]
        begins = f": >'{folder}/began-'$SLURM_JOB_ID"
        waits = f"while [ -d {folder} ] && [ ! -e {folder}/end ]; do sleep 0.1; done"
        # Executed again, so that it can be found by its environment regardless of the script's --export.
        goes_on = f"exec env {MARK}='{folder}' {NODE_MARK}=\"$SLURMD_NODENAME\" sh -c '{waits}'"
        return "\n".join(("#!/bin/sh", *kept, begins, goes_on, ""))


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
    options = []
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
        options += [Option(number, name, value) for name, value in _read(parts)]
    return Script(text, tuple(options), file)


def _header(text: str) -> list[str]:
    """The lines in which sbatch looks for options: those before the first that is neither empty nor a comment."""
    lines = text.splitlines()
    commands = (at for at, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#"))
    end = next(commands, len(lines))
    return lines[:end]


def _read(parts: list[str]) -> Iterator[tuple[str, str]]:
    """Name and value of each option in a line."""
    left = list(parts)
    while left:
        word = left.pop(0)
        value = ""
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
        else:
            letter = re.match(r"-(\w)=?(.*)", word, re.DOTALL)
            if letter is None:
                continue
            name, value = _SHORT.get(letter[1], letter[1]), letter[2]
            equals = value
        if not equals and name not in _SWITCHES and left and not left[0].startswith("-"):
            value = left.pop(0)
        yield name, value


def _only_waits(line: str) -> bool:
    return line.split()[:2] in ([_DIRECTIVE, "--wait"], [_DIRECTIVE, "-W"])


_SIZE = re.compile(r"([0-9]{1,18})([KMGT]?)B?", re.IGNORECASE)
_MIB = {"": 1, "K": 1 / 1024, "M": 1, "G": 1024, "T": 1024**2}
"""Sizes without a unit are MiB (sbatch's manual)."""


@dataclass(frozen=True, slots=True)
class RequestedAmount:
    """One amount that a script requests on each node, and the option that sets it."""

    option: str
    number: int
    type: str = ""
    """The type of GPUs, if the script sets one: ``a100``."""


def requested_nodes(asks: Mapping[str, str]) -> RequestedAmount | None:
    """The minimum number of nodes: ``4``, ``2-4``."""
    number = whole_number(asks.get("nodes", "").partition("-")[0], 0)
    return None if number is None else RequestedAmount("nodes", number)


def requested_gpus(asks: Mapping[str, str]) -> RequestedAmount | None:
    """How many GPUs on each node."""
    for option in ("gpus-per-node", "gres"):
        for each in asks.get(option, "").split(","):
            if found := _gpus(option, each.removeprefix("gres:") if option == "gres" else each):
                return found
    if (each_task := asks.get("gpus-per-task")) and (found := _gpus("gpus-per-task", each_task)):
        return RequestedAmount(found.option, found.number * _int_option(asks, "ntasks-per-node", 1), found.type)
    return None


def requested_gpus_in_total(asks: Mapping[str, str]) -> RequestedAmount | None:
    """How many GPUs on all nodes together: ``--gpus=32``."""
    return _gpus("gpus", asks["gpus"]) if asks.get("gpus") else None


def requested_cpus_in_total(asks: Mapping[str, str]) -> RequestedAmount | None:
    """How many CPUs on all nodes together: those of ``--ntasks=64``."""
    tasks = _int_option(asks, "ntasks", 0)
    return RequestedAmount("ntasks", tasks * _int_option(asks, "cpus-per-task", 1)) if tasks else None


def requested_gres(asks: Mapping[str, str]) -> tuple[str, ...]:
    """The generic resources that it requests: ``efa`` of ``--gres=efa:1``."""
    named = (re.split(r"[:=]", each.removeprefix("gres:"))[0] for each in asks.get("gres", "").split(","))
    return tuple(name for name in named if name and name != "none")


def requested_cpus(asks: Mapping[str, str]) -> RequestedAmount | None:
    """How many CPUs on each node."""
    tasks, each = _int_option(asks, "ntasks-per-node", 0), _int_option(asks, "cpus-per-task", 0)
    if not tasks and not each:
        return None
    return RequestedAmount("cpus-per-task" if each else "ntasks-per-node", max(tasks, 1) * max(each, 1))


def requested_memory(asks: Mapping[str, str]) -> RequestedAmount | None:
    """How much memory on each node, in MiB."""
    times = {
        "mem": 1,
        "mem-per-gpu": (found.number if (found := requested_gpus(asks)) else 1),
        "mem-per-cpu": (counted.number if (counted := requested_cpus(asks)) else 1),
    }
    for option, number in times.items():
        size = _SIZE.fullmatch(asks.get(option, ""))
        if size:
            amount = whole_number(size[1]) or 0
            return RequestedAmount(option, ceil(amount * _MIB[size[2].upper()]) * number)
    return None


def _gpus(option: str, text: str) -> RequestedAmount | None:
    """``8``, ``a100:8``; of generic resources ``gpu``, ``gpu:8``, ``gpu:a100:8``."""
    parts = text.split(":")
    if option == "gres":
        if parts[0] != "gpu":
            return None
        parts = parts[1:] or ["1"]
    number = whole_number(parts[-1], 0)
    kind = parts[0] if whole_number(parts[0], 0) is None else ""
    return RequestedAmount(option, 1 if number is None else number, kind) if parts[0] else None


def _int_option(asks: Mapping[str, str], option: str, otherwise: int) -> int:
    number = whole_number(asks.get(option), 0)
    return otherwise if number is None else number
