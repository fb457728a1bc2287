"""Queues and compute resources of ParallelCluster: rules that only they have."""

from typing import Any

from muster.fleet.facts import Facts
from muster.fleet.resources import CapacityTarget, Fleet, Placement, Subnet
from muster.fleet.unknown import UNKNOWN
from tests.factories import CR, A, B, facts
from tests.policies.case import case
from tests.slurms import IMAGE, a_pcluster, a_queue, a_resource, a_script, a_slurm_fleet, image_facts

C = "subnet-0cccccccccccccccc"
PLAIN = ("c5.2xlarge",)


def _on_block(known: Facts | None = None, allocation: str | None = None, **said: Any) -> Fleet:
    """Four nodes of a Capacity Block, of which something else is said."""
    resource = {"target": CapacityTarget(reservation=CR), "placement": Placement(enabled=False), **said}
    queue = a_queue(capacity_type="CAPACITY_BLOCK", allocation=allocation)
    return a_slurm_fleet(queue, a_resource(capacity_type="CAPACITY_BLOCK", **resource), known=known or _said_of_block())


def _on_demand_of(kind: str, **said: Any) -> Fleet:
    """Four on-demand nodes of a reservation that AWS says something of."""
    resource = a_resource(target=CapacityTarget(reservation=CR), placement=Placement(enabled=False), **said)
    return a_slurm_fleet(resource, known=_said_of_block(kind))


def _on_spot(**said: Any) -> Fleet:
    """Spot instances without EFA, of which something else is said."""
    resource = a_resource(instances=PLAIN, efa=False, capacity_type="SPOT", placement=Placement(enabled=False), **said)
    return a_slurm_fleet(a_queue(capacity_type="SPOT"), resource, known=_said_of_block("default", *PLAIN))


def _said_of_block(kind: str = "capacity-block", instance: str = "p5.48xlarge") -> Facts:
    """What AWS says of the reservation: four instances in us-west-2a."""
    usable = {"state": "active", "platform": "Linux/UNIX", "tenancy": "default", "reservationType": kind}
    holds = {"instanceType": instance, "zone": "us-west-2a", "totalInstances": 4}
    return facts(reservations={CR: {**holds, **usable}})


# names and numbers


@case("parallelcluster-names-legal @ queues.train")
def a_queue_named_default() -> Fleet:
    return a_slurm_fleet(a_queue(name="default"))


@case("parallelcluster-names-legal @ queues.train")
def a_queue_named_in_26_letters() -> Fleet:
    return a_slurm_fleet(a_queue(name="a" * 26))


@case("parallelcluster-names-legal @ queues.train.groups.workers")
def a_resource_named_in_capitals() -> Fleet:
    return a_slurm_fleet(a_resource(name="Workers"))


@case("parallelcluster-names-legal @ queues.train")
def a_queue_without_a_name() -> Fleet:
    return a_slurm_fleet(a_queue(name=None))


@case(unjudged=("parallelcluster-names-legal @ queues.train.groups.workers",))
def a_resource_of_a_name_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_resource(name=UNKNOWN))


@case("parallelcluster-names-distinct @ queues")
def two_queues_of_one_name() -> Fleet:
    return a_slurm_fleet(a_queue("again", name="train"))


@case("parallelcluster-names-distinct @ queues.train.groups")
def two_resources_of_one_name() -> Fleet:
    return a_slurm_fleet(a_resource("again", name="workers"))


@case("parallelcluster-counts-within-limits @ queues")
def too_many_queues() -> Fleet:
    return a_slurm_fleet(*(a_queue(f"queue-{index}") for index in range(50)))


@case("parallelcluster-counts-within-limits @ queues", "parallelcluster-shared-volume-serves-fleet @ queues")
def too_many_resources() -> Fleet:
    return a_slurm_fleet(*(a_resource(f"group-{index}") for index in range(50)))


# subnets


@case("parallelcluster-queue-one-subnet @ queues.train.zones")
def a_queue_in_two_subnets() -> Fleet:
    return a_slurm_fleet(a_queue(subnets=(A, B)))


