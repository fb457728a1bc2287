"""`muster rehearse`: the planned cluster and a job on a real control plane, or a real Slurm, on this machine."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeVar

import typer

from muster import terminal, user_files, written_files
from muster.cli.exits import Exit
from muster.cli.options import AsOf, Group, Json, Nodes, Queue, Stack, day
from muster.cli.outputs import in_the_way
from muster.finding import Level, WrongInput
from muster.message_text import count_noun

if TYPE_CHECKING:
    from muster.blueprint.cluster import Blueprint, ClusterBlueprint, SlurmBlueprint
    from muster.cli.findings import ReportedFinding
    from muster.cli.stacks import JudgedStack
    from muster.jobs.group_selection import JobOptions
    from muster.jobs.job import Job
    from muster.rehearsal.kubernetes.request import RehearsalRequest
    from muster.rehearsal.machine_limits import Progress
    from muster.rehearsal.outcome import Outcome
    from muster.rehearsal.slurm.batch_script import Script
    from muster.rehearsal.slurm.rehearsal import RehearsalRequest as SlurmRequest

T = TypeVar("T")


def rehearse(
    stack: Stack,
    *,
    job: Annotated[
        str | None,
        typer.Option("--job", "-j", help="Job of `muster job`. Default: the first job that fits the stack."),
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(
            "--file",
            "-f",
            metavar="FILE",
            help="File with your own job: a manifest with its other objects; on Slurm, a batch script; - for stdin.",
        ),
    ] = None,
    group: Group = None,
    nodes: Nodes = None,
    queue: Queue = None,
    charts: Annotated[
        str | None,
        typer.Option(
            "--charts",
            metavar="DIR",
            help="Folder with the Helm charts of the add-ons, as `helm pull` writes them.",
        ),
    ] = None,
    lose_nodes: Annotated[
        int | None,
        typer.Option(
            "--lose-nodes",
            metavar="N",
            min=1,
            help="Drill: fail N nodes of the job after it has started; only with Kubernetes.",
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Also write the report to this file, as an HTML page."),
    ] = None,
    if_built: Annotated[
        bool,
        typer.Option(
            "--if-built",
            help="If programs must be downloaded or built first, do not rehearse: print which, and exit 0.",
        ),
    ] = False,
    build: Annotated[
        bool,
        typer.Option("--build", help="Build all programs from source: download no release, use none on PATH."),
    ] = False,
    as_json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Prove that a job will start: run it on a real control plane with simulated nodes, on this machine.

    The rehearsal runs etcd, kube-apiserver, the scheduler, the controllers, KWOK, the job's operator, and Kueue or
    Volcano if the stack has them, on the loopback interface. The first rehearsal downloads the releases of the control
    plane, and builds with Go what has none: operators, and on macOS all. For a cluster with Slurm, it runs slurmctld,
    which Debian and Ubuntu package. If an add-on is missing, or another cause needs no control plane, the report comes
    immediately. Needs no AWS account, and leaves nothing behind.
    """
    from muster import backends
    from muster.cli.stacks import judge_cluster, open_stacks, require_description

    _check_options(job, file, html, sizes=bool(group or nodes or queue))
    (opened,) = open_stacks([stack])
    require_description(opened)
    # Findings do not stop a rehearsal: it also runs on a cluster that rules refuse.
    judged = judge_cluster(opened, day(as_of))
    assert judged.blueprint is not None, "a stack with a description has one"
    mandatory = judged.report.count(Level.MANDATORY)
    stops = f"`muster check {judged.report.argument}` has {count_noun(mandatory, 'mandatory finding')}"
    stopped = stops if mandatory else ""
    options = RehearseOptions(
        job=job,
        file=file,
        group=group,
        nodes=nodes,
        queue=queue,
        charts=charts,
        lose_nodes=lose_nodes,
        if_built=if_built,
        build=build,
        as_of=day(as_of),
        notes=(f"{stopped}: the described cluster would fail to deploy",) if stopped else (),
    )
    rehearsed = backends.of(judged.blueprint).rehearse.load()(judged.blueprint, options)
    if rehearsed is not None:
        raise typer.Exit(_report(judged, rehearsed, stopped, html, as_json=as_json))


@dataclass(frozen=True, slots=True, kw_only=True)
class RehearseOptions:
    """The options of the command, and a note if the stack has mandatory findings (`notes`)."""

    job: str | None
    file: str | None
    group: str | None
    nodes: int | None
    queue: str | None
    charts: str | None
    lose_nodes: int | None
    if_built: bool
    build: bool
    as_of: date
    notes: tuple[str, ...]


class Rehearsed(NamedTuple):
    """A rehearsal, and what the rules about pods find in the user's job on the described cluster."""

    outcome: "Outcome"
    found: tuple["ReportedFinding", ...] = ()


