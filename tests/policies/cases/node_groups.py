"""Managed node groups and their templates."""

from dataclasses import replace

from muster.fleet.resources import CapacityTarget, Fleet, NodeGroup, Ref
from muster.fleet.resources.ref import LAUNCH_TEMPLATE
from muster.scheduling.taints import Taint
from muster.unknown import UNKNOWN
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
from tests.policies.case import case, cases

OWN = a_security_group("own")


def plain(**template: object) -> object:
    """A template without EFA."""
    return a_template(instance="m5.8xlarge", interfaces=(), **template)


# node-template-reaches-control-plane


cases(
    only_the_efa_group_on_the_primary_interface=lambda: a_fleet(
        a_template(interfaces=(an_interface(groups=(EFA_GROUP_REF,)), *interfaces()[1:]))
    ),
    the_clusters_group_on_another_interface=lambda: a_fleet(
        a_template(interfaces=(an_interface(groups=(EFA_GROUP_REF,)), *interfaces()[1:], an_interface(1, 1)))
    ),
    no_group_on_the_primary_interface_and_some_on_others=lambda: a_fleet(
        a_template(interfaces=(an_interface(groups=()), *interfaces()[1:]))
    ),
    a_group_of_its_own_at_the_top=lambda: a_fleet(OWN, plain(security_groups=(OWN.ref,))),
    the_clusters_group_at_the_top=lambda: a_fleet(OWN, plain(security_groups=(CLUSTER_REF, OWN.ref))),
    no_security_groups=lambda: a_fleet(plain()),
    no_template=lambda: a_fleet(a_group(template=None, instance_types=("m5.8xlarge",))),
    a_group_that_the_control_plane_carries_too=lambda: a_fleet(
        OWN, a_control_plane(security_groups=(OWN.ref,)), plain(security_groups=(OWN.ref,))
    ),
)


@case
def a_group_whose_rules_name_the_clusters() -> Fleet:
    own = a_security_group("own", peers=frozenset({CLUSTER_REF}))
    return a_fleet(own, plain(security_groups=(own.ref,)))


@case
def a_group_that_the_rules_of_the_control_planes_name() -> Fleet:
    theirs = a_security_group("control-plane", peers=frozenset({OWN.ref}))
    return a_fleet(OWN, theirs, a_control_plane(security_groups=(theirs.ref,)), plain(security_groups=(OWN.ref,)))


@case
def a_group_whose_rules_name_something_else() -> Fleet:
    own = a_security_group("own", peers=frozenset({EFA_GROUP_REF, SG}))
    return a_fleet(own, plain(security_groups=(own.ref,)), a_control_plane(security_groups=UNKNOWN))


cases(
    a_group_from_elsewhere=lambda: a_fleet(plain(security_groups=(SG,))),
    ids_not_yet_known_with_the_clusters_group_among_them=lambda: a_fleet(
        OWN, plain(security_groups=UNKNOWN, depends_on=frozenset({CLUSTER_REF, OWN.ref}))
    ),
    ids_not_yet_known_without_the_clusters_group=lambda: a_fleet(
        OWN, plain(security_groups=UNKNOWN, depends_on=frozenset({OWN.ref}))
    ),
    ids_not_yet_known_from_who_knows_where=lambda: a_fleet(plain(security_groups=UNKNOWN)),
    a_template_from_elsewhere=lambda: a_fleet(a_group(template="lt-0123456789abcdef0")),
    a_template_not_yet_known=lambda: a_fleet(a_group(template=UNKNOWN)),
)


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


cases(
    everything_that_a_managed_groups_template_leaves_out=lambda: a_fleet(plain(settings=FORBIDDEN)),
    a_spot_market=lambda: a_fleet(plain(market_type="spot")),
    a_capacity_block_market=lambda: a_fleet(
        a_template(market_type="capacity-block", **on()),
        a_group(capacity_type="CAPACITY_BLOCK"),
        facts=reservation_facts(reservationType="capacity-block"),
    ),
    a_market_not_yet_known=lambda: a_fleet(plain(market_type=UNKNOWN)),
    the_template_of_somebodys_own_auto_scaling_group=lambda: a_fleet(plain(settings=FORBIDDEN), without=[NodeGroup]),
)


# the group beside its template


