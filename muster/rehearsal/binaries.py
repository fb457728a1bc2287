"""Finds the binaries a rehearsal runs: the user's own where there are any, else built ones."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from muster.rehearsal import building, machine_limits
from muster.rehearsal.faults import RehearsalFault
from muster.rehearsal.pins import NAMES, own_will_do, pin
from muster.rehearsal.progress import Progress, Silent


class Source(StrEnum):
    """Where a binary is from."""

    ASSETS = "KUBEBUILDER_ASSETS"
    PATH = "PATH"
    BUILT = "built"


@dataclass(frozen=True, slots=True)
class Binary:
    """A program that can be run."""

    name: str
    path: Path
    version: str
    """``1.35.8``; what the program says of itself where it is the user's, ``unknown`` if it says nothing."""
    source: Source


KUBERNETES = ("kube-apiserver", "kube-scheduler", "kube-controller-manager")


@machine_limits.named()
def binaries(names: Iterable[str] = NAMES, progress: Progress | None = None) -> dict[str, Binary]:
    """The binaries of these names, by name; those that are nowhere are built (minutes, once).

    Raises:
        RehearsalFault: one cannot be built, or the user's own do not go together.
    """
    wanted = tuple(names)
    found = {name: _own(name) or _built(name, progress or Silent()) for name in wanted}
    _go_together(found)
    return found


def missing(names: Iterable[str] = NAMES, *, thorough: bool = False) -> tuple[str, ...]:
    """Those that would have to be built first, or again.

    Args:
        names: of these.
        thorough: hashes those that are built, even where nothing was written to them.
    """
    ours = (name for name in names if _own_path(name) is None)
    return tuple(name for name in ours if not building.entry(pin(name)).there(thorough=thorough))


def damage(names: Iterable[str] = NAMES) -> tuple[str, ...]:
    """Of those that were built: what is no longer as it was built, in words."""
    ours = (name for name in names if _own_path(name) is None)
    return tuple(words for name in ours if (words := building.entry(pin(name)).damage()))


def _built(name: str, progress: Progress) -> Binary:
    path = building.build(pin(name), progress)
    return Binary(name, path, pin(name).version, Source.BUILT)


def _own(name: str) -> Binary | None:
    found = _own_path(name)
    return Binary(name, found[0], _says(found[0]), found[1]) if found else None


def _own_path(name: str) -> tuple[Path, Source] | None:
    if not own_will_do(name):
        return None
    assets = os.environ.get("KUBEBUILDER_ASSETS")
    for source, where in ((Source.ASSETS, assets), (Source.PATH, None)):
        if (source is Source.PATH or where) and (program := shutil.which(name, path=where)):
            return Path(program), source
    return None


def _says(program: Path) -> str:
    """The first version in what it prints of itself."""
    try:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False, timeout=20)
    except (OSError, subprocess.SubprocessError) as fault:
        raise RehearsalFault(f"{program} cannot be run: {fault}; remove it, or put one there that can") from None
    numbers = re.search(r"\bv?(\d+\.\d+\.\d+\S*)", done.stdout + done.stderr)
    return numbers[1] if numbers else "unknown"


def _go_together(found: dict[str, Binary]) -> None:
    """Kubernetes' version skew policy: no scheduler or controller manager newer than the API server."""
    server = found.get("kube-apiserver")
    for name in KUBERNETES[1:]:
        other = found.get(name)
        if server and other and minor(other.version) > minor(server.version):
            raise RehearsalFault(
                f"kube-apiserver is {server.version} ({_place(server)}) and {name} is {other.version} "
                f"({_place(other)}), which may not be newer; take {server.path} away, or put the same "
                f"version of {name} beside it"
            )


def minor(version: str) -> tuple[int, ...]:
    """``1.35.8`` -> (1, 35); () for what has no numbers."""
    return tuple(int(part) for part in re.findall(r"\d+", version)[:2])


def _place(binary: Binary) -> str:
    return "built by Muster" if binary.source is Source.BUILT else f"from {binary.source.value}"
