"""EFA interfaces: how many, on which cards, and what they cost, of every type in every layout."""

from collections import Counter

import pytest

from muster.hardware.catalogue import Hardware, hardware
from muster.hardware.interfaces import InterfaceType, Layout, Slot, pods_lost_to_efa_only, slots
from tests.hardware_types import EVERY_TYPE, every


@every(EVERY_TYPE, Layout)
def test_exactly_one_primary_and_never_efa_only(machine: Hardware, layout: Layout) -> None:
    """EC2 API, `InterfaceType`: an efa-only interface cannot be the primary one."""
    primary = [slot for slot in slots(machine, layout) if slot.is_primary]
    assert len(primary) == 1
    assert slots(machine, layout)[0] == primary[0]
    assert primary[0].type is not InterfaceType.EFA_ONLY


@every(EVERY_TYPE)
def test_a_type_takes_one_efa_interface_on_every_card_that_takes_one(machine: Hardware) -> None:
    """EC2, `NetworkInfo.EfaInfo`; but for four types, of which it lists two cards and takes one interface."""
    assert list(machine.efa_cards) == sorted(set(machine.efa_cards))
    assert set(machine.efa_cards) <= set(range(machine.network_cards))
    one_of_two = {f"{family}.{size}" for family in ("i7ie", "i8ge") for size in ("48xlarge", "metal-48xl")}
    assert machine.max_efa == (1 if machine.instance in one_of_two else len(machine.efa_cards))


PUBLISHED = {
    "p4d.24xlarge": (4, 4),
    "p4de.24xlarge": (4, 4),
    "p5.48xlarge": (32, 32),
    "p5e.48xlarge": (32, 32),
    "p5en.48xlarge": (16, 16),
    "p6-b200.48xlarge": (8, 8),
    "p6-b300.48xlarge": (17, 16),
    "g4dn.8xlarge": (1, 1),
    "g5.8xlarge": (1, 1),
    "g5.48xlarge": (1, 1),
    "g6.48xlarge": (1, 1),
    "g6e.24xlarge": (2, 2),
    "g6e.48xlarge": (4, 4),
    "trn1.2xlarge": (1, 0),
    "trn1.32xlarge": (8, 8),
    "trn1n.32xlarge": (16, 16),
    "trn2.3xlarge": (1, 1),
    "trn2.48xlarge": (16, 16),
    "inf2.48xlarge": (1, 0),
    "c5.2xlarge": (1, 0),
    "c5n.18xlarge": (1, 1),
    "hpc7a.96xlarge": (2, 2),
}
"""Type -> network cards, EFA interfaces (EC2 DescribeInstanceTypes; HyperPod's command line lists the same)."""


def test_cards_and_efa_interfaces_are_those_that_are_published() -> None:
    """A slip in a row cannot hide in a law."""
    machines = {name: hardware(name) for name in PUBLISHED}
    assert {name: (each.network_cards, each.max_efa) for name, each in machines.items()} == PUBLISHED


@every(EVERY_TYPE, [Layout.AWS, Layout.CLASSIC])
def test_as_many_efa_interfaces_as_the_type_takes(machine: Hardware, layout: Layout) -> None:
    """`EfaInfo.MaximumEfaInterfaces`, not the number of cards: p6-b300 has 17 cards and takes 16. AWS's page lays out
    fewer on p6e-gb200 (cards 1, 5, 9 and 13)."""
    fewer = layout is Layout.AWS and len(machine.efa_layout_cards)
    assert sum(slot.is_efa for slot in slots(machine, layout)) == (fewer or machine.max_efa)


@every(EVERY_TYPE, Layout)
def test_no_card_carries_two_efa_interfaces(machine: Hardware, layout: Layout) -> None:
    """EC2 accepts at most one EFA on each network card."""
    cards = [slot.card for slot in slots(machine, layout) if slot.is_efa]
    assert len(cards) == len(set(cards))
    assert set(cards) <= set(machine.efa_cards)


@every(EVERY_TYPE, Layout)
def test_every_slot_is_used_once_and_in_order(machine: Hardware, layout: Layout) -> None:
    """EC2 refuses two interfaces at one card and device index."""
    places = [(slot.card, slot.device) for slot in slots(machine, layout)]
    assert places == sorted(set(places))


