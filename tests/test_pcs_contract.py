"""The outputs of a stack on AWS PCS."""

from copy import deepcopy

import jsonschema
import pulumi
import pytest

from muster.cli.writers import json_schema
from muster.contract import Cluster, NotTheContract, PcsCluster, SlurmCluster, read_pcs_cluster
from muster.offline.recording import Recording, record
from tests.stack_files import ON_PCS, plan_of

STACK = "organization/muster/pcs-p5"


@pytest.mark.parametrize("stack", ON_PCS)
def test_every_stack_exports_the_contract(stack: str) -> None:
    """The model reads what the program exports; nothing of it is secret, and its schema takes it."""
    plan = plan_of(stack)
    read = PcsCluster.read(plan.outputs, stack)
    assert PcsCluster.read(read.model_dump(mode="json"), stack) == read
    assert plan.secret_outputs & plan.outputs.keys() == frozenset()
    jsonschema.validate(dict(plan.outputs), json_schema.SCHEMAS["pcs-outputs"]())


def test_a_stack_is_read_by_reference_and_nothing_is_secret() -> None:
    outputs = dict(plan_of("pcs-p5").outputs)

    def program() -> None:
        made = read_pcs_cluster(pulumi.StackReference(STACK))
        pulumi.export("read", made.apply(lambda each: each.cluster.slurm_version))

    read = record(program, project="consumer", stack_outputs={STACK: Recording((), outputs, frozenset())})
    assert read.outputs == {"read": outputs["cluster"]["slurmVersion"]}
    assert read.secret_outputs == frozenset()


@pytest.mark.parametrize("model", [Cluster, SlurmCluster])
def test_who_asks_for_something_else_is_told_what_the_stack_is(model: type[Cluster | SlurmCluster]) -> None:
    with pytest.raises(NotTheContract) as refused:
        model.read(plan_of("pcs-p5").outputs, STACK)
    assert str(refused.value) == (
        f"stack '{STACK}' has a Slurm cluster on AWS PCS: read it with `read_pcs_cluster`, or `PcsCluster.read`"
    )


def test_what_is_missing_is_named() -> None:
    """Every output that is not there, by its path."""
    broken = deepcopy(dict(plan_of("pcs-p5").outputs))
    del broken["cluster"]["size"], broken["queues"]
    with pytest.raises(NotTheContract) as refused:
        PcsCluster.read(broken, STACK)
    assert str(refused.value) == (
        f"stack '{STACK}' does not export contract 1:\n  cluster.size is missing\n  queues is missing"
    )


def test_every_field_says_what_it_is() -> None:
    """In the schema, which editors and other languages read."""
    schema = json_schema.SCHEMAS["pcs-outputs"]()
    blocks = {"PcsCluster": schema, **schema["$defs"]}
    fields = {f"{name}.{key}": field for name, block in blocks.items() for key, field in block["properties"].items()}
    assert [path for path, field in fields.items() if not field.get("description")] == []
