"""Opens stacks by name."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from muster import project
from muster.cli.exits import WrongInput
from muster.fleet.located import Located
from muster.fleet.stack_file import StackFile

if TYPE_CHECKING:
    from muster.fleet.description import Description


def find_project() -> Path:
    """The folder with Pulumi.yaml.

    Raises:
        WrongInput: there is none here or above.
    """
    try:
        return project.root()
    except project.NoProject as fault:
        raise WrongInput(str(fault)) from None


def open_stacks(names: Iterable[str]) -> list[StackFile]:
    """The stacks of these names or files, each once, in the order given.

    Raises:
        WrongInput: there is no project, or not one of the stacks; every unknown name is told at once.
    """
    opened: dict[Path, StackFile] = {}
    faults = []
    for name in names:
        try:
            root = _root_of(name)
            stack = project.open_stack(root, name)
        except project.NoStack as fault:
            faults.append(_not_read(root, name) if _is_description(name) else str(fault))
        except (OSError, ValueError) as fault:  # a name no file can have
            faults.append(f"no stack '{name}': {fault}")
        else:
            if _elsewhere(root, name):
                missing = f"'{name}' is not in {project.shown(root / 'stacks')}, and there is no such file"
                faults.append(_not_read(root, name) if _is_description(name) else missing)
            opened.setdefault(stack.document.file, _checked(stack))
    if faults:
        raise WrongInput("\n".join(faults))
    return list(opened.values())


def project_of(opened: StackFile) -> Path:
    """The folder with the Pulumi.yaml that a stack's file belongs to."""
    return opened.document.file.absolute().parent.parent


def description_of(opened: StackFile) -> "Description":
    """What a stack describes, for who can do nothing with one whose form is wrong.

    Raises:
        typer.Exit: its files have faults of form; they are told.
    """
    import sys

    import typer

    from muster.cli import terminal
    from muster.cli.stack_report import faulty
    from muster.cli.writers import text

    if opened.described is not None:
        return opened.described
    told = faulty(opened, opened.faults)
    terminal.complain(*text.stack_lines(told, terminal.style_of(sys.stderr)))
    raise typer.Exit(told.exit())


def despite_facts(opened: StackFile) -> tuple[StackFile, tuple[Located, ...]]:
    """For who asks AWS anew: a stack that has faults in nothing but its facts, read without them; and those faults."""
    if not opened.faults or any(each.file != opened.facts_file for each in opened.faults):
        return opened, ()
    return _checked(project.open_stack(project_of(opened), opened.stack, without_facts=True)), opened.faults


def _checked(opened: StackFile) -> StackFile:
    """A stack with the faults of its `muster:policies`, where it has any: the rules are loaded for nothing else."""
    if opened.policies is None:
        return opened
    from policies.configuration import checked

    return checked(opened)


def _root_of(name: str) -> Path:
    """The project that a stack is in: that of a file in a project's stacks/, wherever it is; else the one around us."""
    given = Path(name)
    if _is_description(name):
        folder = given.parent.resolve()
        try:
            if (root := project.root(folder)) / "stacks" == folder:
                return root
        except project.NoProject:
            pass
    return find_project()


def _is_description(name: str) -> bool:
    """Whether a file is named that is there, and may be a stack's."""
    return Path(name).suffix in {".yaml", ".yml", ".json"} and Path(name).exists()


def _not_read(root: Path, name: str) -> str:
    stacks = project.shown(root / "stacks")
    return f"'{name}' is there, but only files Pulumi.NAME.yaml in {stacks} are read; copy it there"


def _elsewhere(root: Path, name: str) -> bool:
    """Whether a file is named that only shares its name with one of our stacks: it must not be judged as ours."""
    given = Path(name)
    return given.suffix == ".yaml" and given.name != name and given.parent.resolve() != (root / "stacks").resolve()


def open_all() -> list[StackFile]:
    """Every stack there is.

    Raises:
        WrongInput: there is none.
    """
    names = known_stacks()
    if not names:
        raise WrongInput(f"no stack in {find_project() / 'stacks'}; add a file Pulumi.NAME.yaml there")
    return open_stacks(names)


def known_stacks() -> list[str]:
    """The names of all stacks."""
    return project.stacks(find_project())