@every(EVERY_TYPE, Layout)
def test_device_indexes_are_0_or_1_on_cards_that_exist(machine: Hardware, layout: Layout) -> None:
    """EC2 user guide, "Network cards"."""
    for slot in slots(machine, layout):
        assert 0 <= slot.card < machine.network_cards
        assert slot.device in (0, 1)


@every(EVERY_TYPE, Layout)
def test_no_card_carries_more_than_it_takes(machine: Hardware, layout: Layout) -> None:
    """EC2, `NetworkCards[].MaximumNetworkInterfaces`."""
    for card, count in Counter(slot.card for slot in slots(machine, layout)).items():
        limit = machine.enis_card0 if card == 0 else machine.enis_other_cards
        assert limit is None or count <= limit


@every(EVERY_TYPE)
def test_aws_layout_is_one_plain_interface_and_efa_only_ones(machine: Hardware) -> None:
    """Unless card 0 has EFA and takes no second interface (hpc6id.32xlarge): its one interface is EFA."""
    kinds = [slot.type for slot in slots(machine, Layout.AWS)]
    if 0 in machine.efa_cards and machine.enis_card0 == 1:
        assert kinds == [InterfaceType.EFA] * machine.max_efa
    else:
        assert kinds == [InterfaceType.PLAIN] + [InterfaceType.EFA_ONLY] * (len(kinds) - 1)


@every(EVERY_TYPE)
def test_classic_layout_has_no_efa_only_and_no_plain_one_where_card_0_takes_efa(machine: Hardware) -> None:
    """Each of its EFA interfaces carries IP."""
    laid_out = slots(machine, Layout.CLASSIC)
    assert InterfaceType.EFA_ONLY not in {slot.type for slot in laid_out}
    assert laid_out[0].is_efa == (0 in machine.efa_cards)
    assert len(laid_out) == machine.max_efa + (not laid_out[0].is_efa)


@every(EVERY_TYPE)
def test_plain_layout_is_the_primary_interface(machine: Hardware) -> None:
    """EKS and EC2 make it by themselves."""
    assert slots(machine, Layout.PLAIN) == (Slot(0, 0, InterfaceType.PLAIN),)


@every(EVERY_TYPE, Layout)
def test_without_efa_every_layout_is_plain(machine: Hardware, layout: Layout) -> None:
    """There is nothing to lay out."""
    if not machine.max_efa:
        assert slots(machine, layout) == slots(machine, Layout.PLAIN)


def test_the_layout_of_p6_b300_leaves_its_first_card_alone() -> None:
    """EC2 user guide, "P6-B300": card 0 takes no EFA."""
    first, *rest = slots(hardware("p6-b300.48xlarge"), Layout.AWS)
    assert first == Slot(0, 0, InterfaceType.PLAIN)
    assert rest == [Slot(card, 0, InterfaceType.EFA_ONLY) for card in range(1, 17)]


@pytest.mark.parametrize(
    ("layout", "expected"),
    [
        (Layout.AWS, [(0, 0, "interface"), (0, 1, "efa-only"), (1, 0, "efa-only"), (2, 0, "efa-only")]),
        (Layout.CLASSIC, [(0, 0, "efa"), (1, 1, "efa"), (2, 1, "efa"), (3, 1, "efa")]),
    ],
)
def test_the_first_interfaces_of_p5(layout: Layout, expected: list[tuple[int, int, str]]) -> None:
    """EC2 user guide, "Maximize network bandwidth": its two examples."""
    laid_out = slots(hardware("p5.48xlarge"), layout)[:4]
    assert [(slot.card, slot.device, slot.type.value) for slot in laid_out] == expected


@every(EVERY_TYPE, Layout)
def test_only_an_efa_only_interface_on_card_0_costs_pods(machine: Hardware, layout: Layout) -> None:
    """Pods have addresses of card 0 alone (amazon-vpc-cni-k8s)."""
    laid_out = slots(machine, layout)
    costly = any(slot.card == 0 and slot.type is InterfaceType.EFA_ONLY for slot in laid_out)
    assert bool(pods_lost_to_efa_only(laid_out, machine)) == costly
