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
            help="Deployed stack: its name, or ORGANIZATION/PROJECT/STACK outside its project.",
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
            help="Write the kubeconfig to a file that only you can read. Default: stdout.",
            show_default=False,
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE.")] = False,
    as_json: Json = False,  # noqa: ARG001  (the output is always JSON)
) -> None:
    """Print the kubeconfig of a deployed stack to stdout, in plain text. Pulumi keeps this output secret.

    The kubeconfig contains no token: kubectl gets one from `aws eks get-token`, with your AWS credentials. The command
    needs the Pulumi CLI, logged in. The output is always JSON, which kubectl accepts, with or without `--json`.
    """
    from muster.cli import atomic_files, terminal
    from muster.cli.commands import kubeconfig_output
    from muster.cli.exits import WrongInput

    if force and output is None:
        raise WrongInput("--force needs --output; give --output FILE, or leave out --force")
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
        raise WrongInput(without_kubernetes(described, name, "", lambda slurm: slurm.log_in))
