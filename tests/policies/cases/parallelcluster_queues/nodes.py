"""What compute resources have: memory, an architecture, drivers, how many nodes, tags, settings."""

from muster.fleet.resources import Fleet
from muster.unknown import UNKNOWN
from tests.policies.case import case, cases
from tests.slurms import IMAGE, a_pcluster, a_queue, a_resource, a_script, a_slurm_fleet, image_facts

cases(
    more_memory_than_there_is=lambda: a_slurm_fleet(a_resource(memory_mib=2**22)),
    no_memory_at_all=lambda: a_slurm_fleet(a_resource(memory_mib=0)),
    as_much_memory_as_there_is=lambda: a_slurm_fleet(a_resource(memory_mib=2 * 1024 * 1024)),
    memory_not_yet_known=lambda: a_slurm_fleet(a_resource(memory_mib=UNKNOWN)),
    more_memory_than_the_least_of_two_types=lambda: a_slurm_fleet(
        a_resource(instances=("p5.48xlarge", "p4d.24xlarge"), memory_mib=1152 * 1024 + 1)
    ),
    as_much_memory_as_the_least_of_two_types=lambda: a_slurm_fleet(
        a_resource(instances=("p4d.24xlarge", "p5.48xlarge"), memory_mib=1152 * 1024)
    ),
    arm_beside_x86=lambda: a_slurm_fleet(a_resource(instances=("p6e-gb200.36xlarge",))),
    arm_on_red_hat=lambda: a_slurm_fleet(a_pcluster(os="rhel9"), a_resource(instances=("p6e-gb200.36xlarge",))),
    arm_on_nobody_knows_what=lambda: a_slurm_fleet(
        a_pcluster(os=UNKNOWN), a_resource(instances=("p6e-gb200.36xlarge",))
    ),
    a_v100_on_parallelclusters_image=lambda: a_slurm_fleet(a_resource(instances=("p3dn.24xlarge",))),
    a_v100_on_an_image_of_ones_own=lambda: a_slurm_fleet(
        a_pcluster(image=IMAGE), a_resource(instances=("p3dn.24xlarge",)), known=image_facts()
    ),
    trainium_without_a_driver=lambda: a_slurm_fleet(a_resource(instances=("trn1.32xlarge",))),
    trainium_with_a_script=lambda: a_slurm_fleet(a_queue(scripts=a_script()), a_resource(instances=("trn1.32xlarge",))),
    trainium_with_docker_alone=lambda: a_slurm_fleet(
        a_queue(
            scripts=a_script(
                "https://raw.githubusercontent.com/aws-samples/aws-parallelcluster-post-install-scripts/x/docker/postinstall.sh"
            )
        ),
        a_resource(instances=("trn1.32xlarge",)),
    ),
    trainium_with_an_image=lambda: a_slurm_fleet(
        a_queue(image=IMAGE), a_resource(instances=("trn1.32xlarge",)), known=image_facts()
    ),
)


@case
def more_than_a_hundred_nodes() -> Fleet:
    return a_slurm_fleet(a_resource(nodes_min=0, nodes_max=101))


cases(
    a_hundred_nodes=lambda: a_slurm_fleet(a_resource(nodes_min=0, nodes_max=100)),
    too_many_tags_together=lambda: a_slurm_fleet(
        a_queue(tags=frozenset(f"tag-{index}" for index in range(20))),
        a_resource(tags=frozenset(f"own-{index}" for index in range(19))),
    ),
    tags_of_a_resource_not_yet_known=lambda: a_slurm_fleet(a_resource(tags=UNKNOWN)),
    tags_of_a_queue_not_yet_known=lambda: a_slurm_fleet(a_queue(tags=UNKNOWN)),
    a_setting_that_is_a_queues=lambda: a_slurm_fleet(a_queue(slurm_settings=frozenset({"State", "MaxTime"}))),
    a_setting_that_is_a_nodes=lambda: a_slurm_fleet(a_resource(slurm_settings=frozenset({"Gres", "Features"}))),
)
