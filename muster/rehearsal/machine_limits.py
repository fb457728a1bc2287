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
    """The rehearsal cannot continue: the reason and the remedy, and lines of a log, each an argument."""

    def __str__(self) -> str:
        """All lines."""
        return "\n".join(map(str, self.args))


class ComponentDied(RehearsalError):
    """A component of the control plane ended by itself; the message ends with the last lines of its log."""


FILES = 256
"""The number of files that one process must be able to open. etcd reserves 150 (`reservedInternalFDNum` in its
embed/etcd.go) and accepts connections with the rest; the API server opens about 70 of them."""

SPACE = 64_000_000
"""Bytes of disk space that etcd allocates when it starts. If they are not free, it panics (`SegmentSizeBytes` in its
wal/wal.go)."""

_FULL = 1 << 20
"""A disk with fewer free bytes counts as full: nothing can be written, not even the reason."""

_NO_SPACE = re.compile(r"no space left on device|disk quota exceeded", re.IGNORECASE)
_NO_FILES = re.compile(r"too many open files|file descriptor limit", re.IGNORECASE)


def require_open_files() -> None:
    """Raises the limit of open files for this process and those that it starts.

    Raises:
        RehearsalError: the system does not allow it.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= FILES:
        return
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, hard))
        return
    raise RehearsalError(
        f"a program of the rehearsal opens up to {FILES} files, but a process may open only {hard} here (`ulimit -n`); "
        "ask an administrator to raise the limit (nofile in limits.conf), then start the rehearsal in a new shell"
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
            f"the temporary folder is not writable, because of missing space or permissions ({fault.strerror}); free "
            "space there, or set TMPDIR to another folder"
        ) from None


def require_disk_space(folder: Path) -> None:
    """Checks whether etcd can start in a folder.

    Raises:
        RehearsalError: its disk is too full.
    """
    if (free := _free(folder)) < SPACE:
        raise RehearsalError(
            f"etcd needs {SPACE // 10**6} MB of disk space to start, but {folder} has {free // 10**6} MB free; free "
            "space there, or set TMPDIR to a folder with more space"
        )


def exhausted_in_log(log: str, *folders: Path) -> str:
    """The exhausted resource of the machine, from the log of a failed program; empty if it failed for another reason.

    Args:
        log: what the program wrote.
        folders: where it writes.
    """
    fullest = min(folders, key=_free, default=None)
    if fullest and (_NO_SPACE.search(log) or _free(fullest) < _FULL):
        free = _free(fullest) // 10**6
        return f"a disk that it writes to is full ({fullest} has {free} MB free); free space there"
    if _NO_FILES.search(log):
        return _files()
    return ""


@contextlib.contextmanager
def exhausted_here() -> Iterator[None]:
    """Detects resources that this process has exhausted.

    Raises:
        RehearsalError: no disk space is left, or too many files are open.
    """
    try:
        yield
    except OSError as fault:
        where = f": {fault.filename}" if fault.filename else ""
        if fault.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise RehearsalError(f"no space is left on the disk{where}; free space there") from fault
        if fault.errno in {errno.EMFILE, errno.ENFILE}:
            raise RehearsalError(_files()) from fault
        raise


def _files() -> str:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return f"too many open files: the limit of a process is {soft}; raise it with `ulimit -n 4096`, and try again"


def _free(folder: Path) -> int:
    """Free bytes of a folder, or of its nearest existing parent."""
    there = next((each for each in (folder, *folder.parents) if each.is_dir()), Path("/"))
    try:
        return shutil.disk_usage(there).free
    except OSError:
        return SPACE
