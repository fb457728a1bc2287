"""The supervisor: a process that owns a rehearsal's folder and processes, and removes both when the rehearsal ends.

It is a separate program (standard library only, started with `python -I`), because nothing inside a process can
clean up after that process is killed. There are three safeguards, each for the case that the one before fails:

1. The rehearsal ends, or dies for any reason, including SIGKILL: the socket to it closes, and the supervisor kills
   every process group, removes the folder and exits. (It also checks whether its parent is still its parent, in case a
   fork of the rehearsal holds the socket open.)
2. The supervisor itself is killed: Linux kills its children with it (PR_SET_PDEATHSIG). `Processes.stop`
   removes the folder, if the rehearsal lives.
3. Both are killed at once: the folder is left, unlocked. The next supervisor removes it.

Some children start processes outside their group (slurmd starts slurmstepd this way, because jobs must outlive slurmd).
Every process of a rehearsal has the folder's name in its environment, and so have its descendants: all three
safeguards find them by this variable and kill them.

Commands and answers are lines of JSON on the socket that is its stdin:

    (at its start)                                         ->  {"folder": PATH}
    {"start": NAME, "argv": [], "env": {}, "log": FILE}    ->  {"started": NAME, "pid": N}
                                                               or {"failed": NAME, "why": TEXT}
    {"stop": true}                                         ->  {"stopped": true}, after which it leaves
    (a process ended by itself)                            ->  {"died": NAME, "code": N}
"""

import contextlib
import ctypes
import fcntl
import json
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from muster import child_process

PREFIX = "muster-rehearsal-"
LOCK = ".lock"
MARK = "MUSTER_REHEARSAL"
"""The variable in which every process of a rehearsal, and whatever it starts, has the rehearsal's folder."""
_POLL_SECONDS = 0.5
"""Seconds between two looks at the parent."""
_UNLOCKED_FOR = 60
"""A folder without a lock is being created right now, unless it is older than this, in seconds."""
_PR_SET_PDEATHSIG = 1


def make_folder(base: Path) -> Path:
    """A new folder that no other user can read, locked while this process runs."""
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=base))
    unnamed = folder / f"{LOCK}.new"
    fcntl.flock(os.open(unnamed, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600), fcntl.LOCK_EX)
    unnamed.rename(
        folder / LOCK
    )  # the folder gets its name after the lock is taken, so that no other supervisor finds it unlocked
    return folder


def sweep(base: Path) -> list[Path]:
    """Removes folders whose supervisor was killed, and kills their processes. Returns the removed folders."""
    return [
        folder
        for folder in base.glob(f"{PREFIX}*")
        if _is_left_behind(folder) and end_strays(folder) and remove(folder)
    ]


def _is_left_behind(folder: Path) -> bool:
    try:
        if folder.is_symlink() or folder.stat().st_uid != os.getuid():
            return False
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        with contextlib.suppress(OSError):
            return time.time() - folder.stat().st_mtime > _UNLOCKED_FOR
        return False
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(lock)
    return True


def remove(folder: Path) -> bool:
    """Removes a folder, even if dying processes still write to it. Returns whether it is removed."""
    for _ in range(50):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return True
        time.sleep(0.02)
    return False


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
    return [each for each in found if each != os.getpid()]


def end_strays(folder: Path, *more: str) -> bool:
    """Kills them until none is left that could start another. Returns whether none is left."""
    for _ in range(50):
        if not (left := processes_of(folder, *more)):
            return True
        for each in left:
            with contextlib.suppress(OSError):
                os.kill(each, signal.SIGKILL)
        time.sleep(0.01)
    return False


def _dies_with_us() -> Callable[[], None] | None:
    """The function that a child calls first, so that the kernel kills it with its supervisor; None if the system does
    not support it."""
    if sys.platform != "linux":
        return None
    prctl, supervisor = ctypes.CDLL(None, use_errno=True).prctl, os.getpid()

    def bind() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != supervisor:  # it died before the line above
            os._exit(1)

    return bind


class Supervisor:
    """The process's state."""

    def __init__(self, control: socket.socket, parent: int, base: Path) -> None:
        self.control, self.parent = control, parent
        self.children: dict[str, child_process.Child[bytes]] = {}
        self.bind = _dies_with_us()
        self.woken, waker = socket.socketpair()
        for end in (self.woken, waker):
            end.setblocking(False)
        signal.set_wakeup_fd(waker.detach(), warn_on_full_buffer=False)  # the end of a child is reported at once
        self.buffer = b""
        self.leaving = False
        sweep(base)
        self.folder = make_folder(base)

    def run(self) -> None:
        """Serves until the rehearsal ends, then kills its processes and removes its folder."""
        try:
            self.send(folder=str(self.folder))
            while not self.leaving and os.getppid() == self.parent:
                ready, _, _ = select.select([self.control, self.woken], [], [], _POLL_SECONDS)
                if self.woken in ready:
                    self.woken.recv(1 << 10)
                if self.control in ready:
                    self.receive()
                self.report_ended()
        finally:
            for number in (signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            self.clear()

    def send(self, **message: Any) -> None:
        """Sends one line. Does nothing if the rehearsal has ended."""
        try:
            self.control.sendall(json.dumps(message).encode() + b"\n")
        except OSError:
            self.leaving = True

    def receive(self) -> None:
        """Reads the available input and executes every complete line of it."""
        try:
            received = self.control.recv(1 << 16)
        except OSError:
            received = b""
        if not received:
            self.leaving = True
        *lines, self.buffer = (self.buffer + received).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if "start" in message:
                self.start(message)
            else:
                self.leaving = True

    def start(self, message: dict[str, Any]) -> None:
        """Starts a process in its own group, with its output in its log."""
        name = message["start"]
        try:
            with Path(message["log"]).open("ab") as log:
                self.children[name] = child_process.start(
                    message["argv"],
                    env={**message["env"], MARK: str(self.folder)},
                    cwd=self.folder,
                    stdin=child_process.DEVNULL,
                    stdout=log,
                    stderr=child_process.STDOUT,
                    start_new_session=True,
                    preexec_fn=self.bind,  # this process has one thread
                )
        except (OSError, child_process.SubprocessError) as fault:
            self.send(failed=name, why=str(fault))
        else:
            self.send(started=name, pid=self.children[name].pid)

    def report_ended(self) -> None:
        """Reports processes that ended by themselves, once none of the processes that they started is left."""
        for name, child in list(self.children.items()):
            code = child.poll()
            if code is not None:
                del self.children[name]
                self.kill(child)
                self.send(died=name, code=code)

    @staticmethod
    def kill(child: "child_process.Child[bytes]") -> None:
        """Kills a process and its group, without notice: all their state is in the folder, which is also removed."""
        with contextlib.suppress(OSError):
            os.killpg(child.pid, signal.SIGKILL)

    def clear(self) -> None:
        """Ends every process and removes the folder."""
        for child in self.children.values():
            self.kill(child)
        for child in self.children.values():
            child.wait()
        end_strays(self.folder)
        remove(self.folder)
        self.send(stopped=True)


def main() -> None:
    """`supervisor PARENT FOLDER`, with the socket as stdin."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(0))  # through `finally`: everything is cleared
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the rehearsal's to answer
    signal.signal(signal.SIGCHLD, lambda *_: None)
    Supervisor(socket.socket(fileno=os.dup(0)), int(sys.argv[1]), Path(sys.argv[2])).run()


if __name__ == "__main__":
    main()
