"""Views of reservations, groups of them and Capacity Blocks, however little of them is known."""

from typing import Any

import pytest

from muster.fleet.registration import Registration
from muster.fleet.resources import (
    CapacityReservation,
    PlacementGroup,
    Ref,
    ReservationGroup,
)
from muster.fleet.resources.ec2 import GENERIC, POOL, RESERVATION_TYPE
from muster.fleet.resources.ref import (
    CAPACITY_BLOCK,
    CAPACITY_RESERVATION,
    PLACEMENT_GROUP,
    RESOURCE_GROUP,
)
from muster.unknown import UNKNOWN
from tests.policies.views.registrations import registered, seen

MEMBER = "aws:resourcegroups/resource:Resource"
ARN = "arn:aws:ec2:us-west-2:210987654321:capacity-reservation/cr-0123456789abcdef0"
ONLY = {"name": "allowed-resource-types", "values": [RESERVATION_TYPE]}
GROUP, RESERVATION, BLOCK = (
    Ref(RESOURCE_GROUP, "ours"),
    Ref(CAPACITY_RESERVATION, "ours"),
    Ref(CAPACITY_BLOCK, "ours"),
)


def member(name: str, arn: Any, *behind: Ref, of: Any = UNKNOWN, group: Ref = GROUP) -> Registration:
    needs = {"groupArn": [group], "resourceArn": list(behind)}
    return registered(MEMBER, name, groupArn=of, resourceArn=arn, needs=needs)


@pytest.mark.parametrize(
    ("configurations", "expected", "allowed"),
    [
        ([{"type": POOL}, {"type": GENERIC, "parameters": [ONLY]}], {POOL, GENERIC}, {RESERVATION_TYPE}),
        ({"type": POOL}, {POOL}, frozenset()),
        ([{"type": GENERIC, "parameters": {**ONLY, "values": UNKNOWN}}], {GENERIC}, UNKNOWN),
        ([{"type": GENERIC, "parameters": [{"name": "other", "values": ["x"]}]}], {GENERIC}, frozenset()),
        ([{"type": GENERIC, "parameters": UNKNOWN}, {"type": POOL}], {GENERIC, POOL}, UNKNOWN),
        ([{"type": GENERIC, "parameters": [{"name": UNKNOWN, "values": ["x"]}]}], {GENERIC}, UNKNOWN),
        ([{"type": UNKNOWN}, {"type": POOL}], UNKNOWN, UNKNOWN),
        (UNKNOWN, UNKNOWN, UNKNOWN),
        ([UNKNOWN], UNKNOWN, UNKNOWN),
    ],
)
def test_what_is_known_of_its_configuration(configurations: Any, expected: Any, allowed: Any) -> None:
    (found,) = seen(registered(RESOURCE_GROUP, "ours", configurations=configurations)).of(ReservationGroup)
    assert (found.configurations, found.allowed, found.members) == (expected, allowed, ())


@pytest.mark.parametrize("configurations", [None, [], [{"type": "AWS::NetworkFirewall::RuleGroup"}], "text"])
def test_a_group_of_other_things_is_none_of_ours(configurations: Any) -> None:
    assert seen(registered(RESOURCE_GROUP, "ours", configurations=configurations)).of(ReservationGroup) == ()


@pytest.mark.parametrize("configurations", [[{"type": POOL}], UNKNOWN, [UNKNOWN]])
@pytest.mark.parametrize(
    ("entry", "members"),
    [
        (member("one", ARN), (ARN,)),
        (member("one", UNKNOWN, RESERVATION), (RESERVATION,)),
        (member("one", UNKNOWN), UNKNOWN),
        (member("one", ARN, of="arn:ours"), (ARN,)),
        (member("one", ARN, group=Ref(RESOURCE_GROUP, "another")), ()),
        (member("one", ARN, of="arn:another"), ()),
        (member("one", None), ()),
    ],
)
def test_its_members(configurations: Any, entry: Registration, members: object) -> None:
    """By ARN, by what stands behind an unknown one, and of this group alone; whatever is known of its configuration."""
    made = registered(RESOURCE_GROUP, "ours", configurations=configurations, id="arn:ours")
    other = registered(RESOURCE_GROUP, "another", configurations=[{"type": POOL}], id="arn:another")
    reservation = registered(CAPACITY_RESERVATION, "ours")
    fleet = seen(made, other, reservation, entry)
    found = fleet.find(ReservationGroup, GROUP)
    assert found is not None
    assert found.members == members


@pytest.mark.parametrize("preview", [False, True])
def test_a_reservation_of_the_program(*, preview: bool) -> None:
    """`"4"` is four; its placement group goes by the program's own where its ARN is unknown."""
    arn = UNKNOWN if preview else "arn:aws:ec2:us-west-2:210987654321:placement-group/tight"
    made = registered(
        CAPACITY_RESERVATION,
        "ours",
        instanceType="p5.48xlarge",
        availabilityZone="us-west-2a",
        instanceCount="4",
        instancePlatform="Linux/UNIX",
        placementGroupArn=arn,
        startDate="2026-12-01T00:00:00Z",
        needs={"placementGroupArn": [Ref(PLACEMENT_GROUP, "tight")]},
    )
    placement = registered(PLACEMENT_GROUP, "tight", name="tight", strategy="cluster")
    fleet = seen(made, placement)
    (found,) = fleet.of(CapacityReservation)
    assert (found.instance, found.zone, found.count) == ("p5.48xlarge", "us-west-2a", 4)
    assert (found.platform, found.tenancy, found.starts) == ("Linux/UNIX", None, "2026-12-01T00:00:00Z")
    assert found.placement_group == (Ref(PLACEMENT_GROUP, "tight") if preview else arn)
    (judged,) = fleet.of(PlacementGroup)
    assert (judged.name, judged.strategy) == ("tight", "cluster")
