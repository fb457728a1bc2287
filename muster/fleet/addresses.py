"""How many addresses a node takes of its subnet, with the AWS VPC CNI's own settings; on EKS, and on HyperPod.

Sources: amazon-vpc-cni-k8s `pkg/ipamd` (read at v1.23) and `docs/eni-and-ip-target.md`. The CNI attaches interfaces on
card 0 only, fills each with all the addresses it holds, and keeps one interface's worth free (WARM_ENI_TARGET=1). An
efa-only interface has no address and takes one interface's place on card 0; an `interface` or `efa` on another card
has exactly one.

On HyperPod the CNI has one interface and attaches no other (`muster.fleet.allocatable`): it takes all its addresses at
once, and each EFA interface on a further card has one, where it is not efa-only. So it is 81 on p5.48xlarge, as
SageMaker's guide says ("50 from the primary card plus one from each of the remaining 31 cards", prerequisites for using
HyperPod); of other types it says nothing, and the same sum is inferred.
"""

from dataclasses import dataclass
from math import ceil

from muster.fleet.hardware import Hardware
from muster.fleet.interfaces import InterfaceType, Slot


@dataclass(frozen=True, slots=True)
class Addresses:
    """Addresses of one node: on EKS p5.48xlarge in AWS's layout 50, 50 and 50, p4d.24xlarge 50, 100 and 300; on
    HyperPod p5.48xlarge 81, whatever it runs."""

    idle: int
    """With no pod that needs an address."""
    working: int
    """With the pods of one interface: what a training job, and the DaemonSets beside it, come to."""
    most: int
    """With all the pods it may hold."""


def addresses(hardware: Hardware, slots: tuple[Slot, ...], max_pods: int) -> Addresses:
    """Addresses of a node.

    Args:
        hardware: its type.
        slots: its interfaces.
        max_pods: pods its kubelet takes.

    Raises:
        Incomplete: the catalogue lacks the type's interfaces or addresses.
    """
    each = hardware.need("ipv4_per_eni")
    without = sum(slot.card == 0 and slot.type is InterfaceType.EFA_ONLY for slot in slots)
    room = hardware.need("enis_card0") - without
    elsewhere = sum(slot.card > 0 and slot.type is not InterfaceType.EFA_ONLY for slot in slots)
    full = min(room, ceil(max_pods / (each - 1)))

    def of(interfaces: int) -> int:
        return each * interfaces + elsewhere

    return Addresses(idle=of(1), working=of(max(1, min(full, 2))), most=of(max(1, full)))


def hyperpod_addresses(hardware: Hardware, slots: tuple[Slot, ...]) -> Addresses:
    """Addresses of a HyperPod node: as many with pods as without.

    Raises:
        Incomplete: the catalogue lacks the type's addresses.
    """
    elsewhere = sum(slot.card > 0 and slot.type is not InterfaceType.EFA_ONLY for slot in slots)
    number = hardware.need("ipv4_per_eni") + elsewhere
    return Addresses(idle=number, working=number, most=number)
