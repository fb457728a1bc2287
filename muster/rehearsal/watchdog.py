"""The watchdog of a rehearsal: a process that ends the rehearsal's processes and removes its folder, however it ends.

`watchdog FOLDER`: it is the leader of the process group in which all processes of the rehearsal run, and reads from a
pipe that only the rehearsal holds. The pipe closes when the rehearsal ends or dies for any reason, including SIGKILL;
then the watchdog kills the group. If the watchdog itself is killed, the rehearsal notices it and does the same.

Standard library only: it is started with `python -I`.
"""

import contextlib
import os
import shutil
import signal
import sys
import time
from pathlib import Path


def clear(group: int, folder: Path) -> None:
    """Kills a process group, and removes the folder."""
    with contextlib.suppress(OSError):
        os.killpg(group, signal.SIGKILL)
    for _ in range(50):  # dying processes may still write to it
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.02)


def main() -> None:
    """Waits for the end of the pipe, then clears from outside of the group."""
    group = os.getpid()  # a fork's parent may be gone: then it is 1, and killing that group kills every process
    os.read(0, 1)
    if os.fork() == 0:
        os.setsid()
        clear(group, Path(sys.argv[1]))
    else:
        os.wait()


if __name__ == "__main__":
    main()
