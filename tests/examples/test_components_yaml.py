"""The example in YAML fits the package's schema, says what the stack says, and is refused while it has placeholders."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml

from muster.config.document import CLUSTER_KEY
from tests.components.hosted import construct
from tests.components.spelled import spelled
from tests.stack_files import AS_OF, ROOT, filled_in, text_of

FILE = ROOT / "examples" / "components-yaml" / "Pulumi.yaml"
PROGRAM = yaml.safe_load(FILE.read_text(encoding="utf-8"))
SCHEMA = json.loads((ROOT / "docs" / "schema" / "components.json").read_text(encoding="utf-8"))
RESOURCE = SCHEMA["resources"]["muster:index:TrainingCluster"]
GIVEN = PROGRAM["resources"]["training"]["properties"]


def misfits(given: Any, kind: Mapping[str, Any], path: str) -> Iterator[str]:
    """What of a value is not as a schema has it."""
    if "$ref" in kind:
        if kind["$ref"] == "pulumi.json#/Any":
            return
        block = SCHEMA["types"][kind["$ref"].rpartition("/")[2]]
        yield from _of_block(given, block["properties"], block.get("required", ()), path)
    elif kind["type"] == "object":
        for key, value in given.items():
            yield from misfits(value, kind["additionalProperties"], f"{path}.{key}")
    elif kind["type"] == "array":
        for index, value in enumerate(given):
            yield from misfits(value, kind["items"], f"{path}[{index}]")
    elif not isinstance(given, {"string": str, "integer": int, "boolean": bool}[kind["type"]]):
        yield f"{path}: {given!r} is no {kind['type']}"


def _of_block(given: Mapping[str, Any], properties: Mapping[str, Any], required: Any, path: str) -> Iterator[str]:
    yield from (f"{path}: {key} is missing" for key in required if key not in given)
    for key, value in given.items():
        if key in properties:
            yield from misfits(value, properties[key], f"{path}.{key}")
        else:
            yield f"{path}: {key} is not known"


def test_the_arguments_fit_the_schema() -> None:
    """Every key is known, every value of its type, and nothing that is required is missing."""
    assert PROGRAM["resources"]["training"]["type"] == "muster:TrainingCluster"
    assert list(_of_block(GIVEN, RESOURCE["inputProperties"], RESOURCE["requiredInputs"], "training")) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kubernets": "1.35"}, "training: kubernets is not known"),
        ({"kubernetes": 1.35}, "training.kubernetes: 1.35 is no string"),
        ({"network": {"existing": {"vpc": "vpc-1"}}}, "training.network.existing: private is missing"),
    ],
)
def test_what_does_not_fit_is_seen(change: dict[str, Any], words: str) -> None:
    """The comparison with the schema is one that fails."""
    assert list(_of_block(GIVEN | change, RESOURCE["inputProperties"], (), "training")) == [words]


def test_it_says_what_the_stack_says() -> None:
    """It is p5-odcr in another language; the stack names its public subnets too, which nothing of it uses."""
    stack = spelled(yaml.safe_load(text_of("p5-odcr"))["config"][CLUSTER_KEY])
    del stack["network"]["existing"]["public"]
    stack.pop("backend", None)
    assert stack == GIVEN


def test_outputs_are_the_components() -> None:
    """What the program exports, the schema has."""
    for text in PROGRAM["outputs"].values():
        assert text.removeprefix("${training.").partition("[")[0].rstrip("}") in RESOURCE["properties"]


def test_it_is_made_once_it_is_filled_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused as it is, by the ids that are missing; made with them."""
    monkeypatch.setenv("MUSTER_AS_OF", AS_OF)
    refused = construct("TrainingCluster", "training", GIVEN)
    assert refused.registrations == ()
    assert "network.existing.vpc" in refused.arguments
    made = construct("TrainingCluster", "training", yaml.safe_load(filled_in(yaml.safe_dump(GIVEN))))
    assert made.refused == ""
    assert made.outputs["cluster"]["name"] == "training"
