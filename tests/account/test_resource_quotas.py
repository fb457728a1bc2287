"""Quotas of networks, addresses, clusters and file systems: what is asked, and how many others have."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.account.topics.quotas import RESOURCE_QUOTAS
from tests.account.canned import ABSENT, run_topic
from tests.account.needs import needs
from tests.account.quota_answers import ELSEWHERE, A, B, gateways, says


def resources(stack: str, **instead: Any) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """The quotas of resources, and what others have."""
    learned, _ = run_topic(RESOURCE_QUOTAS, needs(stack), says(stack, **instead))
    return learned.facts.quotas, learned.facts.quotas_used


def test_a_stack_is_asked_for_what_it_makes() -> None:
    """A network of one's own, its cluster; a file system by its type; nothing of what exists."""
    values, _ = resources("p5-efa")
    assert set(values) == {"L-F678F1CE", "L-A4707A72", "L-0263D0A3", "L-FE5A380F", "L-1194D53C", "L-6D54EA21"}
    assert set(resources("p5-odcr")[0]) == {"L-1194D53C", "L-6D54EA21"}
    assert set(resources("pcluster-gpu")[0]) == {"L-8F1B9C74"}
    assert set(resources("p5-join-existing")[0]) == set()


def test_ones_own_are_not_others() -> None:
    """By the tag; a cluster by its name, as lists of names have no tags."""
    own = {"Tags": [{"Key": "muster:stack", "Value": "p5-efa"}]}
    another = {"Tags": [{"Key": "muster:stack", "Value": "p5"}, {"Key": "Name", "Value": "p5-efa"}]}
    _, others = resources(
        "p5-efa",
        ec2_DescribeAddresses={"Addresses": [own, own, another, {}]},
        ec2_DescribeVpcs={"Vpcs": [own]},
        eks_ListClusters={"clusters": ["p5-efa", "others"]},
        eks_ListNodegroups={"nodegroups": [given("workers"), given("workers", "b"), given("others"), "system"]},
        ec2_DescribeNatGateways=gateways({"SubnetId": A, **own}),
    )
    assert others == {
        "L-0263D0A3": 2,
        "L-F678F1CE": 0,
        "L-A4707A72": 1,
        "L-1194D53C": 1,
        "L-6D54EA21": 3,
        "L-FE5A380F": 0,
    }


def given(group: str, last: str = "a") -> str:
    """A managed group's name in AWS."""
    return f"{group}-2026112110304512340000000{last}"


def test_a_cluster_that_is_not_made_has_no_node_groups() -> None:
    """EKS says that there is no such cluster; where it says nothing it is not known."""
    assert resources("p5-odcr", eks_ListNodegroups=ABSENT)[1]["L-6D54EA21"] == 0
    assert "L-6D54EA21" not in resources("p5-odcr", eks_ListNodegroups=None)[1]


ZONES = {
    "Subnets": [
        {"SubnetId": A, "AvailabilityZone": "us-west-2a"},
        {"SubnetId": B, "AvailabilityZone": "us-west-2b"},
        {"SubnetId": ELSEWHERE, "AvailabilityZone": "us-west-2d"},
    ]
}
REGIONAL = {"NatGatewayAddresses": [{"AvailabilityZone": "us-west-2a"}, {"AvailabilityZone": "us-west-2a"}]}
"""It is in a zone once, whatever addresses it has there."""


@pytest.mark.parametrize(
    ("said", "subnets", "others"),
    [
        (gateways({"SubnetId": A}, {"SubnetId": A}, {"SubnetId": B}), ZONES, 2),
        (gateways({"SubnetId": ELSEWHERE}, {"SubnetId": ELSEWHERE}), ZONES, 0),
        (gateways({"SubnetId": A}, REGIONAL), ZONES, 2),
        (gateways(REGIONAL), None, 1),
        (gateways({"SubnetId": A}), {"Subnets": []}, 0),
        (gateways({"SubnetId": A}), None, None),
        (None, ZONES, None),
    ],
    ids=["two-in-one", "elsewhere", "regional", "regional-alone", "no-such-subnet", "subnets-denied", "denied"],
)
def test_nat_gateways_are_counted_in_the_fullest_zone(said: Any, subnets: Any, others: int | None) -> None:
    """Of those zones that get one here: the stack has one in us-west-2a, or in each of its zones."""
    told = resources("p5-efa", ec2_DescribeNatGateways=said, ec2_DescribeSubnets=subnets)[1]
    assert told.get("L-FE5A380F") == others


def test_lustre_is_counted_by_deployment_type() -> None:
    """In GiB; those of other types, of other kinds and the stack's own are left out."""
    kind = {"LustreConfiguration": {"DeploymentType": "PERSISTENT_2"}}
    systems = [
        {"StorageCapacity": 4800, **kind},
        {"StorageCapacity": 1200, **kind, "Tags": [{"Key": "muster:stack", "Value": "pcluster-gpu"}]},
        {"StorageCapacity": 2400, "LustreConfiguration": {"DeploymentType": "SCRATCH_2"}},
        {"StorageCapacity": 64, "OpenZFSConfiguration": {}},
    ]
    assert resources("pcluster-gpu", fsx_DescribeFileSystems={"FileSystems": systems})[1] == {"L-8F1B9C74": 4800}
