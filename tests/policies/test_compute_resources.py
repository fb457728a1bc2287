"""What ParallelCluster launches a compute resource's instances with."""

from typing import Any

import pytest

from muster.fleet.resources import CapacityTarget, Placement
from muster.fleet.unknown import UNKNOWN
from muster.hardware.catalogue import hardware
from policies.lookups.parallelcluster import MADE_PLACEMENT, interfaces, is_placed, placement, platform_of, target
from tests.slurms import a_pcluster, a_resource, a_slurm_fleet


# aws-parallelcluster 3.16.1: a group that is named is used, whatever Enabled says; without a word there is none
@pytest.mark.parametrize(
    ("said", "placed", "group"),
    [
        (Placement(), False, None),
        (Placement(enabled=False), False, None),
        (Placement(enabled=True), True, MADE_PLACEMENT),
        (Placement(enabled=UNKNOWN), UNKNOWN, UNKNOWN),
        (Placement(name="ours"), True, "ours"),
        (Placement(enabled=UNKNOWN, name="ours"), True, "ours"),
        (Placement(name=UNKNOWN), True, UNKNOWN),
        (UNKNOWN, UNKNOWN, UNKNOWN),
    ],
)
def test_the_placement_group(said: Any, placed: object, group: object) -> None:
    """One of its name, one that ParallelCluster makes, none, or nobody knows."""
    resource = a_resource(placement=said)
    assert (is_placed(resource), placement(resource)) == (placed, group)


# aws-parallelcluster 3.16.1, queues_stack.py: without EFA an interface on each card; with it one beside each EFA's
@pytest.mark.parametrize(
    ("instance", "efa", "number"),
    [
        ("p5.48xlarge", True, 33),
        ("p5.48xlarge", False, 32),
        ("p5.48xlarge", UNKNOWN, 32),
        ("p4d.24xlarge", False, 4),
        ("g5.48xlarge", False, 1),
        ("g5.48xlarge", UNKNOWN, UNKNOWN),
        ("c5.2xlarge", False, 1),
    ],
)
def test_how_many_interfaces_a_node_has(instance: str, efa: Any, number: object) -> None:
    """Of a type with one card EFA decides whether there is a second."""
    assert interfaces(a_resource(efa=efa), hardware(instance)) == number


def test_what_its_instances_are_launched_into() -> None:
    """Of a target that nobody knows not even the kind is known."""
    known = CapacityTarget(group="arn:aws:resource-groups:us-west-2:000000000000:group/p5")
    assert [target(a_resource(target=each)) for each in (known, UNKNOWN)] == [
        known,
        CapacityTarget(reservation=UNKNOWN),
    ]


@pytest.mark.parametrize(
    ("os", "platform"), [("alinux2023", "Linux/UNIX"), ("rhel9", "Red Hat Enterprise Linux"), (UNKNOWN, None)]
)
def test_the_platform_of_its_instances(os: Any, platform: str | None) -> None:
    """By the cluster's system; of a cluster that another program makes nobody knows."""
    resource = a_resource()
    assert platform_of(resource, a_slurm_fleet(a_pcluster(os=os))) == platform
    assert platform_of(resource, a_slurm_fleet(without=[type(a_pcluster())])) is None
