"""The resources that eksctl creates: published behaviour of eksctl 0.231."""

from typing import Any

import pytest

from muster.fleet.registration import Registration
from muster.fleet.resources.ref import (
    LAUNCH_TEMPLATE,
    NODE_GROUP,
    PLACEMENT_GROUP,
    SECURITY_GROUP,
    SUBNET,
)
from muster.sources.eksctl.reader import read
from muster.unknown import UNKNOWN
from tests.sources.eksctl.files import config
from tests.sources.judged import a_file

ZONES = {"availabilityZones": ["us-west-2a", "us-west-2b"]}
EFA = {"name": "workers", "instanceType": "p5.48xlarge", "efaEnabled": True, "privateNetworking": True}
IN_ZONE = {**EFA, "availabilityZones": ["us-west-2a"]}


def made(text: str, type_: str) -> dict[str, Registration]:
    """The resources of one type, by name."""
    return {each.name: each for each in read(a_file(text)).registrations if each.type == type_}


def template(group: dict[str, Any], **more: Any) -> Registration:
    """The launch template of a managed group."""
    (found,) = made(config({"name": "workers", **group}, **{**ZONES, **more}), LAUNCH_TEMPLATE).values()
    return found


@pytest.mark.parametrize(
    ("instance", "number"),
    [("g5.8xlarge", 1), ("p4d.24xlarge", 4), ("p5.48xlarge", 32), ("p5en.48xlarge", 16), ("p6-b300.48xlarge", 17)],
)
def test_efa_is_on_every_network_card(instance: str, number: int) -> None:
    # network_interfaces.go: device 0 on card 0, device 1 on the others, all of type efa.
    listed = template({**IN_ZONE, "instanceType": instance}).inputs["networkInterfaces"]
    places = [(each["networkCardIndex"], each["deviceIndex"], each["interfaceType"]) for each in listed]
    assert places == [(0, 0, "efa"), *((card, 1, "efa") for card in range(1, number))]


@pytest.mark.parametrize(("version", "groups"), [("1.32", 1), ("1.33", 0), ("1.35", 0)])
def test_eksctl_adds_a_group_for_efa_before_kubernetes_1_33(version: str, groups: int) -> None:
    found = made(config(IN_ZONE, version=version, **ZONES), SECURITY_GROUP)
    assert len([name for name in found if name.endswith("EFA")]) == groups


RESERVED = {"capacityReservation": {"capacityReservationTarget": {"capacityReservationID": "cr-0123456789abcdef0"}}}


@pytest.mark.parametrize(
    ("change", "groups"),
    [
        ({}, ["workers placement"]),
        (RESERVED, []),
        ({"placement": {"groupName": "own"}}, []),
        ({"efaEnabled": False}, []),
    ],
)
def test_eksctl_creates_a_placement_group_for_efa(change: dict[str, Any], groups: list[str]) -> None:
    assert list(made(config({**IN_ZONE, **change}, **ZONES), PLACEMENT_GROUP)) == groups


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, (2, 2, 2)),
        ({"desiredCapacity": 4}, (4, 4, 4)),
        ({"minSize": 0}, (0, 0, 1)),
        ({"minSize": 1, "desiredCapacity": 2, "maxSize": 3}, (1, 2, 3)),
    ],
)
def test_node_counts_have_eksctls_defaults(given: dict[str, int], expected: tuple[int, int, int]) -> None:
    (group,) = made(config({"name": "workers", **given}, **ZONES), NODE_GROUP).values()
    scaling = group.inputs["scalingConfig"]
    assert (scaling["minSize"], scaling["desiredSize"], scaling["maxSize"]) == expected


def test_a_group_without_settings_has_eksctls_machine() -> None:
    text = config({"name": "workers"}, **ZONES)
    (group,) = made(text, NODE_GROUP).values()
    (launched,) = made(text, LAUNCH_TEMPLATE).values()
    assert (group.inputs["instanceTypes"], group.inputs["amiType"]) == (["m5.large"], "AL2023_x86_64_STANDARD")
    assert launched.inputs["metadataOptions"] == {"httpTokens": "required", "httpPutResponseHopLimit": 2}


@pytest.mark.parametrize(
    ("instance", "family", "image"),
    [
        ("p5.48xlarge", "AmazonLinux2023", "AL2023_x86_64_NVIDIA"),
        ("trn1.32xlarge", "AmazonLinux2023", "AL2023_x86_64_NEURON"),
        ("p5.48xlarge", "Bottlerocket", "BOTTLEROCKET_x86_64_NVIDIA"),
        ("p5.48xlarge", "amazonlinux2", "AL2_x86_64_GPU"),
        ("g5g.xlarge", "AmazonLinux2023", "AL2023_ARM_64_NVIDIA"),
        ("c5.large", "Ubuntu2404", None),
    ],
)
def test_the_image_fits_the_family_and_the_type(instance: str, family: str, image: str | None) -> None:
    (group,) = made(config({"instanceType": instance, "amiFamily": family}, **ZONES), NODE_GROUP).values()
    assert group.inputs.get("amiType") == image


def test_a_new_vpc_is_divided_as_eksctl_does() -> None:
    # The log of eksctl, "subnets for us-west-2a - public:192.168.0.0/19 private:192.168.96.0/19" with three zones.
    found = made(config(availabilityZones=["us-west-2a", "us-west-2b", "us-west-2c"]), SUBNET)
    blocks = {name: each.inputs["cidrBlock"] for name, each in found.items()}
    assert blocks["public us-west-2a"] == "192.168.0.0/19"
    assert blocks["private us-west-2a"] == "192.168.96.0/19"
    assert blocks["private us-west-2c"] == "192.168.160.0/19"


SUBNETS = {
    "public": {"us-west-2a": {"id": "subnet-0000000000000000a"}},
    "private": {"one": {"id": "subnet-0000000000000000b"}, "two": {"id": "PLACEHOLDER_SUBNET_PRIVATE_2"}},
}


@pytest.mark.parametrize(
    ("group", "subnets"),
    [
        ({"privateNetworking": True, "subnets": ["one"]}, ["subnet-0000000000000000b"]),
        ({"privateNetworking": True, "subnets": ["PLACEHOLDER_SUBNET_PRIVATE_2"]}, ["private two"]),
        ({"availabilityZones": ["us-west-2a"]}, ["subnet-0000000000000000a"]),
        ({"privateNetworking": True, "subnets": ["subnet-0000000000000000c"]}, ["subnet-0000000000000000c"]),
        # No zone is certain: not all of them have the type.
        ({"privateNetworking": True, "instanceType": "p6-b300.48xlarge"}, UNKNOWN),
        ({"privateNetworking": True}, ["subnet-0000000000000000b", "private two"]),
    ],
)
def test_a_group_is_in_the_subnets_that_it_names(group: dict[str, Any], subnets: Any) -> None:
    vpc = {"id": "vpc-0123456789abcdef0", "subnets": SUBNETS}
    (found,) = made(config({"instanceType": "c5.large", **group}, vpc=vpc), NODE_GROUP).values()
    assert found.inputs["subnetIds"] == subnets
