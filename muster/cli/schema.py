"""`muster schema`: the JSON Schemas of what users write, and of what a stack exports."""

from enum import StrEnum
from typing import Annotated

import typer

from muster.cli.options import Json


class Form(StrEnum):
    """What there is a schema of."""

    DESCRIPTION = "description"
    FACTS = "facts"
    STACK = "stack"
    OUTPUTS = "outputs"


def schema(
    form: Annotated[
        Form,
        typer.Argument(
            metavar="FORM",
            help="description: the muster:cluster block; facts: stacks/facts/STACK.json; stack: a whole stack file; "
            "outputs: what other projects may read of a stack.",
        ),
    ] = Form.DESCRIPTION,
    *,
    as_json: Json = False,  # noqa: ARG001  (JSON it is in any case)
) -> None:
    """Print the JSON Schema of a description, of facts, of a whole stack file (for editors), or of a stack's outputs.

    It is JSON in any case; `--json` is taken so that every command takes it.
    """
    from muster.cli import json_schema, terminal
    from muster.cli.writers.json import dump

    made = {
        Form.DESCRIPTION: json_schema.description,
        Form.FACTS: json_schema.facts,
        Form.STACK: json_schema.stack,
        Form.OUTPUTS: json_schema.outputs,
    }
    terminal.write(dump(made[form]()))
