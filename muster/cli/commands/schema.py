"""`muster schema`: the JSON Schemas of what users write, and of what a stack exports."""

from typing import Annotated

import typer

from muster import terminal
from muster.cli.writers.json import dump
from muster.finding import WrongInput
from muster.message_text import did_you_mean


def _forms() -> list[str]:
    from muster.cli.writers.json_schema import SCHEMAS

    return list(SCHEMAS)


def schema(
    form: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            autocompletion=_forms,
            help="Kind of schema. description: the muster:cluster block; facts: stacks/facts/STACK.json; stack: a "
            "whole stack file; policies: the levels and options of rules (--config); outputs: the outputs of a stack "
            "that other projects may read; slurm-outputs: the same for a stack with ParallelCluster; "
            "hyperpod-slurm-outputs: for one with Slurm on HyperPod; pcs-outputs: for one with AWS PCS.",
        ),
    ] = "description",
    *,
    as_json: Annotated[bool, typer.Option("--json", hidden=True)] = False,  # noqa: ARG001  (as other commands have it)
) -> None:
    """Print the JSON Schema of a description, facts, a stack file, a rule configuration, or stack outputs.

    Editors can use it for completion.
    """
    from muster.cli.writers.json_schema import SCHEMAS

    if form not in SCHEMAS:
        raise WrongInput(f"there is no schema '{form}'{did_you_mean(form, SCHEMAS)} (schemas: {', '.join(SCHEMAS)})")
    terminal.write(dump(SCHEMAS[form]()))
