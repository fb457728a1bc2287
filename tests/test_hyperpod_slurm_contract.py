"""What other teams read of a stack with Slurm on HyperPod: its own form."""

from collections.abc import Callable
from typing import Any

import jsonschema
import pulumi
import pytest

from muster.cli.writers import json_schema
from muster.contract import (
    Cluster,
    HyperPodSlurmCluster,
    NotTheContract,
    SlurmCluster,
    read_cluster,
    read_hyperpod_slurm_cluster,
    read_slurm_cluster,
)
from muster.offline.recording import Recording, record
from tests.stack_files import ON_HYPERPOD_SLURM, plan_of
from tests.test_contract import given

STACK = "organization/muster/hyperpod-slurm"


def reading(ask: Callable[[pulumi.StackReference], pulumi.Output[Any]], outputs: dict[str, Any]) -> Recording:
    """A program that exports what it asks a stack of these outputs for."""

    def program() -> None:
        pulumi.export("read", ask(pulumi.StackReference(STACK)))

    return record(program, project="consumer", stack_outputs={STACK: Recording((), outputs, frozenset())})


@pytest.mark.parametrize("stack", ON_HYPERPOD_SLURM)
def test_every_stack_exports_the_contract(stack: str) -> None:
    """The one model reads what the program exports; nothing of it is secret, and nothing is exported beside it."""
    plan = plan_of(stack)
    read = HyperPodSlurmCluster.read(plan.outputs, stack)
    assert given(read.model_dump(mode="json")) == given(dict(plan.outputs))
    assert plan.secret_outputs & plan.outputs.keys() == frozenset()
    jsonschema.validate(dict(plan.outputs), json_schema.SCHEMAS["hyperpod-slurm-outputs"]())


def test_a_stack_is_read_by_reference_and_nothing_is_secret() -> None:
    outputs = dict(plan_of(ON_HYPERPOD_SLURM[0]).outputs)
    read = reading(lambda stack: read_hyperpod_slurm_cluster(stack).apply(lambda it: it.controller.session), outputs)
    assert read.outputs == {"read": outputs["controller"]["session"]}
    assert read.secret_outputs == frozenset()


@pytest.mark.parametrize("ask", [read_cluster, read_slurm_cluster], ids=["kubernetes", "parallelcluster"])
def test_who_asks_for_another_cluster_is_told_what_the_stack_is(ask: Any) -> None:
    with pytest.raises(pulumi.RunError, match="read_hyperpod_slurm_cluster"):
        reading(ask, dict(plan_of(ON_HYPERPOD_SLURM[0]).outputs))


@pytest.mark.parametrize("model", [Cluster, SlurmCluster])
def test_a_script_is_told_as_well(model: Any) -> None:
    with pytest.raises(NotTheContract, match="has a HyperPod cluster with Slurm"):
        model.read(dict(plan_of(ON_HYPERPOD_SLURM[0]).outputs), STACK)
