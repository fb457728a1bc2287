"""The consumer in YAML: every output it reads p5-odcr exports."""

import re
from collections.abc import Iterator
from typing import Any

import yaml

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


def test_every_output_it_reads_is_there_as_text(planned: Plan) -> None:
    """A ConfigMap and a provider take texts only."""
    assert ("kubeconfig",) in READ
    assert len(READ) > 5
    for path in READ:
        value: Any = planned.outputs
        for step in path:
            value = value[step]
        assert isinstance(value, str), path


def test_whatever_else_it_names_is_its_own() -> None:
    own = {*PROGRAM["resources"], *PROGRAM["config"]}
    assert {path[0] for path in paths(PROGRAM)} <= own
