"""`muster job`: a training job sized to a cluster, for `kubectl apply -f -` or `sbatch`."""

from typing import TYPE_CHECKING, Annotated

import typer

from muster import terminal
from muster.cli.options import AsOf, Group, Json, Nodes, Queue, _stacks, day
from muster.cli.writers.json import dump
from muster.finding import WrongInput
from muster.message_text import did_you_mean

if TYPE_CHECKING:
    from muster.blueprint.cluster import Blueprint, SlurmBlueprint
    from muster.blueprint.group import KubernetesGroup
    from muster.jobs.group_selection import JobOptions
    from muster.jobs.job import Form, Job
    from muster.jobs.slurm_jobs import Script


def _jobs() -> list[str]:
    """Shell completion: Muster's jobs."""
    from muster.jobs.catalogue import JOBS

    return list(JOBS)


def job(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Job. If you give none, the command lists the jobs.",
            autocompletion=_jobs,
        ),
    ] = None,
    *,
    stack: Annotated[
        str | None,
        typer.Option("--stack", "-s", help="Stack whose nodes the job is sized for.", autocompletion=_stacks),
    ] = None,
    group: Group = None,
    nodes: Nodes = None,
    queue: Queue = None,
    priority: Annotated[
        str | None,
        typer.Option(
            "--priority",
            help="Priority class of the job, in HyperPod's task governance. Default: none, which is the lowest.",
        ),
    ] = None,
    storage: Annotated[
        str | None,
        typer.Option("--storage", help="File system that the job mounts. Required if several fit."),
    ] = None,
    image: Annotated[
        str | None,
        typer.Option(
            "--image",
            help="Container image; on Slurm, an image or a .sqsh file. Default: the job's own image.",
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORM",
            help="Format of the output: kubectl, trainjob, torchx, hyperpod-cli or hyperpod-cli-2, if the job "
            "supports it; on Slurm, sbatch. Default: kubectl, or sbatch on Slurm.",
        ),
    ] = None,
    as_json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Print a training job sized to a cluster: GPUs, EFA, huge pages, memory.

    Stdout contains only the manifest: muster job nccl-tests --stack p5-odcr | kubectl apply -f -
    For a cluster with Slurm it is a batch script: muster job nccl-tests --stack pcluster-gpu > nccl-tests.sbatch
    """
    from muster import backends
    from muster.backends.backend import Scheduler
    from muster.cli.stacks import open_stacks, require_passing
    from muster.jobs.catalogue import JOBS, KUBECTL, SBATCH, job_of
    from muster.jobs.group_selection import DoesNotFit, JobOptions

    if name is None:
        # To stderr, and with an error code: stdout goes to kubectl.
        raise WrongInput("give a job; the jobs are:", *(f"  {each.name}: {each.title}" for each in JOBS.values()))
    chosen = job_of(name)
    other = None if form in {None, KUBECTL, SBATCH} else _form(chosen, str(form))
    if stack is None:
        from muster.cli.stacks import known_stacks

        raise WrongInput(f"give --stack (stacks: {', '.join(known_stacks()) or 'none'})")
    blueprint = require_passing(open_stacks([stack])[0], day(as_of))
    ask = JobOptions(group, nodes, queue=queue, priority=priority, image=image, storage=storage)
    record = backends.of(blueprint)
    if form is not None and (record.scheduler is Scheduler.SLURM) != (form == SBATCH):
        other_kind = "Slurm" if form == SBATCH else "Kubernetes"
        has = f"{blueprint.stack} has backend: {blueprint.described.backend}"
        raise WrongInput(f"--format {form} is for clusters with {other_kind}, but {has}; leave out --format")
    if priority is not None and record.scheduler is Scheduler.SLURM:
        raise WrongInput("--priority is for HyperPod's task governance; on Slurm, use the options of sbatch")
    try:
        # Built first, so that a refused job prints no notes.
        notes, written = record.print_job.load()(chosen, blueprint, ask, other, as_json=as_json)
    except DoesNotFit as fault:
        raise WrongInput(*(f"{name} does not fit {blueprint.stack}: {reason}" for reason in fault.reasons)) from None
    terminal.complain(*notes)
    terminal.write(written)


def batch_script(
    chosen: "Job",
    blueprint: "SlurmBlueprint",
    ask: "JobOptions",
    _form: "Form | None",
    *,
    as_json: bool,
) -> tuple[list[str], str]:
    """The notes on stderr, and the text on stdout, of a job for a cluster with Slurm."""
    from muster.jobs.slurm_jobs import make

    script = make(chosen, blueprint, ask)
    notes = [f"note: {each}" for each in script.notes]
    return notes, _as_json(script) if as_json else script.text


def _as_json(script: "Script") -> str:
    return dump(
        {
            "job": script.name,
            "stack": script.stack,
            "queue": script.group.queue,
            "group": script.group.name,
            "options": script.options,
            "script": script.text,
        }
    )


def manifest(
    chosen: "Job", blueprint: "Blueprint", ask: "JobOptions", other: "Form | None", *, as_json: bool
) -> tuple[list[str], str]:
    """The notes on stderr, and the text on stdout, of a job for a cluster with Kubernetes."""
    from muster.jobs.kubernetes_jobs import make

    made = make(chosen, blueprint, ask, other)
    lines = [*_notes(made.group), *(f"note: {each}" for each in made.notes)]
    if not made.text:
        return lines, _written([*made.claim_templates, *made.documents], chosen, blueprint, other, as_json=as_json)
    if as_json:
        raise WrongInput("--json: this format is no data; leave out --json, or choose another --format")
    return lines, made.text


def _form(chosen: "Job", form: str) -> "Form":
    """A format of the job.

    Raises:
        WrongInput: the job does not have it.
    """
    from muster.jobs.catalogue import KUBECTL, SBATCH

    if form in chosen.forms:
        return chosen.forms[form]
    every = (KUBECTL, *chosen.forms, *((SBATCH,) if chosen.slurm else ()))
    raise WrongInput(
        f"--format: {chosen.name} has no format '{form}'{did_you_mean(form, every)} (formats: {', '.join(every)})"
    )


def _written(
    documents: list[dict[str, object]], chosen: "Job", blueprint: "Blueprint", form: "Form | None", *, as_json: bool
) -> str:
    """The text for stdout."""
    if as_json:
        return dump(documents[0] if len(documents) == 1 else {"apiVersion": "v1", "kind": "List", "items": documents})
    from muster.jobs.manifest_yaml import to_yaml

    stack = terminal.visible(blueprint.stack)
    origin = f"{chosen.name} for stack {stack}, printed by `muster job`."
    derivation = "All numbers are derived from the nodes of the group: change the stack's description, not this file."
    header = (origin, derivation, *((f"{form.title}, for: {form.sent_by}",) if form else ()))
    first, *others = (to_yaml(each, header if number == 0 else ()) for number, each in enumerate(documents))
    return "---\n".join([first, *others])


def _notes(group: "KubernetesGroup | None") -> list[str]:
    """A note that the job's pods wait while the group has no nodes."""
    if group is None or group.described.nodes_now.start:
        return []
    block = group.described.capacity.capacity_block
    until = "you scale it"
    if block and not block.active:
        until = "its Capacity Block is active"
    elif group.described.by_karpenter:
        until = f"{group.described.node_creator} creates them for the job"
    return [f"note: group {group.name} has no nodes until {until}"]
