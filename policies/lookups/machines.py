"""The machines of a group: hardware, interfaces, pod addresses, Kubernetes version, EKS image."""

import re
from dataclasses import dataclass

from muster.config.description.node_settings import Family
from muster.fleet.resources import (
    ComputeNodeGroup,
    ComputeResource,
    ControlPlane,
    Fleet,
    InstanceGroup,
    LaunchTemplate,
    NodeGroup,
)
from muster.fleet.resources.fleet import AnyGroup
from muster.hardware.allocatable import managed_group_pod_cap
from muster.hardware.ami import AMI_TYPES, RESOLVED_BY_EC2, ImageKind, ami_type_of_parameter
from muster.hardware.catalogue import Hardware, Incomplete, UnknownInstance, hardware
from muster.hardware.hyperpod_types import ML
from muster.hardware.interfaces import (
    Addresses,
    InterfaceType,
    Layout,
    Slot,
    addresses,
    hyperpod_addresses,
    pods_lost_to_efa_only,
    service_slots,
)
from muster.message_text import did_you_mean
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list
from muster.policies.lookups.capacity_targets import types_of
from muster.policies.lookups.launch_templates import interfaces_of, template_of
from muster.unknown import UNKNOWN

_TYPES = frozenset(kind.value for kind in InterfaceType)


def machines_of(group: AnyGroup, fleet: Fleet) -> tuple[tuple[Hardware, ...], str]:
    """The hardware of every instance type of a group, and what is missing. For HyperPod it has the threads per core
    that the group sets.

    None and nothing missing if neither group nor template sets a type: EKS then uses t3.medium. For HyperPod's groups,
    a rule about HyperPod reports it.
    """
    if group.instance_types is UNKNOWN:
        return (), "instanceTypes (known only after `pulumi up`)"
    named: tuple[object, ...] = group.instance_types
    if isinstance(group, InstanceGroup):
        return _found(tuple(str(each).removeprefix(ML) for each in named), _threads(group))
    if isinstance(group, ComputeResource):
        # A compute resource that sets no type has its reservation's.
        types = types_of(group, fleet) or frozenset()
        return _found(tuple(sorted(types))) if types else ((), "the instance type, which its reservation determines")
    if not named:
        template, missing = template_of(group, fleet)
        if template is None or template.instance is None:
            return (), missing
        if template.instance is UNKNOWN:
            return (), "the instance type (known only after `pulumi up`)"
        named = (template.instance,)
    return _found(named)


def _found(named: tuple[object, ...], threads: int | None = None) -> tuple[tuple[Hardware, ...], str]:
    found, unknown = [], []
    for each in map(str, named):
        try:
            machine = hardware(each)
        except UnknownInstance:
            unknown.append(each)
        else:
            found.append(machine if threads is None else machine.with_threads(threads))
    return tuple(found), f"the hardware of {and_list(unknown)}, which Muster does not know" if unknown else ""


def _threads(group: InstanceGroup) -> int | None:
    """The threads per core that the group sets; None if not known: then the type may have all its vCPUs."""
    return group.threads_per_core if isinstance(group.threads_per_core, int) else None


def interfaces_on(machine: Hardware, group: InstanceGroup) -> tuple[Slot, ...]:
    """The interfaces that HyperPod gives a node: EFA on every card that has it, for every type that has any. If their
    kind is not known, the kind that uses the fewest addresses."""
    return service_slots(machine, Layout.CLASSIC if group.interface in (None, InterfaceType.EFA) else Layout.AWS)


def slots_of(template: LaunchTemplate | None) -> tuple[tuple[Slot, ...], str]:
    """The template's interfaces as `Slot`, and what is missing for the others.

    Types that EC2 does not know are left out.
    """
    return ((), "") if template is None else _slots(template)


@cached_by_identity(4096)
def _slots(template: LaunchTemplate) -> tuple[tuple[Slot, ...], str]:
    nics, missing = interfaces_of(template, "card", "device", "type")
    known = (nic for nic in nics if nic.type in _TYPES)
    return tuple(Slot(int(nic.card), int(nic.device), InterfaceType(nic.type)) for nic in known), missing  # type: ignore[arg-type]  # number: a number


def pods_of(machine: Hardware, slots: tuple[Slot, ...], *, capped: bool) -> tuple[int, int]:
    """The number of pods that a kubelet accepts if `maxPods` is not set, and the number that get an address there.

    Args:
        machine: the node's type.
        slots: its interfaces.
        capped: whether EKS's own limit applies (`capped`).

    Raises:
        Incomplete: the catalog lacks the type's addresses.
    """
    formula = machine.need("max_pods")
    cap = managed_group_pod_cap(machine.vcpus) if capped else formula
    return min(formula, cap), min(addresses_for_pods(machine, slots), cap)


def addresses_for_pods(machine: Hardware, slots: tuple[Slot, ...]) -> int:
    """The number of pods that get an address on a node, whatever EKS's own limit."""
    return machine.need("max_pods") - pods_lost_to_efa_only(slots, machine)


