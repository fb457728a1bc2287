"""The JSON Schemas: what they take and refuse is what Muster takes and refuses."""

import json
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from muster.cli.writers import json_schema
from tests.cli.conftest import Muster
from tests.stack_files import ROOT


@cache
def stack() -> jsonschema.Draft202012Validator:
    """Of stack files; that the schema is one, `test_each_is_a_schema` checks."""
    return jsonschema.Draft202012Validator(json_schema.stack())


STACKS = sorted((ROOT / "stacks").glob("Pulumi.*.yaml"))


def load(file: Path) -> Any:
    return yaml.safe_load(file.read_text())


@pytest.mark.parametrize("file", STACKS, ids=lambda file: file.stem)
def test_every_stack_of_ours_has_the_form(file: Path) -> None:
    stack().validate(load(file))
    jsonschema.Draft202012Validator(json_schema.description()).validate(load(file)["config"]["muster:cluster"])


@pytest.mark.parametrize(
    "change",
    [
        lambda stack: stack.pop("config"),
        lambda stack: stack.update(conifg={}),
        lambda stack: stack["config"].pop("aws:region"),
        lambda stack: stack["config"].update({"aws:region": "us-west-2a"}),
        lambda stack: stack["config"].pop("muster:cluster"),
        lambda stack: stack["config"].update({"muster:clutser": {}}),
        lambda stack: stack["config"]["muster:cluster"].update(kubernetes=1.35),
        lambda stack: stack["config"]["muster:cluster"].update({"kubernets": "1.35"}),
        lambda stack: stack["config"]["muster:cluster"]["groups"]["workers"]["volume"].update(size=4800),
        lambda stack: stack["config"]["muster:cluster"]["groups"]["workers"]["capacity"].update({"on-demand": {}}),
    ],
)
def test_a_stack_without_the_form_is_refused(change: Any) -> None:
    document = deepcopy(load(ROOT / "stacks" / "Pulumi.p5-odcr.yaml"))
    change(document)
    assert not stack().is_valid(document)


WORKERS = ["config", "muster:cluster", "groups", "workers"]


@pytest.mark.parametrize(
    ("change", "where", "message"),
    [
        (lambda group: group.update(instnce="x"), WORKERS, "'instnce' was unexpected"),
        (lambda group: group.update(instance="p5.48xlrge"), [*WORKERS, "instance"], "'p5.48xlrge' is not one of"),
        (lambda group: group.update(zone="us-west"), [*WORKERS, "zone"], "'us-west' does not match"),
        (lambda group: group.update(zone=None), [*WORKERS, "zone"], "None is not of type 'string'"),
        (lambda group: group.update(nodes="two"), [*WORKERS, "nodes"], "'two' is not of type 'integer'"),
        (
            lambda group: group["capacity"]["reservation"].update(zoen="a"),
            [*WORKERS, "capacity", "reservation"],
            "'zoen' was unexpected",
        ),
    ],
)
def test_a_validator_names_the_wrong_key(change: Any, where: list[str], message: str) -> None:
    document = deepcopy(load(ROOT / "stacks" / "Pulumi.p5-odcr.yaml"))
    change(document["config"]["muster:cluster"]["groups"]["workers"])
    (error,) = stack().iter_errors(document)
    assert (list(error.absolute_path), message in error.message) == (where, True)


@pytest.mark.parametrize(
    ("keys", "model"),
    [
        ({}, "EksCluster"),
        ({"backend": "hyperpod"}, "HyperPodCluster"),
        ({"backend": "hyperpod-slurm"}, "HyperPodSlurmCluster"),
        ({"backend": "parallelcluster"}, "SlurmCluster"),
    ],
)
def test_the_backend_chooses_the_model(keys: dict[str, str], model: str) -> None:
    """The faults are those of that model alone: what it requires, and this file lacks."""
    document = {"config": {"aws:region": "us-west-2", "muster:cluster": keys}}
    required = json_schema.stack()["$defs"][model]["required"]
    missing = {each.message.split("'")[1] for each in stack().iter_errors(document) if "required" in each.message}
    assert missing == set(required) - keys.keys()


def test_the_engines_and_other_providers_keys_are_taken() -> None:
    document = load(ROOT / "stacks" / "Pulumi.p5-odcr.yaml")
    document.update(encryptionsalt="v1:x", secretsprovider="awskms://x", environment=["dev"])
    document["config"].update({"aws:profile": "training", "kubernetes:enableServerSideApply": "true"})
    stack().validate(document)


@pytest.mark.parametrize("name", json_schema.SCHEMAS)
def test_the_committed_schemas_are_valid_schemas(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads((ROOT / "docs" / "schema" / f"{name}.json").read_text()))


@pytest.mark.parametrize("form", ["description", "facts", "stack", "outputs"])
def test_the_command_prints_them(muster: Muster, form: str) -> None:
    ran = muster("schema", form)
    assert (ran.code, ran.err) == (0, "")
    assert ran.json == json_schema.SCHEMAS[form]()
    assert ran.out == muster("schema", form, "--json").out


def test_every_field_says_what_changing_it_costs() -> None:
    blocks = json_schema.description()["$defs"].values()
    fields = [field for block in blocks for field in block.get("properties", {}).values()]
    assert fields
    assert all("x-change" in field for field in fields)
