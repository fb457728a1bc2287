"""Judges stacks: what they come to, and what was found."""

import os
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from muster.cli.exits import OurBug, WrongInput
from muster.cli.opening import description_of, open_stacks
from muster.cli.report import StackReport
from muster.cli.stack_report import crashed, faulty, report
from muster.fleet.description import AddonsOf
from muster.fleet.finding import Level
from muster.fleet.stack_file import StackFile

if TYPE_CHECKING:
    from muster.fleet.blueprint import Blueprint
    from muster.fleet.silence import Silence
    from muster.fleet.slurm_blueprint import AnyBlueprint
    from policies.configuration import Configuration
    from policies.judgement import RuleCrashed


def described(stack: str, instead: str) -> tuple[StackFile, "Blueprint"]:
    """A stack and what it comes to, whatever the rules find.

    Args:
        stack: its name, or file.
        instead: what to do with a cluster without Kubernetes.

    Raises:
        typer.Exit: its files have faults of form; they are told.
        WrongInput: a cluster with Slurm; or a stack of add-ons, and nothing is known of the cluster that they are for.
    """
    opened = open_stacks([stack])[0]
    description_of(opened)
    if not opened.knows_cluster:
        raise WrongInput(_unknown(opened))
    return opened, on_kubernetes(opened.derive(), instead)


@dataclass(frozen=True, slots=True)
class Judged:
    """A stack, what it comes to, and what was found. No blueprint where the files' form is wrong, and of add-ons for a
    cluster of which nothing is known."""

    opened: StackFile
    blueprint: "AnyBlueprint | None"
    report: StackReport


def judge_stack(
    opened: StackFile,
    as_of: date,
    *,
    ask_aws: bool = False,
    configuration: "Configuration | None" = None,
    silences: "tuple[Silence, ...] | None" = None,
) -> Judged:
    """Derives the blueprint and asks every rule about it.

    Args:
        opened: the stack.
        as_of: the day it is.
        ask_aws: whether AWS's own package is asked, too, where there is one for the backend: it takes seconds.
        configuration: how the rules are asked; by their sheets and the stack's own `muster:policies` without it.
        silences: what AWS did not answer, where its facts were asked for just now.

    A rule that raises is among the report's bugs; with MUSTER_DEBUG it is raised, with its trace.
    """
    if opened.described is None:
        return Judged(opened, None, faulty(opened, opened.faults))
    from addons.judged import described_fleet
    from muster.fleet.slurm_blueprint import SlurmBlueprint
    from policies.stack import AS_IN_SHEETS, unjudged
    from policies.stack import judge_stack as judge

    asked = configuration or AS_IN_SHEETS
    if not opened.knows_cluster:
        return Judged(
            opened,
            None,
            report(
                opened,
                unjudged(opened, asked),
                len(opened.described.addons.chosen) if isinstance(opened.described, AddonsOf) else 0,
            ),
        )
    blueprint = opened.derive()
    fleet = replace(described_fleet(blueprint, as_of), silences=silences)
    if ask_aws and isinstance(blueprint, SlurmBlueprint):
        from muster.authority.report import report as aws_says

        fleet = replace(fleet, objects=(*fleet.objects, aws_says(blueprint)))
    crashes = collected()
    judgement = judge(opened, fleet, asked, crashes=crashes)
    return Judged(opened, blueprint, report(opened, judgement, len(fleet.objects), crashes))


def report_of(opened: StackFile, as_of: date, configuration: "Configuration") -> StackReport:
    """The report of one stack among several. What raises is a bug in the report of that stack, so that the others keep
    their verdicts; with MUSTER_DEBUG it is raised, with its trace."""
    try:
        return judge_stack(opened, as_of, ask_aws=True, configuration=configuration).report
    except WrongInput:
        raise
    except Exception as bug:
        if collected() is None:
            raise
        return crashed(opened, bug)


def collected() -> "list[RuleCrashed] | None":
    """Where rules that raise are told of, with all others judged. None where whoever mends one wants its trace."""
    return None if os.environ.get("MUSTER_DEBUG") else []


def judge_cluster(opened: StackFile, as_of: date, configuration: "Configuration | None" = None) -> Judged:
    """The same, for those who need the cluster; no blueprint only where the files' form is wrong.

    Raises:
        WrongInput: a stack of add-ons, and nothing is known of the cluster that they are for.
        OurBug: a rule raised.
    """
    needs_cluster(opened)
    judged = judge_stack(opened, as_of, configuration=configuration)
    if judged.report.bugs:
        raise OurBug("; ".join(judged.report.bugs))
    return judged


def needs_cluster(opened: StackFile) -> None:
    """For those who can do nothing without the cluster.

    Raises:
        WrongInput: a stack of add-ons, and nothing is known of the cluster that they are for.
    """
    if opened.described is not None and not opened.knows_cluster:
        raise WrongInput(_unknown(opened))


def passed(opened: StackFile, as_of: date) -> "AnyBlueprint":
    """The blueprint of a stack that no mandatory rule refuses: a job for a cluster that never comes up helps nobody,
    nor does a request that AWS does not take.

    Raises:
        typer.Exit: its form is wrong, or such a rule refuses it; the findings are told on stderr.
        WrongInput: a stack of add-ons, and nothing is known of the cluster that they are for.
        OurBug: a rule raised.
    """
    import sys

    import typer

    from muster.cli import terminal
    from muster.cli.exits import Exit
    from muster.cli.writers import text

    judged = judge_cluster(opened, as_of)
    code = judged.report.exit()
    if judged.blueprint is not None and code is Exit.CLEAN:
        return judged.blueprint
    style = terminal.style_of(sys.stderr)
    stopping = [found for found in judged.report.findings if found.level is Level.MANDATORY]
    terminal.complain(*text.findings(stopping, style), text.summary(judged.report, style))
    raise typer.Exit(code)


def on_kubernetes(blueprint: "AnyBlueprint | None", instead: str = "give a stack on eks or hyperpod") -> "Blueprint":
    """A blueprint, for who needs a Kubernetes control plane.

    Args:
        blueprint: of any backend.
        instead: what to do with a cluster that has none.

    Raises:
        WrongInput: it is that of a cluster with Slurm.
    """
    from muster.fleet.blueprint import Blueprint

    assert blueprint is not None, "whoever asks has told the faults of form"
    if isinstance(blueprint, Blueprint):
        return blueprint
    raise WrongInput(without_kubernetes(blueprint.stack, blueprint.described.backend, instead))


def without_kubernetes(stack: str, backend: str, instead: str) -> str:
    """Words for whoever asks something about Kubernetes of a stack that has none."""
    return f"{stack} has backend: {backend}, a cluster with Slurm and without Kubernetes; {instead}"


def _unknown(opened: StackFile) -> str:
    return f"{opened.stack} has add-ons only, and nothing is known here of {opened.unknown_cluster}"
