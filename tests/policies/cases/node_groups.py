"""Managed node groups and their templates."""

from dataclasses import replace

from muster.fleet.resources import CapacityTarget, Fleet, NodeGroup, Ref
from muster.fleet.resources.ref import LAUNCH_TEMPLATE
from muster.fleet.unknown import UNKNOWN
from tests.factories import (
    CLUSTER_REF,
    EFA_GROUP_REF,
    SG,
    a_control_plane,
    a_fleet,
    a_group,
    a_security_group,
    a_template,
    an_interface,
    interfaces,
    on,
    reservation_facts,
)
from tests.policies.case import case

WORKERS = "groups.workers"
REACHES = "node-template-reaches-control-plane"
OWN = a_security_group("own")


def plain(**template: object) -> object:
    """A template without EFA."""
    return a_template(instance="m5.8xlarge", interfaces=(), **template)


# node-template-reaches-control-plane


@case(f"{REACHES} @ {WORKERS}")
def only_the_efa_group_on_the_primary_interface() -> Fleet:
    primary = an_interface(groups=(EFA_GROUP_REF,))
    return a_fleet(a_template(interfaces=(primary, *interfaces()[1:])))


@case(f"{REACHES} @ {WORKERS}")
def the_clusters_group_on_another_interface() -> Fleet:
    primary = an_interface(groups=(EFA_GROUP_REF,))
    return a_fleet(a_template(interfaces=(primary, *interfaces()[1:], an_interface(1, 1))))


@case(f"{REACHES} @ {WORKERS}")
def no_group_on_the_primary_interface_and_some_on_others() -> Fleet:
    return a_fleet(a_template(interfaces=(an_interface(groups=()), *interfaces()[1:])))


@case(f"{REACHES} @ {WORKERS}")
def a_group_of_its_own_at_the_top() -> Fleet:
    return a_fleet(OWN, plain(security_groups=(OWN.ref,)))


@case()
def the_clusters_group_at_the_top() -> Fleet:
    return a_fleet(OWN, plain(security_groups=(CLUSTER_REF, OWN.ref)))


@case()
def no_security_groups() -> Fleet:
    return a_fleet(plain())


@case()
def no_template() -> Fleet:
    return a_fleet(a_group(template=None, instance_types=("m5.8xlarge",)))


@case()
def a_group_that_the_control_plane_carries_too() -> Fleet:
    return a_fleet(OWN, a_control_plane(security_groups=(OWN.ref,)), plain(security_groups=(OWN.ref,)))


@case()
def a_group_whose_rules_name_the_clusters() -> Fleet:
    own = a_security_group("own", peers=frozenset({CLUSTER_REF}))
    return a_fleet(own, plain(security_groups=(own.ref,)))


@case()
def a_group_that_the_rules_of_the_control_planes_name() -> Fleet:
    theirs = a_security_group("control-plane", peers=frozenset({OWN.ref}))
    return a_fleet(OWN, theirs, a_control_plane(security_groups=(theirs.ref,)), plain(security_groups=(OWN.ref,)))


@case(f"{REACHES} @ {WORKERS}")
def a_group_whose_rules_name_something_else() -> Fleet:
    own = a_security_group("own", peers=frozenset({EFA_GROUP_REF, SG}))
    return a_fleet(own, plain(security_groups=(own.ref,)), a_control_plane(security_groups=UNKNOWN))


@case(unjudged=(f"{REACHES} @ {WORKERS}",))
def a_group_from_elsewhere() -> Fleet:
    return a_fleet(plain(security_groups=(SG,)))


@case()
def ids_not_yet_known_with_the_clusters_group_among_them() -> Fleet:
    return a_fleet(OWN, plain(security_groups=UNKNOWN, depends_on=frozenset({CLUSTER_REF, OWN.ref})))


@case(f"{REACHES} @ {WORKERS}")
def ids_not_yet_known_without_the_clusters_group() -> Fleet:
    return a_fleet(OWN, plain(security_groups=UNKNOWN, depends_on=frozenset({OWN.ref})))


@case(unjudged=(f"{REACHES} @ {WORKERS}",))
def ids_not_yet_known_from_who_knows_where() -> Fleet:
    return a_fleet(plain(security_groups=UNKNOWN))


