"""The machines of a group: hardware, interfaces, pod addresses, Kubernetes version, EKS image."""

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from muster.config.description.network import VPC_CNI
from muster.fleet.resources import (
    ComputeNodeGroup,
    ComputeResource,
    ControlPlane,
    EksAddon,
    Fleet,
    InstanceGroup,
    LaunchTemplate,
    NodeGroup,
)
from muster.fleet.resources.fleet import AnyGroup, machine
from muster.hardware.allocatable import managed_group_pod_cap
from muster.hardware.ami import AMI_TYPES, RESOLVED_BY_EC2, Family, ImageKind, ami_type_of_parameter
from muster.hardware.catalogue import Hardware, Incomplete
from muster.hardware.hyperpod_types import ML
from muster.hardware.interfaces import (
    Addresses,
    InterfaceType,
    Layout,
    Slot,
    addresses,
    addresses_for_pods,
    hyperpod_addresses,
    service_slots,
)
from muster.message_text import did_you_mean
from muster.policies.lookups.capacity_targets import types_of
from muster.policies.lookups.launch_templates import template_of
from muster.policies.lookups.parallelcluster import interfaces
from muster.unknown import NotKnown, if_known, known, stored

_TYPES = frozenset(kind.value for kind in InterfaceType)


def machines_of(group: AnyGroup, fleet: Fleet) -> tuple[Hardware, ...]:
    """The hardware of every instance type of a group. For HyperPod it has the threads per core that the group sets.

    None if neither group nor template sets a type: EKS then uses t3.medium. For HyperPod's groups, a rule about
    HyperPod reports it.

    Raises:
        NotKnown: a type is not known, or the catalog does not have it.
    """
    return tuple(_machine(each, group) for each in _types(group, fleet))


def known_machines(group: AnyGroup, fleet: Fleet) -> tuple[Hardware, ...]:
    """The hardware of the types that are known: what is wrong with one of them is wrong whatever the others are."""
    found = (if_known(lambda: _machine(each, group)) for each in if_known(lambda: _types(group, fleet), ()))
    return tuple(each for each in found if each)


def _types(group: AnyGroup, fleet: Fleet) -> tuple[str, ...]:
    if isinstance(group, ComputeResource):
        return tuple(sorted(types_of(group, fleet)))  # one that sets no type has its reservation's
    if group.instance_types or isinstance(group, InstanceGroup):
        return group.instance_types
    template = template_of(group, fleet)
    return (template.instance,) if template and template.instance is not None else ()


def _machine(instance: str, group: AnyGroup) -> Hardware:
    found = machine(instance.removeprefix(ML))
    # Where the threads are not known, the type may have all its vCPUs.
    threads = if_known(lambda: group.threads_per_core) if isinstance(group, InstanceGroup) else None
    return found if threads is None else found.with_threads(threads)


def several_interfaces(group: ComputeResource, fleet: Fleet) -> dict[str, int]:
    """The types whose nodes have several network interfaces, and how many.

    Raises:
        NotKnown: none surely has, and one may.
    """
    counts = {each.instance: if_known(partial(interfaces, group, each), 0) for each in known_machines(group, fleet)}
    several = {instance: count for instance, count in counts.items() if count > 1}
    every = () if several else machines_of(group, fleet)
    return several or {each.instance: count for each in every if (count := interfaces(group, each)) > 1}


def interfaces_on(machine: Hardware, group: InstanceGroup) -> tuple[Slot, ...]:
    """The interfaces that HyperPod gives a node: EFA on every card that has it, for every type that has any. If their
    kind is not known, the kind that uses the fewest addresses."""
    kind = if_known(lambda: group.interface, InterfaceType.EFA_ONLY)
    return service_slots(machine, Layout.CLASSIC if kind in (None, InterfaceType.EFA) else Layout.AWS)


def slots_of(template: LaunchTemplate | None) -> tuple[Slot, ...]:
    """The template's interfaces as `Slot`. Types that EC2 does not know are left out."""
    nics = template.interfaces if template else ()
    return tuple(Slot(nic.card, nic.device, InterfaceType(nic.type)) for nic in nics if nic.type in _TYPES)


def pods_of(machine: Hardware, slots: tuple[Slot, ...], *, capped: bool, apart: bool) -> tuple[int, int]:
    """The number of pods that a kubelet accepts if `maxPods` is not set, and the number that get an address there.

    Args:
        machine: the node's type.
        slots: its interfaces.
        capped: whether EKS's own limit applies (`capped`).
        apart: whether pods have addresses of other subnets (`pods_apart`).

    Raises:
        Incomplete: the catalog lacks the type's addresses.
    """
    formula = machine.need("max_pods")
    cap = managed_group_pod_cap(machine.vcpus) if capped else formula
    return min(formula, cap), min(addresses_for_pods(machine, slots, custom_networking=apart), cap)


