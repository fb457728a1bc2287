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
from muster.fleet.unknown import UNKNOWN
from tests.factories import A, B, a_subnet, facts
from tests.policies.case import case
from tests.slurms import a_head, a_pcluster, a_queue, a_resource, a_slurm_fleet

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


@case()
def on_a_reservation() -> Fleet:
    return on()


@case("reservation-instance-type-matches @ queues.train.groups.workers.instance")
def on_a_reservation_of_another_type() -> Fleet:
    return on(known=reserved(instanceType="p4d.24xlarge"))


@case()
def a_type_that_the_reservation_decides() -> Fleet:
    return on(instances=())


@case("reservation-zone-matches-subnet @ queues.train.groups.workers.capacity.reservation.zone")
def on_a_reservation_in_another_zone() -> Fleet:
    return on(known=reserved(zone="us-west-2b"))


@case("reservation-covers-nodes @ queues.train.groups.workers.capacity.reservation.count")
def on_a_reservation_that_is_too_small() -> Fleet:
    return on(known=reserved(totalInstances=3))


@case(
    "reservation-covers-nodes @ queues.train.groups.more.capacity.reservation.count",
    "reservation-covers-nodes @ queues.train.groups.workers.capacity.reservation.count",
)
def two_on_a_reservation_that_is_too_small() -> Fleet:
    more = a_resource("more", target=CapacityTarget(reservation=CR), placement=UNPLACED)
    return on(more, known=reserved(totalInstances=7))


@case("reservation-usable @ queues.train.groups.workers.capacity.reservation.id")
def on_a_reservation_that_is_over() -> Fleet:
    return on(known=reserved(state="expired"))


@case("reservation-usable @ queues.train.groups.workers.capacity.reservation.id")
def on_a_reservation_of_dedicated_tenancy() -> Fleet:
    return on(known=reserved(tenancy="dedicated"))


@case("reservation-usable @ queues.train.groups.workers.capacity.reservation.id")
def red_hat_on_a_reservation_for_linux() -> Fleet:
    return on(a_pcluster(os="rhel9"))


@case()
def red_hat_on_a_reservation_for_red_hat() -> Fleet:
    return on(a_pcluster(os="rhel9"), known=reserved(platform="Red Hat Enterprise Linux"))


@case("reservation-usable @ queues.train.groups.workers.capacity.capacity-block.id")
def red_hat_on_a_block_for_linux() -> Fleet:
    known = reserved(reservationType="capacity-block")
    block = {"capacity_type": "CAPACITY_BLOCK"}
    return on(a_pcluster(os="rhel9"), a_queue(**block), known=known, **block)


@case("reservation-usable @ queues.train.groups.workers.capacity.reservation.id")
def amazon_linux_on_a_reservation_for_red_hat() -> Fleet:
    return on(known=reserved(platform="Red Hat Enterprise Linux"))


@case(
    unjudged=(
        "parallelcluster-os-supported @ ",
        "reservation-usable @ queues.train.groups.workers",
    )
)
def an_operating_system_not_yet_known_on_a_reservation() -> Fleet:
    return on(a_pcluster(os=UNKNOWN))


@case("reservation-usable @ queues.train.groups.workers.capacity.reservation.id")
def a_block_named_as_a_reservation() -> Fleet:
    return on(known=reserved(reservationType="capacity-block"))


@case(
    unjudged=(
        "placement-group-by-provenance @ queues.train.groups.workers",
        "reservation-covers-nodes @ queues.train.groups.workers",
        "reservation-instance-type-matches @ queues.train.groups.workers",
        "reservation-usable @ queues.train.groups.workers",
        "reservation-zone-matches-subnet @ queues.train.groups.workers",
    )
)
def on_a_reservation_of_which_nobody_speaks() -> Fleet:
    return on(placement=PLACED, known=facts())


@case("reservation-target-single @ queues.train.groups.workers.capacity")
def on_a_reservation_and_a_group() -> Fleet:
    return on(target=CapacityTarget(reservation=CR, group=GROUP))


@case(
    unjudged=(
        "reservation-covers-nodes @ queues.train.groups.workers",
        "reservation-group-configured @ queues.train.groups.workers",
        "reservation-group-has-members @ queues.train.groups.workers",
        "reservation-instance-type-matches @ queues.train.groups.workers",
        "reservation-usable @ queues.train.groups.workers",
        "reservation-zone-matches-subnet @ queues.train.groups.workers",
    )
)
def on_a_group_of_which_nobody_speaks() -> Fleet:
    return on(target=CapacityTarget(group=GROUP), known=facts())