def rehearse_on_kubernetes(blueprint: "Blueprint", options: RehearseOptions) -> Rehearsed | None:
    """Runs a job on the planned nodes of a cluster with Kubernetes.

    Returns None, after printing why, if `--if-built` is given and a program is not built.

    Raises:
        WrongInput: an option does not fit the stack, or the rehearsal cannot continue.
    """
    from muster.jobs.manifest import MalformedJob
    from muster.rehearsal.kubernetes import drills
    from muster.rehearsal.kubernetes.job_prerequisites import ObjectRejected
    from muster.rehearsal.kubernetes.nodes import planned_nodes
    from muster.rehearsal.kubernetes.rehearsal import rehearse as rehearsed
    from muster.rehearsal.kubernetes.unsubmitted import unsubmitted

    request, found = _kubernetes_request(blueprint, options)
    with _rehearsing() as progress:
        drills.check_loss(request.lost, planned_nodes(request.blueprint) if request.lost else ())
        # After the checks of the options, whose errors do not depend on built programs.
        if options.if_built and (to_build := _to_build(request)) and not unsubmitted(request, request.installed()):
            terminal.write(to_build)
            return None
        try:
            return Rehearsed(rehearsed(request, progress), found)
        except ObjectRejected as fault:
            place = request.objects_at.get((fault.kind, fault.name))
            raise WrongInput(f"{place or 'the rehearsal cannot continue'}: {fault}") from None
        except MalformedJob as fault:
            raise WrongInput(f"{options.file or options.job}: {fault}") from None


def rehearse_on_slurm(blueprint: "SlurmBlueprint", options: RehearseOptions) -> Rehearsed | None:
    """Runs a job in the planned queues of a cluster with Slurm.

    Returns None, after printing why, if `--if-built` is given and Slurm is not installed.

    Raises:
        WrongInput: an option does not fit the stack, or the rehearsal cannot continue.
    """
    from muster.rehearsal.slurm import controller
    from muster.rehearsal.slurm.rehearsal import rehearse as rehearsed

    elsewhere = {"--lose-nodes": options.lose_nodes, "--charts": options.charts, "--build": options.build}
    if wrong := [option for option, given in elsewhere.items() if given]:
        why = f"only rehearsals on Kubernetes have drills, add-ons and builds, and {blueprint.stack} uses Slurm"
        raise WrongInput(*(f"{option}: {why}; leave out the option" for option in wrong))
    request = _slurm_request(blueprint, options)
    if options.if_built and (lacking := controller.missing_programs()):
        terminal.write_lines([f"not rehearsed: {lacking}"])
        return None
    with _rehearsing() as progress:
        return Rehearsed(rehearsed(request, progress))


@contextmanager
def _rehearsing() -> "Iterator[Progress]":
    """The progress of a rehearsal on the terminal.

    Raises:
        WrongInput: it cannot continue.
    """
    from muster.rehearsal.machine_limits import Progress, RehearsalError

    progress = Progress()
    try:
        yield progress
    except RehearsalError as fault:
        raise WrongInput(f"the rehearsal cannot continue: {fault.args[0]}", *fault.args[1:]) from None
    finally:
        progress.status("")


def _to_build(request: "RehearsalRequest") -> str:
    """The remedy if programs of the control plane or the job's operator are not there; else empty."""
    from muster.rehearsal.kubernetes.binaries import OF_EVERY_PLANE, missing_binaries

    needed = (*OF_EVERY_PLANE, *(binary for each in request.operators for binary in each.binaries))
    if lacking := ", ".join(missing_binaries(needed, build=request.build)):
        return f"not rehearsed: this machine does not have {lacking}. Without --if-built, Muster gets them, once\n"
    return ""


def _check_options(job: str | None, file: str | None, html: Path | None, *, sizes: bool) -> None:
    """Checks, before anything runs, that the options give one job, and that the report can be written."""
    if job and file:
        raise WrongInput("--job and --file are two jobs; give only one of them")
    if file and sizes:
        raise WrongInput(
            "--group, --nodes and --queue are for a job of Muster; the job in --file sets them itself, so leave out "
            "these options"
        )
    if str(html) == "-":
        raise WrongInput("--html writes the page to a file, not to stdout; give the name of a file")
    if html is not None and (fault := in_the_way(html)):
        raise WrongInput(f"--html: {fault}")


