"""Operating systems and images."""

from muster.fleet.resources import Volume
from muster.unknown import UNKNOWN
from tests.policies.case import cases
from tests.policies.parallelclusters import said_of
from tests.slurms import IMAGE, a_head, a_pcluster, a_queue, a_slurm_fleet, image_facts

# operating systems


cases(
    amazon_linux_2=lambda: said_of(os="alinux2"),
    an_os_of_a_typing_error=lambda: said_of(os="ubuntu2240"),
    no_os=lambda: said_of(os=None),
    an_os_not_yet_known=lambda: said_of(os=UNKNOWN),
    rocky_linux_without_an_image=lambda: said_of(os="rocky9"),
    rocky_linux_with_an_image=lambda: a_slurm_fleet(
        a_pcluster(os="rocky9", image=IMAGE), known=image_facts(os="rocky9")
    ),
)


# images


cases(
    an_image_of_which_nothing_is_known=lambda: said_of(image=IMAGE),
    an_image_as_it_should_be=lambda: a_slurm_fleet(a_pcluster(image=IMAGE), known=image_facts()),
    an_image_of_another_version=lambda: a_slurm_fleet(
        a_pcluster(image=IMAGE), known=image_facts(parallelclusterVersion="3.15.0")
    ),
    an_image_of_another_os=lambda: a_slurm_fleet(a_pcluster(image=IMAGE), known=image_facts(os="ubuntu2204")),
    an_image_whose_version_nobody_says=lambda: a_slurm_fleet(
        a_pcluster(image=IMAGE), known=image_facts(parallelclusterVersion=None)
    ),
    an_image_whose_os_nobody_says=lambda: a_slurm_fleet(a_pcluster(image=IMAGE), known=image_facts(os=None)),
    an_image_not_yet_known=lambda: said_of(image=UNKNOWN),
    an_image_of_the_head_node_alone=lambda: a_slurm_fleet(
        a_head(image=IMAGE), known=image_facts(parallelclusterVersion="3.14.2")
    ),
    an_image_larger_than_root_volumes=lambda: a_slurm_fleet(a_pcluster(image=IMAGE), known=image_facts(rootGib=201)),
    an_image_beside_root_volumes_of_its_size=lambda: a_slurm_fleet(
        a_pcluster(image=IMAGE), a_head(root=None), a_queue(root=None), known=image_facts(rootGib=999)
    ),
    a_root_volume_not_yet_known=lambda: a_slurm_fleet(
        a_pcluster(image=IMAGE), a_head(root=Volume(gib=UNKNOWN)), known=image_facts()
    ),
)