@case("reservation-group-one-region @ queues.train.groups.workers.capacity.reservation-group.arn")
def on_a_group_of_another_region() -> Fleet:
    elsewhere = GROUP.replace("us-west-2", "us-east-1")
    pool = ["AWS::EC2::CapacityReservationPool", "AWS::ResourceGroups::Generic"]
    known = {**reserved().model_dump(by_alias=True, exclude_none=True, mode="json")}
    known["reservationGroups"] = {elsewhere: {"reservations": [CR], "configurations": pool}}
    return on(target=CapacityTarget(group=elsewhere), known=Facts.model_validate(known))


# placement


@case("placement-group-by-provenance @ queues.train.groups.workers.capacity.reservation.placement-group")
def outside_the_reservations_placement_group() -> Fleet:
    return on(placement=PLACED, known=reserved(placementGroup="theirs"))


@case()
def in_the_reservations_placement_group() -> Fleet:
    return on(placement=Placement(enabled=True, name="theirs"), known=reserved(placementGroup="theirs"))


SPREAD = PlacementGroup(Ref(PLACEMENT_GROUP, "spread"), "spread", "spread", Place("urn:spread"))


@case(
    "placement-group-holds-reservations @ queues.train.groups.workers",
    unjudged=("placement-group-by-provenance @ queues.train.groups.workers",),
)
def a_reservation_in_a_spread_group() -> Fleet:
    placed = Placement(enabled=True, name=SPREAD.ref)
    return on(SPREAD, placement=placed, known=reserved(placementGroup="spread"))


TWO_ZONES: dict[str, Any] = {"subnets": (A, B), "instances": ("m5.2xlarge", "c5.2xlarge"), "flexible": True}


@case("placement-group-one-zone @ queues.train.zones")
def a_placement_group_in_two_zones() -> Fleet:
    return a_slurm_fleet(a_queue(subnets=(A, B)), a_resource(efa=False, **TWO_ZONES))


@case()
def two_zones_without_a_placement_group() -> Fleet:
    return a_slurm_fleet(a_queue(subnets=(A, B)), a_resource(efa=False, placement=UNPLACED, **TWO_ZONES))


# Capacity Blocks


@case()
def on_a_block() -> Fleet:
    return on_block()


@case("capacity-block-no-placement-group @ queues.train.groups.workers.capacity.capacity-block")
def a_block_in_a_placement_group() -> Fleet:
    return on_block(placement=PLACED)


@case(
    unjudged=(
        "capacity-block-no-placement-group @ queues.train.groups.workers",
        "parallelcluster-placement-named-once @ queues.train.groups.workers",
    )
)
def a_block_perhaps_in_a_placement_group() -> Fleet:
    return on_block(placement=UNKNOWN)


@case("reservation-usable @ queues.train.groups.workers.capacity.capacity-block.id")
def a_reservation_named_as_a_block() -> Fleet:
    return on_block(reserved())


@case("capacity-block-instance-type @ queues.train.groups.workers.instance")
def a_block_of_g5() -> Fleet:
    return on_block(reserved(reservationType="capacity-block", instanceType="g5.48xlarge"), instances=("g5.48xlarge",))


@case()
def a_block_that_has_not_begun() -> Fleet:
    """ParallelCluster holds its nodes back until then."""
    return on_block(reserved(reservationType="capacity-block", state="scheduled", startDate=None))


# EFA


@case("efa-fits-instance @ queues.train.groups.workers.efa")
def efa_on_m5() -> Fleet:
    return a_slurm_fleet(a_resource(instances=("m5.8xlarge",)))


@case("efa-single-zone @ queues.train.zones")
def efa_in_two_zones() -> Fleet:
    return a_slurm_fleet(
        a_queue(subnets=(A, B)),
        a_resource(subnets=(A, B), instances=("g4dn.12xlarge", "g5.12xlarge"), flexible=True),
    )


@case("efa-used-fully @ queues.train.groups.workers.efa")
def training_without_efa() -> Fleet:
    return a_slurm_fleet(a_resource(instances=("g5.12xlarge",), efa=False, purpose=Purpose.TRAINING))


@case()
def one_efa_interface_unused_for_nobody_knows_what() -> Fleet:
    return a_slurm_fleet(a_resource(instances=("g5.12xlarge",), efa=False))


