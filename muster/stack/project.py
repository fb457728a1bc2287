"""The Pulumi project of the current directory: its root, its stacks and their files."""

from pathlib import Path

from muster.finding import WrongInput
from muster.message_text import did_you_mean, or_list
from muster.stack.stack_file import StackFile, is_of_project, load


class NoProject(WrongInput):
    """There is no Pulumi.yaml of Muster here or above."""


class NoStack(WrongInput):
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
    return _names(project / "stacks")


def _names(folder: Path) -> list[str]:
    return sorted(file.stem.removeprefix("Pulumi.") for file in folder.glob("Pulumi.*.yaml"))


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


def open_stack(project: Path, stack: str) -> StackFile:
    """Reads a stack of a project by its name (or by its file's name), and the facts beside it.

    Raises:
        NoStack: there is no such file; the message names the nearest stack, or lists all stacks.
    """
    return open_in(project / "stacks", stack)


def open_argument(argument: str) -> StackFile:
    """Reads a stack by what names it on a command line: its name, its file's name, or the path of its file, in any
    folder.

    Raises:
        NoProject: it is a name, and there is no project here.
        NoStack: there is no such file.
    """
    return open_in(_folder_of(argument), argument)


def open_in(folder: Path, stack: str, *, without_facts: bool = False) -> StackFile:
    """Reads a stack whose file is in a folder, and the facts beside it, unless they are excluded.

    Raises:
        NoStack: there is no such file.
    """
    name = Path(stack).name.removeprefix("Pulumi.").removesuffix(".yaml")
    file = folder / f"Pulumi.{name}.yaml"
    if not (file.exists() or file.is_symlink()):  # reading a folder or a named pipe reports the fault
        known = _names(folder)
        longer = [f"'{each}'" for each in known if each.startswith(f"{name}-")]
        near = f"; did you mean {or_list(longer)}?" if 0 < len(longer) <= _MOST_MEANT else did_you_mean(name, known)
        meant = near or (f" (stacks: {', '.join(known)})" if known else "; it has no stacks")
        raise NoStack(f"there is no stack '{name}' in {folder}{meant}")
    facts = folder / "facts" / f"{name}.json"
    return load(name, display_path(file), display_path(facts), without_facts=without_facts)


def _folder_of(stack: str) -> Path:
    """The folder of a stack's file: of a path, its own; of a name, stacks/ of the project."""
    path = Path(stack)
    around = path.parent
    if path.name == stack and not (path.name.startswith("Pulumi.") and path.is_file()):
        return root() / "stacks"
    for folder in (around.absolute(), around.resolve()):  # stacks/ may be a link, and a link may lead to it
        if is_of_project(folder):
            return folder.parent.resolve() / "stacks"
    return around.resolve()


def display_path(file: Path) -> Path:
    """A file's path as text: relative to the current directory where the file is below it."""
    try:
        return file.relative_to(Path.cwd())
    except ValueError:
        return file
