"""The Pulumi project of the current directory: its root, its stacks and their files."""

from pathlib import Path

from muster.message_text import did_you_mean, or_list
from muster.stack.stack_file import StackFile, load


class NoProject(Exception):
    """There is no Pulumi.yaml of Muster here or above."""


class NoStack(Exception):
    """There is no file of that stack."""


def root(start: Path | None = None) -> Path:
    """The folder with Pulumi.yaml, from here upwards.

    Raises:
        NoProject: there is none.
    """
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if (folder / "Pulumi.yaml").is_file() and (folder / "stacks").is_dir():
            return folder
    raise NoProject(
        f"there is no Pulumi.yaml with a stacks/ folder in {here} or above; change to a project, or create one with "
        "`muster new DIRECTORY`"
    )


def stacks(project: Path) -> list[str]:
    """Every stack with a file, sorted."""
    return sorted(file.stem.removeprefix("Pulumi.") for file in (project / "stacks").glob("Pulumi.*.yaml"))


def stack_file(project: Path, stack: str) -> Path:
    """Where a stack's file is, whether or not it exists."""
    return project / "stacks" / f"Pulumi.{stack}.yaml"


def has_stack(project: Path, stack: str) -> bool:
    """Whether anything exists at the path of a stack's file. If it is a folder or a named pipe, reading reports the
    fault."""
    file = stack_file(project, stack)
    return file.exists() or file.is_symlink()


def facts_file(project: Path, stack: str) -> Path:
    """Where a stack's facts are, whether or not they exist."""
    return project / "stacks" / "facts" / f"{stack}.json"


_MOST_MEANT = 4
"""Stacks whose names begin with the given name. More are listed with all others."""


def open_stack(project: Path, stack: str, *, without_facts: bool = False) -> StackFile:
    """Reads a stack by its name (or by its file's name), and the facts beside it, unless they are excluded.

    Raises:
        NoStack: there is no such file; the message names the nearest stack, or lists all stacks.
    """
    name = Path(stack).name.removeprefix("Pulumi.").removesuffix(".yaml")
    if not has_stack(project, name):
        known = stacks(project)
        longer = [f"'{each}'" for each in known if each.startswith(f"{name}-")]
        near = f"; did you mean {or_list(longer)}?" if 0 < len(longer) <= _MOST_MEANT else did_you_mean(name, known)
        meant = near or (f" (stacks: {', '.join(known)})" if known else "; it has no stacks")
        raise NoStack(f"there is no stack '{name}' in {project / 'stacks'}{meant}")
    return load(
        name,
        display_path(stack_file(project, name)),
        display_path(facts_file(project, name)),
        without_facts=without_facts,
    )


def display_path(file: Path) -> Path:
    """A file's path as text: relative to the current directory where the file is below it."""
    try:
        return file.relative_to(Path.cwd())
    except ValueError:
        return file
