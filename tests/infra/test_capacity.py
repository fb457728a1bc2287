"""What is made for a group's capacity: groups of reservations, and Capacity Blocks that are bought."""

from typing import Any

import pytest

from muster.fleet.resources import ref as types
from tests.infra.registered import Registered, registered

MEMBER = "aws:resourcegroups/resource:Resource"
ARN = "arn:aws:ec2:us-west-2:210987654321:capacity-reservation/cr-0000000000000000"
HELD = {"zone": "us-west-2a", "count": 2}
OFFERING = "cb-0123456789abcdef0"
W = "groups.workers.capacity"


def of_reservations(provided_by: str = "aws", **edits: Any) -> Registered:
    said = {**HELD, "create": [f"{ARN}1", f"{ARN}2"], "provided-by": provided_by}
    return registered({W: {"reservation-group": said}, **edits})


def bought(offering: str = OFFERING, by: str | None = "head.of.research", **edits: Any) -> Registered:
    buy = {"offering": offering, **({"approved": {"offering": offering, "by": by}} if by else {})}
    block = {**HELD, "buy": buy, "starts": "2026-12-01", "ends": "2026-12-15"}
    return registered({W: {"capacity-block": block}, **edits})


def test_a_group_that_ec2_takes_as_a_target() -> None:
    """The first entry makes it one, the second keeps everything but reservations out."""
    group = of_reservations().one(types.RESOURCE_GROUP, "workers").inputs
    assert group["name"] == "muster-test-workers"
    assert group["configurations"] == [
        {"type": "AWS::EC2::CapacityReservationPool"},
        {
            "type": "AWS::ResourceGroups::Generic",
            "parameters": [{"name": "allowed-resource-types", "values": ["AWS::EC2::CapacityReservation"]}],
        },
    ]


def test_its_members_are_in_it_before_anything_launches() -> None:
    program = of_reservations()
    group = program.one(types.RESOURCE_GROUP, "workers")
    members = program.named(MEMBER)
    assert {name: each.inputs for name, each in members.items()} == {
        f"workers-cr-0000000000000000{digit}": {"groupArn": group.outputs["arn"], "resourceArn": f"{ARN}{digit}"}
        for digit in "12"
    }
    nodes = program.one(types.NODE_GROUP, "workers")
    assert {each.urn for each in members.values()} <= set(nodes.dependencies)


@pytest.mark.parametrize("own", [False, True])
def test_instances_launch_nowhere_else(*, own: bool) -> None:
    """A full group launches on-demand without the preference, and says nothing."""
    program = of_reservations(**{"groups.workers.self-managed": own})
    template = program.one(types.LAUNCH_TEMPLATE, "workers").inputs
    assert template["capacityReservationSpecification"] == {
        "capacityReservationPreference": "capacity-reservations-only",
        "capacityReservationTarget": {
            "capacityReservationResourceGroupArn": program.one(types.RESOURCE_GROUP, "workers").outputs["arn"]
        },
    }
    assert "instanceMarketOptions" not in template


def test_a_purchase_says_who_approved_it() -> None:
    """It stays when the stack goes, and nothing that changes in it buys another: AWS takes nothing back."""
    (block,) = bought().named(types.CAPACITY_BLOCK).values()
    assert block.inputs["capacityBlockOfferingId"] == OFFERING
    assert block.inputs["instancePlatform"] == "Linux/UNIX"
    assert block.inputs["tags"]["muster:approved-by"] == "head.of.research"
    assert block.inputs["tags"]["muster:approved-offering"] == OFFERING
    assert "pulumi:pulumi:Stack" in block.parent, "the stack's own: no group takes it along"
    assert block.options["retainOnDelete"] is True
    assert block.options["ignoreChanges"] == ["capacityBlockOfferingId", "instancePlatform"]


def test_another_offering_is_another_purchase() -> None:
    """Never an update of the first one, and never the same name."""
    first, second = (
        next(iter(bought(offering).named(types.CAPACITY_BLOCK).values())) for offering in (OFFERING, f"{OFFERING}1")
    )
    assert first.name == OFFERING
    assert second.name == f"{OFFERING}1"
    assert first.urn != second.urn
    again = bought(by="someone.else").one(types.CAPACITY_BLOCK, first.name)
    assert again.urn == first.urn


@pytest.mark.parametrize("own", [False, True])
def test_nodes_are_launched_into_what_was_bought(*, own: bool) -> None:
    """By its id, with the block's market type, in no placement group; none before it begins."""
    program = bought(**{"groups.workers.self-managed": own, "groups.workers.nodes": 2})
    (block,) = program.named(types.CAPACITY_BLOCK).values()
    template = program.one(types.LAUNCH_TEMPLATE, "workers").inputs
    assert template["capacityReservationSpecification"] == {
        "capacityReservationTarget": {"capacityReservationId": block.id}
    }
    assert template["instanceMarketOptions"] == {"marketType": "capacity-block"}
    assert types.PLACEMENT_GROUP not in program.types
    if own:
        group = program.one(types.AUTO_SCALING_GROUP, "workers").inputs
        assert (group["minSize"], group["desiredCapacity"], group["maxSize"]) == (0, 0, 2)
    else:
        scaling = program.one(types.NODE_GROUP, "workers").inputs["scalingConfig"]
        assert scaling == {"minSize": 0, "desiredSize": 0, "maxSize": 2}
        assert program.one(types.NODE_GROUP, "workers").inputs["capacityType"] == "CAPACITY_BLOCK"
