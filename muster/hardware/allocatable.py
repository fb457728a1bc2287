"""What is left of a node for pods, by the kubelet's and nodeadm's formulas; on EKS, and on HyperPod.

Sources: awslabs/amazon-eks-ami `nodeadm/internal/kubelet/config.go` (reservations, eviction), kubernetes
`pkg/kubelet/nodestatus/setters.go` (huge pages are taken from memory), Karpenter `VM_MEMORY_OVERHEAD_PERCENT` (what
the hypervisor keeps: 7.5 %, an assumption, on the careful side).
"""

import re
from collections.abc import Callable, Mapping
from math import ceil
from typing import Any, NamedTuple

from muster.hardware.catalogue import Hardware, Incomplete
from muster.hardware.interfaces import Slot, addresses_for_pods
from muster.kubernetes_quantity import Quantity
from muster.plain_data import value_at
from muster.size import Size
from muster.whole_number import whole_number

_CPU_RESERVED_PER_CORE = ((1, 600), (1, 100), (2, 50))
_CPU_RESERVED_BEYOND = 25
"""In 1/10000 core: 6 % of the first core, 1 % of the second, 0.5 % of the next two, 0.25 % of every further one."""

_MEMORY_RESERVED_PER_POD_MIB = 11
_MEMORY_RESERVED_BASE_MIB = 255
_EVICTION_MIB = 100
_HYPERVISOR_SHARE_PER_MILLE = 75


_SMALL_NODE_VCPUS = 30
_PODS_OF_SMALL_NODES = 110
_PODS_OF_LARGE_NODES = 250


LEAST_PODS = 51
"""Pods that every type with 50 addresses for each interface can run: those of one interface, by nodeadm's formula."""

MOST_PODS = 1514
"""The most pods of any type in the catalog, for which nodeadm would reserve memory."""


class Allocatable(NamedTuple):
    """What the kubelet reports as allocatable."""

    cpu_millicores: int
    memory_mib: int | None
    """None where no source gives the pods that memory is reserved for."""
    huge_pages_mib: int
    pods: int | None
    """None where no source gives the type's interfaces or addresses."""


def kube_reserved_cpu_millicores(vcpus: int) -> int:
    """CPU that nodeadm reserves for the kubelet, in millicores (192 vCPUs: 550)."""
    left, reserved = vcpus, 0
    for cores, share in _CPU_RESERVED_PER_CORE:
        taken = min(left, cores)
        reserved += taken * share
        left -= taken
    return (reserved + left * _CPU_RESERVED_BEYOND) // 10


def kube_reserved_memory_mib(max_pods: int) -> int:
    """Memory that nodeadm reserves: 11 MiB a pod + 255 MiB."""
    return _MEMORY_RESERVED_PER_POD_MIB * max_pods + _MEMORY_RESERVED_BASE_MIB


def managed_group_pod_cap(vcpus: int) -> int:
    """The most pods EKS sets on a managed group's node: 110 below 30 vCPUs, else 250 (EKS guide, "max pods")."""
    return _PODS_OF_SMALL_NODES if vcpus < _SMALL_NODE_VCPUS else _PODS_OF_LARGE_NODES


def max_pods(hardware: Hardware, slots: tuple[Slot, ...], *, custom_networking: bool = False) -> int:
    """Pods a managed node can hold with one address each (no prefix delegation).

    The formula counts card 0's interfaces; nodeadm does not notice that an efa-only interface on card 0 holds no
    addresses (it gives 100 on p5.48xlarge where 51 addresses exist), Karpenter does (`types.go`): we follow Karpenter.

    Arguments and errors as of `addresses_for_pods`.
    """
    addresses = addresses_for_pods(hardware, slots, custom_networking=custom_networking)
    return min(addresses, managed_group_pod_cap(hardware.vcpus))


def hyperpod_max_pods(hardware: Hardware) -> int:
    """Pods that a HyperPod node can hold: the addresses of one interface but its primary one.

    Raises:
        Incomplete: the catalog lacks the type's addresses.
    """
    return hardware.need("ipv4_per_eni") - 1


def memory_capacity_mib(hardware: Hardware) -> int:
    """What the operating system sees: nominal less what the hypervisor keeps."""
    return hardware.memory_mib * (1000 - _HYPERVISOR_SHARE_PER_MILLE) // 1000


