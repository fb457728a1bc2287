"""Network interfaces of an EFA instance: which interface sits on which network card.

Sources: EC2 user guide "EFA interfaces for accelerated instance types" (current page) and "network cards"; EKS guide
"node-efa". The current page puts the efa-only interfaces of cards 1 and up at device 0; every tool in the field
(eksctl, terraform-aws-eks, pulumi-eks, Karpenter, ParallelCluster 3.16) ships device 1 there. We emit what AWS's page
says and accept both when judging.
"""

from dataclasses import dataclass
from enum import StrEnum

from muster.fleet.hardware import Hardware


class InterfaceType(StrEnum):
    """EC2's `InterfaceType`."""

    PLAIN = "interface"
    EFA = "efa"
    EFA_ONLY = "efa-only"


class Layout(StrEnum):
    """How EFA interfaces are laid out.

    ``aws``: AWS's current page: a plain primary interface, efa-only on every capable card. The efa-only interface on
    card 0 takes one of that card's interfaces away from pods (p5.48xlarge: 51 pods instead of 100).
    ``classic``: an EFA primary interface where card 0 takes one; keeps the pods, ties IP and EFA traffic together.
    ``plain``: one ordinary interface, no EFA.
    """

    AWS = "aws"
    CLASSIC = "classic"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True, order=True)
class Slot:
    """Where an interface sits and what it is."""

    card: int
    device: int
    type: InterfaceType

    @property
    def is_efa(self) -> bool:
        """Whether it carries EFA traffic (``efa`` or ``efa-only``)."""
        return self.type is not InterfaceType.PLAIN

    @property
    def is_primary(self) -> bool:
        """Whether it is the instance's primary interface, (0, 0)."""
        return (self.card, self.device) == (0, 0)


def slots(hardware: Hardware, layout: Layout) -> tuple[Slot, ...]:
    """The interfaces of one instance, primary first, then by card.

    ``aws``: 1 plain + `max_efa` efa-only. ``classic``: EFA on (0, 0) where card 0 takes it (else plain), EFA on every
    other capable card at device 1, as eksctl and Karpenter lay them out. Both hold for every catalogued type,
    p6-b300 (17 cards, the first without EFA) included. A type without EFA has one plain interface in every layout.
    """
    primary = Slot(0, 0, InterfaceType.PLAIN)
    if layout is Layout.PLAIN or not hardware.max_efa:
        return (primary,)
    cards = hardware.efa_cards[: hardware.max_efa]
    if layout is Layout.AWS:
        return (primary, *(Slot(card, 1 if card == 0 else 0, InterfaceType.EFA_ONLY) for card in cards))
    if 0 in cards:
        primary = Slot(0, 0, InterfaceType.EFA)
    return (primary, *(Slot(card, 1, InterfaceType.EFA) for card in cards if card))


def pods_lost_to_efa_only(layout_slots: tuple[Slot, ...], hardware: Hardware) -> int:
    """Pod addresses that efa-only interfaces on card 0 take away: each interface would have carried (addresses - 1)."""
    on_card0 = sum(slot.card == 0 and slot.type is InterfaceType.EFA_ONLY for slot in layout_slots)
    return on_card0 * (hardware.need("ipv4_per_eni") - 1) if on_card0 else 0
