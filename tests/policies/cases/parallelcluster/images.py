"""Operating systems and images."""

from muster.fleet.resources import Fleet, Volume
from muster.fleet.unknown import UNKNOWN
from tests.policies.case import case
from tests.policies.parallelclusters import said_of
from tests.slurms import IMAGE, a_head, a_pcluster, a_queue, a_slurm_fleet, image_facts

# operating systems


@case("parallelcluster-os-supported @ os")
def amazon_linux_2() -> Fleet:
    return said_of(os="alinux2")


@case("parallelcluster-os-supported @ os")
def an_os_of_a_typing_error() -> Fleet:
    return said_of(os="ubuntu2240")


@case("parallelcluster-os-supported @ os")
def no_os() -> Fleet:
    return said_of(os=None)


@case(unjudged=("parallelcluster-os-supported @ ",))
def an_os_not_yet_known() -> Fleet:
    return said_of(os=UNKNOWN)


@case("parallelcluster-image-made-for-os @ os")
def rocky_linux_without_an_image() -> Fleet:
    return said_of(os="rocky9")


@case()
def rocky_linux_with_an_image() -> Fleet:
    return a_slurm_fleet(a_pcluster(os="rocky9", image=IMAGE), known=image_facts(os="rocky9"))


# images


@case(
    unjudged=(
        "parallelcluster-image-of-version @ ",
        "parallelcluster-root-volume-holds-image @ head",
        "parallelcluster-root-volume-holds-image @ queues.train",
    )
)
def an_image_of_which_nothing_is_known() -> Fleet:
    return said_of(image=IMAGE)


@case()
def an_image_as_it_should_be() -> Fleet:
    return a_slurm_fleet(a_pcluster(image=IMAGE), known=image_facts())


@case("parallelcluster-image-of-version @ image")
def an_image_of_another_version() -> Fleet:
    return a_slurm_fleet(a_pcluster(image=IMAGE), known=image_facts(parallelclusterVersion="3.15.0"))


@case("parallelcluster-image-of-version @ image")
def an_image_of_another_os() -> Fleet:
    return a_slurm_fleet(a_pcluster(image=IMAGE), known=image_facts(os="ubuntu2204"))


@case(unjudged=("parallelcluster-image-of-version @ ",))
def an_image_whose_version_nobody_says() -> Fleet:
    return a_slurm_fleet(a_pcluster(image=IMAGE), known=image_facts(parallelclusterVersion=None))


@case(unjudged=("parallelcluster-image-of-version @ ",))
def an_image_whose_os_nobody_says() -> Fleet:
    return a_slurm_fleet(a_pcluster(image=IMAGE), known=image_facts(os=None))


@case(
    unjudged=(
        "parallelcluster-image-of-version @ ",
        "parallelcluster-root-volume-holds-image @ head",
        "parallelcluster-root-volume-holds-image @ queues.train",
    )
)
def an_image_not_yet_known() -> Fleet:
    return said_of(image=UNKNOWN)


@case("parallelcluster-image-of-version @ head.image")
def an_image_of_the_head_node_alone() -> Fleet:
    return a_slurm_fleet(a_head(image=IMAGE), known=image_facts(parallelclusterVersion="3.14.2"))


@case(
    "parallelcluster-root-volume-holds-image @ head.root", "parallelcluster-root-volume-holds-image @ queues.train.root"
)
def an_image_larger_than_root_volumes() -> Fleet:
    return a_slurm_fleet(a_pcluster(image=IMAGE), known=image_facts(rootGib=201))


@case()
def an_image_beside_root_volumes_of_its_size() -> Fleet:
    return a_slurm_fleet(a_pcluster(image=IMAGE), a_head(root=None), a_queue(root=None), known=image_facts(rootGib=999))


@case(unjudged=("parallelcluster-root-volume-holds-image @ head", "parallelcluster-volumes-legal @ head"))
def a_root_volume_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_pcluster(image=IMAGE), a_head(root=Volume(gib=UNKNOWN)), known=image_facts())
