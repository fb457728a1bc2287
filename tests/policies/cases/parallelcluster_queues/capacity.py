"""What queues run on: on-demand, spot, reservations, Capacity Blocks."""

from muster.fleet.resources import CapacityTarget, Fleet
from muster.fleet.unknown import UNKNOWN
from tests.factories import CR
from tests.policies.case import case
from tests.policies.queues import on_block, on_demand_of, on_spot, said_of_block
from tests.slurms import a_queue, a_resource, a_slurm_fleet


@case("parallelcluster-block-fixed @ queues.train.groups.workers.nodes")
def a_block_of_fewer_at_least() -> Fleet:
    return on_block(nodes_min=2)


@case("parallelcluster-block-fixed @ queues.train.groups.workers.nodes")
def a_block_of_none() -> Fleet:
    return on_block(nodes_min=0)


@case(
    "nodes-in-order @ queues.train.groups.workers.nodes",
    "parallelcluster-block-fixed @ queues.train.groups.workers.nodes",
)
def a_block_of_none_at_most() -> Fleet:
    return on_block(nodes_min=0, nodes_max=0)


@case("parallelcluster-block-fixed @ queues.train.groups.workers.capacity")
def a_block_without_its_id() -> Fleet:
    return on_block(target=CapacityTarget())


@case(
    unjudged=(
        "reservation-covers-nodes @ queues.train.groups.workers",
        "reservation-instance-type-matches @ queues.train.groups.workers",
        "reservation-zone-matches-subnet @ queues.train.groups.workers",
    )
)
def a_block_of_an_id_not_yet_known() -> Fleet:
    return on_block(target=CapacityTarget(reservation=UNKNOWN))


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
    return on_block(target=UNKNOWN)


@case()
def a_block() -> Fleet:
    return on_block()


@case()
def a_block_as_aws_knows_it() -> Fleet:
    return on_block(known=said_of_block("capacity-block"))


@case()
def a_reservation_as_on_demand() -> Fleet:
    return on_demand_of("default")


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
    return on_spot(target=CapacityTarget(reservation=CR))


@case(
    unjudged=(
        "parallelcluster-spot-without-reservation @ queues.train.groups.workers",
        "reservation-covers-nodes @ queues.train.groups.workers",
        "reservation-instance-type-matches @ queues.train.groups.workers",
        "reservation-zone-matches-subnet @ queues.train.groups.workers",
    )
)
def spot_on_a_group_not_yet_known() -> Fleet:
    return on_spot(target=CapacityTarget(group=UNKNOWN))


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
    return on_spot(target=UNKNOWN)


@case()
def spot() -> Fleet:
    return on_spot()


@case("parallelcluster-reservation-single-type @ queues.train.groups.workers.capacity")
def a_list_on_a_reservation() -> Fleet:
    return on_demand_of("default", flexible=True)


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


@case("parallelcluster-types-alike @ queues.train.groups.workers.instance")
def a_list_of_types_that_differ_with_one_thread_on_each_core() -> Fleet:
    types = ("p5.48xlarge", "p4d.24xlarge")
    return a_slurm_fleet(a_resource(flexible=True, threads_per_core=1, instances=types))


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
    return on_block(allocation="lowest-price")


@case()
def a_strategy_of_on_demand() -> Fleet:
    return a_slurm_fleet(a_queue(allocation="prioritized"), a_resource(flexible=True))


@case(unjudged=("parallelcluster-allocation-strategy-fits @ queues.train",))
def a_strategy_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_queue(allocation=UNKNOWN), a_resource(flexible=True))
