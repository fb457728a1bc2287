"""`muster new`: creates a project."""

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

import muster
from muster import terminal, written_files
from muster.addresses import SITE, WHEEL, schema_address
from muster.cli.findings import CONTRACT
from muster.cli.options import Json
from muster.cli.writers.json import dump
from muster.finding import WrongInput
from muster.hardware.tables import read_text
from muster.message_text import did_you_mean


def example_stacks() -> list[str]:
    """The names of the example stacks, sorted."""
    from muster.stack import project

    return project.stacks(EXAMPLES)


def new(
    directory: Annotated[
        Path,
        typer.Argument(metavar="DIRECTORY", help="The folder: a new one, or an empty one."),
    ],
    *,
    stacks: Annotated[
        list[str] | None,
        typer.Option(
            "--stack",
            metavar="NAME",
            help="An example stack to copy, with its facts. Repeatable. Default: p5-odcr.",
            autocompletion=example_stacks,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Create a project: a folder with Pulumi.yaml, the program, and an example stack to copy from.

    The command overwrites nothing. If this `muster` runs in a virtual environment (`uv tool install`, `pipx install`,
    `python -m venv`), `.venv` of the project becomes a link to it, and `pulumi up` runs the same Muster.
    """
    names = list(dict.fromkeys(stacks or (DEFAULT_STACK,)))
    environment = _create(directory, names)
    if as_json:
        data = {"project": str(directory), "stacks": names, "environment": environment and str(environment)}
        terminal.write(dump({"contract": CONTRACT, **data}))
        return
    terminal.write_lines(
        [
            f"created {directory}, with {', '.join(names)}",
            *(() if environment else ("`pulumi install` creates its .venv, from requirements.txt",)),
            "next:",
            *(() if directory.samefile(".") else (f"  cd {shlex.quote(str(directory))}",)),
            f"  muster check {names[0]}",
            f"  muster plan {names[0]}",
            "README.md has the steps to a cluster",
        ]
    )


EXAMPLES = Path(muster.__file__).resolve().parent / "examples"
"""The stacks of the repository, with their facts; in a checkout `examples/stacks` is a link to them."""

DEFAULT_STACK = "p5-odcr"

_SCHEMA_COMMENT = "# yaml-language-server: $schema="

_PROGRAM = '''\
"""What `pulumi up` runs: the program is in the package muster."""

from muster.program import run

run()
'''


def _create(folder: Path, names: list[str]) -> Path | None:
    """Creates a project with example stacks, and returns what its `.venv` is a link to; None: there is no link.

    Raises:
        WrongInput: there is no such example, the folder has other files, or it cannot be written.
    """
    files = dict(_files(names))
    try:
        _require_empty(folder)
        for name, text in files.items():
            file = folder / name
            written_files.make_folder(file.parent)
            written_files.create(file, text)
        return _link_environment(folder)
    except OSError as fault:
        raise WrongInput(f"cannot create the project '{folder}': {fault.strerror}; use another folder") from None


def _files(names: list[str]) -> Iterator[tuple[str, str]]:
    """Each file of the project, by its path in it, and its text."""
    from muster.stack.project import facts_file, stack_file

    for name in ("Pulumi.yaml", ".gitignore", "README.md"):
        template = read_text(f"templates/project/{name.removeprefix('.')}.in", "muster.cli")
        yield name, template.replace("@SITE@", SITE)
    yield "__main__.py", _PROGRAM
    yield "requirements.txt", f"muster-clusters @ {WHEEL}\n"
    for name in names:
        yield str(stack_file(Path(), name)), _stack(name)
        if (facts := facts_file(EXAMPLES, name)).is_file():
            yield str(facts_file(Path(), name)), facts.read_text(encoding="utf-8")


def _stack(name: str) -> str:
    """An example's text, with the address of the schema for editors in its first line."""
    from muster.stack.project import stack_file

    known = example_stacks()
    if name not in known:
        meant = did_you_mean(name, known) or f" (there are: {', '.join(known)})"
        raise WrongInput(f"no example stack '{name}'{meant}")
    first, _, rest = stack_file(EXAMPLES, name).read_text(encoding="utf-8").partition("\n")
    assert first.startswith(_SCHEMA_COMMENT), name
    return f"{_SCHEMA_COMMENT}{schema_address('stack')}\n{rest}"


def _require_empty(folder: Path) -> None:
    if folder.is_dir() and (found := sorted({file.name for file in folder.iterdir()} - {".git"})):
        raise WrongInput(f"'{folder}' is not empty (it has {found[0]}); name a new folder, or an empty one")
    if folder.exists() and not folder.is_dir():
        raise WrongInput(f"'{folder}' is a file; name a new folder, or an empty one")


def _link_environment(folder: Path) -> Path | None:
    """Makes `.venv` a link to the environment of this `muster`, if that is a virtual one.

    A link has advantages over an environment of the project: nothing is installed twice, `uv tool upgrade muster` (or
    pipx) upgrades the program as well, and the program runs the rules that `muster check` runs. Without a virtual
    environment there is no link: Pulumi would write into the system's Python.
    """
    environment = Path(sys.prefix).resolve()
    if not (environment / "pyvenv.cfg").is_file():
        return None
    (folder / ".venv").symlink_to(environment, target_is_directory=True)
    return environment
