"""Network interfaces of an EFA instance: which interface sits on which network card.

Sources: EC2 user guide "EFA interfaces for accelerated instance types" (current page) and "network cards"; EKS guide
"node-efa". The current page puts the efa-only interfaces of cards 1 and up at device 0; every tool in the field
(eksctl, terraform-aws-eks, pulumi-eks, Karpenter, ParallelCluster 3.16) uses device 1 there. Muster writes what AWS's
page states, and its rules accept both.
"""

from dataclasses import replace
from enum import StrEnum
from math import ceil
from typing import NamedTuple

from muster.hardware.catalogue import Hardware


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


class Slot(NamedTuple):
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
    other capable card at device 1, as eksctl and Karpenter lay them out. Where card 0 takes one interface only
    (hpc6id.32xlarge), that one is EFA, and both layouts are the classic one. Where fewer cards reach the whole EFA
    bandwidth (p6e-gb200: cards 1, 5, 9 and 13), ``aws`` has EFA on these cards only. A type without EFA has one plain
    interface in every layout.
    """
    primary = Slot(0, 0, InterfaceType.PLAIN)
    if layout is Layout.PLAIN or not hardware.max_efa:
        return (primary,)
    cards = hardware.efa_cards[: hardware.max_efa]
    if layout is Layout.AWS and not (0 in cards and hardware.enis_card0 == 1):
        given = hardware.efa_layout_cards or cards
        return (primary, *(Slot(card, 1 if card == 0 else 0, InterfaceType.EFA_ONLY) for card in given))
    if 0 in cards:
        primary = Slot(0, 0, InterfaceType.EFA)
    return (primary, *(Slot(card, 1, InterfaceType.EFA) for card in cards if card))


def service_slots(hardware: Hardware, layout: Layout) -> tuple[Slot, ...]:
    """The interfaces that HyperPod or ParallelCluster gives an instance: EFA on every card that has it, also if AWS's
    page uses fewer (ParallelCluster 3.16 `queues_stack.py`; no source states HyperPod's layout of p6e-gb200)."""
    return slots(replace(hardware, efa_layout_cards=()), layout)


def pods_lost_to_efa_only(layout_slots: tuple[Slot, ...], hardware: Hardware) -> int:
    """Pod addresses that efa-only interfaces on card 0 take away: each interface would have carried (addresses - 1)."""
    on_card0 = sum(slot.card == 0 and slot.type is InterfaceType.EFA_ONLY for slot in layout_slots)
    return on_card0 * (hardware.need("ipv4_per_eni") - 1) if on_card0 else 0


def addresses_for_pods(hardware: Hardware, slots: tuple[Slot, ...], *, custom_networking: bool = False) -> int:
    """The number of pods that get an address on a node, whatever EKS's own limit.

    Args:
        hardware: its type.
        slots: its interfaces.
        custom_networking: whether the VPC CNI gives pods addresses of other subnets, on all interfaces but the first.

    Raises:
        Incomplete: the catalog lacks the type's addresses.
    """
    first = hardware.need("ipv4_per_eni") - 1 if custom_networking else 0
    return hardware.need("max_pods") - pods_lost_to_efa_only(slots, hardware) - first


# How many addresses a node takes of its subnet, with the AWS VPC CNI's own settings; on EKS, and on HyperPod.
#
# Sources: amazon-vpc-cni-k8s `pkg/ipamd` (read at v1.23) and `docs/eni-and-ip-target.md`. The CNI attaches interfaces
# on card 0 only, fills each with all the addresses it holds, and keeps one interface's worth free (WARM_ENI_TARGET=1).
# An efa-only interface has no address and takes one interface's place on card 0; an `interface` or `efa` on another
# card has exactly one.
#
# On HyperPod the CNI has one interface and attaches no other (`muster.hardware.allocatable`): it takes all its
# addresses at once, and each EFA interface on a further card has one, where it is not efa-only. So it is 81 on
# p5.48xlarge, by SageMaker's guide ("50 from the primary card plus one from each of the remaining 31 cards",
# prerequisites for using HyperPod); it does not cover other types, and the same sum is inferred.


class Addresses(NamedTuple):
    """Addresses of one node: on EKS p5.48xlarge in AWS's layout 50 and 50, p4d.24xlarge 100 and 300; on
    HyperPod p5.48xlarge 81, whatever it runs."""

    working: int
    """With the pods of one interface: what a training job, and the DaemonSets beside it, come to."""
    most: int
    """With all the pods it may hold."""


def addresses(
    hardware: Hardware, slots: tuple[Slot, ...], max_pods: int, *, custom_networking: bool = False
) -> Addresses:
    """Addresses of a node in its own subnet.

    Args:
        hardware: its type.
        slots: its interfaces.
        max_pods: pods its kubelet takes.
        custom_networking: whether the interfaces of its pods are in other subnets.

    Raises:
        Incomplete: the catalog lacks the type's interfaces or addresses.
    """
    each = hardware.need("ipv4_per_eni")
    without = sum(slot.card == 0 and slot.type is InterfaceType.EFA_ONLY for slot in slots)
    room = hardware.need("enis_card0") - without
    elsewhere = sum(slot.card > 0 and slot.type is not InterfaceType.EFA_ONLY for slot in slots)
    if custom_networking:
        return Addresses(1 + elsewhere, 1 + elsewhere)
    full = min(room, ceil(max_pods / (each - 1)))

    def of(interfaces: int) -> int:
        return each * interfaces + elsewhere

    return Addresses(working=of(max(1, min(full, 2))), most=of(max(1, full)))


def hyperpod_addresses(hardware: Hardware, slots: tuple[Slot, ...]) -> Addresses:
    """Addresses of a HyperPod node: their number does not depend on pods.

    Raises:
        Incomplete: the catalog lacks the type's addresses.
    """
    elsewhere = sum(slot.card > 0 and slot.type is not InterfaceType.EFA_ONLY for slot in slots)
    number = hardware.need("ipv4_per_eni") + elsewhere
    return Addresses(working=number, most=number)
