"""`muster rehearse`: the planned cluster and a job on a real control plane, or a real Slurm, on this machine."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from muster.cli.exits import Exit, WrongInput
from muster.cli.options import AsOf, Json, Stack, day

if TYPE_CHECKING:
    from addons.charts import Charts
    from muster.blueprint.kubernetes import Blueprint
    from muster.cli.findings import Where
    from muster.cli.stacks import JudgedStack
    from muster.rehearsal.kubernetes.drills import Loss
    from muster.rehearsal.kubernetes.hyperpod import DeepHealthChecks
    from muster.rehearsal.kubernetes.rehearsal import RehearsalRequest
    from muster.rehearsal.outcome import Outcome


def rehearse(
    stack: Stack,
    *,
    job: Annotated[
        str | None,
        typer.Option(
            "--job", "-j", help="A job that `muster job` prints; the first that fits without it.", show_default=False
        ),
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(
            "--file",
            "-f",
            metavar="FILE",
            help="A job of your own: a manifest with what goes with it, on Slurm a batch script; - for stdin.",
            show_default=False,
        ),
    ] = None,
    sets: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A value for a variable ($NAME, ${NAME}) of the manifest in --file.",
            show_default=False,
        ),
    ] = None,
    env_file: Annotated[
        str | None,
        typer.Option(
            "--env-file", metavar="FILE", help="Values for them, a line each: NAME=VALUE.", show_default=False
        ),
    ] = None,
    group: Annotated[
        str | None, typer.Option("--group", help="The job's group, where several fit.", show_default=False)
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", min=1, help="How many workers the job has, one a node.", show_default=False)
    ] = None,
    charts: Annotated[
        str | None,
        typer.Option(
            "--charts",
            metavar="DIR",
            help="Where the add-ons' charts are: a folder, a mirror's address, or online.",
            show_default=False,
        ),
    ] = None,
    lose_nodes: Annotated[
        int | None,
        typer.Option("--lose-nodes", metavar="N", min=1, help="Once it runs, lose nodes.", show_default=False),
    ] = None,
    lose_zone: Annotated[
        str | None, typer.Option("--lose-zone", metavar="ZONE", help="Once it runs, lose a zone.", show_default=False)
    ] = None,
    degrade: Annotated[
        list[str] | None,
        typer.Option(
            "--degrade",
            metavar="WHAT=N",
            help="Once it runs, break devices of a node: efa=1, gpu=1.",
            show_default=False,
        ),
    ] = None,
    full_queue: Annotated[
        bool, typer.Option("--full-queue", help="Somebody else's jobs have the whole queue first: Slurm's, or Kueue's.")
    ] = False,
    deep_checks: Annotated[
        str | None,
        typer.Option(
            "--deep-checks",
            metavar="HOW",
            help="HyperPod's deep health checks: played (the default), in-progress, passed.",
            show_default=False,
        ),
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write the report as a page, too.", show_default=False)
    ] = None,
    if_built: Annotated[
        bool, typer.Option("--if-built", help="Only where nothing has to be built first; else say how, and exit 0.")
    ] = False,
    as_json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Prove that a job will start: the planned nodes, their add-ons and the job on a real control plane, here.

    Runs etcd, kube-apiserver, scheduler, controllers, KWOK, the job's operator, and Kueue or Volcano where the stack
    has them, on this machine's loopback. They are built once (10 to 17 minutes, Kueue and Volcano 5 to 7 more) where
    they are not on PATH. Of a cluster with Slurm it runs slurmctld and slurmd, which Debian and Ubuntu have. No AWS
    account, and nothing is left behind.
    """
    from muster import backends

    _one_job(job, file, sizes=bool(group or nodes), fills=bool(sets or env_file))
    losses = _losses(degrade, lose_nodes, lose_zone)
    _writable(html)
    judged = _judged(stack, as_of)
    assert judged.blueprint is not None, "else its faults of form are printed"
    options = RehearseOptions(
        stack=stack,
        job=job,
        file=file,
        sets=tuple(sets or ()),
        env_file=env_file,
        group=group,
        nodes=nodes,
        charts=charts,
        lose_nodes=lose_nodes,
        lose_zone=lose_zone,
        degrade=tuple(degrade or ()),
        losses=losses,
        full_queue=full_queue,
        deep_checks=deep_checks,
        if_built=if_built,
        notes=_stopping(judged),
    )
    outcome = backends.of(judged.blueprint).rehearse.load()(judged.blueprint, options)
    if outcome is not None:
        _report(judged, outcome, html, as_json=as_json)
        raise typer.Exit(_exit(judged, outcome))


