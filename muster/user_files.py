"""Opens the files that users name, for reading. Every reader of such a file goes through here.

Only regular files are read, and standard input, up to a limit that is known before anything is parsed: `/dev/zero` has
no end, a FIFO may never begin, and a parser takes many times the memory of its text. The limits are measured
(`docs/contributing/hostile-input.md`): a file at its limit is refused or read within 2 s and 300 MB.
"""

import stat
import sys
from pathlib import Path
from typing import NamedTuple

STDIN = "-"

DEEPEST = 100
"""Blocks in each other, in JSON and YAML. Readers of values call themselves for each, and libyaml ends the process on
thousands."""


class Limit(NamedTuple):
    """How large a kind of file may be, and what to do with a larger one."""

    most: int
    """In bytes."""
    remedy: str


DESCRIPTION = Limit(512 * 1024, "keep the description of only one cluster in it, and move long texts to other files")
"""Stack files, facts, configurations, projects. The largest of this repository has 3 kB."""

MANIFEST = Limit(1024 * 1024, "keep only one job and its objects in the file, and install other objects separately")
"""Manifests, batch scripts, kubeconfigs. etcd takes at most 1.5 MiB an object, and it is one job that is given."""

SAVED = Limit(16 * 1024 * 1024, "save only a part of it, as with `pulumi preview --json --target URN`")
"""Plans, states, previews: some 6,000 resources, which take a second to read."""

SOURCE = Limit(128 * 1024 * 1024, "check a part of it")
"""Files of other tools. A Terraform plan of 20,000 resources has 116 MiB."""

LOG = Limit(16 * 1024 * 1024, "report a run of fewer resources (`pulumi preview --target URN`)")
"""Logs of the engine's events."""

BASELINE = Limit(8 * 1024 * 1024, "it has tens of thousands of findings: fix some, or use one baseline for each stack")
"""Baselines."""


class CannotRead(Exception):
    """A file that is not read: what was found, and what to do."""

    def __init__(self, got: str, remedy: str, line: int = 1, column: int = 1) -> None:
        self.got, self.remedy = got, remedy
        self.line, self.column = line, column
        super().__init__(f"{got}; {remedy}")


class NoSuchFile(CannotRead):
    """There is no file of that name."""


def is_inside(file: Path, folder: Path) -> bool:
    """Whether a file is in a folder or below it, after all links on its path."""
    try:
        return file.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):  # links form a cycle, or no file can have this name
        return False


def read_bytes(file: Path | str, limit: Limit, inside: Path | None = None) -> bytes:
    """A file's bytes; ``-`` is standard input.

    Args:
        file: its path.
        limit: how large it may be.
        inside: the folder that no link may leave, for a file that another file names, or that Muster looks for. A pull
            request can add such a link. None for a file that the user names.

    Raises:
        CannotRead: it is no regular file, is too large, is outside the folder, or cannot be read.
    """
    try:
        if inside is not None and not is_inside(Path(file), inside):
            raise CannotRead(f"is a link that leads out of {inside}", "replace the link with the file")
        if str(file) == STDIN:
            return _from_stdin(limit)
        mode = Path(file).stat().st_mode
        if stat.S_ISDIR(mode):
            raise CannotRead("is a folder, not a file", "use the path of a file")
        if not stat.S_ISREG(mode) and not _is_handed_over(file):
            remedy = f"use the path of a regular file, or `{STDIN}` and a pipe if the command reads standard input"
            raise CannotRead("is a pipe, a device or a socket, not a regular file", remedy)
        with Path(file).open("rb") as opened:
            data = opened.read(limit.most + 1)
        size = Path(file).stat().st_size
    except FileNotFoundError:
        raise NoSuchFile("the file does not exist", "check the path") from None
    except (OSError, ValueError) as fault:  # includes a name that no file can have
        reason = getattr(fault, "strerror", None) or fault
        raise CannotRead(f"cannot be read: {reason}", "make the file readable") from None
    return _within(data, limit, size)


def read_text(file: Path | str, limit: Limit, inside: Path | None = None) -> str:
    """A file's text without a byte order mark, its lines ended as Unix ends them; arguments as of `read_bytes`.

    Raises:
        CannotRead: as `read_bytes`, or it is not UTF-8.
    """
    data = read_bytes(file, limit, inside)
    try:
        return _plain(data.decode("utf-8"))
    except UnicodeDecodeError as fault:
        before = _plain(data[: fault.start].decode("utf-8"))
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise CannotRead(f"byte {fault.start} is not UTF-8", "save the file as UTF-8", line, column) from None


def _plain(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _from_stdin(limit: Limit) -> bytes:
    if sys.stdin is None:
        raise CannotRead("standard input is closed", "pipe a file into it, or use the path of a file")
    return _within(sys.stdin.buffer.read(limit.most + 1), limit)


def _is_handed_over(file: Path | str) -> bool:
    """Whether the shell opened it already, as standard input and `<(command)` are."""
    return str(file).startswith(("/dev/stdin", "/dev/fd/", "/proc/self/fd/"))


def _within(data: bytes, limit: Limit, size: int = 0) -> bytes:
    if len(data) > limit.most:
        has = _size(size) if size > limit.most else f"more than {_size(limit.most)}"
        raise CannotRead(f"has {has}, but Muster reads at most {_size(limit.most)}", limit.remedy)
    return data


def _size(count: int) -> str:
    return f"{count / 2**20:.1f} MiB" if count >= 2**20 else f"{-(-count // 1024)} KiB"
