"""`muster job`: a training job sized to a cluster, for `kubectl apply -f -` or `sbatch`."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from muster.cli.exits import WrongInput
from muster.cli.options import AsOf, Json, _stacks, day

if TYPE_CHECKING:
    from muster.blueprint.kubernetes import Blueprint, KubernetesGroup
    from muster.blueprint.slurm import SlurmBlueprint
    from muster.jobs.catalogue import Form, Job, JobOptions, Script
    from muster.size import Size


def _size(text: str) -> "Size":
    from muster.size import Size

    try:
        return Size.parse(text)
    except ValueError as fault:
        raise typer.BadParameter(str(fault)) from None


def _jobs(incomplete: str) -> list[str]:
    """Shell completion: the jobs there are."""
    from muster.jobs.catalogue import JOBS

    return [name for name in JOBS if name.startswith(incomplete)]


def job(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="The job; without one, the jobs there are.",
            autocompletion=_jobs,
            show_default=False,
        ),
    ] = None,
    *,
    stack: Annotated[
        str | None,
        typer.Option("--stack", "-s", help="The stack to size it for.", autocompletion=_stacks, show_default=False),
    ] = None,
    group: Annotated[
        str | None, typer.Option("--group", help="The training group, where several fit.", show_default=False)
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option("--nodes", min=1, help="How many of its nodes; all it starts with otherwise.", show_default=False),
    ] = None,
    devices: Annotated[
        int | None,
        typer.Option(
            "--gpus", "--devices", min=1, help="GPUs (Neuron devices) of a worker; all without it.", show_default=False
        ),
    ] = None,
    efa: Annotated[
        int | None,
        typer.Option(
            "--efa", min=0, help="EFA interfaces of a worker; all, or the GPUs' part of them.", show_default=False
        ),
    ] = None,
    memory: Annotated[
        Any,
        typer.Option("--memory", parser=_size, metavar="SIZE", help="Memory of a worker: 32000Mi.", show_default=False),
    ] = None,
    huge_pages: Annotated[
        Any,
        typer.Option(
            "--huge-pages",
            parser=_size,
            metavar="SIZE",
            help="Huge pages of a worker: 5120Mi, 0Mi for none.",
            show_default=False,
        ),
    ] = None,
    queue: Annotated[
        str | None,
        typer.Option(
            "--queue",
            help="The queue it waits in, where there are several; of Slurm the partition.",
            show_default=False,
        ),
    ] = None,
    storage: Annotated[
        str | None,
        typer.Option("--storage", help="The file system it mounts, where there are several.", show_default=False),
    ] = None,
    image: Annotated[
        str | None,
        typer.Option(
            "--image",
            help="Another container image than the job's own; on Slurm a .sqsh file, too.",
            show_default=False,
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORM",
            help="kubectl, jobset, trainjob, torchx, hyperpod-cli or hyperpod-cli-2, where the job has it; on Slurm "
            "sbatch.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Print a training job sized to a cluster: GPUs, EFA, huge pages, memory.

    Stdout holds the manifest and nothing else: muster job nccl-tests --stack p5-odcr | kubectl apply -f -
    For a cluster with Slurm it holds a batch script: muster job nccl-tests --stack pcluster-gpu > nccl-tests.sbatch
    """
    from muster import backends
    from muster.backends.backend import Scheduler
    from muster.cli import terminal
    from muster.cli.stacks import open_stacks, require_passing
    from muster.jobs.catalogue import JOBS, KUBECTL, SBATCH, DoesNotFit, JobOptions, UnknownJob, job_of

    if name is None:
        # To stderr and not a success: stdout is on its way to kubectl.
        listed = "\n".join(f"  {each.name}: {each.title}" for each in JOBS.values())
        raise WrongInput(f"name a job; there are:\n{listed}")
    try:
        chosen = job_of(name)
    except UnknownJob as fault:
        raise WrongInput(str(fault)) from None
    other = None if form in {None, KUBECTL, SBATCH} else _form(chosen, str(form))
    if stack is None:
        from muster.cli.stacks import known_stacks

        raise WrongInput(f"give --stack (there are: {', '.join(known_stacks()) or 'none'})")
    blueprint = require_passing(open_stacks([stack])[0], day(as_of))
    ask = JobOptions(
        group,
        nodes,
        devices=devices,
        efa=efa,
        memory=memory,
        huge_pages=huge_pages,
        queue=queue,
        image=image,
        storage=storage,
    )
    record = backends.of(blueprint)
    if form is not None and (record.scheduler is Scheduler.SLURM) != (form == SBATCH):
        raise WrongInput(_of_the_other_kind(form, blueprint.stack, blueprint.described.backend))
    try:
        # Checked first, so that no message precedes a refusal.
        said, written = record.print_job.load()(chosen, blueprint, ask, other, as_json=as_json)
    except DoesNotFit as fault:
        refused = "\n".join(f"{name} does not fit {blueprint.stack}: {reason}" for reason in fault.reasons)
        raise WrongInput(refused) from None
    terminal.complain(*said)
    terminal.write(written)


