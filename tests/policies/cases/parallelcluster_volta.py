"""GPUs of the Volta generation, for which ParallelCluster's images have no driver."""

from muster.unknown import UNKNOWN
from tests.factories.parallelcluster_fleets import (
    IMAGE,
    a_head,
    a_pcluster,
    a_queue,
    a_resource,
    a_slurm_fleet,
    image_facts,
)
from tests.policies.case import cases

cases(
    volta_on_parallelclusters_own_image=lambda: a_slurm_fleet(a_resource(instances=("p3dn.24xlarge",))),
    volta_in_the_head_node=lambda: a_slurm_fleet(a_head(instance="p3dn.24xlarge")),
    volta_on_an_image_of_ones_own=lambda: a_slurm_fleet(
        a_pcluster(image=IMAGE), a_resource(instances=("p3dn.24xlarge",)), known=image_facts()
    ),
    volta_on_an_image_of_its_queues_own=lambda: a_slurm_fleet(
        a_queue(image=IMAGE), a_resource(instances=("p3dn.24xlarge",)), known=image_facts()
    ),
    volta_in_a_head_node_on_an_image_of_its_own=lambda: a_slurm_fleet(
        a_head(instance="p3dn.24xlarge", image=IMAGE), known=image_facts()
    ),
    volta_on_an_image_of_its_queues_not_yet_known=lambda: a_slurm_fleet(
        a_queue(image=UNKNOWN), a_resource(instances=("p3dn.24xlarge",))
    ),
    volta_in_a_head_node_on_an_image_not_yet_known=lambda: a_slurm_fleet(
        a_head(instance="p3dn.24xlarge", image=UNKNOWN)
    ),
    volta_on_nobody_knows_what=lambda: a_slurm_fleet(
        a_pcluster(image=UNKNOWN), a_resource(instances=("p3dn.24xlarge",))
    ),
)
