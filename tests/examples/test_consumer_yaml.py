"""The consumer in YAML: every output it reads is in the contract, and p5-odcr exports it."""

import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
import yaml

from muster.cli.writers import json_schema
from muster.offline.plan import Plan
from tests.examples.programs import EXAMPLES

PROGRAM = yaml.safe_load((EXAMPLES / "consumer-yaml" / "Pulumi.yaml").read_text(encoding="utf-8"))
EXPRESSION = re.compile(r"\$\{([^}]+)\}")
STEP = re.compile(r'\.?([A-Za-z_][\w-]*)|\["([^"]+)"\]')


def texts(value: Any) -> Iterator[str]:
    """Every text in a document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for below in value.values() if isinstance(value, dict) else value:
            yield from texts(below)


def paths(program: Any) -> list[tuple[str, ...]]:
    """Every expression of a program, as the steps it goes."""
    found = [expression for text in texts(program) for expression in EXPRESSION.findall(text)]
    assert all("".join(match.group() for match in STEP.finditer(each)) == each for each in found)
    return [tuple(name or key for name, key in STEP.findall(each)) for each in found]


READ = [path[2:] for path in paths(PROGRAM) if path[:2] == ("muster", "outputs")]


def at(schema: Any, path: tuple[str, ...]) -> Any:
    """The schema of what a path leads to.

    Raises:
        KeyError: it leads nowhere.
    """
    whole, here = schema, schema
    for step in path:
        here = here["properties"][step] if "properties" in here else here["additionalProperties"]
        if "$ref" in here:
            here = whole["$defs"][here["$ref"].rpartition("/")[2]]
    return here


def test_it_reads_something() -> None:
    assert ("kubeconfig",) in READ
    assert len(READ) > 5


@pytest.mark.parametrize("path", READ, ids=".".join)
def test_every_output_it_reads_is_in_the_contract_and_there(path: tuple[str, ...], planned: Plan) -> None:
    value: Any = planned.outputs
    for step in path:
        value = value[step]
    jsonschema.validate(
        value, {**at(json_schema.SCHEMAS["outputs"](), path), "$defs": json_schema.SCHEMAS["outputs"]()["$defs"]}
    )
    assert isinstance(value, str), "a ConfigMap and a provider take texts only"


def test_an_output_that_is_not_in_the_contract_is_seen() -> None:
    with pytest.raises(KeyError):
        at(json_schema.SCHEMAS["outputs"](), ("nodeGroups", "workers", "instance"))


def test_whatever_else_it_names_is_its_own() -> None:
    own = {*PROGRAM["resources"], *PROGRAM["config"]}
    assert {path[0] for path in paths(PROGRAM)} <= own