@case()
def a_queue_of_lists_in_two_subnets() -> Fleet:
    return a_slurm_fleet(a_queue(subnets=(A, B)), a_resource(flexible=True, instances=PLAIN, efa=False))


@case(unjudged=("parallelcluster-queue-one-subnet @ queues.train",))
def a_queue_in_subnets_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_queue(subnets=UNKNOWN))


@case("parallelcluster-queue-subnets-apart @ queues.train.zones")
def a_queue_in_one_subnet_twice() -> Fleet:
    return a_slurm_fleet(a_queue(subnets=(A, A)), a_resource(flexible=True, instances=PLAIN, efa=False))


@case("parallelcluster-queue-subnets-apart @ queues.train.zones")
def a_queue_in_two_subnets_of_a_zone() -> Fleet:
    return a_slurm_fleet(
        a_queue(subnets=(A, C)),
        a_resource(flexible=True, instances=PLAIN, efa=False),
        subnets=(Subnet(C, declared_zone="us-west-2a"),),
    )


@case(unjudged=("parallelcluster-queue-subnets-apart @ queues.train",))
def a_queue_in_a_subnet_of_which_nothing_is_known() -> Fleet:
    return a_slurm_fleet(
        a_queue(subnets=(A, "subnet-nobody-knows")), a_resource(flexible=True, instances=PLAIN, efa=False)
    )


# capacity


@case("parallelcluster-block-fixed @ queues.train.groups.workers.nodes")
def a_block_of_fewer_at_least() -> Fleet:
    return _on_block(nodes_min=2)


@case("parallelcluster-block-fixed @ queues.train.groups.workers.nodes")
def a_block_of_none() -> Fleet:
    return _on_block(nodes_min=0)


@case(
    "nodes-in-order @ queues.train.groups.workers.nodes",
    "parallelcluster-block-fixed @ queues.train.groups.workers.nodes",
)
def a_block_of_none_at_most() -> Fleet:
    return _on_block(nodes_min=0, nodes_max=0)


@case("parallelcluster-block-fixed @ queues.train.groups.workers.capacity")
def a_block_without_its_id() -> Fleet:
    return _on_block(target=CapacityTarget())


@case(
    unjudged=(
        "reservation-covers-nodes @ queues.train.groups.workers",
        "reservation-instance-type-matches @ queues.train.groups.workers",
        "reservation-zone-matches-subnet @ queues.train.groups.workers",
    )
)
def a_block_of_an_id_not_yet_known() -> Fleet:
    return _on_block(target=CapacityTarget(reservation=UNKNOWN))


@case(
    unjudged=(
        "parallelcluster-block-fixed @ queues.train.groups.workers",
        "reservation-covers-nodes @ queues.train.groups.workers",
        "reservation-instance-type-matches @ queues.train.groups.workers",
        "reservation-target-single @ queues.train.groups.workers",
        "reservation-zone-matches-subnet @ queues.train.groups.workers",
    )
)
def a_block_not_yet_known() -> Fleet:
    return _on_block(target=UNKNOWN)


@case()
def a_block() -> Fleet:
    return _on_block()


@case()
def a_block_as_aws_knows_it() -> Fleet:
    return _on_block(known=_said_of_block("capacity-block"))


@case()
def a_reservation_as_on_demand() -> Fleet:
    return _on_demand_of("default")


@case("parallelcluster-capacity-type-known @ queues.train")
def a_capacity_type_of_another_service() -> Fleet:
    return a_slurm_fleet(a_queue(capacity_type="ON_DEMAND"))


@case()
def a_capacity_type_left_out() -> Fleet:
    return a_slurm_fleet(a_queue(capacity_type=None), a_resource(capacity_type=None))


@case(
    unjudged=(
        "parallelcluster-block-fixed @ queues.train.groups.workers",
        "parallelcluster-capacity-type-known @ queues.train",
        "spot-not-for-training @ queues.train.groups.workers",
    )
)
def a_capacity_type_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_queue(capacity_type=UNKNOWN), a_resource(capacity_type=UNKNOWN))


