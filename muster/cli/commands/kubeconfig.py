"""`muster kubeconfig`: the kubeconfig of a deployed stack, as Pulumi keeps it."""

from pathlib import Path
from typing import Annotated

import typer

from muster.cli.options import Json


def kubeconfig(
    stack: Annotated[
        str,
        typer.Argument(
            metavar="STACK",
            help="A deployed stack: by name in Muster's checkout, by ORGANIZATION/PROJECT/STACK anywhere.",
            show_default=False,
        ),
    ],
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write it to a file that only you can read, instead of stdout.",
            show_default=False,
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE.")] = False,
    as_json: Json = False,  # noqa: ARG001  (JSON it is in any case)
) -> None:
    """Print the kubeconfig of a deployed stack, to stdout: the output that Pulumi keeps secret, in the clear.

    It holds no token; kubectl gets one from `aws eks get-token`, with the AWS credentials of whoever runs it. It needs
    the Pulumi CLI, logged in. It is JSON in any case, which kubectl takes; `--json` is taken so that every command
    takes it.
    """
    from muster.cli import atomic_files, terminal
    from muster.cli.commands import kubeconfig_output
    from muster.cli.exits import WrongInput

    if force and output is None:
        raise WrongInput("--force is about the file of --output; give --output FILE, or leave --force away")
    if output is not None:
        atomic_files.refuse_existing(output, force=force)
    _refuse_slurm(stack)
    with terminal.progress(f"asking Pulumi for the kubeconfig of {stack}"):
        text = kubeconfig_output.kubeconfig(stack)
    if output is None:
        terminal.write(f"{text}\n")
    else:
        atomic_files.write_secret(output, f"{text}\n", force=force)


def _refuse_slurm(stack: str) -> None:
    """Refuses a stack without Kubernetes by its file, without the Pulumi CLI.

    Raises:
        WrongInput: a cluster with Slurm.
    """
    from muster import backends
    from muster.backends.backend import Scheduler
    from muster.cli.exits import WrongInput
    from muster.cli.stacks import known_stacks, open_stacks, without_kubernetes
    from muster.config.description.cluster import AnyCluster

    try:
        here = known_stacks()
    except WrongInput:
        return
    name = Path(stack).name.removeprefix("Pulumi.").removesuffix(".yaml") if stack.endswith(".yaml") else stack
    described = open_stacks([name])[0].described if name in here else None
    if isinstance(described, AnyCluster) and backends.of(described).scheduler is Scheduler.SLURM:
        instead = f"log in to its head node: `pulumi stack output headNode --stack {name}` says how"
        raise WrongInput(without_kubernetes(name, described.backend, instead))
