"""The machine's limits that a rehearsal meets, open files and disk space, and the errors that end a rehearsal."""

import contextlib
import errno
import resource
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
            soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
            raise RehearsalError(f"too many open files: the limit is {soft}; raise it with `ulimit -n 4096`") from fault
        raise