@case("efa-used-fully @ queues.train.groups.workers.efa")
def two_efa_interfaces_unused_for_nobody_knows_what() -> Fleet:
    return a_slurm_fleet(a_resource(instances=("g6e.24xlarge",), efa=False))


@case()
def inference_without_efa() -> Fleet:
    return a_slurm_fleet(a_resource(efa=False, purpose=Purpose.INFERENCE))


def _bare(**more: Any) -> SecurityGroup:
    return SecurityGroup(Ref(SECURITY_GROUP, "own"), False, False, Place("urn:own"), **more)


REPLACED: dict[str, Any] = {"security_groups": (Ref(SECURITY_GROUP, "own"),), "replaces_groups": True}


@case("efa-security-groups-allow-themselves @ queues.train.groups.workers.security-groups")
def groups_in_place_of_parallelclusters_that_do_not_allow_themselves() -> Fleet:
    return a_slurm_fleet(a_head(**REPLACED), a_queue(**REPLACED), a_resource(**REPLACED), _bare())


@case()
def the_same_groups_beside_parallelclusters_own() -> Fleet:
    return a_slurm_fleet(a_resource(security_groups=REPLACED["security_groups"]), _bare())


@case(unjudged=("efa-security-groups-allow-themselves @ queues.train.groups.workers",))
def groups_of_others_in_place_of_parallelclusters() -> Fleet:
    theirs: dict[str, Any] = {"security_groups": (OWN,), "replaces_groups": True}
    return a_slurm_fleet(a_head(**theirs), a_queue(**theirs), a_resource(**theirs))


# networks


@case("several-interfaces-no-public-ip @ queues.train.groups.workers")
def a_public_ip_beside_efa() -> Fleet:
    return a_slurm_fleet(a_queue(public_ip=True), a_resource(public_ip=True))


@case("nodes-without-public-address @ queues.train.groups.workers")
def a_public_ip_on_one_interface() -> Fleet:
    return a_slurm_fleet(a_queue(public_ip=True), a_resource(public_ip=True, instances=("m5.2xlarge",), efa=False))


@case("several-interfaces-private-subnets @ queues.train.groups.workers.subnets")
def several_cards_in_a_public_subnet() -> Fleet:
    """p5.48xlarge has several without EFA, too."""
    return a_slurm_fleet(
        a_resource(efa=False, purpose=Purpose.INFERENCE), subnets=[a_subnet(public=True, map_public_ip=None)]
    )


@case(unjudged=("several-interfaces-private-subnets @ queues.train.groups.workers",))
def one_of_two_subnets_of_which_one_is_public() -> Fleet:
    other = a_subnet("subnet-00000000000000001", public=True)
    among = PossibleReferences(1, (A, other.id))
    unseen = {"subnets": UNKNOWN}
    return a_slurm_fleet(a_queue(**unseen), a_resource(subnets_among=among, **unseen), subnets=[other])


@case()
def one_of_two_private_subnets() -> Fleet:
    """Whichever it is."""
    other = a_subnet("subnet-00000000000000001")
    unseen: dict[str, Any] = {"subnets": UNKNOWN}
    among = PossibleReferences(1, (A, other.id))
    return a_slurm_fleet(a_queue(**unseen), a_resource(subnets_among=among, **unseen), subnets=[a_subnet(), other])


@case(unjudged=("several-interfaces-private-subnets @ queues.train.groups.workers",))
def one_of_two_subnets_of_which_one_is_said_to_be_public() -> Fleet:
    """Its nodes are given no public address by it, and would have no way out."""
    other = a_subnet("subnet-00000000000000001", public=True, map_public_ip=False)
    unseen: dict[str, Any] = {"subnets": UNKNOWN}
    among = PossibleReferences(1, (A, other.id))
    return a_slurm_fleet(a_queue(**unseen), a_resource(subnets_among=among, **unseen), subnets=[a_subnet(), other])


@case("subnet-holds-nodes @ queues.train.groups.workers.nodes")
def more_nodes_than_addresses() -> Fleet:
    return a_slurm_fleet(subnets=[a_subnet(free_addresses=3)])


@case("subnet-holds-all-nodes @ queues.train.groups.workers.nodes")
def more_nodes_at_most_than_addresses() -> Fleet:
    return a_slurm_fleet(a_resource(nodes_max=8), subnets=[a_subnet(free_addresses=7)])


@case("group-has-subnet @ queues.train.zones")
def a_queue_without_subnets() -> Fleet:
    return a_slurm_fleet(a_queue(subnets=()), a_resource(subnets=()))