def pods_apart(fleet: Fleet) -> bool:
    """Whether pods have addresses of other subnets than their nodes: by custom networking of the VPC CNI. The first
    interface of a node then has no pods.

    Raises:
        NotKnown: the values of the VPC CNI are not known.
    """
    return any(addon.custom_networking for addon in fleet.of(EksAddon) if stored(addon, "name", "") == VPC_CNI)


def capped(group: NodeGroup, template: LaunchTemplate | None) -> bool:
    """Whether EKS limits the pods of a node: it does if it chooses the image, not for a custom image."""
    return group.managed and (template is None or template.image is None)


def least_addresses(group: AnyGroup, fleet: Fleet) -> Addresses | None:
    """The addresses that one node of a group uses in its subnet; the least if it has several types or something is
    unknown. None if the group has no type.

    Raises:
        NotKnown: the machines or their interfaces are not known, or the catalog lacks their addresses.
    """
    machines = machines_of(group, fleet)
    if isinstance(group, ComputeResource):
        # One address for each interface except efa-only ones. If it is not known whether there is EFA, only that of
        # the first card is certain.
        cards = min(one.network_cards for one in machines)
        least = cards if if_known(lambda: group.has_efa) is False else 1
        return Addresses(working=least, most=least)
    if isinstance(group, InstanceGroup):
        return _least(machines, lambda one: hyperpod_addresses(one, interfaces_on(one, group)))
    template = template_of(group, fleet)
    slots = slots_of(template)
    if isinstance(group, ComputeNodeGroup):
        # One address for each interface of the template except efa-only ones; without interfaces, EC2's first one.
        least = max(1, sum(slot.type is not InterfaceType.EFA_ONLY for slot in slots))
        return Addresses(working=least, most=least) if machines else None
    # The user data may not be known yet: then only EKS's own limit is certain.
    limit = if_known(lambda: template.max_pods) if template else None
    apart = pods_apart(fleet)
    return _least(
        machines,
        lambda one: addresses(
            one, slots, limit or pods_of(one, slots, capped=True, apart=apart)[1], custom_networking=apart
        ),
    )


def _least(machines: tuple[Hardware, ...], of: Callable[[Hardware], Addresses]) -> Addresses | None:
    try:
        return min(map(of, machines), key=lambda taken: (taken.most, taken.working), default=None)
    except Incomplete as lacks:
        raise NotKnown(str(lacks)) from None


def kubernetes_of(group: AnyGroup, fleet: Fleet) -> str:
    """A group's Kubernetes version: its own, or its cluster's.

    Raises:
        NotKnown: neither is known.
    """
    own = group.version if isinstance(group, NodeGroup) else None
    planes = fleet.of(ControlPlane)
    version = planes[0].kubernetes if own is None and len(planes) == 1 else own
    if version is None:
        raise NotKnown("the group's Kubernetes version")
    return version


_CUSTOM = "CUSTOM"


class Image(NamedTuple):
    """An image of EKS's."""

    name: str
    """In words: ``image AL2_x86_64``."""
    kind: ImageKind
    kubernetes: str | None = None
    """The Kubernetes version that it was made for, if its name has one."""
    release: str | None = None
    """The day of its release, as in ``20260917``; None if it is the newest, or not known."""


_RELEASE = re.compile(r"-v?(20\d{6})\b")


def _release(text: object) -> str | None:
    found = _RELEASE.search(str(text))
    return found[1] if found else None


def image_of(group: NodeGroup, fleet: Fleet) -> Image | None:
    """A group's image; None for a custom image.

    Raises:
        NotKnown: it is not known which, or EKS chooses it.
    """
    ami_type = if_known(lambda: group.ami_type) if group.managed else None
    if ami_type not in (None, _CUSTOM):
        if ami_type not in AMI_TYPES:
            near = did_you_mean(ami_type, AMI_TYPES)
            raise NotKnown(f"the image type {ami_type}, which Muster does not know{near}")
        release = _release(if_known(lambda: group.release_version))
        return Image(f"image {ami_type}", AMI_TYPES[ami_type], release=release)
    template = template_of(group, fleet)
    if template is not None and template.of_karpenter and not known(lambda: template.image):
        return None  # Karpenter finds an image by an alias, a name or a tag
    if template is None or template.image is None:
        if group.managed and group.ami_type is None:
            raise NotKnown("the image, which EKS chooses")
        return None
    found = ami_type_of_parameter(template.image) if template.image.startswith(RESOLVED_BY_EC2) else None
    return Image(f"image {template.image}", AMI_TYPES[found[0]], found[1], _release(template.image)) if found else None


def is_of_another_system(image: Image, family: Family | None) -> bool:
    """Whether a template's own image has another operating system than the one that Muster writes user data for; false
    if Muster writes no user data, or EKS chooses the image."""
    return family is not None and image.kubernetes is not None and image.kind.system != family.value