def capped(group: NodeGroup, template: LaunchTemplate | None) -> bool:
    """Whether EKS limits the pods of a node: it does if it chooses the image, not for a custom image."""
    return group.managed and (template is None or template.image is None)


def least_addresses(group: AnyGroup, fleet: Fleet) -> tuple[Addresses | None, str]:
    """The addresses that one node of a group uses in its subnet; the least if it has several types or something is
    unknown."""
    if isinstance(group, InstanceGroup):
        return _of_hyperpod(group, fleet)
    if isinstance(group, ComputeResource):
        return _of_slurm(group, fleet)
    template, missing = template_of(group, fleet)
    machines, unknown = machines_of(group, fleet)
    slots, unseen = slots_of(template)
    missing = missing or unknown or unseen
    if not machines or missing:
        return None, missing
    if isinstance(group, ComputeNodeGroup):
        # One address for each interface of the template except efa-only ones; without interfaces, EC2's first one.
        least = max(1, sum(slot.type is not InterfaceType.EFA_ONLY for slot in slots))
        return Addresses(working=least, most=least), ""
    limit = template.max_pods if template and isinstance(template.max_pods, int) else None
    try:
        # The user data may not be known yet: then only EKS's own limit is certain.
        each = [addresses(one, slots, limit or pods_of(one, slots, capped=True)[1]) for one in machines]
    except Incomplete as lacks:
        return None, str(lacks)
    return min(each, key=lambda taken: (taken.most, taken.working)), ""


def _of_hyperpod(group: InstanceGroup, fleet: Fleet) -> tuple[Addresses | None, str]:
    machines, missing = machines_of(group, fleet)
    if not machines or missing:
        return None, missing
    try:
        each = [hyperpod_addresses(one, interfaces_on(one, group)) for one in machines]
    except Incomplete as lacks:
        return None, str(lacks)
    return min(each, key=lambda taken: taken.most), ""


def _of_slurm(group: ComputeResource, fleet: Fleet) -> tuple[Addresses | None, str]:
    """One address for each interface except efa-only ones. If it is not known whether there is EFA, only that of the
    first card is certain."""
    machines, missing = machines_of(group, fleet)
    if missing:
        return None, missing
    least = 1 if group.has_efa is not False else min(machine.network_cards for machine in machines)
    return Addresses(working=least, most=least), ""


def kubernetes_of(group: AnyGroup, fleet: Fleet) -> tuple[str | None, str]:
    """A group's Kubernetes version: its own, or its cluster's."""
    own = group.version if isinstance(group, NodeGroup) else None
    if isinstance(own, str):
        return own, ""
    planes = fleet.of(ControlPlane)
    if own is None and len(planes) == 1 and isinstance(planes[0].kubernetes, str):
        return planes[0].kubernetes, ""
    return None, "the group's Kubernetes version"


_CUSTOM = "CUSTOM"


@dataclass(frozen=True, slots=True)
class Image:
    """An image of EKS's."""

    name: str
    """As the program names it: ``amiType AL2_x86_64``."""
    kind: ImageKind
    kubernetes: str | None = None
    """The Kubernetes version that it was made for, if its name has one."""
    release: str | None = None
    """The day of its release, as in ``20260917``; None if it is the newest, or not known."""


_RELEASE = re.compile(r"-v?(20\d{6})\b")


def _release(text: object) -> str | None:
    found = _RELEASE.search(str(text))
    return found[1] if found else None


def image_of(group: NodeGroup, fleet: Fleet) -> tuple[Image | None, str]:
    """A group's image, and what is missing to know it. None and nothing missing for a custom image."""
    template, missing = template_of(group, fleet)
    own = template is not None and template.image is not None
    if group.managed and group.ami_type not in (None, _CUSTOM) and not (own and group.ami_type is UNKNOWN):
        return _of_type(group)
    if template is None or template.image is None:
        not_set = "the image: the group does not set amiType, so EKS chooses it"
        return None, missing or (not_set if group.managed and group.ami_type is None else "")
    if not isinstance(template.image, str) or not template.image.startswith(RESOLVED_BY_EC2):
        return None, ""
    found = ami_type_of_parameter(template.image)
    if found is None:
        return None, ""
    return Image(f"image {template.image}", AMI_TYPES[found[0]], found[1], _release(template.image)), ""


def is_of_another_system(image: Image, family: Family | None) -> bool:
    """Whether a template's own image has another operating system than the one that Muster writes user data for; false
    if Muster writes no user data, or EKS chooses the image."""
    return family is not None and image.kubernetes is not None and image.kind.system != family.value


def _of_type(group: NodeGroup) -> tuple[Image | None, str]:
    if group.ami_type is UNKNOWN:
        return None, "amiType (known only after `pulumi up`)"
    given = str(group.ami_type)
    if given not in AMI_TYPES:
        return None, f"the image of amiType {given}, which Muster does not know{did_you_mean(given, AMI_TYPES)}"
    return Image(f"amiType {given}", AMI_TYPES[given], release=_release(group.release_version)), ""
