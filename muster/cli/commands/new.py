"""`muster new`: creates a project."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from muster.cli.options import Json


def _examples(incomplete: str) -> list[str]:
    from muster.cli import new_project

    return [name for name in new_project.example_stacks() if name.startswith(incomplete)]


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
            autocompletion=_examples,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Create a project: a folder with Pulumi.yaml, the program, and an example stack to copy from.

    The command overwrites nothing. If this `muster` runs in a virtual environment (`uv tool install`, `pipx install`,
    `python -m venv`), `.venv` of the project becomes a link to it, and `pulumi up` runs the same Muster.
    """
    from muster import terminal
    from muster.cli import new_project
    from muster.cli.findings import CONTRACT
    from muster.cli.writers.json import dump

    made = new_project.create(directory, tuple(dict.fromkeys(stacks or (new_project.DEFAULT_STACK,))))
    if as_json:
        environment = str(made.environment) if made.environment else None
        data = {"project": str(made.folder), "stacks": list(made.stacks), "environment": environment}
        terminal.write(dump({"contract": CONTRACT, **data}))
        return
    first = made.stacks[0]
    terminal.write_lines(
        [
            f"created {made.folder}, with {', '.join(made.stacks)}",
            *(() if made.environment else ("`pulumi install` creates its .venv, from requirements.txt",)),
            "next:",
            *(() if made.folder.samefile(".") else (f"  cd {shlex.quote(str(made.folder))}",)),
            f"  muster check {first}",
            f"  muster plan {first}",
            "README.md has the steps to a cluster",
        ]
    )
