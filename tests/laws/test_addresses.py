"""Addresses of a node, against the numbers that follow from the VPC CNI's own code."""

import pytest

from muster.blueprint.node import Node
from muster.hardware.catalogue import Hardware, hardware
from muster.hardware.interfaces import Addresses, InterfaceType, Layout, Slot, addresses, slots
from muster.size import Size
from tests.hardware_types import WITH_PODS, every


def of(machine: Hardware, layout: Layout) -> Addresses:
    return Node.of(machine, slots(machine, layout), Size(0)).addresses


@pytest.mark.parametrize(
    ("instance", "layout", "working", "most"),
    [
        ("p5.48xlarge", Layout.AWS, 50, 50),
        ("p5e.48xlarge", Layout.AWS, 50, 50),
        ("trn2.48xlarge", Layout.AWS, 50, 50),
        ("p5.48xlarge", Layout.CLASSIC, 131, 131),
        ("p5en.48xlarge", Layout.AWS, 100, 150),
        ("p6-b200.48xlarge", Layout.AWS, 100, 150),
        ("p6-b300.48xlarge", Layout.AWS, 100, 200),
        ("p4d.24xlarge", Layout.AWS, 100, 300),
        ("p4de.24xlarge", Layout.AWS, 100, 300),
        ("trn1.32xlarge", Layout.AWS, 100, 200),
        ("c5.2xlarge", Layout.PLAIN, 30, 60),
        ("m5.8xlarge", Layout.PLAIN, 60, 240),
    ],
)
def test_addresses_by_type_and_layout(instance: str, layout: Layout, working: int, most: int) -> None:
    """m5.8xlarge with ten pods holds 60 (awslabs/ai-on-eks); p5's 81 is the all-`efa` layout, never AWS's."""
    assert of(hardware(instance), layout) == (working, most)


def test_plain_interfaces_on_other_cards_take_one_address_each() -> None:
    """AWS's second layout for p5: `efa` on cards 0, 4, ... 28, efa-only on the rest."""
    mixed = tuple(
        Slot(card, 0 if card == 0 else 1, InterfaceType.EFA if card % 4 == 0 else InterfaceType.EFA_ONLY)
        for card in range(32)
    )
    assert addresses(hardware("p5.48xlarge"), mixed, 100) == (107, 107)


@pytest.mark.parametrize(("pods", "most"), [(1, 15), (14, 15), (15, 30), (28, 30), (29, 45), (58, 60), (110, 60)])
def test_interfaces_are_attached_as_pods_need_them(pods: int, most: int) -> None:
    """c5.2xlarge: four interfaces of fifteen addresses, fourteen of them pods'."""
    machine = hardware("c5.2xlarge")
    assert addresses(machine, slots(machine, Layout.PLAIN), pods).most == most


@every(WITH_PODS, Layout)
def test_a_full_node_takes_no_fewer_addresses_than_one_that_works(machine: Hardware, layout: Layout) -> None:
    """And never fewer than its first interface has (amazon-vpc-cni-k8s, `ipamd`)."""
    taken = of(machine, layout)
    assert machine.need("ipv4_per_eni") <= taken.working <= taken.most


@every(WITH_PODS, Layout, (1, 2, 14, 15, 58, 110, 250))
def test_every_pod_has_an_address(machine: Hardware, layout: Layout, pods: int) -> None:
    """As long as there are interfaces: two pods of a node are the host's own."""
    laid_out = slots(machine, layout)
    pods = min(pods, Node.of(machine, laid_out, Size(0)).allocatable.pods)
    each = machine.need("ipv4_per_eni")
    elsewhere = sum(slot.card > 0 and slot.type is not InterfaceType.EFA_ONLY for slot in laid_out)
    interfaces, rest = divmod(addresses(machine, laid_out, pods).most - elsewhere, each)
    assert rest == 0
    assert interfaces * (each - 1) >= pods - 2


@every(WITH_PODS)
def test_aws_layout_takes_no_more_than_the_classic_one(machine: Hardware) -> None:
    """Efa-only interfaces have no address: that is why AWS lays them out."""
    aws, classic = of(machine, Layout.AWS), of(machine, Layout.CLASSIC)
    assert aws.working <= classic.working
    assert aws.most <= classic.most


@pytest.mark.parametrize(
    ("instance", "layout", "number"),
    [
        ("p5.48xlarge", Layout.CLASSIC, 81),
        ("p5.48xlarge", Layout.AWS, 50),
        ("p4d.24xlarge", Layout.CLASSIC, 53),
        ("trn1.32xlarge", Layout.CLASSIC, 57),
        ("trn2.48xlarge", Layout.CLASSIC, 65),
        ("p6-b300.48xlarge", Layout.CLASSIC, 66),
        ("g5.8xlarge", Layout.CLASSIC, 30),
        ("m5.2xlarge", Layout.CLASSIC, 15),
    ],
)
def test_addresses_of_a_hyperpod_node(instance: str, layout: Layout, number: int) -> None:
    """81 is SageMaker's number for p5: one interface's addresses, and one for each EFA interface on a further card;
    none for an efa-only one. It takes them at once."""
    machine = hardware(instance)
    assert Node.of(machine, slots(machine, layout), Size(0), hyperpod=True).addresses == (number, number)
