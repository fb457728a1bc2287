"""The options of `check` about programs of other teams."""

from pathlib import Path
from typing import Annotated

import typer

from muster.cli.exits import WrongInput

Program = Annotated[
    Path | None,
    typer.Option(
        "--program",
        metavar="DIR",
        help="Another team's Pulumi project in Python or YAML: run as a preview, and judged.",
        show_default=False,
    ),
]
ProgramStack = Annotated[
    str | None,
    typer.Option("--stack", metavar="STACK", help="The stack of --program; its only one without.", show_default=False),
]
Python = Annotated[
    Path | None,
    typer.Option(
        "--python",
        metavar="PATH",
        help="The interpreter of --program, or its environment; the project's own without.",
        show_default=False,
    ),
]
Timeout = Annotated[
    float, typer.Option("--timeout", metavar="SECONDS", min=0, help="How long --program may take.", show_default="120")
]
Install = Annotated[
    bool,
    typer.Option(
        "--install",
        help="Install the packages of --program for this run, by pip. Their build code runs as you, with the network.",
    ),
]
Plans = Annotated[
    list[Path] | None,
    typer.Option(
        "--plan",
        metavar="FILE",
        help="A plan, state or preview that Pulumi saved of a program in any language; - for stdin; repeatable.",
        show_default=False,
    ),
]


def alone(program: Path | None, *, stack: str | None, python: Path | None, timeout: float, install: bool) -> None:
    """Refuses what is said of a program, where none is named.

    Raises:
        WrongInput: names the option.
    """
    given = {
        "--stack": stack is not None,
        "--python": python is not None,
        "--timeout": timeout > 0,
        "--install": install,
    }
    left = [name for name, is_given in given.items() if is_given]
    if left and program is None:
        raise WrongInput(f"{left[0]} is about --program; name its folder, as in --program DIR")
