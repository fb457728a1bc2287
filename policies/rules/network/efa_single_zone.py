"""Groups with EFA, and the zones of their subnets."""

from collections.abc import Iterator

from muster.config.description.node_group import Purpose
from muster.fleet.resources import ComputeResource, Fleet, InstanceGroup
from muster.fleet.resources.fleet import AnyGroup
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.capacity_targets import Kind, target_of
from muster.policies.lookups.launch_templates import has_efa, template_of
from muster.policies.lookups.machines import known_machines, machines_of
from muster.policies.lookups.zones import in_one_zone, several_zones, zones_path
from muster.unknown import if_known

OF_RESERVATIONS = "reservation-zone-matches-subnet"
"""The rule about the subnets of groups with reservations: a reservation is in one zone, whether or not it has EFA."""


def efa_single_zone(group: AnyGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not _has_efa(group, fleet):
        return
    zones = several_zones(group, fleet)
    if zones and not (rule.leaves(OF_RESERVATIONS) and _is_reserved(group, fleet)):
        place, at = zones_path(group, fleet)
        yield rule.finding(
            group,
            at,
            place=place,
            got=f"the group has EFA, but its subnets are in {and_list(zones)}",
            change=(in_one_zone(zones, at), f"use one {_HOLDING[at]} per zone"),
        )


def _has_efa(group: AnyGroup, fleet: Fleet) -> bool:
    """Whether the nodes have EFA. HyperPod attaches EFA to every type that has it, even for inference, which need not
    use it."""
    if isinstance(group, ComputeResource):
        return group.has_efa
    if isinstance(group, InstanceGroup):
        if group.purpose not in (None, Purpose.TRAINING) or group.training_plan is not None:
            return False  # a plan is in one zone: the rule about plans judges it
        having = [machine for machine in known_machines(group, fleet) if machine.max_efa]
        return any(machine.max_efa for machine in having or machines_of(group, fleet))
    template = template_of(group, fleet)
    return template is not None and has_efa(template)


def _is_reserved(group: AnyGroup, fleet: Fleet) -> bool:
    """Whether it is on a reservation whose zone another rule judges."""
    if isinstance(group, InstanceGroup):
        return False
    target = if_known(lambda: target_of(group, fleet))
    return target is not None and target.kind is not Kind.GROUP


_HOLDING = {"zone": "group", "zones": "queue"}
"""Key with the zones -> the block that has the nodes of one zone."""
