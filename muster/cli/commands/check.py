"""`muster check`: judges descriptions by every documented rule, without an account and without Pulumi."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated

import typer

from muster.cli.exits import WrongInput
from muster.cli.options import AsOf, Json, Strict, _stacks, day
from muster.cli.outputs import OutputOption, outputs, write
from muster.cli.rule_selection import RuleSelection, with_rule_options
from muster.finding import OurBug

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


def require_program(
    program: Path | None, *, stack: str | None, python: Path | None, timeout: float, install: bool
) -> None:
    """Refuses the options about a foreign program where none is given.

    Raises:
        WrongInput: such an option is given; the message names it.
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


@with_rule_options
def check(
    stacks: Annotated[
        list[str] | None,
        typer.Argument(metavar="STACK...", help="Stacks, by name or file.", autocompletion=_stacks, show_default=False),
    ] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Every stack there is.")] = False,
    program: Program = None,
    stack: ProgramStack = None,
    python: Python = None,
    timeout: Timeout = 0.0,
    install: Install = False,
    plan: Plans = None,
    output: OutputOption = None,
    as_json: Json = False,
    strict: Strict = False,
    as_of: AsOf = None,
    ask: Callable[[], RuleSelection],
) -> None:
    """Judge stacks, or programs of other teams, by every documented rule. Needs no AWS account.

    Each finding names file, line and column, what was found, and what to do. Of stacks on ParallelCluster AWS's own
    package is asked, too (`make setup` installs it): its schema, and its validators against a stand-in of the account.
    """
    if every and stacks:
        raise WrongInput("give stacks or --all, not both")
    require_program(program, stack=stack, python=python, timeout=timeout, install=install)
    others = bool(program or plan)
    if not (every or stacks or others):
        from muster.cli.stacks import known_stacks

        known = ", ".join(known_stacks()) or "none"
        raise WrongInput(f"name a stack or give --all (there are: {known}), or --program or --plan of another team's")
    wanted = outputs(output, as_json=as_json)
    ask = cache(ask)  # it reads files, and is asked where its answer is needed first
    today = day(as_of)
    told = []
    if every or stacks:
        from muster.cli.stacks import open_all, open_stacks, report_of

        opened = open_all() if every else open_stacks(stacks or [])
        told = [report_of(each, today, ask().configuration) for each in opened]
    if others:
        from muster.cli.commands.check_program import judge_file, judge_program

        if program:
            told.append(judge_program(program, stack, ask, today, python=python, seconds=timeout, install=install))
        told += [judge_file(each, ask(), today) for each in plan or ()]
    report = ask().report(told, today, strict=strict)
    write(report, wanted)
    if report.bugs:
        raise OurBug(*report.bugs)
    raise typer.Exit(report.exit())
