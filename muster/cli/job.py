"""`muster job`: a training job sized to a cluster, for `kubectl apply -f -`."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from muster.cli.exits import Exit, WrongInput
from muster.cli.options import AsOf, Json, _stacks, day

if TYPE_CHECKING:
    from muster.fleet.blueprint import Blueprint, Group


def job(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The job; without one, the jobs there are.", show_default=False)
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
        typer.Option("--nodes", min=1, help="How many of its nodes; all it may have without it.", show_default=False),
    ] = None,
    as_json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Print a training job sized to a cluster: GPUs, EFA, huge pages, memory.

    Stdout holds the manifest and nothing else: muster job nccl-tests --stack p5-odcr | kubectl apply -f -
    """
    from muster.cli import terminal
    from muster.jobs import JOBS, Ask, DoesNotFit, UnknownJob, job_of

    if name is None:
        # To stderr and not a success: stdout is on its way to kubectl.
        listed = "\n".join(f"  {each.name}: {each.title}" for each in JOBS.values())
        raise WrongInput(f"name a job; there are:\n{listed}")
    try:
        chosen = job_of(name)
    except UnknownJob as fault:
        raise WrongInput(str(fault)) from None
    if stack is None:
        from muster.cli.judging import known_stacks

        raise WrongInput(f"give --stack (there are: {', '.join(known_stacks()) or 'none'})")
    blueprint = _judged(stack, as_of)
    try:
        manifest = chosen.build(blueprint, Ask(group, nodes))
    except DoesNotFit as fault:
        said = "\n".join(f"{name} does not fit {blueprint.stack}: {reason}" for reason in fault.reasons)
        raise WrongInput(said) from None
    terminal.complain(*_notes(chosen.workers(blueprint, group)))
    if as_json:
        from muster.cli.writers.json import dump

        terminal.write(dump(manifest))
        return
    from muster.jobs.manifest import to_yaml

    origin = f"{name} for stack {terminal.one_line(blueprint.stack)}, printed by `muster job`."
    derivation = "Every number follows from what a node of the group offers: change the stack's description, not this."
    terminal.write(to_yaml(manifest, (origin, derivation)))


def _notes(group: "Group") -> list[str]:
    """What whoever sends the job should know first: its pods wait while the group has no nodes."""
    if group.described.nodes_now.start:
        return []
    block = group.described.capacity.capacity_block
    if block and not block.active:
        return [f"note: group {group.name} has no nodes until its Capacity Block is active"]
    return [f"note: group {group.name} has no nodes at first: the job waits until it is scaled"]


def _judged(stack: str, as_of: AsOf) -> "Blueprint":
    """The blueprint of a stack that no mandatory rule refuses: a job for a cluster that never comes up helps nobody."""
    from muster.cli import terminal
    from muster.cli.judging import judge_cluster, open_stacks
    from muster.cli.writers import text
    from muster.fleet.finding import Level

    judged = judge_cluster(open_stacks([stack])[0], day(as_of))
    code = judged.report.exit()
    if judged.blueprint is not None and code is Exit.CLEAN:
        return judged.blueprint
    style = terminal.style_of(sys.stderr)
    stopping = [found for found in judged.report.findings if found.level is Level.MANDATORY]
    terminal.complain(*text.findings(stopping, style), text.summary(judged.report, style))
    raise typer.Exit(code)
