"""The files of a new stack: both or none, and never in place of another."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from muster.cli.exits import WrongInput


def taken(file: Path) -> str:
    """That there is one of that name."""
    return f"{file} is there, and is never overwritten; take another name, or move it away"


def create(files: Mapping[Path, str]) -> None:
    """Writes files, all or none.

    Raises:
        WrongInput: one is there by now, or cannot be written.
    """
    kept: list[Path] = []
    folders = [each for each in dict.fromkeys(file.parent for file in files) if not each.exists()]
    try:
        for file, text in files.items():
            _create(file, text)
            kept.append(file)
    except BaseException:
        for file in kept:
            file.unlink(missing_ok=True)
        for folder in folders:
            with suppress(OSError):  # somebody else's file is in it by now
                folder.rmdir()
        raise


def _create(file: Path, text: str) -> None:
    from muster.cli import whole_file

    try:
        if not file.parent.is_dir():
            file.parent.mkdir()
        whole_file.create(file, text)
    except FileExistsError as fault:
        if file.parent.is_dir():
            raise WrongInput(taken(file)) from None
        raise WrongInput(f"{file} cannot be written: {file.parent} is no folder") from fault
    except OSError as fault:
        raise WrongInput(f"{file} cannot be written: {fault.strerror}") from None
