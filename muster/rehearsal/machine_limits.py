"""The machine's limits that a rehearsal meets, open files and disk space, the errors that end a rehearsal, and
its progress on stderr."""

import contextlib
import errno
import resource
from collections.abc import Iterator

from muster import terminal


class RehearsalError(Exception):
    """The rehearsal cannot continue: the reason and the remedy, and lines of a log, each an argument."""

    def __str__(self) -> str:
        """All lines."""
        return "\n".join(map(str, self.args))


class ComponentDied(RehearsalError):
    """A component of the control plane ended by itself; the message ends with the last lines of its log."""


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


class Progress:
    """Shows progress on stderr."""

    def __init__(self, *, silent: bool = False) -> None:
        self._silent = silent

    def line(self, text: str) -> None:
        """Prints a line that stays."""
        if not self._silent:
            terminal.show_status("")
            terminal.complain(text)

    def status(self, text: str) -> None:
        """Prints a line that the next one overwrites; on a terminal only."""
        if not self._silent:
            terminal.show_status(text)


SILENT = Progress(silent=True)
