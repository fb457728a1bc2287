"""`muster check`: judges descriptions by every documented rule, without an account and without Pulumi."""

from typing import Annotated

import typer

from muster.cli.asked import BaselineFile, Config, Ignore, Select, WriteBaseline
from muster.cli.exits import WrongInput
from muster.cli.options import AsOf, Json, Strict, _stacks, day
from muster.cli.outputs import OutputOption, outputs, write


def check(
    stacks: Annotated[
        list[str] | None,
        typer.Argument(metavar="STACK...", help="Stacks, by name or file.", autocompletion=_stacks, show_default=False),
    ] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Every stack there is.")] = False,
    output: OutputOption = None,
    as_json: Json = False,
    strict: Strict = False,
    as_of: AsOf = None,
    config: Config = None,
    select: Select = None,
    ignore: Ignore = None,
    baseline: BaselineFile = None,
    write_baseline: WriteBaseline = None,
) -> None:
    """Judge stacks by every documented rule. Needs no AWS account.

    Each finding names file, line and column, what was found, and what to do. Of stacks on ParallelCluster AWS's own
    package is asked, too (`make setup` installs it): its schema, and its validators against a stand-in of the account.
    """
    from muster.cli.asked import asked
    from muster.cli.judging import judge_stack, known_stacks, open_all, open_stacks
    from muster.cli.report import Report

    if every and stacks:
        raise WrongInput("give stacks or --all, not both")
    if not every and not stacks:
        raise WrongInput(f"name a stack or give --all (there are: {', '.join(known_stacks()) or 'none'})")
    wanted = outputs(output, as_json=as_json)
    opened = open_all() if every else open_stacks(stacks or [])
    how = asked(config, select, ignore, baseline, write_baseline)
    today = day(as_of)
    told = [judge_stack(each, today, ask_aws=True, configuration=how.configuration).report for each in opened]
    report = Report((*how.of(told), *how.about_suppressions(told, today)), strict)
    write(report, wanted)
    raise typer.Exit(report.exit())
