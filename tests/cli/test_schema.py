"""The JSON Schemas: what they take and refuse is what Muster takes and refuses."""

import json
from copy import deepcopy
from functools import cache, reduce
from operator import getitem
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


def test_every_stack_of_ours_has_the_form() -> None:
    """As a whole, and its description by itself."""
    description = jsonschema.Draft202012Validator(json_schema.description())
    for file in STACKS:
        stack().validate(load(file))
        description.validate(load(file)["config"]["muster:cluster"])


CLUSTER = ("config", "muster:cluster")
WORKERS = (*CLUSTER, "groups", "workers")


@pytest.mark.parametrize(
    ("where", "change"),
    [
        ((), lambda stack: stack.pop("config")),
        ((), lambda stack: stack.update(conifg={})),
        (("config",), lambda config: config.pop("aws:region")),
        (("config", "aws:region"), "us-west-2a"),
        (("config",), lambda config: config.pop("muster:cluster")),
        (("config",), lambda config: config.update({"muster:clutser": {}})),
        ((*CLUSTER, "kubernetes"), 1.35),
        (CLUSTER, lambda cluster: cluster.update(kubernets="1.35")),
        (WORKERS, lambda group: group.update(instnce="x")),
        ((*WORKERS, "instance"), "p5.48xlrge"),
        ((*WORKERS, "zone"), "us-west"),
        ((*WORKERS, "zone"), None),
        ((*WORKERS, "nodes"), "two"),
        ((*WORKERS, "volume", "size"), 4800),
        ((*WORKERS, "capacity", "reservation"), lambda held: held.update(zoen="a")),
    ],
)
def test_a_stack_without_the_form_is_refused_at_its_place(where: tuple[str, ...], change: Any) -> None:
    """As editors show it."""
    document = deepcopy(load(ROOT / "stacks" / "Pulumi.p5-odcr.yaml"))
    if callable(change):
        change(reduce(getitem, where, document))
    else:
        reduce(getitem, where[:-1], document)[where[-1]] = change
    assert [tuple(error.absolute_path) for error in stack().iter_errors(document)] == [where]


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


@pytest.mark.parametrize("form", ["stack", "outputs"])
def test_the_command_prints_them(muster: Muster, form: str) -> None:
    ran = muster("schema", form)
    assert (ran.code, ran.err, ran.json) == (0, "", json_schema.SCHEMAS[form]())
    assert ran.out == muster("schema", form, "--json").out


def test_every_field_says_what_changing_it_costs() -> None:
    blocks = json_schema.description()["$defs"].values()
    fields = [field for block in blocks for field in block.get("properties", {}).values()]
    assert fields
    assert all("x-change" in field for field in fields)
