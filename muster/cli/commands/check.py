"""`muster check`: judges descriptions by every documented rule, without an account and without Pulumi."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated

import typer

from muster.cli.exits import WrongInput
from muster.cli.options import AsOf, Json, Strict, Verbose, _stacks, day
from muster.cli.outputs import OutputOption, outputs, write
from muster.cli.rule_selection import RuleSelection, with_rule_options
from muster.finding import OurBug

Program = Annotated[
    Path | None,
    typer.Option(
        "--program",
        metavar="DIR",
        help="Folder of another Pulumi project, in Python or YAML. Muster runs it as a preview and checks it.",
        show_default=False,
    ),
]
ProgramStack = Annotated[
    str | None,
    typer.Option("--stack", metavar="STACK", help="Stack of --program. Default: its only stack.", show_default=False),
]
Python = Annotated[
    Path | None,
    typer.Option(
        "--python",
        metavar="PATH",
        help="Python interpreter or virtual environment for --program. Default: the project's own.",
        show_default=False,
    ),
]
Timeout = Annotated[
    float, typer.Option("--timeout", metavar="SECONDS", min=0, help="Time limit for --program.", show_default="120")
]
Install = Annotated[
    bool,
    typer.Option(
        "--install",
        help="Install the packages of --program with pip for this run. Their build code runs as you, with the network.",
    ),
]
Plans = Annotated[
    list[Path] | None,
    typer.Option(
        "--plan",
        metavar="FILE",
        help="Saved plan, state or preview of a Pulumi program in any language; - reads stdin. Repeatable.",
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
        raise WrongInput(f"{left[0]} needs --program; give the folder, as in --program DIR")


@with_rule_options
def check(
    stacks: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="STACK|FILE...",
            help="Stacks, by name or file. Or files of other tools (Terraform plan as JSON, CloudFormation, eksctl, "
            "Karpenter, ParallelCluster, HyperPod), or folders with such files; - reads stdin.",
            autocompletion=_stacks,
            show_default=False,
        ),
    ] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Check every stack of the project.")] = False,
    stdin: Annotated[bool, typer.Option("--stdin", help="Read a file of another tool from stdin.")] = False,
    skip_unknown: Annotated[
        bool, typer.Option("--skip-unknown", help="Skip files that have no known format, as a hook needs.")
    ] = False,
    program: Program = None,
    stack: ProgramStack = None,
    python: Python = None,
    timeout: Timeout = 0.0,
    install: Install = False,
    plan: Plans = None,
    output: OutputOption = None,
    as_json: Json = False,
    verbose: Verbose = False,
    strict: Strict = False,
    as_of: AsOf = None,
    ask: Callable[[], RuleSelection],
) -> None:
    """Check stacks, files of other tools, or Pulumi programs against every rule. Needs no AWS account.

    Each finding has the file, line and column, what is wrong, why it matters, and what to do.
    """
    from muster.cli.source_files import open_sources, split_arguments

    names, paths = split_arguments([*(stacks or []), *(["-"] if stdin else [])])
    if stdin and stacks:
        raise WrongInput("--stdin reads the file; leave out the other arguments, or --stdin")
    if every and names:
        raise WrongInput("stacks and --all exclude each other; give only one of them")
    require_program(program, stack=stack, python=python, timeout=timeout, install=install)
    if not (every or names or paths or program or plan):
        from muster.cli.stacks import known_stacks

        known = ", ".join(known_stacks()) or "none"
        raise WrongInput(f"nothing to check; give a stack ({known}), a FILE, --all, --program DIR or --plan FILE")
    sources = open_sources(paths, skip_unknown=skip_unknown)
    wanted = outputs(output, as_json=as_json, verbose=verbose)
    ask = cache(ask)  # it reads files, and is called where its result is needed first
    today = day(as_of)
    reports = []
    if every or names:
        from muster.cli.stacks import open_all, open_stacks, report_of

        opened = open_all() if every else open_stacks(names)
        reports = [report_of(each, today, ask().configuration) for each in opened]
    if program or plan or sources:
        from muster.cli.commands.check_program import judge_file, judge_program, judge_sources

        if program:
            reports.append(judge_program(program, stack, ask, today, python=python, seconds=timeout, install=install))
        reports += [judge_file(each, ask(), today) for each in plan or ()]
        reports += judge_sources(sources, ask(), today)
    report = ask().report(reports, today, strict=strict)
    write(report, wanted)
    if report.bugs:
        raise OurBug(*report.bugs)
    raise typer.Exit(report.exit())
