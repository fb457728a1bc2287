"""The manifests from which Muster's example stacks come (awsome-distributed-training, 1.architectures/4.amazon-eks), in
the form in which they are published: what is outdated in them, and the cluster that they are brought over as."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from muster.cli.imported_file import import_file
from muster.stack.stack_file import StackFile, load
from tests.sources.eksctl.files import config
from tests.sources.judged import a_file, report
from tests.stack_files import ROOT

VPC = {
    "vpc": {
        "id": "PLACEHOLDER_VPC_ID",
        "subnets": {
            tier: {name: {"id": f"PLACEHOLDER_{tier.upper()}_{name}"} for name in ("one", "two")}
            for tier in ("private", "public")
        },
    }
}
ZONES = {"availabilityZones": ["PLACEHOLDER_AZ_1", "PLACEHOLDER_AZ_2"]}
IN_ZONE, IN_SUBNET = {"availabilityZones": ["PLACEHOLDER_AZ_2"]}, {"subnets": ["PLACEHOLDER_PRIVATE_two"]}
RESERVED = {"capacityReservation": {"capacityReservationTarget": {"capacityReservationID": "cr-xxxxxxxxxx"}}}
BLOCK = {**RESERVED, "instanceMarketOptions": {"marketType": "capacity-block"}}
SYSTEM = {
    "name": "sys",
    "instanceType": "c5.2xlarge",
    "desiredCapacity": 1,
    "iam": {"withAddonPolicies": {"autoScaler": True, "cloudWatch": True}},
}


def workers(instance: str, nodes: int, **more: Any) -> dict[str, Any]:
    """The group of the training nodes."""
    array = "apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec: {instance: {localStorage: {strategy: RAID0}}}\n"
    return {
        "name": "workers",
        "instanceType": instance,
        "privateNetworking": True,
        "efaEnabled": True,
        "minSize": 0,
        "desiredCapacity": nodes,
        "maxSize": 10,
        "overrideBootstrapCommand": array,
        "iam": {"withAddonPolicies": {"cloudWatch": True, "ebs": True, "fsx": True}},
        **more,
    }


MANIFESTS = {
    stack: config(*groups, version="1.32", **network)
    for stack, groups, network in (
        ("g4dn", (SYSTEM, workers("g4dn.8xlarge", 2, **IN_ZONE)), ZONES),
        ("g4dn-vpc", (SYSTEM, workers("g4dn.8xlarge", 2, **IN_SUBNET)), VPC),
        ("p4de-odcr", (SYSTEM, workers("p4de.24xlarge", 2, **IN_ZONE, **RESERVED)), ZONES),
        ("p4de-odcr-vpc", (SYSTEM, workers("p4de.24xlarge", 2, **IN_SUBNET, **RESERVED)), VPC),
        ("p5-odcr", (workers("p5.48xlarge", 1, **RESERVED),), VPC),
        ("p5-capacity-block", (workers("p5.48xlarge", 1, **BLOCK),), VPC),
    )
}


@pytest.mark.parametrize("name", MANIFESTS)
def test_what_is_outdated_is_advice(name: str) -> None:
    found = report(a_file(MANIFESTS[name])).findings
    of_all = {"api-not-open-to-all", "imds-out-of-pods", "kubernetes-standard-support", "node-role-narrow"}
    with_cpus = set() if name.startswith("p5") else {"plugin-stays-with-its-devices"}
    assert {each.rule for each in found} == of_all | with_cpus
    assert {each.level.value for each in found} == {"advisory"}


def nodes_of(stack: StackFile) -> tuple[Any, ...]:
    """What the training nodes of a stack are."""
    (group,) = (each for each in stack.derive().groups if each.described.purpose == "training")
    efa = sum(slot.is_efa for slot in group.node.slots)
    described = group.described
    return described.instance, efa, described.capacity.chosen, described.nodes.start, described.local_storage


@pytest.mark.parametrize("name", MANIFESTS)
def test_it_is_brought_over_as_the_example_stack(name: str, tmp_path: Path) -> None:
    """The same type, number of EFA interfaces, kind of capacity and number of nodes; its own version."""
    stack = load(name, ROOT / "stacks" / f"Pulumi.{name}.yaml", tmp_path / "none.json")
    file = tmp_path / "cluster.yaml"
    file.write_text(MANIFESTS[name])
    made = load("mine", tmp_path / "Pulumi.mine.yaml", tmp_path / "mine.json", text=import_file(file).text())
    assert not made.faults
    assert nodes_of(made) == nodes_of(stack)
    assert yaml.safe_load(made.document.text)["config"]["muster:cluster"]["kubernetes"] == "1.32"
