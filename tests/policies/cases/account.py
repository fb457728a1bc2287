"""What an account says of the things that a description names: the network, offerings, what is free."""

from typing import Any

from muster.config.description.capacity import Capacity, ReservationGroup
from muster.fleet.facts import Facts
from muster.fleet.resources import CapacityTarget, Fleet, InstanceGroup, Placement
from muster.fleet.unknown import UNKNOWN
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
from tests.policies.case import case
from tests.slurms import WORKERS as SLURM_WORKERS
from tests.slurms import a_head, a_resource, a_slurm_fleet

VPC = "vpc-0123456789abcdef0"
OTHER = "vpc-00000000000000001"
WORKERS = "groups.workers"
RESERVATION = f"{WORKERS}.capacity.reservation"
PRIVATE = "network.existing.private"
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


@case()
def everything_is_there() -> Fleet:
    return asked()


# what is not there


@case(f"named-things-exist @ {RESERVATION}.id")
def a_reservation_that_nobody_knows() -> Fleet:
    return asked({f"reservations.{CR}": {"exists": False}})


@case(f"named-things-exist @ {RESERVATION}.id")
def a_reservation_whose_share_waits() -> Fleet:
    return asked({f"reservations.{CR}": {"exists": False, "invitation": INVITATION}})


@case("named-things-exist @ network.existing.vpc")
def a_vpc_that_nobody_knows() -> Fleet:
    """What is in it is in another: that is the same mistake."""
    return asked({f"vpcs.{VPC}": {"exists": False}, f"subnets.{A}.vpc": OTHER, f"subnets.{B}.vpc": OTHER})


@case(f"named-things-exist @ {PRIVATE}.us-west-2a", "named-things-exist @ network.existing.public.us-west-2b")
def two_subnets_that_nobody_knows() -> Fleet:
    return asked({f"subnets.{A}": {"exists": False}, f"subnets.{D_PUBLIC}": {"exists": False}})


@case("reservation-usable @ groups.workers.capacity.reservation-group.arn")
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


@case("vpc-resolves-names @ network.existing.vpc")
def a_vpc_without_dns() -> Fleet:
    return asked({f"vpcs.{VPC}.dnsSupport": False, f"vpcs.{VPC}.dnsHostnames": False})


@case("vpc-resolves-names @ network.existing.vpc")
def a_vpc_without_host_names() -> Fleet:
    return asked({f"vpcs.{VPC}.dnsHostnames": False})


@case(f"named-things-in-vpc @ {PRIVATE}.us-west-2b")
def a_subnet_of_another_vpc() -> Fleet:
    return asked({f"subnets.{B}.vpc": OTHER})


@case("named-things-in-vpc @ network.existing.vpc")
def all_subnets_of_another_vpc() -> Fleet:
    return asked({f"subnets.{A}.vpc": OTHER, f"subnets.{B}.vpc": OTHER})


@case("named-things-in-vpc @ groups.workers.security-groups[0]")
def a_security_group_of_another_vpc() -> Fleet:
    group = {SG: {"selfIngress": True, "selfEgress": True, "vpc": OTHER}}
    return described({f"{WORKERS}.security-groups": [SG]}, facts=told({"securityGroups": group}))


# placement


@case("placement-group-by-provenance @ groups.workers.capacity.reservation.placement-group")
def a_reservation_of_ones_own_outside_any_placement_group() -> Fleet:
    """Without a word of it Muster makes one, and instances in it do not match."""
    said = {f"{RESERVATION}.provided-by": "you"}
    return described(said, facts=told({f"reservations.{CR}.placementGroup": "none"}))


@case()
def a_reservation_outside_any_placement_group_that_is_said_to_be() -> Fleet:
    said = {f"{RESERVATION}.provided-by": "you", f"{RESERVATION}.placement-group": "none"}
    return described(said, facts=told({f"reservations.{CR}.placementGroup": "none"}))


@case()
def a_reservation_of_awss_outside_any_placement_group() -> Fleet:
    return asked({f"reservations.{CR}.placementGroup": "none"})


# offerings


def offered(*zones: str, instance: str = "p5.48xlarge") -> Facts:
    """Facts of an account that is offered a type there."""
    return facts(offerings={instance: list(zones)}, **TEN_NODES)