@case("parallelcluster-spot-without-reservation @ queues.train.groups.workers.capacity")
def spot_on_a_reservation() -> Fleet:
    return _on_spot(target=CapacityTarget(reservation=CR))


@case(
    unjudged=(
        "parallelcluster-spot-without-reservation @ queues.train.groups.workers",
        "reservation-covers-nodes @ queues.train.groups.workers",
        "reservation-instance-type-matches @ queues.train.groups.workers",
        "reservation-zone-matches-subnet @ queues.train.groups.workers",
    )
)
def spot_on_a_group_not_yet_known() -> Fleet:
    return _on_spot(target=CapacityTarget(group=UNKNOWN))


@case(
    unjudged=(
        "parallelcluster-spot-without-reservation @ queues.train.groups.workers",
        "reservation-covers-nodes @ queues.train.groups.workers",
        "reservation-instance-type-matches @ queues.train.groups.workers",
        "reservation-target-single @ queues.train.groups.workers",
        "reservation-zone-matches-subnet @ queues.train.groups.workers",
    )
)
def spot_on_nobody_knows_what() -> Fleet:
    return _on_spot(target=UNKNOWN)


@case()
def spot() -> Fleet:
    return _on_spot()


@case("parallelcluster-reservation-single-type @ queues.train.groups.workers.capacity")
def a_list_on_a_reservation() -> Fleet:
    return _on_demand_of("default", flexible=True)


@case(
    unjudged=(
        "parallelcluster-reservation-single-type @ queues.train.groups.workers",
        "reservation-covers-nodes @ queues.train.groups.workers",
        "reservation-instance-type-matches @ queues.train.groups.workers",
        "reservation-target-single @ queues.train.groups.workers",
        "reservation-zone-matches-subnet @ queues.train.groups.workers",
    )
)
def a_list_on_nobody_knows_what() -> Fleet:
    return a_slurm_fleet(a_resource(flexible=True, target=UNKNOWN))


@case("parallelcluster-types-alike @ queues.train.groups.workers.instance")
def a_list_of_types_that_differ() -> Fleet:
    return a_slurm_fleet(a_resource(flexible=True, instances=("p5.48xlarge", "p4d.24xlarge")))


@case()
def a_list_of_types_that_are_alike() -> Fleet:
    return a_slurm_fleet(a_resource(flexible=True, instances=("p4d.24xlarge", "p4de.24xlarge")))


@case(
    unjudged=(
        "efa-fits-instance @ queues.train.groups.workers",
        "parallelcluster-mount-dirs-apart @ ",
        "parallelcluster-one-architecture @ queues.train.groups.workers",
        "parallelcluster-types-alike @ queues.train.groups.workers",
        "subnet-holds-nodes @ queues.train.groups.workers",
    )
)
def a_list_of_types_that_nobody_knows() -> Fleet:
    return a_slurm_fleet(a_resource(flexible=True, instances=("p5.48xlarge", "x9.huge")))


@case(
    unjudged=(
        "instance-type-catalogued @ queues.train.groups.workers",
        "efa-fits-instance @ queues.train.groups.workers",
        "instance-offered-in-zone @ queues.train.groups.workers",
        "parallelcluster-mount-dirs-apart @ ",
        "parallelcluster-one-architecture @ queues.train.groups.workers",
        "several-interfaces-private-subnets @ queues.train.groups.workers",
        "subnet-holds-nodes @ queues.train.groups.workers",
    )
)
def types_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_resource(instances=UNKNOWN))


@case("parallelcluster-allocation-strategy-fits @ queues.train.capacity")
def a_strategy_of_spot() -> Fleet:
    return a_slurm_fleet(a_queue(allocation="capacity-optimized"), a_resource(flexible=True))


@case()
def a_strategy_of_one_type() -> Fleet:
    return a_slurm_fleet(a_queue(allocation="capacity-optimized"))


