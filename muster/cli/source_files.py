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
        if not path.exists():
            return path.suffix in _SUFFIXES and not _in_project()
        return "/" in argument or bool(path.suffix) or not _is_stack(argument)
    except (OSError, ValueError):  # a name that no file can have
        return False


_SUFFIXES = frozenset({".json", ".yaml", ".yml", ".template", ".tf", ".tfplan", ".tfstate"})


def _is_stack(name: str) -> bool:
    from muster.config import project

    return _in_project() and project.has_stack(project.root(), name)


def _in_project() -> bool:
    from muster.config import project

    try:
        project.root()
    except project.NoProject:
        return False
    return True


def open_sources(paths: Iterable[Path], *, skip_unknown: bool = False) -> "list[tuple[InputFile, Format]]":
    """The files at some paths with their formats. A folder is searched, and its files of other formats are skipped.

    Args:
        paths: files and folders; ``-`` is stdin.
        skip_unknown: whether to skip also given files that have no known format, or cannot be read and show no sign of
            one.

    Raises:
        WrongInput: a file cannot be read, or has no known format; a folder has no file of a known format. The message
            has every such path.
    """
    listed = list(paths)
    return _opened(listed, skip_unknown=skip_unknown) if listed else []


def _opened(paths: list[Path], *, skip_unknown: bool) -> "list[tuple[InputFile, Format]]":
    from muster import terminal
    from muster.sources.recognition import (
        MAKE_A_PLAN,
        UnknownFormat,
        looks_known,
        open_file,
        recognize,
    )
    from muster.sources.source import CannotBeRead

    found: list[tuple[InputFile, Format]] = []
    faults: list[str] = []
    skipped: list[str] = []
    for path in paths:
        skips = skip_unknown or path.is_dir()
        before = len(found)
        inside, code = _files_at(path, faults)
        for each in inside:
            try:
                file = open_file(each, path if path.is_dir() else None)
                found.append((file, recognize(file)))
            except UnknownFormat as fault:
                faults += [] if skips else [str(fault)]
            except CannotBeRead as fault:
                (faults if not skips or looks_known(each) else skipped).append(str(fault))
        if code:
            skipped.append(f"{path}: {count_noun(code, 'file')} of Terraform code: {MAKE_A_PLAN}")
        if path.is_dir() and len(found) == before and not (skip_unknown or faults):
            what = MAKE_A_PLAN if code else _to_check(path)
            faults.append(f"{path}: no file in this folder has a known format; {what}")
    for told in skipped[:_MOST_NAMED]:
        terminal.complain(f"{told} (skipped)")
    if len(skipped) > _MOST_NAMED:
        terminal.complain(f"{count_noun(len(skipped) - _MOST_NAMED, 'more file')} cannot be read (skipped)")
    if faults:
        raise WrongInput(*faults)
    return found


def _to_check(folder: Path) -> str:
    from muster.sources.recognition import known_formats

    is_of_stacks = any(folder.glob("Pulumi.*.yaml"))
    return "`muster check --all` checks stacks" if is_of_stacks else f"Muster reads: {known_formats()}"


def _files_at(path: Path, faults: list[str]) -> tuple[list[Path], int]:
    from muster.sources.recognition import files_in
    from muster.sources.source import CannotBeRead

    try:
        return files_in(path)
    except CannotBeRead as fault:
        faults.append(str(fault))
        return [], 0