OUTSIDE = tuple(
    f"{rule} @ {WORKERS}"
    for rule in (
        REACHES,
        "custom-image-alone",
        "efa-single-zone",
        "image-fits-hardware",
        "image-parameter-not-managed",
        "instance-offered-in-zone",
        "instance-type-stated",
        "max-pods-within-addresses",
        "instance-type-catalogued",
        "reservation-covers-nodes",
        "reservation-instance-type-matches",
        "reservation-zone-matches-subnet",
        "several-interfaces-private-subnets",
        "subnet-holds-nodes",
    )
)


@case(unjudged=OUTSIDE)
def a_template_from_elsewhere() -> Fleet:
    return a_fleet(a_group(template="lt-0123456789abcdef0"))


@case(unjudged=OUTSIDE)
def a_template_not_yet_known() -> Fleet:
    return a_fleet(a_group(template=UNKNOWN))


# what a managed group's template leaves out

FORBIDDEN = frozenset(
    {
        "iamInstanceProfile",
        "networkInterfaces.subnetId",
        "hibernationOptions",
        "instanceInitiatedShutdownBehavior",
        "instanceMarketOptions.spotOptions",
    }
)


@case(f"managed-template-settings @ {WORKERS}")
def everything_that_a_managed_groups_template_leaves_out() -> Fleet:
    return a_fleet(plain(settings=FORBIDDEN))


@case(f"managed-template-settings @ {WORKERS}")
def a_spot_market() -> Fleet:
    return a_fleet(plain(market_type="spot"))


@case()
def a_capacity_block_market() -> Fleet:
    block = reservation_facts(reservationType="capacity-block")
    group = a_group(capacity_type="CAPACITY_BLOCK")
    return a_fleet(a_template(market_type="capacity-block", **on()), group, facts=block)


@case(unjudged=(f"managed-template-settings @ {WORKERS}",))
def a_market_not_yet_known() -> Fleet:
    return a_fleet(plain(market_type=UNKNOWN))


@case()
def the_template_of_somebodys_own_auto_scaling_group() -> Fleet:
    return a_fleet(plain(settings=FORBIDDEN), without=[NodeGroup])


# the group beside its template


@case(f"disk-and-access-in-template @ {WORKERS}")
def a_disk_size_beside_a_template() -> Fleet:
    return a_fleet(a_group(disk_size=100))


@case(f"disk-and-access-in-template @ {WORKERS}")
def remote_access_beside_a_template_not_yet_known() -> Fleet:
    group = a_group(template=Ref(LAUNCH_TEMPLATE, "workers"), remote_access=True, disk_size=UNKNOWN)
    return a_fleet(group)


@case()
def a_disk_size_and_remote_access_without_template() -> Fleet:
    return a_fleet(a_group(template=None, instance_types=("m5.8xlarge",), disk_size=100, remote_access=True))


@case(f"instance-type-stated-once @ {WORKERS}")
def the_instance_type_in_both_places() -> Fleet:
    return a_fleet(a_group(instance_types=("p5.48xlarge",)))


@case()
def the_instance_type_in_the_group() -> Fleet:
    return a_fleet(
        a_template(instance=None, interfaces=interfaces(), max_pods=51), a_group(instance_types=("p5.48xlarge",))
    )


@case(
    unjudged=(
        "instance-type-catalogued @ groups.workers",
        f"instance-type-stated-once @ {WORKERS}",
        f"instance-types-at-most-twenty @ {WORKERS}",
        f"image-fits-hardware @ {WORKERS}",
        f"instance-offered-in-zone @ {WORKERS}",
        f"max-pods-within-addresses @ {WORKERS}",
        f"subnet-holds-nodes @ {WORKERS}",
    )
)
def instance_types_not_yet_known() -> Fleet:
    return a_fleet(a_group(instance_types=UNKNOWN))


NEEDS_THE_TYPE = ("instance-type-catalogued", "instance-type-stated", "image-fits-hardware", "instance-offered-in-zone")


@case(
    unjudged=(
        f"instance-type-stated-once @ {WORKERS}",
        *(each for each in OUTSIDE if not each.startswith(NEEDS_THE_TYPE)),
    )
)
def instance_types_beside_a_template_from_elsewhere() -> Fleet:
    return a_fleet(a_group(template="lt-0123456789abcdef0", instance_types=("p5.48xlarge",)))


