"""Operating systems and images."""

from muster.unknown import UNKNOWN
from tests.factories.parallelcluster_fleets import IMAGE, a_head, a_pcluster, a_slurm_fleet, image_facts
from tests.policies.case import cases
from tests.policies.parallelclusters import said_of

# operating systems


cases(
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
)
