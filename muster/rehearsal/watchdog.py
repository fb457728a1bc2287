"""The watchdog of a rehearsal: a process that ends the rehearsal's processes and removes its folder, however it ends.

`watchdog FOLDER`: it is the leader of the process group in which all processes of the rehearsal run, and reads from a
pipe that only the rehearsal holds. The pipe closes when the rehearsal ends or dies for any reason, including SIGKILL;
then the watchdog kills the group. If the watchdog itself is killed, the rehearsal notices it and does the same.

Some children leave the group (slurmd starts slurmstepd this way, because jobs must outlive slurmd). Every process of a
rehearsal has the folder's name in its environment, and so have its descendants: they are found by this variable.

Standard library only: it is started with `python -I`.
"""

import contextlib
import os
import shutil
import signal
import sys
import time
from pathlib import Path

MARK = "MUSTER_REHEARSAL"
"""The variable in which every process of a rehearsal, and whatever it starts, has the rehearsal's folder."""


def processes_of(folder: Path, *more: str) -> list[int]:
    """The processes of a rehearsal, found by their environment; none if the system does not report it (macOS).

    Args:
        folder: the rehearsal's.
        more: further variables (``NAME=VALUE``) that they have, all of them.
    """
    wanted = {f"{MARK}={folder}".encode(), *(each.encode() for each in more)}
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended, or belongs to another user
            if wanted <= set((process / "environ").read_bytes().split(b"\0")):
                found.append(int(process.name))
    return found


def end_strays(folder: Path, *more: str) -> None:
    """Kills them until none is left that could start another."""
    for _ in range(50):
        if not (left := processes_of(folder, *more)):
            return
        for each in left:
            with contextlib.suppress(OSError):
                os.kill(each, signal.SIGKILL)
        time.sleep(0.01)


def clear(group: int, folder: Path) -> None:
    """Kills a process group and the processes that left it, and removes the folder."""
    with contextlib.suppress(OSError):
        os.killpg(group, signal.SIGKILL)
    end_strays(folder)
    for _ in range(50):  # dying processes may still write to it
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.02)


def main() -> None:
    """Waits for the end of the pipe, then clears from outside of the group."""
    os.read(0, 1)
    if os.fork() == 0:
        os.setsid()
        clear(os.getppid(), Path(sys.argv[1]))
    else:
        os.wait()


if __name__ == "__main__":
    main()
