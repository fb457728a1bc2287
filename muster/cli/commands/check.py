"""`muster check`: judges descriptions by every documented rule, without an account and without Pulumi."""

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Annotated

import typer

from muster.cli.options import AsOf, Json, Strict, Verbose, _stacks, day
from muster.cli.outputs import OutputOption, outputs, write
from muster.cli.rule_selection import (
    BaselineFile,
    Config,
    Ignore,
    Pack,
    Select,
    WriteBaseline,
    select_rules,
)
from muster.finding import OurBug, WrongInput

if TYPE_CHECKING:
    from muster.stack.stack_file import StackFile


def check(
    stacks: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="STACK|FILE...",
            help="Stacks, by name or file. Or files of other tools (Pulumi preview, plan or state, Terraform plan as "
            "JSON, CloudFormation, eksctl, Karpenter, ParallelCluster, HyperPod), manifests of jobs, which are judged "
            "on the stacks, or folders with them; - is stdin.",
            autocompletion=_stacks,
        ),
    ] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Check every stack of the project.")] = False,
    skip_unknown: Annotated[
        bool, typer.Option("--skip-unknown", help="Skip files that have no known format, as a hook needs.")
    ] = False,
    output: OutputOption = None,
    as_json: Json = False,
    verbose: Verbose = False,
    strict: Strict = False,
    as_of: AsOf = None,
    config: Config = None,
    select: Select = None,
    ignore: Ignore = None,
    baseline: BaselineFile = None,
    write_baseline: WriteBaseline = None,
    pack: Pack = None,
    fix: Annotated[
        bool, typer.Option("--fix", help="Show the changes of stack files where a finding has one right change.")
    ] = False,
    write_fixed: Annotated[bool, typer.Option("--write", help="With --fix: write the changed files.")] = False,
) -> None:
    """Check stacks and files of other tools against every rule. Needs no AWS account.

    Each finding has the file, line and column, what is wrong, why it matters, and what to do.
    """
    from muster.cli.source_files import open_sources, split_arguments

    names, paths = split_arguments(stacks or ())
    if every and names:
        raise WrongInput("stacks and --all exclude each other; give only one of them")
    if not (every or names or paths):
        from muster.cli.stacks import known_stacks

        known = ", ".join(known_stacks()) or "none"
        raise WrongInput(f"nothing to check; give a stack ({known}), a FILE or --all")
    if write_fixed and not fix:
        raise WrongInput("--write needs --fix")
    if fix and paths:
        raise WrongInput(f"--fix changes stack files of this project; {paths[0]} is a file of another tool")
    sources = open_sources(paths, skip_unknown=skip_unknown) if paths else []
    wanted = outputs(output, as_json=as_json, verbose=verbose)
    # It reads files, and is called where its result is needed first.
    ask = cache(lambda: select_rules(config, select, ignore, baseline, write_baseline, pack))
    today = day(as_of)
    reports = []
    opened: list[StackFile] = []
    if every or names:
        from muster.cli.stacks import open_all, open_stacks, report_of

        opened = open_all() if every else open_stacks(names)
        if fix:
            from muster.cli.commands.check_fix import show_fixed

            reports = [show_fixed(each, today, ask(), write=write_fixed) for each in opened]
        else:
            several = [replace(each, beside=tuple(opened)) for each in opened] if len(opened) > 1 else opened
            reports = [report_of(each, today, ask().configuration) for each in several]
    if sources:
        from muster.cli.source_files import judge_sources
        from muster.cli.stacks import kubernetes_fleets

        on = kubernetes_fleets(opened, today) if any(format_.is_of_kubernetes for _, format_ in sources) else ()
        reports += judge_sources(sources, ask(), today, on)
    report = ask().report(reports, today, strict=strict)
    write(report, wanted)
    if report.bugs:
        raise OurBug(*report.bugs)
    raise typer.Exit(report.exit())