@case(f"type-offered-in-zone @ {WORKERS}.zone")
def a_type_that_is_offered_elsewhere() -> Fleet:
    return a_fleet(facts=offered("us-west-2b", "us-west-2c"))


@case(f"type-offered-in-zone @ {WORKERS}.zone")
def a_type_that_is_offered_nowhere() -> Fleet:
    return a_fleet(facts=offered())


@case()
def a_type_that_is_offered_where_no_table_has_it() -> Fleet:
    """The account's own answer stands before what another account saw (`instance-offered-in-zone`)."""
    g5 = a_template(instance="g5.8xlarge", interfaces=())
    return a_fleet(g5, a_group(zone="us-west-2a"), facts=offered("us-west-2a", instance="g5.8xlarge"))


@case()
def a_reserved_type_that_is_offered_elsewhere() -> Fleet:
    """The reservation is where it is."""
    known = reservation_facts(availableInstances=1).model_dump(mode="json", by_alias=True, exclude_defaults=True)
    reserved = a_template(**on()), a_group(reservation=a_reservation())
    return a_fleet(*reserved, facts=facts(**known, offerings={"p5.48xlarge": ["us-west-2b"]}))


@case(f"type-offered-in-zone @ {WORKERS}.zone")
def hyperpods_type_is_offered_elsewhere() -> Fleet:
    known = hyperpod_facts().model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return a_hyperpod_fleet(known=facts(**known, offerings={"p5.48xlarge": ["us-west-2b"]}))


@case()
def a_training_plans_type_is_offered_elsewhere() -> Fleet:
    known = plan_facts().model_dump(mode="json", by_alias=True, exclude_defaults=True)
    held: InstanceGroup = an_instance_group(training_plan=PLAN)
    return a_hyperpod_fleet(held, known=facts(**known, offerings={"p5.48xlarge": ["us-west-2b"]}))


@case("type-offered-in-zone @ head.zone", "type-offered-in-zone @ queues.train.zones")
def slurms_types_are_offered_elsewhere() -> Fleet:
    said = {"p5.48xlarge": ["us-west-2b"], "m5.8xlarge": ["us-west-2b", "us-west-2c"]}
    return a_slurm_fleet(known=facts(offerings=said))


@case()
def a_head_node_nobody_knows_the_zone_of() -> Fleet:
    return a_slurm_fleet(a_head(subnet=UNKNOWN), known=facts(offerings={"m5.8xlarge": []}))


# what is free of a reservation


def free(available: int, *groups: Any, **more: Any) -> Fleet:
    """The default group on a reservation of four, of which so many are free, and others on it."""
    workers = a_group(**{"nodes_start": 2, "nodes_max": 4, "reservation": a_reservation(count=4), **more})
    known = reservation_facts(totalInstances=4, availableInstances=available)
    return a_fleet(a_template(**on()), workers, *groups, facts=known)


@case()
def as_many_free_as_start() -> Fleet:
    return free(2)


@case(f"reservation-free-for-nodes @ {WORKERS}.nodes")
def fewer_free_than_start() -> Fleet:
    return free(1)


@case(f"reservation-free-for-nodes @ {WORKERS}.nodes")
def none_free() -> Fleet:
    return free(0)


@case()
def none_free_and_none_start() -> Fleet:
    return free(0, nodes_start=0, nodes_min=0)


@case(f"reservation-free-for-nodes @ {WORKERS}.nodes")
def fewer_free_than_two_groups_start_with() -> Fleet:
    """Said once."""
    more = a_group("more", template=a_template(**on()).ref, reservation=a_reservation(count=4))
    return free(2, more, nodes_max=3)


@case(f"reservation-covers-nodes @ {RESERVATION}.count")
def more_nodes_than_it_holds_and_than_are_free() -> Fleet:
    """Too small is too small, whoever else is in it."""
    return free(1, nodes_max=5)


@case(f"reservation-free-for-nodes @ {SLURM_WORKERS}.nodes")
def slurms_static_nodes_and_too_few_free() -> Fleet:
    target = CapacityTarget(reservation=CR)
    known = reservation_facts(totalInstances=4, availableInstances=3)
    return a_slurm_fleet(a_resource(target=target, placement=Placement(enabled=False)), known=known)


@case()
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
