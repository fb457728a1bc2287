"""The manifests from which Muster's example stacks come (awsome-distributed-training, 1.architectures/4.amazon-eks), in
the form in which they are published: what is outdated in them, and the cluster that they are brought over as."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from muster.cli.imported_file import import_file
from muster.stack.stack_file import StackFile, load
from tests.sources.eksctl.files import config, findings
from tests.stack_files import ROOT

VPC = {
    "vpc": {
        "id": "PLACEHOLDER_VPC_ID",
        "subnets": {
            tier: {
                f"{tier}-{name}": {"id": f"PLACEHOLDER_SUBNET_{tier.upper()}_{number}"}
                for number, name in ((1, "one"), (2, "two"))
            }
            for tier in ("private", "public")
        },
    }
}
ZONES = {"availabilityZones": ["PLACEHOLDER_AZ_1", "PLACEHOLDER_AZ_2"]}
ARRAY = "apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec: {instance: {localStorage: {strategy: RAID0}}}\n"
SYSTEM = {
    "name": "sys",
    "instanceType": "c5.2xlarge",
    "desiredCapacity": 1,
    "iam": {"withAddonPolicies": {"autoScaler": True, "cloudWatch": True}},
}


def workers(instance: str, nodes: int, **more: Any) -> dict[str, Any]:
    """The group of the training nodes."""
    return {
        "name": "workers",
        "instanceType": instance,
        "instancePrefix": "training",
        "privateNetworking": True,
        "efaEnabled": True,
        "minSize": 0,
        "desiredCapacity": nodes,
        "maxSize": 10,
        "overrideBootstrapCommand": ARRAY,
        "iam": {"withAddonPolicies": {"cloudWatch": True, "ebs": True, "fsx": True}},
        **more,
    }


RESERVED = {"capacityReservation": {"capacityReservationTarget": {"capacityReservationID": "cr-xxxxxxxxxx"}}}
IN_ONE = {"subnets": ["PLACEHOLDER_SUBNET_PRIVATE_2"]}
BLOCK = {**RESERVED, "instanceMarketOptions": {"marketType": "capacity-block"}}
OF_ALL = {
    "api-not-open-to-all",
    "imds-out-of-pods",
    "kubernetes-standard-support",
    "node-role-narrow",
}
WITH_CPU_NODES = OF_ALL | {"plugin-stays-with-its-devices"}

MANIFESTS: dict[str, tuple[str, set[str]]] = {
    "g4dn": (
        config(SYSTEM, workers("g4dn.8xlarge", 2, availabilityZones=["PLACEHOLDER_AZ_2"]), version="1.32", **ZONES),
        WITH_CPU_NODES,
    ),
    "g4dn-vpc": (config(SYSTEM, workers("g4dn.8xlarge", 2, **IN_ONE), version="1.32", **VPC), WITH_CPU_NODES),
    "p4de-odcr": (
        config(
            SYSTEM,
            workers("p4de.24xlarge", 2, availabilityZones=["PLACEHOLDER_AZ_2"], **RESERVED),
            version="1.32",
            **ZONES,
        ),
        WITH_CPU_NODES,
    ),
    "p4de-odcr-vpc": (
        config(SYSTEM, workers("p4de.24xlarge", 2, **IN_ONE, **RESERVED), version="1.32", **VPC),
        WITH_CPU_NODES,
    ),
    "p5-odcr": (config(workers("p5.48xlarge", 1, **RESERVED), version="1.32", **VPC), OF_ALL),
    "p5-capacity-block": (config(workers("p5.48xlarge", 1, **BLOCK), version="1.32", **VPC), OF_ALL),
}
"""Stack -> the manifest, and the rules that it breaks: all of them advice."""


@pytest.mark.parametrize(("text", "rules"), MANIFESTS.values(), ids=MANIFESTS)
def test_what_is_outdated_is_named(text: str, rules: set[str]) -> None:
    found = findings(text)
    assert {each.rule for each in found} == rules
    assert {each.level.value for each in found} == {"advisory"}


def brought_over(text: str, folder: Path) -> StackFile:
    """The stack that `muster init --from-file` writes."""
    file = folder / "cluster.yaml"
    file.write_text(text)
    made = load("mine", folder / "Pulumi.mine.yaml", folder / "mine.json", text=import_file(file).text())
    assert not made.faults
    return made


def nodes_of(stack: StackFile) -> tuple[Any, ...]:
    """What the training nodes of a stack are."""
    (group,) = (each for each in stack.derive().groups if each.described.purpose == "training")
    efa = sum(slot.is_efa for slot in group.node.slots)
    described = group.described
    return described.instance, efa, described.capacity.chosen, described.nodes.start


@pytest.mark.parametrize("name", MANIFESTS)
def test_it_is_brought_over_as_the_example_stack(name: str, tmp_path: Path) -> None:
    """The same type, number of EFA interfaces, kind of capacity and
    number of nodes."""
    stack = load(name, ROOT / "stacks" / f"Pulumi.{name}.yaml", tmp_path / "none.json")
    assert nodes_of(brought_over(MANIFESTS[name][0], tmp_path)) == nodes_of(stack)


def test_an_outdated_version_stays_in_the_description(tmp_path: Path) -> None:
    made = brought_over(MANIFESTS["p5-odcr"][0], tmp_path)
    assert yaml.safe_load(made.document.text)["config"]["muster:cluster"]["kubernetes"] == "1.32"
