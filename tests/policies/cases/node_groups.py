"""Managed node groups and their templates."""

from dataclasses import replace

from muster.fleet.resources import CapacityTarget
from tests.factories import (
    a_fleet,
    a_group,
    a_template,
)
from tests.policies.case import cases


def plain(**template: object) -> object:
    """A template without EFA."""
    return a_template(instance="m5.8xlarge", interfaces=(), **template)


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
)


# the group beside its template


cases(
    a_disk_size_beside_a_template=lambda: a_fleet(a_group(disk_size=100)),
    the_instance_type_in_both_places=lambda: a_fleet(a_group(instance_types=("p5.48xlarge",))),
    instance_types_beside_a_template_from_elsewhere=lambda: a_fleet(
        a_group(template="lt-0123456789abcdef0", instance_types=("p5.48xlarge",))
    ),
)


# images


cases(
    an_image_beside_ami_type_and_versions=lambda: a_fleet(
        a_template(image="ami-0123456789abcdef0"),
        a_group(ami_type="AL2023_x86_64_NVIDIA", version="1.35", release_version="1.35.2-20261101"),
    ),
)


# numbers of nodes


cases(
    two_mistakes_are_two_findings=lambda: a_fleet(
        replace(a_template(), settings=frozenset({"capacityReservationSpecification"}), target=CapacityTarget()),
        a_group(nodes_start=2),
    ),
)
