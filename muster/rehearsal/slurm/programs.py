"""Finds Slurm's programs on this machine. Muster does not build or install them: Debian and Ubuntu package them."""

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from muster import child_process
from muster.rehearsal.machine_limits import RehearsalError

PACKAGES: Mapping[str, str] = {
    "munged": "munge",
    "slurmctld": "slurmctld",
    "sbatch": "slurm-client",
    "scontrol": "slurm-client",
}
"""Each program that a rehearsal runs, and Debian's package that has it."""

_MORE = ("/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/opt/slurm/sbin", "/opt/slurm/bin")
"""Folders of daemons that are not on every PATH; the last two are those of ParallelCluster's images."""


def found_programs() -> dict[str, Path]:
    """The programs that are installed."""
    where = os.pathsep.join((os.environ.get("PATH", os.defpath), *_MORE))
    programs = {name: shutil.which(name, path=where) for name in PACKAGES}
    return {name: Path(program) for name, program in programs.items() if program}


def missing_programs() -> str:
    """The missing programs, and how to install them; empty if none is missing."""
    lacking = [name for name in PACKAGES if name not in found_programs()]
    if not lacking:
        return ""
    packages = " ".join(sorted({PACKAGES[name] for name in lacking}))
    are = "is" if len(lacking) == 1 else "are"
    return (
        f"a rehearsal on Slurm needs Slurm's programs, and {', '.join(lacking)} {are} not installed on this machine; "
        f"on Debian or Ubuntu: sudo apt-get install {packages}"
    )


def required_programs() -> dict[str, Path]:
    """All of them.

    Raises:
        RehearsalError: some are missing.
    """
    if lacking := missing_programs():
        raise RehearsalError(lacking)
    return found_programs()


def program_version(program: Path) -> str:
    """The version that Slurm's program prints: ``22.05.8``; ``unknown`` if it prints none."""
    try:
        done = child_process.run([program, "-V"], timeout=20)
    except (OSError, child_process.SubprocessError) as fault:
        raise RehearsalError(
            f"{program} cannot be run: {fault}; remove it, or replace it with a program that runs"
        ) from None
    numbers = re.search(r"\b(\d+\.\d+\.\d+)", done.stdout + done.stderr)
    return numbers[1] if numbers else "unknown"
