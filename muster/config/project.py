"""The Pulumi project around us: its root, its stacks, their files."""

from pathlib import Path

from muster.config.stack_file import PROJECT, StackFile, load
from muster.message_text import did_you_mean

__all__ = [
    "PROJECT",
    "NoProject",
    "NoStack",
    "display_path",
    "facts_file",
    "has_stack",
    "open_stack",
    "root",
    "stack_file",
    "stacks",
]


class NoProject(Exception):
    """No Pulumi.yaml of Muster's here or above."""


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
    raise NoProject(f"no Pulumi.yaml with a stacks/ folder in {here} or above; change into Muster's checkout")


def stacks(project: Path) -> list[str]:
    """Every stack there is a file for, sorted."""
    return sorted(file.stem.removeprefix("Pulumi.") for file in (project / "stacks").glob("Pulumi.*.yaml"))


def stack_file(project: Path, stack: str) -> Path:
    """Where a stack's file is, whether or not it exists."""
    return project / "stacks" / f"Pulumi.{stack}.yaml"


def has_stack(project: Path, stack: str) -> bool:
    """Whether anything exists at the path of a stack's file. For a folder or a named pipe, reading reports the
    fault."""
    file = stack_file(project, stack)
    return file.exists() or file.is_symlink()


def facts_file(project: Path, stack: str) -> Path:
    """Where a stack's facts are, whether or not they exist."""
    return project / "stacks" / "facts" / f"{stack}.json"


def open_stack(project: Path, stack: str, *, without_facts: bool = False) -> StackFile:
    """Reads a stack by its name (or by its file's name), and the facts beside it, if they are wanted.

    Raises:
        NoStack: there is no such file; the message names the nearest, or lists what there is.
    """
    name = Path(stack).name.removeprefix("Pulumi.").removesuffix(".yaml")
    if not has_stack(project, name):
        known = stacks(project)
        meant = did_you_mean(name, known) or f" (there are: {', '.join(known)})"
        raise NoStack(f"no stack '{name}' in {project / 'stacks'}{meant}")
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
