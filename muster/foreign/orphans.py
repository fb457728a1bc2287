"""Ends what a judged program leaves running, on Linux also what it put into a session of its own.

The kernel gives the children of a process that ended to the nearest ancestor that asked for them
(https://man7.org/linux/man-pages/man2/prctl.2.html, PR_SET_CHILD_SUBREAPER), or else to init.
"""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36


@contextmanager
def orphans_ended() -> Iterator[None]:
    """Ends the processes that become children of this one meanwhile; does nothing on other systems than Linux."""
    if not sys.platform.startswith("linux"):
        yield
        return
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    before = _children()
    prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        while orphans := _children() - before:  # the children of what is ended come next
            for each in orphans:
                with suppress(ProcessLookupError):
                    os.kill(each, signal.SIGKILL)
                with suppress(ChildProcessError):
                    os.waitpid(each, 0)
        prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def end_session(child: "subprocess.Popen[bytes]") -> None:
    """Kills a child that has a session of its own, with all that is left in that session."""
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def _children() -> set[int]:
    """The processes whose parent is this one."""
    me, found = str(os.getpid()), set()
    for each in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            # "PID (name) state parent ...": the name may have blanks and brackets.
            if each.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1] == me:
                found.add(int(each.parent.name))
    return found