cases(
    a_disk_size_beside_a_template=lambda: a_fleet(a_group(disk_size=100)),
    remote_access_beside_a_template_not_yet_known=lambda: a_fleet(
        a_group(template=Ref(LAUNCH_TEMPLATE, "workers"), remote_access=True, disk_size=UNKNOWN)
    ),
    a_disk_size_and_remote_access_without_template=lambda: a_fleet(
        a_group(template=None, instance_types=("m5.8xlarge",), disk_size=100, remote_access=True)
    ),
    the_instance_type_in_both_places=lambda: a_fleet(a_group(instance_types=("p5.48xlarge",))),
    the_instance_type_in_the_group=lambda: a_fleet(
        a_template(instance=None, interfaces=interfaces(), max_pods=51), a_group(instance_types=("p5.48xlarge",))
    ),
    instance_types_not_yet_known=lambda: a_fleet(a_group(instance_types=UNKNOWN)),
    instance_types_beside_a_template_from_elsewhere=lambda: a_fleet(
        a_group(template="lt-0123456789abcdef0", instance_types=("p5.48xlarge",))
    ),
    no_instance_type_anywhere=lambda: a_fleet(a_template(instance=None, interfaces=())),
    neither_template_nor_instance_type=lambda: a_fleet(a_group(template=None)),
    twenty_one_instance_types=lambda: a_fleet(
        a_group(template=None, instance_types=tuple(f"m5.{size}xlarge" for size in range(2, 23)))
    ),
    twenty_instance_types=lambda: a_fleet(
        a_group(template=None, instance_types=tuple(f"m5.{size}xlarge" for size in range(2, 22)))
    ),
)


# images


cases(
    an_image_beside_ami_type_and_versions=lambda: a_fleet(
        a_template(image="ami-0123456789abcdef0"),
        a_group(ami_type="AL2023_x86_64_NVIDIA", version="1.35", release_version="1.35.2-20261101"),
    ),
    an_image_not_yet_known_beside_a_version=lambda: a_fleet(a_template(image=UNKNOWN), a_group(version=UNKNOWN)),
    an_image_alone=lambda: a_fleet(a_template(image="ami-0123456789abcdef0")),
    an_image_that_is_called_custom=lambda: a_fleet(
        a_template(image="ami-0123456789abcdef0"), a_group(ami_type="CUSTOM")
    ),
    an_image_beside_an_ami_type_not_yet_known=lambda: a_fleet(
        a_template(image="ami-0123456789abcdef0"), a_group(ami_type=UNKNOWN)
    ),
    custom_without_an_image=lambda: a_fleet(a_group(ami_type="CUSTOM")),
)


# numbers of nodes


cases(
    a_start_below_the_minimum=lambda: a_fleet(a_group(nodes_min=2, nodes_max=3)),
    a_start_above_the_maximum=lambda: a_fleet(a_group(nodes_start=2)),
    a_minimum_above_the_maximum=lambda: a_fleet(a_group(nodes_min=3, nodes_start=2, nodes_max=1)),
    a_maximum_of_zero=lambda: a_fleet(a_group(nodes_min=0, nodes_start=0, nodes_max=0)),
    none_at_first=lambda: a_fleet(a_group(nodes_min=0, nodes_start=0)),
    a_start_not_yet_known=lambda: a_fleet(a_group(nodes_start=UNKNOWN)),
    two_mistakes_are_two_findings=lambda: a_fleet(
        replace(a_template(), settings=frozenset({"capacityReservationSpecification"}), target=CapacityTarget()),
        a_group(nodes_start=2),
    ),
    an_image_beside_an_ami_type=lambda: a_fleet(
        a_template(image="ami-0123456789abcdef0"), a_group(ami_type="AL2023_x86_64_NVIDIA")
    ),
)


# managed-taints-at-most-fifty


def tainted(count: int, **more: object) -> Fleet:
    """A group of so many taints."""
    taints = frozenset(Taint(f"team-{number}", "true", "NoSchedule") for number in range(count))
    return a_fleet(a_template(), a_group(taints=taints, **more))


cases(
    "managed-taints-at-most-fifty",
    fifty_taints_of_a_managed_group=lambda: tainted(50),
    fifty_one_taints_of_a_managed_group=lambda: tainted(51),
    fifty_one_taints_of_a_group_of_ones_own=lambda: tainted(51, managed=False),
)
