"""Which extended resources the groups of a fleet could offer."""

from muster.fleet.ami import plugin_in_image
from muster.fleet.hardware import UnknownInstance, hardware
from muster.fleet.node import EFA_RESOURCE
from muster.fleet.resources import Fleet, InstanceGroup
from muster.fleet.resources.fleet import KubernetesGroup
from policies.reading.remembered import remembered
from policies.reading.templates import interfaces_of, template_of


@remembered(4)
def offers(fleet: Fleet) -> frozenset[str] | None:
    """The resources of all groups' devices, None as soon as one group's hardware is not known."""
    found = [group_offers(fleet, group) for group in fleet.kubernetes_groups]
    return None if None in found else frozenset(resource for each in found if each for resource in each)


def group_offers(fleet: Fleet, group: KubernetesGroup) -> frozenset[str] | None:
    """The resources of one group's devices, EFA only where its launch template has EFA interfaces; HyperPod attaches
    them wherever a type has any.

    None where its hardware or its interfaces are not known.
    """
    instance = fleet.instance_of(group)
    if not isinstance(instance, str):
        return None
    try:
        machine = hardware(instance)
    except UnknownInstance:
        return None
    own = {machine.resource_name} if machine.resource_name else set[str]()
    if isinstance(group, InstanceGroup):
        return frozenset(own | ({EFA_RESOURCE} if machine.max_efa else set()))
    template, missing = template_of(group, fleet)
    if template:
        _, missing = interfaces_of(template, "type")
    efa = {EFA_RESOURCE} if template and template.efa_interfaces else set()
    if missing and not efa:
        return None
    return frozenset(own | efa)


def built_in(fleet: Fleet, group: KubernetesGroup) -> frozenset[str]:
    """Those of a group's devices that its image's own plugin offers."""
    return plugin_in_image(group.family, group_offers(fleet, group) or frozenset())
