"""Subnets of queues."""

from muster.fleet.resources import Subnet
from muster.unknown import UNKNOWN
from tests.factories import A, B
from tests.factories.parallelcluster_fleets import a_queue, a_resource, a_slurm_fleet
from tests.policies.case import cases
from tests.policies.queues import PLAIN

C = "subnet-0cccccccccccccccc"


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
