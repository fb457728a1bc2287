"""The files of other tools that a user gives, in place of stacks: which arguments they are, and their formats."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from muster import user_files
from muster.cli.exits import WrongInput
from muster.message_text import count_noun

if TYPE_CHECKING:
    from muster.sources.formats import Format
    from muster.sources.source import InputFile


_MOST_NAMED = 5
"""Files that are skipped with their names."""


def split_arguments(arguments: Iterable[str]) -> tuple[list[str], list[Path]]:
    """The names and files of stacks, and the paths of other files and folders."""
    listed = list(dict.fromkeys(arguments))
    paths = [each for each in listed if _is_source(each)]
    return [each for each in listed if each not in paths], [Path(each) for each in paths]


def _is_source(argument: str) -> bool:
    """Whether an argument is the path of a file or a folder, and not a stack.

    A file `Pulumi.NAME.yaml` is a stack. A word without a slash or a suffix is a stack if one has this name.
    """
    path = Path(argument)
    if argument == user_files.STDIN:
        return True
    if not argument or path.name.startswith("Pulumi."):
        return False
    try:
        return path.exists() and ("/" in argument or bool(path.suffix) or not _is_stack(argument))
    except (OSError, ValueError):  # a name that no file can have
        return False


def _is_stack(name: str) -> bool:
    from muster.config import project

    try:
        return project.has_stack(project.root(), name)
    except project.NoProject:
        return False


def open_sources(paths: Iterable[Path], *, skip_unknown: bool = False) -> "list[tuple[InputFile, Format]]":
    """The files at some paths with their formats. A folder is searched, and its files of other formats are skipped.

    Args:
        paths: files and folders; ``-`` is stdin.
        skip_unknown: whether to skip also given files that cannot be read or have no known format.

    Raises:
        WrongInput: a file cannot be read, or has no known format; a folder has no file of a known format. The message
            has every such path.
    """
    listed = list(paths)
    return _opened(listed, skip_unknown=skip_unknown) if listed else []


def _opened(paths: list[Path], *, skip_unknown: bool) -> "list[tuple[InputFile, Format]]":
    from muster.cli import terminal
    from muster.foreign.project import CannotBeRead
    from muster.sources.recognition import UnknownFormat, files_in, known_formats, open_file, recognize

    found: list[tuple[InputFile, Format]] = []
    faults: list[str] = []
    skipped: list[str] = []
    for path in paths:
        skips = skip_unknown or path.is_dir()
        before = len(found)
        for each in files_in(path) if path.is_dir() else [path]:
            try:
                file = open_file(each)
                found.append((file, recognize(file)))
            except UnknownFormat as fault:
                faults += [] if skips else [str(fault)]
            except CannotBeRead as fault:
                (skipped if skips else faults).append(str(fault))
        if path.is_dir() and len(found) == before and not skip_unknown:
            faults.append(f"{path}: no file in this folder has a known format; Muster reads: {known_formats()}")
    for each in skipped[:_MOST_NAMED]:
        terminal.complain(f"{terminal.one_line(each)} (skipped)")
    if len(skipped) > _MOST_NAMED:
        terminal.complain(f"{count_noun(len(skipped) - _MOST_NAMED, 'more file')} cannot be read (skipped)")
    if faults:
        raise WrongInput("\n".join(faults))
    return found
