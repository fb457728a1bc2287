"""Writes the files that users name, completely or not at all. Every such file is written here.

A file is replaced by a new one in its folder. What is there is never opened: it may be a link of a pull request to a
file elsewhere, or a named pipe that no process reads.
"""

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

_HANDED_OVER = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/self/fd/")
"""What the shell opened already, as for `>(command)`."""


def require_place(file: Path) -> None:
    """Checks, before there is anything to write, what is where a file shall be.

    Raises:
        OSError: it is a folder, a pipe or a device, or its folder is a link out of the checkout.
    """
    if str(file).startswith(_HANDED_OVER):
        return
    _require_inside(file.parent)
    with contextlib.suppress(FileNotFoundError):
        mode = file.lstat().st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
        if not stat.S_ISREG(mode) and not stat.S_ISLNK(mode):
            raise OSError(errno.EINVAL, "it is a pipe or a device, not a regular file", str(file))


def _require_inside(folder: Path) -> None:
    """Refuses a folder of the checkout that is a link out of it. A folder elsewhere is the choice of the user, who
    wrote its path; a link in the checkout is the choice of whoever wrote the pull request."""
    here = Path.cwd()
    root = next((each for each in (here, *here.parents) if (each / ".git").exists()), here)
    lexical = Path(os.path.normpath(here / folder))
    if lexical.is_relative_to(root) and not folder.resolve().is_relative_to(root.resolve()):
        raise OSError(errno.ELOOP, f"'{folder}' leads out of the checkout by a link", str(folder))


def require_writable(file: Path) -> None:
    """Checks also whether the file could be written. Nothing is left behind.

    Raises:
        OSError: it cannot.
    """
    require_place(file)
    folder = file.parent
    while not folder.exists():
        folder = folder.parent
    descriptor, name = tempfile.mkstemp(dir=folder, prefix=f".{file.name}.")
    os.close(descriptor)
    Path(name).unlink()


def make_folder(folder: Path) -> None:
    """Makes a folder and those above it.

    Raises:
        OSError: it cannot be made, or leads out of the checkout by a link.
    """
    _require_inside(folder)
    folder.mkdir(parents=True, exist_ok=True)


def write(file: Path, text: str, *, keep: bool = False) -> Path | None:
    """Writes a file, or replaces it by one with its permissions. A link is replaced, not followed.

    Args:
        file: its path.
        text: its content.
        keep: whether the existing file is kept under the first free name: ``p5.json.old``, ``p5.json.old2``.

    Returns:
        The new name of the existing file.

    Raises:
        OSError: it cannot be written; the existing file is unchanged.
    """
    # The name of a file need not be UTF-8; a report shows other bytes as escapes.
    data = text.encode("utf-8", "backslashreplace")
    if str(file).startswith(_HANDED_OVER):
        with file.open("wb") as opened:
            opened.write(data)
        return None
    with _new_file(file, data) as made:
        with contextlib.suppress(FileNotFoundError):
            if stat.S_ISREG(mode := file.lstat().st_mode):
                made.chmod(stat.S_IMODE(mode))
        kept = _rename(file) if keep else None
        made.replace(file)
    return kept


def create(file: Path, text: str | bytes) -> None:
    """Creates a file, complete from the moment that it exists.

    Raises:
        FileExistsError: a file with that name exists; it is unchanged.
        OSError: it cannot be written; nothing is left behind.
    """
    data = text if isinstance(text, bytes) else text.encode("utf-8", "backslashreplace")
    with _new_file(file, data) as made:
        try:
            os.link(made, file)
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            with file.open("xb") as opened:
                try:
                    opened.write(data)
                except BaseException:
                    file.unlink()
                    raise


def _rename(file: Path) -> Path:
    """Gives a file, or a link, the first free name. It is not read."""
    names = (file.with_name(f"{file.name}.old{number if number > 1 else ''}") for number in count(1))
    free = next(each for each in names if not os.path.lexists(each))
    file.rename(free)
    return free


@contextlib.contextmanager
def _new_file(file: Path, data: bytes) -> Iterator[Path]:
    """A new file with the data, in the folder of a file; removed if it gets no other name."""
    require_place(file)
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    made = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(data)
        made.chmod(0o666 & ~_mask())
        yield made
    finally:
        made.unlink(missing_ok=True)


def _mask() -> int:
    """The umask of this process. It can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME/muster``, or ``~/.cache/muster``. Everything in it may be deleted at any time."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "muster"
