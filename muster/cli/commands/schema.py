"""`muster schema`: the JSON Schemas of what users write, and of what a stack exports."""

from enum import StrEnum
from typing import Annotated

import typer

from muster.cli.options import Json
from muster.message_text import did_you_mean


class Form(StrEnum):
    """The kinds of files with a schema."""

    DESCRIPTION = "description"
    FACTS = "facts"
    STACK = "stack"
    POLICIES = "policies"
    OUTPUTS = "outputs"
    SLURM_OUTPUTS = "slurm-outputs"


def _form(text: str) -> Form:
    try:
        return Form(text)
    except ValueError:
        known = [form.value for form in Form]
        raise typer.BadParameter(
            f"no form '{text}'{did_you_mean(text, known)} (there are: {', '.join(known)})"
        ) from None


def _forms(incomplete: str) -> list[str]:
    return [form.value for form in Form if form.value.startswith(incomplete)]


def schema(
    form: Annotated[
        Form,
        typer.Argument(
            metavar="FORM",
            parser=_form,
            autocompletion=_forms,
            help="description: the muster:cluster block; facts: stacks/facts/STACK.json; stack: a whole stack file; "
            "policies: levels and options of rules (--config); "
            "outputs: what other projects may read of a stack; slurm-outputs: of one with Slurm.",
        ),
    ] = Form.DESCRIPTION,
    *,
    as_json: Json = False,  # noqa: ARG001  (JSON it is in any case)
) -> None:
    """Print the JSON Schema of a description, of facts, of a whole stack file (for editors), of the rules'
    configuration, or of a stack's outputs.

    It is JSON in any case; `--json` is taken so that every command takes it.
    """
    from muster.cli import terminal
    from muster.cli.writers import json_schema
    from muster.cli.writers.json import dump

    made = {
        Form.DESCRIPTION: json_schema.description,
        Form.FACTS: json_schema.facts,
        Form.STACK: json_schema.stack,
        Form.POLICIES: json_schema.policies,
        Form.OUTPUTS: json_schema.outputs,
        Form.SLURM_OUTPUTS: json_schema.slurm_outputs,
    }
    terminal.write(dump(made[form]()))