@dataclass(frozen=True, slots=True, kw_only=True)
class RehearseOptions:
    """The options of the command, and that rules refuse the stack where they do (`notes`)."""

    stack: str
    job: str | None
    file: str | None
    sets: tuple[str, ...]
    env_file: str | None
    group: str | None
    nodes: int | None
    charts: str | None
    lose_nodes: int | None
    lose_zone: str | None
    degrade: tuple[str, ...]
    losses: "tuple[Loss, ...]"
    full_queue: bool
    deep_checks: str | None
    if_built: bool
    notes: tuple[str, ...]


def rehearse_on_kubernetes(blueprint: "Blueprint", options: RehearseOptions) -> "Outcome | None":
    """Runs a job on the planned nodes of a cluster with Kubernetes; None where a program is not built and
    `--if-built` is given, which is printed.

    Raises:
        WrongInput: an option does not fit the stack, or the rehearsal cannot go on.
    """
    from muster.cli import terminal
    from muster.jobs.catalogue import MalformedJob
    from muster.rehearsal.kubernetes.rehearsal import rehearse as rehearsed
    from muster.rehearsal.machine_limits import RehearsalError
    from muster.rehearsal.progress import Progress

    play = _can_be_lost(_play(blueprint, options))
    if options.full_queue:
        play = replace(_queued(play), full_queue=True)
    if options.deep_checks is not None:
        play = replace(play, checks=_checks(options.deep_checks, blueprint))
    if options.if_built and (
        to_build := _to_build(play)
    ):  # after what was given: it is wrong here and where all is built
        terminal.write(to_build)
        return None
    progress = Progress()
    try:
        return rehearsed(play, progress)
    except RehearsalError as fault:
        raise WrongInput(f"the rehearsal cannot go on: {fault}") from None
    except MalformedJob as fault:
        raise WrongInput(f"{options.file or options.job}: {fault}") from None
    finally:
        progress.status("")


def _queued(play: "RehearsalRequest") -> "RehearsalRequest":
    """The same, of a job that is sent to a queue of Kueue's."""
    from muster.jobs.pod_roles import Controller
    from muster.rehearsal.kubernetes.job_prerequisites import queue_objects
    from muster.rehearsal.kubernetes.kueue import queue_of, runs_on

    if not runs_on(play.blueprint, play.beside):
        raise WrongInput("--full-queue: neither the description nor the job's file has Kueue; leave the option out")
    if queue_of(play.shape, queue_objects(play.blueprint, play.beside)) is None:
        raise WrongInput("--full-queue: the job names no queue (the label kueue.x-k8s.io/queue-name); give it one")
    if play.shape.controller is Controller.STAND_IN:
        raise WrongInput(
            f"--full-queue: {play.shape.runs_by} does not run here, so Kueue has no {play.shape.kind} to admit; "
            "leave the option out"
        )
    if play.shape.controller is Controller.VOLCANO:
        raise WrongInput(
            "--full-queue: Kueue does not manage Volcano's Jobs: its label does nothing there; leave the option out"
        )
    return play


def _losses(degrade: Sequence[str] | None, nodes: int | None, zone: str | None) -> "tuple[Loss, ...]":
    """The drills: what is lost or broken while the job runs."""
    from muster.rehearsal.kubernetes.drills import Loss, parse_degradation

    try:
        broken = tuple(parse_degradation(each) for each in degrade or ())
    except ValueError as fault:
        raise WrongInput(f"--degrade: {fault}") from None
    return (*broken, *([Loss(nodes=nodes)] if nodes else ()), *([Loss(zone=zone)] if zone else ()))