@case("parallelcluster-allocation-strategy-fits @ queues.train.capacity")
def a_strategy_of_a_block() -> Fleet:
    return _on_block(allocation="lowest-price")


@case()
def a_strategy_of_on_demand() -> Fleet:
    return a_slurm_fleet(a_queue(allocation="prioritized"), a_resource(flexible=True))


@case(unjudged=("parallelcluster-allocation-strategy-fits @ queues.train",))
def a_strategy_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_queue(allocation=UNKNOWN), a_resource(flexible=True))


# EFA and placement


@case("parallelcluster-efa-placement-stated @ queues.train.groups.workers")
def efa_without_a_word_of_placement() -> Fleet:
    return a_slurm_fleet(a_resource(placement=Placement()))


@case()
def efa_without_placement() -> Fleet:
    return a_slurm_fleet(a_resource(placement=Placement(enabled=False)))


@case()
def efa_in_a_named_placement_group() -> Fleet:
    return a_slurm_fleet(a_resource(placement=Placement(name="mine")))


@case()
def no_efa_and_no_word_of_placement() -> Fleet:
    return a_slurm_fleet(a_resource(instances=PLAIN, efa=False, placement=Placement()))


@case(
    unjudged=(
        "parallelcluster-efa-placement-stated @ queues.train.groups.workers",
        "parallelcluster-placement-named-once @ queues.train.groups.workers",
    )
)
def placement_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_resource(placement=UNKNOWN))


@case(
    unjudged=(
        "efa-single-zone @ queues.train.groups.workers",
        "efa-used-fully @ queues.train.groups.workers",
        "parallelcluster-efa-placement-stated @ queues.train.groups.workers",
    )
)
def efa_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_resource(efa=UNKNOWN, placement=Placement()))


@case("parallelcluster-placement-named-once @ queues.train.groups.workers")
def placement_by_name_and_id() -> Fleet:
    return a_slurm_fleet(a_resource(placement=Placement(True, "mine", both=True)))


@case("parallelcluster-placement-named-once @ queues.train.groups.workers")
def placement_that_is_named_and_off() -> Fleet:
    return a_slurm_fleet(a_resource(placement=Placement(False, "mine")))


@case(unjudged=("parallelcluster-placement-named-once @ queues.train.groups.workers",))
def placement_that_is_named_and_nobody_knows_whether_on() -> Fleet:
    return a_slurm_fleet(a_resource(placement=Placement(UNKNOWN, "mine")))


@case("parallelcluster-gdr-beside-efa @ queues.train.groups.workers.efa")
def gpudirect_without_efa() -> Fleet:
    return a_slurm_fleet(a_resource(instances=PLAIN, efa=False, gdr=True))


@case()
def gpudirect_with_efa() -> Fleet:
    return a_slurm_fleet(a_resource(gdr=True))


@case(
    unjudged=(
        "efa-single-zone @ queues.train.groups.workers",
        "efa-used-fully @ queues.train.groups.workers",
        "parallelcluster-gdr-beside-efa @ queues.train.groups.workers",
    )
)
def gpudirect_with_nobody_knows() -> Fleet:
    return a_slurm_fleet(a_resource(efa=UNKNOWN, gdr=True))


# nodes


@case("parallelcluster-memory-within-instance @ queues.train.groups.workers.memory")
def more_memory_than_there_is() -> Fleet:
    return a_slurm_fleet(a_resource(memory_mib=2**22))


@case("parallelcluster-memory-within-instance @ queues.train.groups.workers.memory")
def no_memory_at_all() -> Fleet:
    return a_slurm_fleet(a_resource(memory_mib=0))


@case()
def as_much_memory_as_there_is() -> Fleet:
    return a_slurm_fleet(a_resource(memory_mib=2 * 1024 * 1024))


@case(unjudged=("parallelcluster-memory-within-instance @ queues.train.groups.workers",))
def memory_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_resource(memory_mib=UNKNOWN))


