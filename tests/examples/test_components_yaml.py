"""The example in YAML fits the package's schema, says what the stack says, and is refused while it has placeholders."""

import json

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