@case(f"instance-type-stated @ {WORKERS}.instance")
def no_instance_type_anywhere() -> Fleet:
    return a_fleet(a_template(instance=None, interfaces=()))


@case(f"instance-type-stated @ {WORKERS}.instance")
def neither_template_nor_instance_type() -> Fleet:
    return a_fleet(a_group(template=None))


@case(
    f"instance-types-at-most-twenty @ {WORKERS}",
    unjudged=(
        f"image-fits-hardware @ {WORKERS}",
        f"subnet-holds-nodes @ {WORKERS}",
    ),
)
def twenty_one_instance_types() -> Fleet:
    return a_fleet(a_group(template=None, instance_types=tuple(f"m5.{size}xlarge" for size in range(2, 23))))


@case(
    unjudged=(
        f"image-fits-hardware @ {WORKERS}",
        f"subnet-holds-nodes @ {WORKERS}",
    )
)
def twenty_instance_types() -> Fleet:
    return a_fleet(a_group(template=None, instance_types=tuple(f"m5.{size}xlarge" for size in range(2, 22))))


# images


@case(f"custom-image-alone @ {WORKERS}")
def an_image_beside_ami_type_and_versions() -> Fleet:
    group = a_group(ami_type="AL2023_x86_64_NVIDIA", version="1.35", release_version="1.35.2-20261101")
    return a_fleet(a_template(image="ami-0123456789abcdef0"), group)


@case(f"custom-image-alone @ {WORKERS}")
def an_image_not_yet_known_beside_a_version() -> Fleet:
    return a_fleet(a_template(image=UNKNOWN), a_group(version=UNKNOWN))


@case()
def an_image_alone() -> Fleet:
    return a_fleet(a_template(image="ami-0123456789abcdef0"))


@case()
def an_image_that_is_called_custom() -> Fleet:
    return a_fleet(a_template(image="ami-0123456789abcdef0"), a_group(ami_type="CUSTOM"))


@case(unjudged=(f"custom-image-alone @ {WORKERS}",))
def an_image_beside_an_ami_type_not_yet_known() -> Fleet:
    return a_fleet(a_template(image="ami-0123456789abcdef0"), a_group(ami_type=UNKNOWN))


@case(f"custom-image-alone @ {WORKERS}")
def custom_without_an_image() -> Fleet:
    return a_fleet(a_group(ami_type="CUSTOM"))


# numbers of nodes


@case(f"nodes-in-order @ {WORKERS}.nodes")
def a_start_below_the_minimum() -> Fleet:
    return a_fleet(a_group(nodes_min=2, nodes_max=3))


@case(f"nodes-in-order @ {WORKERS}.nodes")
def a_start_above_the_maximum() -> Fleet:
    return a_fleet(a_group(nodes_start=2))


@case(f"nodes-in-order @ {WORKERS}.nodes")
def a_minimum_above_the_maximum() -> Fleet:
    return a_fleet(a_group(nodes_min=3, nodes_start=2, nodes_max=1))


@case(f"nodes-in-order @ {WORKERS}.nodes")
def a_maximum_of_zero() -> Fleet:
    return a_fleet(a_group(nodes_min=0, nodes_start=0, nodes_max=0))


@case()
def none_at_first() -> Fleet:
    return a_fleet(a_group(nodes_min=0, nodes_start=0))


@case(unjudged=(f"nodes-in-order @ {WORKERS}", f"subnet-holds-nodes @ {WORKERS}"))
def a_start_not_yet_known() -> Fleet:
    return a_fleet(a_group(nodes_start=UNKNOWN))


@case(f"reservation-target-given @ {WORKERS}.capacity", f"nodes-in-order @ {WORKERS}.nodes")
def two_mistakes_are_two_findings() -> Fleet:
    template = replace(a_template(), settings=frozenset({"capacityReservationSpecification"}), target=CapacityTarget())
    return a_fleet(template, a_group(nodes_start=2))


@case(f"custom-image-alone @ {WORKERS}")
def an_image_beside_an_ami_type() -> Fleet:
    return a_fleet(a_template(image="ami-0123456789abcdef0"), a_group(ami_type="AL2023_x86_64_NVIDIA"))