@case("parallelcluster-one-architecture @ queues.train.groups.workers.instance")
def arm_beside_x86() -> Fleet:
    return a_slurm_fleet(a_resource(instances=("p6e-gb200.36xlarge",)))


@case(
    "parallelcluster-one-architecture @ queues.train.groups.workers.instance",
    "parallelcluster-os-runs-type @ queues.train.groups.workers.instance",
)
def arm_on_red_hat() -> Fleet:
    return a_slurm_fleet(a_pcluster(os="rhel9"), a_resource(instances=("p6e-gb200.36xlarge",)))


@case(
    "parallelcluster-one-architecture @ queues.train.groups.workers.instance",
    unjudged=("parallelcluster-os-runs-type @ queues.train.groups.workers", "parallelcluster-os-supported @ "),
)
def arm_on_nobody_knows_what() -> Fleet:
    return a_slurm_fleet(a_pcluster(os=UNKNOWN), a_resource(instances=("p6e-gb200.36xlarge",)))


@case("parallelcluster-image-drives-type @ queues.train.groups.workers.instance")
def a_v100_on_parallelclusters_image() -> Fleet:
    return a_slurm_fleet(a_resource(instances=("p3dn.24xlarge",)))


@case()
def a_v100_on_an_image_of_ones_own() -> Fleet:
    return a_slurm_fleet(a_pcluster(image=IMAGE), a_resource(instances=("p3dn.24xlarge",)), known=image_facts())


@case("parallelcluster-neuron-software @ queues.train.groups.workers.instance")
def trainium_without_a_driver() -> Fleet:
    return a_slurm_fleet(a_resource(instances=("trn1.32xlarge",)))


@case()
def trainium_with_a_script() -> Fleet:
    return a_slurm_fleet(a_queue(scripts=a_script()), a_resource(instances=("trn1.32xlarge",)))


@case("parallelcluster-neuron-software @ queues.train.groups.workers.instance")
def trainium_with_docker_alone() -> Fleet:
    return a_slurm_fleet(
        a_queue(
            scripts=a_script(
                "https://raw.githubusercontent.com/aws-samples/aws-parallelcluster-post-install-scripts/x/docker/postinstall.sh"
            )
        ),
        a_resource(instances=("trn1.32xlarge",)),
    )


@case()
def trainium_with_an_image() -> Fleet:
    return a_slurm_fleet(a_queue(image=IMAGE), a_resource(instances=("trn1.32xlarge",)), known=image_facts())


@case("parallelcluster-shared-volume-serves-fleet @ queues")
def more_than_a_hundred_nodes() -> Fleet:
    return a_slurm_fleet(a_resource(nodes_min=0, nodes_max=101))


@case()
def a_hundred_nodes() -> Fleet:
    return a_slurm_fleet(a_resource(nodes_min=0, nodes_max=100))


@case("parallelcluster-tags-legal @ queues.train.groups.workers.tags")
def too_many_tags_together() -> Fleet:
    return a_slurm_fleet(
        a_queue(tags=frozenset(f"tag-{index}" for index in range(20))),
        a_resource(tags=frozenset(f"own-{index}" for index in range(19))),
    )


@case(unjudged=("parallelcluster-tags-legal @ queues.train.groups.workers",))
def tags_of_a_resource_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_resource(tags=UNKNOWN))


@case(unjudged=("parallelcluster-tags-legal @ queues.train.groups.workers",))
def tags_of_a_queue_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_queue(tags=UNKNOWN))


@case("parallelcluster-slurm-settings-allowed @ queues.train")
def a_setting_that_is_a_queues() -> Fleet:
    return a_slurm_fleet(a_queue(slurm_settings=frozenset({"State", "MaxTime"})))


@case("parallelcluster-slurm-settings-allowed @ queues.train.groups.workers")
def a_setting_that_is_a_nodes() -> Fleet:
    return a_slurm_fleet(a_resource(slurm_settings=frozenset({"Gres", "Features"})))
