"""Keeps the memory and the environment of Muster's own process from the programs that it runs.

On Linux a process can read `/proc/PID/environ` of another one of the same user, as long as that one is dumpable
(https://man7.org/linux/man-pages/man2/prctl.2.html, PR_SET_DUMPABLE). Other systems have no such file.
"""

import ctypes
import sys

_PR_SET_DUMPABLE, _PR_CAPBSET_DROP = 4, 24
_READING = (19, 21, 38)
"""CAP_SYS_PTRACE, CAP_SYS_ADMIN, CAP_PERFMON: with one of them root reads an undumpable process, too."""


def become_undumpable() -> None:
    """Makes this process unreadable to processes of the same user, until it ends; does nothing on other systems.

    It stays so, because a program may leave a process behind that looks later. Root could still read it by its
    capabilities, so programs that are started from here on do not get those.
    """
    if not sys.platform.startswith("linux"):
        return
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    for capability in _READING:
        prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)  # it fails for users that have no such capability
    prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
