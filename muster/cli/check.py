"""`muster check`: judges descriptions by every documented rule, without an account and without Pulumi."""

from collections.abc import Callable
from functools import cache
from typing import Annotated

import typer

from muster.cli.asked import Asked, asks_rules
from muster.cli.exits import OurBug, WrongInput
from muster.cli.foreign_options import Install, Plans, Program, ProgramStack, Python, Timeout, alone
from muster.cli.options import AsOf, Json, Strict, _stacks, day
from muster.cli.outputs import OutputOption, outputs, write
from muster.cli.terminal import one_line


@asks_rules
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
    ask: Callable[[], Asked],
) -> None:
    """Judge stacks, or programs of other teams, by every documented rule. Needs no AWS account.

    Each finding names file, line and column, what was found, and what to do. Of stacks on ParallelCluster AWS's own
    package is asked, too (`make setup` installs it): its schema, and its validators against a stand-in of the account.
    """
    if every and stacks:
        raise WrongInput("give stacks or --all, not both")
    alone(program, stack=stack, python=python, timeout=timeout, install=install)
    others = bool(program or plan)
    if not (every or stacks or others):
        from muster.cli.opening import known_stacks

        known = ", ".join(known_stacks()) or "none"
        raise WrongInput(f"name a stack or give --all (there are: {known}), or --program or --plan of another team's")
    wanted = outputs(output, as_json=as_json)
    ask = cache(ask)  # it reads files, and is asked where its answer is needed first
    today = day(as_of)
    told = []
    if every or stacks:
        from muster.cli.judging import report_of
        from muster.cli.opening import open_all, open_stacks

        opened = open_all() if every else open_stacks(stacks or [])
        told = [report_of(each, today, ask().configuration) for each in opened]
    if others:
        from muster.cli.foreign import judge_file, judge_program

        if program:
            told.append(judge_program(program, stack, ask, today, python=python, seconds=timeout, install=install))
        told += [judge_file(each, ask(), today) for each in plan or ()]
    report = ask().report(told, today, strict=strict)
    write(report, wanted)
    if report.bugs:
        raise OurBug("\n".join(map(one_line, report.bugs)))
    raise typer.Exit(report.exit())