def allocatable(
    hardware: Hardware, slots: tuple[Slot, ...], huge_pages: Size, *, custom_networking: bool = False
) -> Allocatable:
    """What one node of EKS's offers to pods; arguments as of `addresses_for_pods`.

    Memory: nominal less 7.5 % for the hypervisor, nodeadm's reservation (computed, as nodeadm does, from the type's
    own max pods, not from the lower number we set), 100 MiB for eviction, and all huge pages.
    """
    pods = _known(lambda: max_pods(hardware, slots, custom_networking=custom_networking))
    return _left(hardware, pods, huge_pages)


def hyperpod_allocatable(hardware: Hardware, huge_pages: Size) -> Allocatable:
    """What one node of HyperPod's offers to pods.

    Memory is reserved as on an EKS node of the type, by the pods of that node: more than by the pods of this one.

    Args:
        hardware: its type, with the threads a core that its group has (`Hardware.with_threads`).
        huge_pages: what its lifecycle script sets aside.
    """
    return _left(hardware, _known(lambda: hyperpod_max_pods(hardware)), huge_pages)


def with_kubelet(hardware: Hardware, given: Allocatable, fields: Mapping[str, Any]) -> Allocatable:
    """What a node offers if its kubelet's configuration keeps other amounts from pods, or accepts another number of
    them. What the configuration does not set stays as nodeadm sets it: it merges the two.

    Args:
        hardware: its type.
        given: what it offers otherwise.
        fields: of a KubeletConfiguration.
    """
    capacity, memory = memory_capacity_mib(hardware), given.memory_mib
    reserved = kube_reserved_cpu_millicores(hardware.vcpus)
    if memory is not None and hardware.max_pods is not None:
        kept = kube_reserved_memory_mib(hardware.max_pods)
        memory += kept - _mib(value_at(fields, "kubeReserved", "memory"), capacity, kept)
        memory += _EVICTION_MIB - _mib(value_at(fields, "evictionHard", "memory.available"), capacity, _EVICTION_MIB)
        memory -= _mib(value_at(fields, "systemReserved", "memory"), capacity, 0)
    own = [value_at(fields, of, "cpu") for of in ("kubeReserved", "systemReserved")]
    used = [each if cpu is None else Quantity.parse(cpu).milli for cpu, each in zip(own, (reserved, 0), strict=True)]
    return given._replace(
        cpu_millicores=given.cpu_millicores + reserved - sum(used),
        memory_mib=memory,
        pods=whole_number(fields.get("maxPods")) or given.pods,
    )


def _mib(written: Any, capacity: int, otherwise: int) -> int:
    """An amount of memory in MiB, rounded up; a percentage is of the node's memory."""
    if written is None:
        return otherwise
    share = re.fullmatch(r"(\d+(?:\.\d+)?)%", str(written))
    return ceil(capacity * float(share[1]) / 100) if share else -(-Quantity.parse(written).whole // 2**20)


def certain(hardware: Hardware, given: Allocatable) -> Allocatable:
    """What a node offers at least, if no source states its interfaces: the pods of one interface, and the memory that
    remains if nodeadm reserves as much as for the largest type. What is known stays."""
    memory = given.memory_mib
    if memory is None:
        kept = kube_reserved_memory_mib(MOST_PODS) + _EVICTION_MIB
        memory = memory_capacity_mib(hardware) - kept - given.huge_pages_mib
    pods = LEAST_PODS if given.pods is None else given.pods
    return Allocatable(given.cpu_millicores, memory, given.huge_pages_mib, pods)


def _known(number: Callable[[], int]) -> int | None:
    try:
        return number()
    except Incomplete:
        return None


def _left(hardware: Hardware, pods: int | None, huge_pages: Size) -> Allocatable:
    kept = None if hardware.max_pods is None else kube_reserved_memory_mib(hardware.max_pods) + _EVICTION_MIB
    return Allocatable(
        cpu_millicores=hardware.vcpus * 1000 - kube_reserved_cpu_millicores(hardware.vcpus),
        memory_mib=None if kept is None else memory_capacity_mib(hardware) - kept - huge_pages.mib,
        huge_pages_mib=huge_pages.mib,
        pods=pods,
    )