def _kubernetes_request(
    blueprint: "Blueprint", options: RehearseOptions
) -> "tuple[RehearsalRequest, tuple[ReportedFinding, ...]]":
    from muster.addons.charts import Charts
    from muster.jobs.kinds.catalogue import roles_of
    from muster.jobs.kubernetes_jobs import make
    from muster.jobs.manifest import MalformedJob
    from muster.rehearsal.kubernetes.request import RehearsalRequest

    charts = Charts.at(options.charts) if options.charts is not None else None
    request = partial(RehearsalRequest, blueprint, charts=charts, lost=options.lose_nodes or 0, build=options.build)
    if options.file is not None:
        from muster.cli.job_file import read_job
        from muster.cli.source_files import judge_manifest
        from muster.policies.engine.described_fleet import described_fleet
        from muster.rehearsal.kubernetes.addons import training_runtimes

        read = read_job(options.file, training_runtimes(blueprint))
        report = judge_manifest(options.file, read.text, described_fleet(blueprint, options.as_of), options.as_of)
        own = request(read.document, read.roles, read.beside, notes=options.notes)
        own = replace(own, objects_at=read.objects_at, requests_at=read.requests_at)
        earlier = tuple(replace(own, job=document, shape=roles) for document, roles in read.earlier)
        return replace(own, earlier=earlier), report.findings
    try:
        _, made, notes = _own_job(blueprint, options, lambda chosen, ask: make(chosen, blueprint, ask))
        document, *others = made.documents
        shape = roles_of(document)
    except MalformedJob as fault:
        raise WrongInput(str(fault)) from None
    return request(document, shape, (*made.claim_templates, *others), notes=notes), ()


def _slurm_request(blueprint: "SlurmBlueprint", options: RehearseOptions) -> "SlurmRequest":
    from muster.jobs.slurm_jobs import make
    from muster.rehearsal.slurm.batch_script import parse_script
    from muster.rehearsal.slurm.rehearsal import RehearsalRequest

    if (file := options.file) is not None:
        name = Path(file).stem if file != user_files.STDIN else "stdin"
        return RehearsalRequest(blueprint, read_script(file), name, options.notes)
    name, made, notes = _own_job(blueprint, options, lambda chosen, ask: make(chosen, blueprint, ask))
    return RehearsalRequest(blueprint, parse_script(made.text), name, notes)


def _own_job(
    blueprint: "ClusterBlueprint", options: RehearseOptions, make: "Callable[[Job, JobOptions], T]"
) -> tuple[str, T, tuple[str, ...]]:
    """The name of a job of Muster, the job sized to the cluster, and the notes.

    Raises:
        WrongInput: Muster has no such job, or it does not fit.
    """
    from muster.jobs.catalogue import first_fitting, job_of
    from muster.jobs.group_selection import DoesNotFit, JobOptions, NoGroup

    ask = JobOptions(options.group, options.nodes, beyond_the_group=True, queue=options.queue)
    try:
        chosen = job_of(options.job) if options.job else first_fitting(blueprint, ask)
        made = make(chosen, ask)
    except DoesNotFit as fault:
        which = f"{options.job} does not fit" if options.job else "no job of Muster fits"
        reasons = [f"{which} {blueprint.stack}: {reason}" for reason in fault.reasons]
        if isinstance(fault, NoGroup) and not options.job:
            reasons.append(f"to rehearse your own job: muster rehearse {blueprint.stack} --file FILE")
        raise WrongInput(*reasons) from None
    if options.job:
        return chosen.name, made, options.notes
    note = f"neither --job nor --file is given, so this rehearses {chosen.name}, the first job that fits"
    return chosen.name, made, (*options.notes, note)


def read_script(where: str) -> "Script":
    """A user's script.

    Raises:
        WrongInput: it cannot be read, or sbatch would not accept it as a script.
    """
    from muster.rehearsal.slurm.batch_script import MalformedScript, parse_script

    name = "stdin" if where == "-" else where
    try:
        # Line ends are kept: sbatch rejects those of Windows.
        return parse_script(user_files.read_bytes(where, user_files.MANIFEST).decode(), name)
    except UnicodeDecodeError:
        raise WrongInput(f"{name} is not a text file; give a batch script") from None
    except (user_files.CannotRead, MalformedScript) as fault:
        raise WrongInput(f"{name}: {fault}") from None


def _report(judged: "JudgedStack", rehearsed: Rehearsed, stopped: str, html: Path | None, *, as_json: bool) -> Exit:
    """Prints the outcome, and returns the exit code."""
    from muster.cli.stacks import place_in_file
    from muster.cli.writers import rehearsal
    from muster.rehearsal.outcome import Verdict

    outcome, found = rehearsed
    waiting = (*outcome.waiting, *(each for drill in outcome.drills for each in drill.waiting))
    paths = sorted({each.cause.where for each in waiting if each.cause.where})
    places = {path: place_in_file(judged.opened, path) for path in paths}
    mandatory = any(each.level is Level.MANDATORY for each in found)
    code = Exit.FINDINGS if mandatory or outcome.verdict is Verdict.DOES_NOT_START else judged.report.exit()
    why = stopped or ("its file has mandatory findings" if mandatory else "")
    fails = f"{why}: exit {code.value}" if why and outcome.verdict is Verdict.STARTS else ""
    if html is not None:
        try:
            written_files.write(html, rehearsal.html_page(outcome, places, found, fails))
        except OSError as fault:
            raise WrongInput(f"--html: '{html}' cannot be written: {fault.strerror}") from None
        terminal.complain(f"report written to {html}")
    if as_json:
        terminal.write(rehearsal.json_document(outcome, places, found))
    else:
        for part in rehearsal.text_parts(outcome, places, terminal.style(), found, fails):
            terminal.write(part)
    return code
