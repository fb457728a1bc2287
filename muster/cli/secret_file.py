"""Writes a file that only its owner can read, whole or not at all."""

import os
from pathlib import Path

from muster.cli import whole_file
from muster.cli.exits import WrongInput


def refuse(file: Path, *, force: bool) -> None:
    """Says early what would stop a writer.

    Raises:
        WrongInput: the file exists and is not to be overwritten, or is a folder.
    """
    if file.is_dir():
        raise WrongInput(f"'{file}' is a folder; name a file")
    if not force and (file.exists() or file.is_symlink()):
        raise _exists(file)


def write(file: Path, text: str, *, force: bool) -> None:
    """Writes the file with mode 0600, whatever mode an older one had.

    Raises:
        WrongInput: it exists and is not to be overwritten, or cannot be written.
    """
    try:
        if force:
            whole_file.replace(file, text.encode(), 0o600)
        else:
            _create(file, text)
    except FileExistsError:
        raise _exists(file) from None
    except OSError as fault:
        raise WrongInput(f"cannot write '{file}': {fault.strerror}; name a file in a folder you can write to") from None


def _exists(file: Path) -> WrongInput:
    return WrongInput(f"'{file}' exists; overwrite it with --force, or name another file")


def _create(file: Path, text: str) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
            opened.write(text)
    except OSError:
        file.unlink()
        raise
