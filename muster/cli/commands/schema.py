"""`muster schema`: the JSON Schemas of what users write, and of what a stack exports."""

from enum import StrEnum
from typing import Annotated

import typer

from muster.message_text import did_you_mean


class Form(StrEnum):
    """The kinds of files with a schema."""

    DESCRIPTION = "description"
    FACTS = "facts"
    STACK = "stack"
    POLICIES = "policies"
    OUTPUTS = "outputs"
    SLURM_OUTPUTS = "slurm-outputs"
    PCS_OUTPUTS = "pcs-outputs"
    HYPERPOD_SLURM_OUTPUTS = "hyperpod-slurm-outputs"


def _form(text: str) -> Form:
    try:
        return Form(text)
    except ValueError:
        known = [form.value for form in Form]
        raise typer.BadParameter(
            f"there is no schema '{text}'{did_you_mean(text, known)} (schemas: {', '.join(known)})"
        ) from None


def _forms(incomplete: str) -> list[str]:
    return [form.value for form in Form if form.value.startswith(incomplete)]


def schema(
    form: Annotated[
        Form,
        typer.Argument(
            metavar="KIND",
            parser=_form,
            autocompletion=_forms,
            help="Kind of schema. description: the muster:cluster block; facts: stacks/facts/STACK.json; stack: a "
            "whole stack file; policies: the levels and options of rules (--config); outputs: the outputs of a stack "
            "that other projects may read; slurm-outputs: the same for a stack with ParallelCluster; "
            "hyperpod-slurm-outputs: for one with Slurm on HyperPod; pcs-outputs: for one with AWS PCS.",
        ),
    ] = Form.DESCRIPTION,
    *,
    as_json: Annotated[bool, typer.Option("--json", hidden=True)] = False,  # noqa: ARG001  (as other commands have it)
) -> None:
    """Print the JSON Schema of a description, facts, a stack file, a rule configuration, or stack outputs.

    Editors can use it for completion.
    """
    from muster import terminal
    from muster.cli.writers import json_schema
    from muster.cli.writers.json import dump

    made = {
        Form.DESCRIPTION: json_schema.description,
        Form.FACTS: json_schema.facts,
        Form.STACK: json_schema.stack,
        Form.POLICIES: json_schema.policies,
        Form.OUTPUTS: json_schema.outputs,
        Form.SLURM_OUTPUTS: json_schema.slurm_outputs,
        Form.PCS_OUTPUTS: json_schema.pcs_outputs,
        Form.HYPERPOD_SLURM_OUTPUTS: json_schema.hyperpod_slurm_outputs,
    }
    terminal.write(dump(made[form]()))