def _to_build(play: "RehearsalRequest") -> str:
    """The remedy where programs of the control plane, or the job's operator, are missing from PATH and from the build,
    or damaged; else empty."""
    from muster.rehearsal.kubernetes.binaries import damaged_binaries, missing_binaries
    from muster.rehearsal.kubernetes.control_plane import PROGRAMS
    from muster.rehearsal.kubernetes.rehearsal import job_operators

    needed = (*PROGRAMS, *(binary for each in job_operators(play) for binary in each.binaries))
    if not missing_binaries(needed):
        return ""
    damaged = "".join(f"not rehearsed: {each}\n" for each in damaged_binaries(needed))
    how = "`make rehearse` builds a control plane once (10 to 17 minutes, with progress) and rehearses on it\n"
    return f"{damaged}{how}"


def _judged(stack: str, as_of: AsOf) -> "JudgedStack":
    """The judged stack. Findings do not stop a rehearsal: it also runs on a cluster that rules refuse."""
    from muster.cli import terminal
    from muster.cli.stacks import judge_cluster, open_stacks
    from muster.cli.writers import text

    judged = judge_cluster(open_stacks([stack])[0], day(as_of))
    if judged.blueprint is None:
        terminal.complain(*text.stack_lines(judged.report, terminal.style_of(sys.stderr)))
        raise typer.Exit(judged.report.exit())
    return judged


def _checks(how: str, blueprint: "Blueprint") -> "DeepHealthChecks":
    """How HyperPod's deep health checks are to be played, of a stack that has any."""
    from muster.message_text import did_you_mean
    from muster.rehearsal.kubernetes.hyperpod import DeepHealthChecks

    known = [each.value for each in DeepHealthChecks]
    if how not in known:
        raise WrongInput(
            f"--deep-checks: '{how}' is no such way{did_you_mean(how, known)} (there are: {', '.join(known)})"
        )
    if not any(group.described.hyperpod.deep_health_checks for group in blueprint.instance_groups):
        raise WrongInput(
            f"--deep-checks: no group of {blueprint.stack} has hyperpod.deep-health-checks; leave the option out"
        )
    return DeepHealthChecks(how)


def _charts(where: str | None) -> "Charts | None":
    if where is None:
        return None
    from addons.charts import ChartFault, Charts

    try:
        return Charts.at(where)
    except ChartFault as fault:
        raise WrongInput(str(fault)) from None


def _one_job(job: str | None, file: str | None, *, sizes: bool, fills: bool) -> None:
    """Checks that there is one job, and that all other objects belong to it."""
    if job and file:
        raise WrongInput("--job and --file are two jobs; give one of them")
    if file and sizes:
        raise WrongInput(
            "--group and --nodes size a job of ours; the one in --file has its own sizes, so leave them out"
        )
    if fills and not file:
        raise WrongInput("--set and --env-file fill a manifest of your own; give it with --file")


def _play(blueprint: "Blueprint", options: RehearseOptions) -> "RehearsalRequest":
    from muster.jobs.catalogue import (
        DoesNotFit,
        JobOptions,
        MalformedJob,
        UnknownJob,
        first_fitting,
        job_of,
        roles_of,
    )
    from muster.rehearsal.kubernetes.rehearsal import RehearsalRequest

    notes, charts, losses = [*options.notes], _charts(options.charts), options.losses
    if options.file is not None:
        from muster.cli.job_file import Values, read_job
        from muster.rehearsal.kubernetes.addons import training_runtimes

        values = Values.given(options.sets, options.env_file, blueprint)
        document, shape, beside = read_job(options.file, values, training_runtimes(blueprint))
        notes += values.notes
        return RehearsalRequest(blueprint, document, shape, beside, charts=charts, losses=losses, notes=tuple(notes))
    ask = JobOptions(options.group, options.nodes, beyond_the_group=True)
    try:
        chosen = job_of(options.job) if options.job else first_fitting(blueprint, ask)
        document = chosen.build(blueprint, ask)
        beside = chosen.beside(blueprint, ask)
        shape = roles_of(document)
    except (UnknownJob, MalformedJob) as fault:
        raise WrongInput(str(fault)) from None
    except DoesNotFit as fault:
        which = f"{options.job} does not fit" if options.job else "no job of ours fits"
        raise WrongInput("\n".join(f"{which} {blueprint.stack}: {reason}" for reason in fault.reasons)) from None
    if not options.job:
        notes.append(f"no --job and no --file: {chosen.name}, the first of ours that fits")
    return RehearsalRequest(blueprint, document, shape, beside, charts=charts, losses=losses, notes=tuple(notes))


