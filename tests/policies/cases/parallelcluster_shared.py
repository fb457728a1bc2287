"""Clusters on ParallelCluster, by the rules that EKS's node groups have, too."""

from typing import Any

from muster.config.description.capacity import Capacity
from muster.config.description.node_group import Purpose
from muster.fleet.facts import Facts
from muster.fleet.resources import (
    CapacityBlockPurchase,
    CapacityReservation,
    CapacityTarget,
    ClosedTemplate,
    Fleet,
    LustreFileSystem,
    Place,
    Placement,
    PlacementGroup,
    PossibleReferences,
    Ref,
    SecurityGroup,
)
from muster.fleet.resources.ec2 import EGRESS, INGRESS, tcp
from muster.fleet.resources.parallelcluster import STORAGE_GROUP, TEMPLATE
from muster.fleet.resources.ref import CAPACITY_BLOCK, CAPACITY_RESERVATION, LUSTRE, PLACEMENT_GROUP, SECURITY_GROUP
from muster.unknown import UNKNOWN
from tests.factories import A, B, a_subnet, facts
from tests.factories.parallelcluster_fleets import a_head, a_pcluster, a_queue, a_resource, a_slurm_fleet
from tests.policies.case import case, cases

CR = "cr-0123456789abcdef0"
GROUP = "arn:aws:resource-groups:us-west-2:111122223333:group/reserved"
OWN = "sg-0123456789abcdef0"
PLACED = Placement(enabled=True)
UNPLACED = Placement(enabled=False)


def reserved(**said: Any) -> Facts:
    """What AWS says of the reservation: four p5.48xlarge in us-west-2a, in no placement group."""
    known = {"instanceType": "p5.48xlarge", "zone": "us-west-2a", "totalInstances": 4, "state": "active"}
    known |= {"platform": "Linux/UNIX", "tenancy": "default", "reservationType": "default", **said}
    return facts(reservations={CR: {key: value for key, value in known.items() if value is not None}})


def on(*things: Any, known: Facts | None = None, **said: Any) -> Fleet:
    """Workers on the reservation, in no placement group."""
    workers = {"target": CapacityTarget(reservation=CR), "placement": UNPLACED, **said}
    return a_slurm_fleet(a_resource(**workers), *things, known=known or reserved())


def on_block(known: Facts | None = None, **said: Any) -> Fleet:
    """Workers on a Capacity Block."""
    return on(
        a_queue(capacity_type="CAPACITY_BLOCK"),
        known=known or reserved(reservationType="capacity-block"),
        capacity_type="CAPACITY_BLOCK",
        **said,
    )


# reservations


cases(
    on_a_reservation=lambda: on(),
    on_a_reservation_of_another_type=lambda: on(known=reserved(instanceType="p4d.24xlarge")),
    a_type_that_the_reservation_decides=lambda: on(instances=()),
    on_a_reservation_in_another_zone=lambda: on(known=reserved(zone="us-west-2b")),
    on_a_reservation_that_is_too_small=lambda: on(known=reserved(totalInstances=3)),
    two_on_a_reservation_that_is_too_small=lambda: on(
        a_resource("more", target=CapacityTarget(reservation=CR), placement=UNPLACED), known=reserved(totalInstances=7)
    ),
    on_a_reservation_that_is_over=lambda: on(known=reserved(state="expired")),
    on_a_reservation_of_dedicated_tenancy=lambda: on(known=reserved(tenancy="dedicated")),
    red_hat_on_a_reservation_for_linux=lambda: on(a_pcluster(os="rhel9")),
    red_hat_on_a_reservation_for_red_hat=lambda: on(
        a_pcluster(os="rhel9"), known=reserved(platform="Red Hat Enterprise Linux")
    ),
)


@case
def red_hat_on_a_block_for_linux() -> Fleet:
    known = reserved(reservationType="capacity-block")
    block = {"capacity_type": "CAPACITY_BLOCK"}
    return on(a_pcluster(os="rhel9"), a_queue(**block), known=known, **block)


cases(
    amazon_linux_on_a_reservation_for_red_hat=lambda: on(known=reserved(platform="Red Hat Enterprise Linux")),
    an_operating_system_not_yet_known_on_a_reservation=lambda: on(a_pcluster(os=UNKNOWN)),
    a_block_named_as_a_reservation=lambda: on(known=reserved(reservationType="capacity-block")),
    on_a_reservation_of_which_nobody_speaks=lambda: on(placement=PLACED, known=facts()),
    on_a_reservation_and_a_group=lambda: on(target=CapacityTarget(reservation=CR, group=GROUP)),
    on_a_group_of_which_nobody_speaks=lambda: on(target=CapacityTarget(group=GROUP), known=facts()),
)


@case
def on_a_group_of_another_region() -> Fleet:
    elsewhere = GROUP.replace("us-west-2", "us-east-1")
    pool = ["AWS::EC2::CapacityReservationPool", "AWS::ResourceGroups::Generic"]
    known = {**reserved().model_dump(by_alias=True, exclude_none=True, mode="json")}
    known["reservationGroups"] = {elsewhere: {"reservations": [CR], "configurations": pool}}
    return on(target=CapacityTarget(group=elsewhere), known=Facts.model_validate(known))


