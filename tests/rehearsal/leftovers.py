"""What a rehearsal in some folder has on this machine: processes and folders. (A port goes with its process.)"""

import time
from pathlib import Path


def processes(base: Path) -> list[str]:
    """Command lines of every process that works in the folder, or names it."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            line = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            works_in = (process / "cwd").readlink()
        except OSError:
            continue
        if works_in.is_relative_to(base) or str(base) in line:
            found.append(line)
    return found


def left(base: Path, patience: float = 60) -> list[str]:
    """What is still there after so many seconds."""
    until = time.monotonic() + patience
    while True:
        there = [*processes(base), *map(str, base.iterdir())]
        if not there or time.monotonic() > until:
            return there
        time.sleep(0.02)