def _of_the_other_kind(form: str, stack: str, backend: str) -> str:
    from muster.jobs.catalogue import SBATCH

    if form == SBATCH:
        return f"--format: {SBATCH} is for clusters with Slurm, and {stack} has backend: {backend}; leave it out"
    return (
        f"--format: '{form}' is for clusters with Kubernetes, and {stack} has backend: {backend}, which has Slurm; "
        f"leave it out, or write {SBATCH}"
    )


def batch_script(
    chosen: "Job",
    blueprint: "SlurmBlueprint",
    ask: "JobOptions",
    _form: "Form | None",
    *,
    as_json: bool,
) -> tuple[list[str], str]:
    """The notes on stderr, and the text on stdout, of a job for a cluster with Slurm."""
    from muster.jobs.catalogue import script_of

    script = script_of(chosen, blueprint, ask)
    said = [f"note: {each}" for each in script.notes]
    return said, _as_json(script) if as_json else script.text


def _as_json(script: "Script") -> str:
    from muster.cli.writers.json import dump

    return dump(
        {
            "job": script.name,
            "stack": script.stack,
            "queue": script.group.queue,
            "group": script.group.name,
            "options": script.options,
            "before": list(script.before),
            "script": script.text,
        }
    )


def manifest(
    chosen: "Job", blueprint: "Blueprint", ask: "JobOptions", other: "Form | None", *, as_json: bool
) -> tuple[list[str], str]:
    """The notes on stderr, and the text on stdout, of a job for a cluster with Kubernetes."""
    made = other.make(blueprint, ask) if other else _together(chosen, blueprint, ask)
    notes = (other or chosen).notes(blueprint, ask)
    said = [*_notes(chosen.workers(blueprint, ask.group)), *(f"note: {each}" for each in notes)]
    return said, _written(made, chosen, blueprint, other, as_json=as_json)


def _form(chosen: "Job", form: str) -> "Form":
    """A form that the job has.

    Raises:
        WrongInput: it has not.
    """
    from muster.jobs.catalogue import KUBECTL, SBATCH
    from muster.message_text import did_you_mean

    if form in chosen.forms:
        return chosen.forms[form]
    every = (KUBECTL, *chosen.forms, *((SBATCH,) if chosen.sbatch else ()))
    raise WrongInput(
        f"--format: {chosen.name} has no form '{form}'{did_you_mean(form, every)} (there are: {', '.join(every)})"
    )


def _together(chosen: "Job", blueprint: "Blueprint", ask: "JobOptions") -> list[dict[str, Any]]:
    return [chosen.build(blueprint, ask), *chosen.beside(blueprint, ask)]


def _written(
    made: "list[dict[str, Any]] | dict[str, Any] | str",
    chosen: "Job",
    blueprint: "Blueprint",
    form: "Form | None",
    *,
    as_json: bool,
) -> str:
    """The text for stdout."""
    from muster.cli import terminal

    if isinstance(made, str):
        if as_json:
            raise WrongInput("--json: a TorchX component is a Python file; leave one of them out")
        return made
    documents = made if isinstance(made, list) else [made]
    if as_json:
        from muster.cli.writers.json import dump

        return dump(documents[0] if len(documents) == 1 else {"apiVersion": "v1", "kind": "List", "items": documents})
    from muster.jobs.manifest_yaml import to_yaml

    stack = terminal.one_line(blueprint.stack)
    origin = f"{chosen.name} for stack {stack}, printed by `muster job`."
    derivation = "Every number follows from what a node of the group offers: change the stack's description, not this."
    header = (origin, derivation, *((f"{form.title}, for: {form.sent_by}",) if form else ()))
    first, *others = (to_yaml(each, header if number == 0 else ()) for number, each in enumerate(documents))
    return "---\n".join([first, *others])


def _notes(group: "KubernetesGroup | None") -> list[str]:
    """A warning that the job's pods wait while the group has no nodes."""
    if group is None or group.described.nodes_now.start:
        return []
    block = group.described.capacity.capacity_block
    if block and not block.active:
        return [f"note: group {group.name} has no nodes until its Capacity Block is active"]
    return [f"note: group {group.name} has no nodes at first: the job waits until it is scaled"]
