"""What compute resources have: memory, an architecture, drivers, how many nodes, tags, settings."""

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.policies.case import case
from tests.slurms import IMAGE, a_pcluster, a_queue, a_resource, a_script, a_slurm_fleet, image_facts


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


@case("parallelcluster-memory-within-instance @ queues.train.groups.workers.memory")
def more_memory_than_the_least_of_two_types() -> Fleet:
    return a_slurm_fleet(a_resource(instances=("p5.48xlarge", "p4d.24xlarge"), memory_mib=1152 * 1024 + 1))


@case()
def as_much_memory_as_the_least_of_two_types() -> Fleet:
    return a_slurm_fleet(a_resource(instances=("p4d.24xlarge", "p5.48xlarge"), memory_mib=1152 * 1024))


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
