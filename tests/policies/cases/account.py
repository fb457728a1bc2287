"""What an account says of the things that a description names: the network, offerings, what is free."""

from typing import Any

from muster.fleet.facts import Facts
from muster.fleet.resources import Fleet
from tests.factories import (
    CR,
    A,
    B,
    a_fleet,
    a_group,
    a_reservation,
    a_template,
    described,
    edited,
    facts,
    on,
    reservation_facts,
)
from tests.policies.case import case, cases

VPC = "vpc-0123456789abcdef0"
OTHER = "vpc-00000000000000001"
WORKERS = "groups.workers"
RESERVATION = f"{WORKERS}.capacity.reservation"
TEN_NODES = {"quotas": {"L-417A185B": 1920}}
AWS_SAYS = {
    **TEN_NODES,
    "reservations": {
        CR: {
            "exists": True,
            "state": "active",
            "platform": "Linux/UNIX",
            "tenancy": "default",
            "reservationType": "default",
            "instanceType": "p5.48xlarge",
            "zone": "us-west-2a",
            "totalInstances": 1,
            "availableInstances": 1,
        }
    },
    "subnets": {
        A: {"exists": True, "vpc": VPC, "wayOut": "nat", "mapPublicIpOnLaunch": False, "freeAddresses": 4000},
        B: {"exists": True, "vpc": VPC, "wayOut": "nat", "mapPublicIpOnLaunch": False, "freeAddresses": 4000},
    },
    "vpcs": {VPC: {"exists": True, "dnsSupport": True, "dnsHostnames": True, "endpoints": []}},
    "offerings": {"p5.48xlarge": ["us-west-2a"], "c5.2xlarge": ["us-west-2a", "us-west-2b"]},
}
"""Everything of the default description."""


def told(edits: dict[str, Any] | None = None) -> Facts:
    """What AWS says, edited at dotted paths."""
    return facts(**edited(AWS_SAYS, edits or {}))


def asked(edits: dict[str, Any] | None = None, **described_edits: Any) -> Fleet:
    """The default description, of which AWS says that."""
    return described({key.replace("_", "."): value for key, value in described_edits.items()}, facts=told(edits))


# what is not there


cases(
    a_reservation_that_nobody_knows=lambda: asked({f"reservations.{CR}": {"exists": False}}),
)


@case
def members_that_nobody_knows() -> Fleet:
    """The group is there, and says that they are in it."""
    arn = "arn:aws:resource-groups:us-west-2:210987654321:group/p5"
    held = {"arn": arn, "zone": "us-west-2a", "count": 1, "provided-by": "aws"}
    known = {
        "reservationGroups": {
            arn: {
                "reservations": [CR],
                "configurations": ["AWS::EC2::CapacityReservationPool", "AWS::ResourceGroups::Generic"],
            }
        },
        f"reservations.{CR}": {
            "exists": False,
            "instanceType": "p5.48xlarge",
            "zone": "us-west-2a",
            "totalInstances": 1,
        },
    }
    return described({f"{WORKERS}.capacity": {"reservation-group": held}}, facts=told(known))


# the VPC


cases(
    a_vpc_without_dns=lambda: asked({f"vpcs.{VPC}.dnsSupport": False, f"vpcs.{VPC}.dnsHostnames": False}),
    a_subnet_of_another_vpc=lambda: asked({f"subnets.{B}.vpc": OTHER}),
)


# placement


cases(
    # Without a word of it Muster makes one, and instances in it do not match.
    a_reservation_of_ones_own_outside_any_placement_group=lambda: described(
        {f"{RESERVATION}.provided-by": "you"}, facts=told({f"reservations.{CR}.placementGroup": "none"})
    ),
)


# offerings


def offered(*zones: str, instance: str = "p5.48xlarge") -> Facts:
    """Facts of an account that is offered a type there."""
    return facts(offerings={instance: list(zones)}, **TEN_NODES)


cases(
    a_type_that_is_offered_elsewhere=lambda: a_fleet(facts=offered("us-west-2b", "us-west-2c")),
)


# what is free of a reservation


def free(available: int, *groups: Any, **more: Any) -> Fleet:
    """The default group on a reservation of four, of which so many are free, and others on it."""
    workers = a_group(**{"nodes_start": 2, "nodes_max": 4, "reservation": a_reservation(count=4), **more})
    known = reservation_facts(totalInstances=4, availableInstances=available)
    return a_fleet(a_template(**on()), workers, *groups, facts=known)


cases(
    fewer_free_than_start=lambda: free(1),
)