# placement


cases(
    outside_the_reservations_placement_group=lambda: on(placement=PLACED, known=reserved(placementGroup="theirs")),
    in_the_reservations_placement_group=lambda: on(
        placement=Placement(enabled=True, name="theirs"), known=reserved(placementGroup="theirs")
    ),
)


SPREAD = PlacementGroup(Ref(PLACEMENT_GROUP, "spread"), "spread", "spread", Place("urn:spread"))


cases(
    a_reservation_in_a_spread_group=lambda: on(
        SPREAD, placement=Placement(enabled=True, name=SPREAD.ref), known=reserved(placementGroup="spread")
    ),
)


TWO_ZONES: dict[str, Any] = {"subnets": (A, B), "instances": ("m5.2xlarge", "c5.2xlarge"), "flexible": True}


cases(
    a_placement_group_in_two_zones=lambda: a_slurm_fleet(a_queue(subnets=(A, B)), a_resource(efa=False, **TWO_ZONES)),
    two_zones_without_a_placement_group=lambda: a_slurm_fleet(
        a_queue(subnets=(A, B)), a_resource(efa=False, placement=UNPLACED, **TWO_ZONES)
    ),
)


# Capacity Blocks


cases(
    on_a_block=lambda: on_block(),
    a_block_in_a_placement_group=lambda: on_block(placement=PLACED),
    a_block_perhaps_in_a_placement_group=lambda: on_block(placement=UNKNOWN),
    a_reservation_named_as_a_block=lambda: on_block(reserved()),
    a_block_of_g5=lambda: on_block(
        reserved(reservationType="capacity-block", instanceType="g5.48xlarge"), instances=("g5.48xlarge",)
    ),
    # ParallelCluster holds its nodes back until then.
    a_block_that_has_not_begun=lambda: on_block(
        reserved(reservationType="capacity-block", state="scheduled", startDate=None)
    ),
)


# EFA


cases(
    efa_on_m5=lambda: a_slurm_fleet(a_resource(instances=("m5.8xlarge",))),
    efa_in_two_zones=lambda: a_slurm_fleet(
        a_queue(subnets=(A, B)),
        a_resource(subnets=(A, B), instances=("g4dn.12xlarge", "g5.12xlarge"), flexible=True),
    ),
    training_without_efa=lambda: a_slurm_fleet(
        a_resource(instances=("g5.12xlarge",), efa=False, purpose=Purpose.TRAINING)
    ),
    one_efa_interface_unused_for_nobody_knows_what=lambda: a_slurm_fleet(
        a_resource(instances=("g5.12xlarge",), efa=False)
    ),
    two_efa_interfaces_unused_for_nobody_knows_what=lambda: a_slurm_fleet(
        a_resource(instances=("g6e.24xlarge",), efa=False)
    ),
    inference_without_efa=lambda: a_slurm_fleet(a_resource(efa=False, purpose=Purpose.INFERENCE)),
)


def _bare(**more: Any) -> SecurityGroup:
    return SecurityGroup(Ref(SECURITY_GROUP, "own"), Place("urn:own"), **more)


REPLACED: dict[str, Any] = {"security_groups": (Ref(SECURITY_GROUP, "own"),), "replaces_groups": True}


cases(
    groups_in_place_of_parallelclusters_that_do_not_allow_themselves=lambda: a_slurm_fleet(
        a_head(**REPLACED), a_queue(**REPLACED), a_resource(**REPLACED), _bare()
    ),
    the_same_groups_beside_parallelclusters_own=lambda: a_slurm_fleet(
        a_resource(security_groups=REPLACED["security_groups"]), _bare()
    ),
)


@case
def groups_of_others_in_place_of_parallelclusters() -> Fleet:
    theirs: dict[str, Any] = {"security_groups": (OWN,), "replaces_groups": True}
    return a_slurm_fleet(a_head(**theirs), a_queue(**theirs), a_resource(**theirs))


# networks


cases(
    a_public_ip_beside_efa=lambda: a_slurm_fleet(a_queue(public_ip=True), a_resource(public_ip=True)),
    a_public_ip_on_one_interface=lambda: a_slurm_fleet(
        a_queue(public_ip=True), a_resource(public_ip=True, instances=("m5.2xlarge",), efa=False)
    ),
    # p5.48xlarge has several without EFA, too.
    several_cards_in_a_public_subnet=lambda: a_slurm_fleet(
        a_resource(efa=False, purpose=Purpose.INFERENCE), subnets=[a_subnet(public=True, map_public_ip=None)]
    ),
)


@case
def one_of_two_subnets_of_which_one_is_public() -> Fleet:
    other = a_subnet("subnet-00000000000000001", public=True)
    among = PossibleReferences(1, (A, other.id))
    unseen = {"subnets": UNKNOWN}
    return a_slurm_fleet(a_queue(**unseen), a_resource(subnets_among=among, **unseen), subnets=[other])


