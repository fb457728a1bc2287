"""What a script asks of each node, in numbers: as far as its options say it plainly."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

_SIZE = re.compile(r"(\d+)([KMGT]?)B?", re.IGNORECASE)
_MIB = {"": 1, "K": 1 / 1024, "M": 1, "G": 1024, "T": 1024**2}
"""Sizes without a unit are MiB (sbatch's manual)."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One amount that a script asks of a node, and the option that says it."""

    option: str
    number: int
    type: str = ""
    """Of GPUs, where it is said: ``a100``."""


def nodes(asks: Mapping[str, str]) -> Asked | None:
    """How many nodes at least: ``4``, ``2-4``."""
    number = re.match(r"\d+", asks.get("nodes", ""))
    return Asked("nodes", int(number[0])) if number else None


def gpus(asks: Mapping[str, str]) -> Asked | None:
    """How many GPUs on each node."""
    for option in ("gpus-per-node", "gres"):
        for each in asks.get(option, "").split(","):
            if found := _gpus(option, each.removeprefix("gres:") if option == "gres" else each):
                return found
    if (each_task := asks.get("gpus-per-task")) and (found := _gpus("gpus-per-task", each_task)):
        return Asked(found.option, found.number * _whole(asks, "ntasks-per-node", 1), found.type)
    return None


def gpus_in_all(asks: Mapping[str, str]) -> Asked | None:
    """How many GPUs on all nodes together: ``--gpus=32``."""
    return _gpus("gpus", asks["gpus"]) if asks.get("gpus") else None


def cpus_in_all(asks: Mapping[str, str]) -> Asked | None:
    """How many CPUs on all nodes together: those of ``--ntasks=64``."""
    tasks = _whole(asks, "ntasks", 0)
    return Asked("ntasks", tasks * _whole(asks, "cpus-per-task", 1)) if tasks else None


def gres_names(asks: Mapping[str, str]) -> tuple[str, ...]:
    """The generic resources that it names: ``efa`` of ``--gres=efa:1``."""
    named = (re.split(r"[:=]", each.removeprefix("gres:"))[0] for each in asks.get("gres", "").split(","))
    return tuple(name for name in named if name and name != "none")


def cpus(asks: Mapping[str, str]) -> Asked | None:
    """How many CPUs on each node."""
    tasks, each = _whole(asks, "ntasks-per-node", 0), _whole(asks, "cpus-per-task", 0)
    if not tasks and not each:
        return None
    return Asked("cpus-per-task" if each else "ntasks-per-node", max(tasks, 1) * max(each, 1))


def memory(asks: Mapping[str, str]) -> Asked | None:
    """How much memory on each node, in MiB."""
    times = {
        "mem": 1,
        "mem-per-gpu": (found.number if (found := gpus(asks)) else 1),
        "mem-per-cpu": (counted.number if (counted := cpus(asks)) else 1),
    }
    for option, number in times.items():
        size = _SIZE.fullmatch(asks.get(option, ""))
        if size:
            return Asked(option, ceil(int(size[1]) * _MIB[size[2].upper()]) * number)
    return None


def _gpus(option: str, text: str) -> Asked | None:
    """``8``, ``a100:8``; of generic resources ``gpu``, ``gpu:8``, ``gpu:a100:8``."""
    parts = text.split(":")
    if option == "gres":
        if parts[0] != "gpu":
            return None
        parts = parts[1:] or ["1"]
    number = parts[-1] if parts[-1].isdecimal() else "1"
    kind = parts[0] if not parts[0].isdecimal() else ""
    return Asked(option, int(number), kind) if parts[0] else None


def _whole(asks: Mapping[str, str], option: str, otherwise: int) -> int:
    return int(asks[option]) if asks.get(option, "").isdecimal() else otherwise
