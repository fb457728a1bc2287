"""Names, numbers and subnets of queues."""

from muster.fleet.resources import Fleet, Subnet
from muster.fleet.unknown import UNKNOWN
from tests.factories import A, B
from tests.policies.case import case
from tests.policies.queues import PLAIN
from tests.slurms import a_queue, a_resource, a_slurm_fleet

C = "subnet-0cccccccccccccccc"


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
