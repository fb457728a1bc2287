"""What other teams read of a stack with a Slurm cluster: its own form, and words for whoever asks for Kubernetes."""

from copy import deepcopy
from typing import Any

import jsonschema
import pulumi
import pytest

from muster.cli.writers import json_schema
from muster.config.description.kubernetes_cluster import AddonsOf
from muster.contract import Cluster, NotTheContract, SlurmCluster, read_cluster, read_kubeconfig, read_slurm_cluster
from muster.offline.recording import Recording, record
from tests.stack_files import WITH_SLURM, plan_of
from tests.test_contract import given

STACK = "organization/muster/pcluster"
OUTPUTS: dict[str, Any] = {
    "contract": 1,
    "backend": "parallelcluster",
    "region": "us-east-1",
    "cluster": {
        "name": "ml",
        "version": "3.16.1",
        "os": "alinux2023",
        "stack": "arn:aws:cloudformation:us-east-1:000000000000:stack/ml/0",
        "providerStack": "arn:aws:cloudformation:us-east-1:000000000000:stack/muster-ml/0",
    },
    "headNode": {
        "instanceType": "m5.8xlarge",
        "instanceId": "i-0123456789abcdef0",
        "privateAddress": "10.0.0.10",
        "zone": "us-east-1a",
        "user": "ec2-user",
        "session": "aws ssm start-session --region us-east-1 --target i-0123456789abcdef0",
    },
    "nodeGroups": {
        "p4de": {
            "purpose": "training",
            "queue": "train",
            "instanceType": "p4de.24xlarge",
            "zones": ["us-east-1a"],
            "count": {"min": 4, "start": 4, "max": 4},
            "cpus": 96,
            "memoryMib": 1120665,
            "gpus": 8,
            "efa": 4,
            "offers": {"gres/gpu": 8, "efa": 4},
            "capacity": {"kind": "reservation", "reservation": "cr-0123456789abcdef0"},
        }
    },
    "queues": {"train": {"groups": ["p4de"], "zones": ["us-east-1a"], "exclusive": True, "default": True}},
    "network": {
        "vpc": "vpc-0123456789abcdef0",
        "privateSubnets": {"us-east-1a": "subnet-0123456789abcdef0"},
        "publicSubnets": {},
        "securityGroups": {"nodes": "sg-0123456789abcdef0"},
    },
    "storage": {
        "fsx": {
            "fileSystem": "fs-0123456789abcdef0",
            "dnsName": "fs-0123456789abcdef0.fsx.us-east-1.amazonaws.com",
            "mountName": "abcdefgh",
            "mountDirectory": "/fsx",
        }
    },
    "validationMessages": "[]",
}
WHAT_IT_IS = (
    f"stack '{STACK}' has a Slurm cluster on ParallelCluster: read it with `read_slurm_cluster`, or `SlurmCluster.read`"
)


def reading(ask: Any, outputs: dict[str, Any] = OUTPUTS) -> Recording:
    """A program that exports what it asks a stack of these outputs for."""

    def program() -> None:
        pulumi.export("read", ask(pulumi.StackReference(STACK)))

    return record(program, project="consumer", stack_outputs={STACK: Recording((), outputs, frozenset())})


def test_what_is_written_is_read() -> None:
    """The model and its schema take the outputs, and give them back."""
    read = SlurmCluster.read(OUTPUTS, STACK)
    assert read.node_groups["p4de"].offers == {"gres/gpu": 8, "efa": 4}
    assert SlurmCluster.read(read.model_dump(mode="json"), STACK) == read
    jsonschema.validate(OUTPUTS, json_schema.SCHEMAS["slurm-outputs"]())


@pytest.mark.parametrize("stack", WITH_SLURM)
def test_every_stack_exports_the_contract(stack: str) -> None:
    """The one model reads what the program exports; nothing of it is secret, and nothing is exported beside it."""
    plan = plan_of(stack)
    read = SlurmCluster.read(plan.outputs, stack)
    assert given(read.model_dump(mode="json")) == given(dict(plan.outputs))
    assert plan.secret_outputs & plan.outputs.keys() == frozenset()
    jsonschema.validate(dict(plan.outputs), json_schema.SCHEMAS["slurm-outputs"]())


def test_a_stack_is_read_by_reference_and_nothing_is_secret() -> None:
    """A Slurm cluster has no kubeconfig, and no secret."""
    read = reading(lambda stack: read_slurm_cluster(stack).apply(lambda each: each.head_node.session))
    assert read.outputs == {"read": OUTPUTS["headNode"]["session"]}
    assert read.secret_outputs == frozenset()


@pytest.mark.parametrize("ask", [read_cluster, read_kubeconfig], ids=["cluster", "kubeconfig"])
def test_who_asks_for_kubernetes_is_told_what_the_stack_is(ask: Any) -> None:
    """Not that half of its outputs are missing."""
    with pytest.raises(pulumi.RunError) as refused:
        reading(ask)
    assert str(refused.value) == WHAT_IT_IS
    with pytest.raises(NotTheContract) as read:
        Cluster.read(OUTPUTS, STACK)
    assert str(read.value) == WHAT_IT_IS


def test_add_ons_for_a_slurm_cluster_are_refused_before_any_is_registered() -> None:
    """Where the cluster's description is not here, its outputs tell what it is."""
    from muster.deploy.addons import deploy_addons

    described = AddonsOf.model_validate({"addons-of": STACK, "addons": {"kueue": {}}})
    with pytest.raises(pulumi.RunError) as refused:
        record(
            lambda: deploy_addons("addons", described),
            project="consumer",
            stack_outputs={STACK: Recording((), OUTPUTS, frozenset())},
        )
    assert str(refused.value) == WHAT_IT_IS


@pytest.mark.parametrize("backend", ["eks", "hyperpod"])
def test_who_asks_a_stack_with_kubernetes_for_slurm_is_told_so(backend: str) -> None:
    """The other way round."""
    with pytest.raises(NotTheContract) as refused:
        SlurmCluster.read({**OUTPUTS, "backend": backend}, STACK)
    assert str(refused.value) == (
        f"stack '{STACK}' has a Kubernetes cluster: read it with `read_cluster`, or `Cluster.read`"
    )


def test_what_is_missing_is_named() -> None:
    """Every output that is not there, by its path."""
    broken = deepcopy(OUTPUTS)
    del broken["headNode"]["instanceId"], broken["queues"]
    with pytest.raises(NotTheContract) as refused:
        SlurmCluster.read(broken, STACK)
    assert str(refused.value) == (
        f"stack '{STACK}' does not export contract 1:\n  headNode.instanceId is missing\n  queues is missing"
    )


def test_every_field_says_what_it_is() -> None:
    """In the schema, which editors and other languages read."""
    schema = json_schema.SCHEMAS["slurm-outputs"]()
    blocks = {"SlurmCluster": schema, **schema["$defs"]}
    fields = {f"{name}.{key}": field for name, block in blocks.items() for key, field in block["properties"].items()}
    assert [path for path, field in fields.items() if not field.get("description")] == []
