"""What an account says of the things that a description names: the network, offerings, what is free."""

from typing import Any

from muster.config.description.capacity import Capacity, ReservationGroup
from muster.fleet.facts import Facts
from muster.fleet.resources import CapacityTarget, Fleet, InstanceGroup, Placement
from muster.unknown import UNKNOWN
from tests.factories import (
    CR,
    SG,
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
from tests.hyperpods import PLAN, a_hyperpod_fleet, an_instance_group, hyperpod_facts, plan_facts
from tests.policies.case import case, cases
from tests.slurms import a_head, a_resource, a_slurm_fleet

VPC = "vpc-0123456789abcdef0"
OTHER = "vpc-00000000000000001"
WORKERS = "groups.workers"
RESERVATION = f"{WORKERS}.capacity.reservation"
D_PUBLIC = "subnet-0dddddddddddddddd"
INVITATION = "arn:aws:ram:us-west-2:444455556666:resource-share-invitation/6b1c"
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


cases(
    everything_is_there=lambda: asked(),
)


# what is not there


cases(
    a_reservation_that_nobody_knows=lambda: asked({f"reservations.{CR}": {"exists": False}}),
    a_reservation_whose_share_waits=lambda: asked({f"reservations.{CR}": {"exists": False, "invitation": INVITATION}}),
    # What is in it is in another: that is the same mistake.
    a_vpc_that_nobody_knows=lambda: asked(
        {f"vpcs.{VPC}": {"exists": False}, f"subnets.{A}.vpc": OTHER, f"subnets.{B}.vpc": OTHER}
    ),
    two_subnets_that_nobody_knows=lambda: asked(
        {f"subnets.{A}": {"exists": False}, f"subnets.{D_PUBLIC}": {"exists": False}}
    ),
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
    a_vpc_without_host_names=lambda: asked({f"vpcs.{VPC}.dnsHostnames": False}),
    a_subnet_of_another_vpc=lambda: asked({f"subnets.{B}.vpc": OTHER}),
    all_subnets_of_another_vpc=lambda: asked({f"subnets.{A}.vpc": OTHER, f"subnets.{B}.vpc": OTHER}),
    a_security_group_of_another_vpc=lambda: described(
        {f"{WORKERS}.security-groups": [SG]},
        facts=told({"securityGroups": {SG: {"selfIngress": True, "selfEgress": True, "vpc": OTHER}}}),
    ),
)


# placement


cases(
    # Without a word of it Muster makes one, and instances in it do not match.
    a_reservation_of_ones_own_outside_any_placement_group=lambda: described(
        {f"{RESERVATION}.provided-by": "you"}, facts=told({f"reservations.{CR}.placementGroup": "none"})
    ),
    a_reservation_outside_any_placement_group_that_is_said_to_be=lambda: described(
        {f"{RESERVATION}.provided-by": "you", f"{RESERVATION}.placement-group": "none"},
        facts=told({f"reservations.{CR}.placementGroup": "none"}),
    ),
    a_reservation_of_awss_outside_any_placement_group=lambda: asked({f"reservations.{CR}.placementGroup": "none"}),
)


# offerings


def offered(*zones: str, instance: str = "p5.48xlarge") -> Facts:
    """Facts of an account that is offered a type there."""
    return facts(offerings={instance: list(zones)}, **TEN_NODES)


cases(
    a_type_that_is_offered_elsewhere=lambda: a_fleet(facts=offered("us-west-2b", "us-west-2c")),
    a_type_that_is_offered_nowhere=lambda: a_fleet(facts=offered()),
)


@case
def a_type_that_is_offered_where_no_table_has_it() -> Fleet:
    """The account's own answer stands before what another account saw (`instance-offered-in-zone`)."""
    g5 = a_template(instance="g5.8xlarge", interfaces=())
    return a_fleet(g5, a_group(zone="us-west-2a"), facts=offered("us-west-2a", instance="g5.8xlarge"))


@case
def a_reserved_type_that_is_offered_elsewhere() -> Fleet:
    """The reservation is where it is."""
    known = reservation_facts(availableInstances=1).model_dump(mode="json", by_alias=True, exclude_defaults=True)
    reserved = a_template(**on()), a_group(reservation=a_reservation())
    return a_fleet(*reserved, facts=facts(**known, offerings={"p5.48xlarge": ["us-west-2b"]}))


@case
def hyperpods_type_is_offered_elsewhere() -> Fleet:
    known = hyperpod_facts().model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return a_hyperpod_fleet(known=facts(**known, offerings={"p5.48xlarge": ["us-west-2b"]}))


@case
def a_training_plans_type_is_offered_elsewhere() -> Fleet:
    known = plan_facts().model_dump(mode="json", by_alias=True, exclude_defaults=True)
    held: InstanceGroup = an_instance_group(training_plan=PLAN)
    return a_hyperpod_fleet(held, known=facts(**known, offerings={"p5.48xlarge": ["us-west-2b"]}))


cases(
    slurms_types_are_offered_elsewhere=lambda: a_slurm_fleet(
        known=facts(offerings={"p5.48xlarge": ["us-west-2b"], "m5.8xlarge": ["us-west-2b", "us-west-2c"]})
    ),
    a_head_node_nobody_knows_the_zone_of=lambda: a_slurm_fleet(
        a_head(subnet=UNKNOWN), known=facts(offerings={"m5.8xlarge": []})
    ),
)


# what is free of a reservation


def free(available: int, *groups: Any, **more: Any) -> Fleet:
    """The default group on a reservation of four, of which so many are free, and others on it."""
    workers = a_group(**{"nodes_start": 2, "nodes_max": 4, "reservation": a_reservation(count=4), **more})
    known = reservation_facts(totalInstances=4, availableInstances=available)
    return a_fleet(a_template(**on()), workers, *groups, facts=known)


cases(
    as_many_free_as_start=lambda: free(2),
    fewer_free_than_start=lambda: free(1),
    none_free=lambda: free(0),
    none_free_and_none_start=lambda: free(0, nodes_start=0, nodes_min=0),
    # Said once.
    fewer_free_than_two_groups_start_with=lambda: free(
        2, a_group("more", template=a_template(**on()).ref, reservation=a_reservation(count=4)), nodes_max=3
    ),
    # Too small is too small, whoever else is in it.
    more_nodes_than_it_holds_and_than_are_free=lambda: free(1, nodes_max=5),
    slurms_static_nodes_and_too_few_free=lambda: a_slurm_fleet(
        a_resource(target=CapacityTarget(reservation=CR), placement=Placement(enabled=False)),
        known=reservation_facts(totalInstances=4, availableInstances=3),
    ),
)


@case
def a_group_of_reservations_with_enough_free() -> Fleet:
    """Of two that it can use; a third is for Windows, and of no use."""
    arn, (two, windows) = "arn:aws:resource-groups:us-west-2:210987654321:group/p5", ("cr-00000002", "cr-00000003")
    usable = {"state": "active", "tenancy": "default", "reservationType": "default", "instanceType": "p5.48xlarge"}
    one = {**usable, "zone": "us-west-2a", "platform": "Linux/UNIX", "totalInstances": 2, "availableInstances": 1}
    said = {CR: one, two: one, windows: {**one, "platform": "Windows", "availableInstances": 0}}
    entries = ["AWS::EC2::CapacityReservationPool", "AWS::ResourceGroups::Generic"]
    known = facts(
        reservations=said,
        reservationGroups={arn: {"reservations": list(said), "configurations": entries}},
        **TEN_NODES,
    )
    held = ReservationGroup.model_validate({"arn": arn, "zone": "us-west-2a", "count": 4, "provided-by": "aws"})
    workers = a_group(nodes_start=2, nodes_max=2, capacity=Capacity.model_validate({"reservation-group": held}))
    return a_fleet(
        a_template(target=CapacityTarget(group=arn, preference="capacity-reservations-only")), workers, facts=known
    )
