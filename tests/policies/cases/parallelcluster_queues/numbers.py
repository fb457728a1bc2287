"""Names, numbers and subnets of queues."""

from muster.fleet.resources import Subnet
from muster.unknown import UNKNOWN
from tests.factories import A, B
from tests.policies.case import cases
from tests.policies.queues import PLAIN
from tests.slurms import a_queue, a_resource, a_slurm_fleet

C = "subnet-0cccccccccccccccc"


cases(
    a_queue_named_default=lambda: a_slurm_fleet(a_queue(name="default")),
    a_queue_named_in_26_letters=lambda: a_slurm_fleet(a_queue(name="a" * 26)),
    a_resource_named_in_capitals=lambda: a_slurm_fleet(a_resource(name="Workers")),
    a_queue_without_a_name=lambda: a_slurm_fleet(a_queue(name=None)),
    a_resource_of_a_name_not_yet_known=lambda: a_slurm_fleet(a_resource(name=UNKNOWN)),
    two_queues_of_one_name=lambda: a_slurm_fleet(a_queue("again", name="train")),
    two_resources_of_one_name=lambda: a_slurm_fleet(a_resource("again", name="workers")),
    too_many_queues=lambda: a_slurm_fleet(*(a_queue(f"queue-{index}") for index in range(50))),
    too_many_resources=lambda: a_slurm_fleet(*(a_resource(f"group-{index}") for index in range(50))),
)


# subnets


cases(
    a_queue_in_two_subnets=lambda: a_slurm_fleet(a_queue(subnets=(A, B))),
    a_queue_of_lists_in_two_subnets=lambda: a_slurm_fleet(
        a_queue(subnets=(A, B)), a_resource(flexible=True, instances=PLAIN, efa=False)
    ),
    a_queue_in_subnets_not_yet_known=lambda: a_slurm_fleet(a_queue(subnets=UNKNOWN)),
    a_queue_in_one_subnet_twice=lambda: a_slurm_fleet(
        a_queue(subnets=(A, A)), a_resource(flexible=True, instances=PLAIN, efa=False)
    ),
    a_queue_in_two_subnets_of_a_zone=lambda: a_slurm_fleet(
        a_queue(subnets=(A, C)),
        a_resource(flexible=True, instances=PLAIN, efa=False),
        subnets=(Subnet(C, declared_zone="us-west-2a"),),
    ),
    a_queue_in_a_subnet_of_which_nothing_is_known=lambda: a_slurm_fleet(
        a_queue(subnets=(A, "subnet-nobody-knows")), a_resource(flexible=True, instances=PLAIN, efa=False)
    ),
)