def _can_be_lost(play: "RehearsalRequest") -> "RehearsalRequest":
    """The same, seen before anything is built or started: the planned nodes have what is to be lost."""
    from muster.rehearsal.kubernetes import drills
    from muster.rehearsal.kubernetes.nodes import planned_nodes
    from muster.rehearsal.machine_limits import RehearsalError

    nodes = planned_nodes(play.blueprint) if play.losses else ()
    try:
        for loss in play.losses:
            drills.check_loss(loss, nodes)
    except RehearsalError as fault:
        raise WrongInput(f"the rehearsal cannot go on: {fault}") from None
    return play


def _stopping(judged: "JudgedStack") -> tuple[str, ...]:
    """That rules refuse the description, where they do."""
    return (f"{_stopped(judged)}: as described, the cluster would not come up",) if _mandatory(judged) else ()


def _mandatory(judged: "JudgedStack") -> int:
    from muster.finding import Level

    return judged.report.count(Level.MANDATORY)


def _stopped(judged: "JudgedStack") -> str:
    stopping = _mandatory(judged)
    found = f"{stopping} mandatory finding{'' if stopping == 1 else 's'}"
    return f"`muster check {judged.opened.stack}` has {found}"


def _writable(html: Path | None) -> None:
    """Checks, before anything runs, that the report can be written."""
    if html is None:
        return
    if str(html) == "-":
        raise WrongInput("--html: the page goes into a file; stdout has the text, or --json")
    if html.is_dir():
        raise WrongInput(f"--html: '{html}' is a folder; name a file in it")
    if not html.parent.is_dir():
        raise WrongInput(f"--html: there is no folder '{html.parent}'; make it first")


def _report(judged: "JudgedStack", outcome: "Outcome", html: Path | None, *, as_json: bool) -> None:
    from muster.cli import terminal

    places = _places(judged, outcome)
    if html is not None:
        from muster.cli.writers import rehearsal_html

        try:
            html.write_text(rehearsal_html.write(outcome), encoding="utf-8")
        except OSError as fault:
            raise WrongInput(f"--html: '{html}' cannot be written: {fault.strerror}") from None
        terminal.complain(f"the report is in {html}")
    if as_json:
        from muster.cli.writers import rehearsal_json

        terminal.write(rehearsal_json.write(outcome, places))
        return
    from muster.cli.writers import rehearsal_text
    from muster.rehearsal.outcome import Verdict

    style = terminal.style_of(sys.stdout)
    for part in rehearsal_text.write(outcome, places, style):
        terminal.write(part)
    if outcome.verdict is Verdict.STARTS and judged.report.exit():
        terminal.write_lines([style.bad(f"but {_stopped(judged)}: exit {int(judged.report.exit())}")])


def _places(judged: "JudgedStack", outcome: "Outcome") -> "dict[str, Where]":
    """The places in the stack file of the causes' paths."""
    from muster.cli.stacks import place_in_file

    waiting = (*outcome.waiting, *(each for drill in outcome.drills for each in drill.waiting))
    paths = {each.cause.where for each in waiting if each.cause.where}
    return {path: place_in_file(judged.opened, path) for path in sorted(paths)}


def _exit(judged: "JudgedStack", outcome: "Outcome") -> Exit:
    from muster.rehearsal.outcome import Verdict

    if outcome.verdict is Verdict.DOES_NOT_START:
        return Exit.FINDINGS
    return judged.report.exit()