@case
def one_of_two_private_subnets() -> Fleet:
    """Whichever it is."""
    other = a_subnet("subnet-00000000000000001")
    unseen: dict[str, Any] = {"subnets": UNKNOWN}
    among = PossibleReferences(1, (A, other.id))
    return a_slurm_fleet(a_queue(**unseen), a_resource(subnets_among=among, **unseen), subnets=[a_subnet(), other])


@case
def one_of_two_subnets_of_which_one_is_said_to_be_public() -> Fleet:
    """Its nodes are given no public address by it, and would have no way out."""
    other = a_subnet("subnet-00000000000000001", public=True, map_public_ip=False)
    unseen: dict[str, Any] = {"subnets": UNKNOWN}
    among = PossibleReferences(1, (A, other.id))
    return a_slurm_fleet(a_queue(**unseen), a_resource(subnets_among=among, **unseen), subnets=[a_subnet(), other])


cases(
    more_nodes_than_addresses=lambda: a_slurm_fleet(subnets=[a_subnet(free_addresses=3)]),
    more_nodes_at_most_than_addresses=lambda: a_slurm_fleet(
        a_resource(nodes_max=8), subnets=[a_subnet(free_addresses=7)]
    ),
    a_queue_without_subnets=lambda: a_slurm_fleet(a_queue(subnets=()), a_resource(subnets=())),
    a_queue_in_a_zone_without_subnets=lambda: a_slurm_fleet(
        a_queue(subnets=(), zones=("us-west-2c",)), a_resource(subnets=())
    ),
)


@case
def a_queue_in_another_zone_than_its_reservation() -> Fleet:
    """The network is right, and lists no subnet there."""
    on_one = Capacity.model_validate(
        {"reservation": {"id": CR, "zone": "us-west-2a", "count": 4, "provided-by": "aws"}}
    )
    return a_slurm_fleet(a_queue(subnets=(), zones=("us-west-2c",)), a_resource(subnets=(), capacity=on_one))


cases(
    a_head_node_without_a_subnet=lambda: a_slurm_fleet(a_head(subnet=None)),
    more_nodes_at_least_than_at_most=lambda: a_slurm_fleet(a_resource(nodes_min=5)),
    efa_on_spot=lambda: a_slurm_fleet(a_queue(capacity_type="SPOT"), a_resource(capacity_type="SPOT")),
)


# Lustre


def a_lustre(**more: Any) -> LustreFileSystem:
    """Beside the nodes, in a group that lets all of ParallelCluster's in."""
    said: dict[str, Any] = {"size": 4800, "deployment": "PERSISTENT_2", "disk": "SSD", "throughput": 250}
    said |= {"subnets": (A,), "security_groups": (STORAGE_GROUP,), "place": Place("storage.fsx"), **more}
    return LustreFileSystem(Ref(LUSTRE, "fsx"), **said)


cases(
    lustre_of_parallelclusters=lambda: a_slurm_fleet(a_lustre()),
    lustre_off_the_matrix=lambda: a_slurm_fleet(a_lustre(size=5000)),
    lustre_in_another_zone=lambda: a_slurm_fleet(a_lustre(subnets=(B,))),
)


@case
def lustre_that_lets_no_node_in() -> Fleet:
    fsx = Ref(SECURITY_GROUP, "fsx")
    itself = frozenset(
        tcp(direction, *ports, fsx) for direction in (INGRESS, EGRESS) for ports in ((988, 988), (1018, 1023))
    )
    group = SecurityGroup(fsx, Place("urn:fsx"), allows=itself)
    return a_slurm_fleet(a_lustre(security_groups=(fsx,)), group)


cases(
    a_queue_with_a_subnet_in_one_of_its_zones=lambda: a_slurm_fleet(a_queue(zones=("us-west-2a", "us-west-2c"))),
)


# what the program makes


@case
def a_block_that_nobody_approved() -> Fleet:
    place = Place("queues.train.groups.workers.capacity.capacity-block.buy")
    return a_slurm_fleet(CapacityBlockPurchase(Ref(CAPACITY_BLOCK, "cb-1"), "cb-1", None, None, place))


@case
def a_reservation_of_too_many() -> Fleet:
    said = {"instance": "p5.48xlarge", "zone": "us-west-2a", "count": 1001, "placement_group": None, "starts": None}
    return a_slurm_fleet(CapacityReservation(Ref(CAPACITY_RESERVATION, "ours"), place=Place("urn:ours"), **said))


# templates


CLOSED = Ref(TEMPLATE, "theirs")


cases(
    a_template_that_is_none=lambda: Fleet(
        (ClosedTemplate(CLOSED, Place("urn:theirs"), fault="no template", remedy="write one"),)
    ),
    a_template_not_yet_known=lambda: Fleet(
        (ClosedTemplate(CLOSED, Place("urn:theirs"), missing="its template (known only after `pulumi up`)"),)
    ),
)