@case("group-has-subnet @ queues.train.zones")
def a_queue_in_a_zone_without_subnets() -> Fleet:
    return a_slurm_fleet(a_queue(subnets=(), zones=("us-west-2c",)), a_resource(subnets=()))


@case("group-has-subnet @ queues.train.zones", unjudged=("quota-covers-vcpus @ queues.train.groups.workers",))
def a_queue_in_another_zone_than_its_reservation() -> Fleet:
    """The network is right, and lists no subnet there."""
    on_one = Capacity.model_validate(
        {"reservation": {"id": CR, "zone": "us-west-2a", "count": 4, "provided-by": "aws"}}
    )
    return a_slurm_fleet(a_queue(subnets=(), zones=("us-west-2c",)), a_resource(subnets=(), capacity=on_one))


@case("group-has-subnet @ head.zone")
def a_head_node_without_a_subnet() -> Fleet:
    return a_slurm_fleet(a_head(subnet=None))


@case("nodes-in-order @ queues.train.groups.workers.nodes")
def more_nodes_at_least_than_at_most() -> Fleet:
    return a_slurm_fleet(a_resource(nodes_min=5))


@case("spot-not-for-training @ queues.train.groups.workers")
def efa_on_spot() -> Fleet:
    return a_slurm_fleet(a_queue(capacity_type="SPOT"), a_resource(capacity_type="SPOT"))


# Lustre


def a_lustre(**more: Any) -> LustreFileSystem:
    """Beside the nodes, in a group that lets all of ParallelCluster's in."""
    said: dict[str, Any] = {"size": 4800, "deployment": "PERSISTENT_2", "disk": "SSD", "throughput": 250}
    said |= {"subnets": (A,), "security_groups": (STORAGE_GROUP,), "place": Place("storage.fsx"), **more}
    return LustreFileSystem(Ref(LUSTRE, "fsx"), **said)


@case()
def lustre_of_parallelclusters() -> Fleet:
    return a_slurm_fleet(a_lustre())


@case("lustre-size-valid @ storage.fsx.size")
def lustre_off_the_matrix() -> Fleet:
    return a_slurm_fleet(a_lustre(size=5000))


@case("lustre-in-training-zone @ storage.fsx.zone")
def lustre_in_another_zone() -> Fleet:
    return a_slurm_fleet(a_lustre(subnets=(B,)))


@case("lustre-ports-open @ storage.fsx")
def lustre_that_lets_no_node_in() -> Fleet:
    fsx = Ref(SECURITY_GROUP, "fsx")
    itself = frozenset(
        tcp(direction, *ports, fsx) for direction in (INGRESS, EGRESS) for ports in ((988, 988), (1018, 1023))
    )
    group = SecurityGroup(fsx, False, False, Place("urn:fsx"), allows=itself)
    return a_slurm_fleet(a_lustre(security_groups=(fsx,)), group)


@case("group-has-subnet @ queues.train.zones")
def a_queue_with_a_subnet_in_one_of_its_zones() -> Fleet:
    return a_slurm_fleet(a_queue(zones=("us-west-2a", "us-west-2c")))


# what the program makes


@case("capacity-block-purchase-approved @ queues.train.groups.workers.capacity.capacity-block.buy.approved")
def a_block_that_nobody_approved() -> Fleet:
    place = Place("queues.train.groups.workers.capacity.capacity-block.buy")
    return a_slurm_fleet(CapacityBlockPurchase(Ref(CAPACITY_BLOCK, "cb-1"), "cb-1", None, None, place))


@case("reservation-created-legal @ urn:ours")
def a_reservation_of_too_many() -> Fleet:
    said = {"instance": "p5.48xlarge", "zone": "us-west-2a", "count": 1001, "placement_group": None, "starts": None}
    return a_slurm_fleet(CapacityReservation(Ref(CAPACITY_RESERVATION, "ours"), place=Place("urn:ours"), **said))


# templates


CLOSED = Ref(TEMPLATE, "theirs")


@case("parallelcluster-template-readable @ urn:theirs")
def a_template_that_is_none() -> Fleet:
    return Fleet((ClosedTemplate(CLOSED, Place("urn:theirs"), fault="no template", remedy="write one"),))


@case(unjudged=("parallelcluster-template-readable @ urn:theirs",))
def a_template_not_yet_known() -> Fleet:
    return Fleet((ClosedTemplate(CLOSED, Place("urn:theirs"), missing="its template, not known before creation"),))
