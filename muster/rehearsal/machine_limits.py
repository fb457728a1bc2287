"""The machine's limits that a rehearsal needs, open files and disk space, and the errors that end a rehearsal."""

import contextlib
import errno
import re
import resource
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path


class RehearsalError(Exception):
    """The rehearsal cannot continue; the message has the reason and the remedy."""


class ComponentDied(RehearsalError):
    """A component of the control plane ended by itself; the message ends with the last lines of its log."""


FILES = 256
"""Files that one process opens. etcd keeps 150 for itself (`reservedInternalFDNum` in its embed/etcd.go), and takes as
many connections as are left; the API server opens some 70 to it."""

SPACE = 64_000_000
"""Bytes that etcd takes of its disk as it starts, and panics without (`SegmentSizeBytes` in its wal/wal.go)."""

_FULL = 1 << 20
"""A disk with less is full: nothing more can be written, also not why."""

_NO_SPACE = re.compile(r"no space left on device|disk quota exceeded", re.IGNORECASE)
_NO_FILES = re.compile(r"too many open files|file descriptor limit", re.IGNORECASE)


def require_open_files() -> None:
    """Lets this process, and those that it starts, open enough files.

    Raises:
        RehearsalError: the system does not let it.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= FILES:
        return
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, hard))
        return
    raise RehearsalError(
        f"a program of a rehearsal opens up to {FILES} files, and a process may open {hard} here (`ulimit -n`); begin "
        "again in a shell with more, which an administrator allows (nofile in limits.conf)"
    )


def temporary_folder() -> Path:
    """The machine's temporary folder.

    Raises:
        RehearsalError: nothing can be written to any; Python tries each.
    """
    try:
        return Path(tempfile.gettempdir())
    except FileNotFoundError as fault:
        raise RehearsalError(
            f"nothing can be written to a temporary folder, for lack of space or of rights ({fault.strerror}); "
            "make room there, or set TMPDIR to another folder"
        ) from None


def require_disk_space(folder: Path) -> None:
    """Sees whether etcd can start in a folder.

    Raises:
        RehearsalError: its disk is too full.
    """
    if (free := _free(folder)) < SPACE:
        raise RehearsalError(
            f"etcd takes {SPACE // 10**6} MB of disk as it starts, and {folder} has {free // 10**6} MB left; make room "
            "there, or set TMPDIR to a folder with more"
        )


def exhausted_in_log(log: str, *folders: Path) -> str:
    """What the machine has no more of, by the log of a program that failed; empty where it is something else.

    Args:
        log: what the program wrote.
        folders: where it writes.
    """
    fullest = min(folders, key=_free, default=None)
    if fullest and (_NO_SPACE.search(log) or _free(fullest) < _FULL):
        free = _free(fullest) // 10**6
        return f"no space is left on a disk that it writes to ({fullest} has {free} MB); make room there"
    if _NO_FILES.search(log):
        return _files()
    return ""


@contextlib.contextmanager
def exhausted_here() -> Iterator[None]:
    """What this process itself has no more of.

    Raises:
        RehearsalError: files cannot be written, or opened, for lack of space or of open files.
    """
    try:
        yield
    except OSError as fault:
        where = f": {fault.filename}" if fault.filename else ""
        if fault.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise RehearsalError(f"no space is left on the disk{where}; make room there") from fault
        if fault.errno in {errno.EMFILE, errno.ENFILE}:
            raise RehearsalError(_files()) from fault
        raise


def _files() -> str:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return f"too many open files: a process may open {soft} here; raise that with `ulimit -n 4096`, and try again"


def _free(folder: Path) -> int:
    """Bytes; of the nearest folder above where it is not there."""
    there = next((each for each in (folder, *folder.parents) if each.is_dir()), Path("/"))
    try:
        return shutil.disk_usage(there).free
    except OSError:
        return SPACE
