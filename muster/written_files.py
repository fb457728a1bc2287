"""Writes files completely or not at all; secrets readable by their owner only."""

import contextlib
import errno
import os
import tempfile
from itertools import count
from pathlib import Path

from muster.cli.exits import WrongInput


def write(file: Path, text: str) -> None:
    """Writes a file, or replaces it and keeps its permissions. A pipe or a terminal is written directly.

    Raises:
        OSError: it cannot be written; the existing file is unchanged.
    """
    # The name of a file need not be UTF-8; a report shows other bytes as escapes.
    data = text.encode("utf-8", "backslashreplace")
    if file.exists() and not file.is_file():
        with file.open("wb") as opened:
            opened.write(data)
        return
    target = file.resolve()  # a link stays a link
    replace(target, data, _usual_mode(target))


def replace(file: Path, data: bytes, mode: int) -> None:
    """Writes a new file in the same folder, and renames it when it is complete.

    Raises:
        OSError: it cannot be written; the new file is removed.
    """
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(data)
        Path(name).chmod(mode)
        Path(name).replace(file)
    except OSError:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def create(file: Path, text: str) -> None:
    """Creates a file, complete from the moment that it exists.

    Raises:
        FileExistsError: a file with that name exists; it is unchanged.
        OSError: it cannot be written; nothing is left behind.
    """
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(text.encode())
        Path(name).chmod(0o666 & ~_mask())
        _link(Path(name), file)
    finally:
        Path(name).unlink()


def keep_copy(file: Path) -> Path:
    """Copies a file to the first free name in its folder: ``p5.json.old``, ``p5.json.old2``.

    Raises:
        OSError: it cannot be read, or the copy cannot be written; a partial copy is removed.
    """
    data = file.read_bytes()
    for number in count(1):
        copy = file.with_name(f"{file.name}.old{number if number > 1 else ''}")
        with contextlib.suppress(FileExistsError):
            with copy.open("xb") as opened:
                try:
                    opened.write(data)
                except BaseException:
                    copy.unlink()
                    raise
            return copy
    raise AssertionError("numbers end")


def check_writable(file: Path) -> None:
    """Checks whether a file can be written, before there is anything to write. Nothing is left behind.

    Raises:
        OSError: it cannot.
    """
    if file.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
    if file.exists() and not file.is_file():
        return
    folder = file.resolve().parent
    while not folder.exists():
        folder = folder.parent
    descriptor, name = tempfile.mkstemp(dir=folder, prefix=f".{file.name}.")
    os.close(descriptor)
    Path(name).unlink()


def _link(made: Path, file: Path) -> None:
    """Gives a file its name, unless a file with that name exists; renaming would replace that file."""
    try:
        os.link(made, file)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        with file.open("xb") as opened:
            try:
                opened.write(made.read_bytes())
            except BaseException:
                file.unlink()
                raise


def _usual_mode(file: Path) -> int:
    """The permissions of a file, or those of a new file."""
    return file.stat().st_mode & 0o7777 if file.exists() else 0o666 & ~_mask()


def _mask() -> int:
    """The umask of this process. It can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def refuse_existing(file: Path, *, force: bool) -> None:
    """Checks that a file can be written.

    Raises:
        WrongInput: the file exists and must not be overwritten, or is a folder.
    """
    if file.is_dir():
        raise WrongInput(f"'{file}' is a folder; give a file")
    if not force and (file.exists() or file.is_symlink()):
        raise _already_exists(file)


def write_secret(file: Path, text: str, *, force: bool) -> None:
    """Writes the file with mode 0600, regardless of the mode of an older file.

    Raises:
        WrongInput: it exists and must not be overwritten, or cannot be written.
    """
    try:
        if force:
            replace(file, text.encode(), 0o600)
        else:
            _create_secret(file, text)
    except FileExistsError:
        raise _already_exists(file) from None
    except OSError as fault:
        raise WrongInput(
            f"cannot write '{file}': {fault.strerror}; give a file in a folder that you can write to"
        ) from None


def _already_exists(file: Path) -> WrongInput:
    return WrongInput(f"'{file}' exists; overwrite it with --force, or give another file")


def _create_secret(file: Path, text: str) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
            opened.write(text)
    except OSError:
        file.unlink()
        raise
