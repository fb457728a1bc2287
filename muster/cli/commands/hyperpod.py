"""`muster hyperpod`: a HyperPod cluster in the words of AWS's own CLI."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from muster.cli.options import AsOf, Json, Stack, day

if TYPE_CHECKING:
    from muster.config.description.root import Description

app = typer.Typer(name="hyperpod", no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def _hyperpod() -> None:
    """Show a cluster on SageMaker HyperPod in the words of AWS's own CLI."""


@app.command("config")
def config(
    stack: Stack,
    *,
    as_json: Json = False,  # noqa: ARG001  (JSON it is in any case)
    as_of: AsOf = None,
) -> None:
    """Print a stack's HyperPod cluster as `aws sagemaker create-cluster` takes it, once `envsubst` has filled it in.

    It is the request that `pulumi up` makes. What only AWS knows is a name in it, ${EKS_CLUSTER_ARN}; stderr says of
    each where it comes from. `muster hyperpod config STACK | envsubst > FILE`, then
    `aws sagemaker create-cluster --region REGION --cli-input-json file://FILE`. It is JSON in any case; `--json` is
    taken so that every command takes it. Of a stack that `muster check` refuses only the findings are printed, on
    stderr. Needs no AWS account.
    """
    from muster.blueprint.hyperpod.create_cluster import definition_with_placeholders
    from muster.cli import terminal
    from muster.cli.stacks import open_stacks, require_backend, require_kubernetes, require_passing
    from muster.cli.writers.json import dump

    opened = open_stacks([stack])[0]
    require_backend(opened, "hyperpod")
    blueprint = require_kubernetes(require_passing(opened, day(as_of)))
    request, sources = definition_with_placeholders(blueprint)
    text = dump(request)
    terminal.write(text)
    terminal.complain(
        *(f"${{{name}}}: {source}" for name, source in sources.items()),
        *_blanks(blueprint.described, text),
    )


def _blanks(described: "Description", text: str) -> Iterator[str]:
    """The placeholders of the stack file that are in the output."""
    from muster.config.account_references import placeholder_values

    return (f"{value}: a placeholder; fill in {path}" for path, value in placeholder_values(described) if value in text)
