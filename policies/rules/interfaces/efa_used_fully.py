"""EFA interfaces that the instance supports and the template does not use."""

from collections.abc import Iterator

from muster.config.description.node_group import Purpose
from muster.edits import set_to
from muster.fleet.resources import ComputeNodeGroup, ComputeResource, Fleet, LaunchTemplate
from muster.hardware.interfaces import InterfaceType
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.machines import known_machines, machines_of
from muster.unknown import if_known, stored

_TYPES = frozenset(kind.value for kind in InterfaceType)


def efa_used_fully(thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    of = _of_slurm(thing, fleet, rule) if isinstance(thing, ComputeResource) else _of_template(thing, fleet, rule)
    yield from of


def _of_slurm(group: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges compute resources, which have all EFA interfaces or none. In another program, a type with several is for
    training."""
    if group.purpose not in (None, Purpose.TRAINING) or if_known(lambda: group.has_efa):
        return
    least = 0 if group.purpose else 1
    having = [one for one in known_machines(group, fleet) if one.max_efa > least]
    if not having:
        machines_of(group, fleet)
    elif not group.has_efa:
        one = min(having, key=lambda machine: machine.instance)
        got = f"the group uses 0 of the {one.max_efa} EFA interfaces of {one.instance}"
        yield rule.finding(group, "efa", got=got, change=set_to(True))


def _of_template(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    groups = tuple(fleet.groups_of(template))
    training = any(group.purpose is Purpose.TRAINING for group in groups)
    of_pcs = any(isinstance(group, ComputeNodeGroup) for group in groups)
    if any(if_known(lambda: nic.type not in _TYPES) for nic in stored(template, "interfaces", ())):
        return  # types that EC2 does not know may be intended as EFA
    used = sum(nic.is_efa for nic in template.interfaces)
    if not (training or used):
        return
    hardware = fleet.hardware_of(template)
    if used < hardware.enough_efa:
        values: tuple[bool | str, ...] = (True,) if of_pcs else ("aws", "classic")
        yield rule.finding(
            template,
            "efa" if of_pcs else "interfaces",
            got=f"the template uses {used} of the {hardware.enough_efa} EFA interfaces of {hardware.instance}",
            change=set_to(*values, in_program="an EFA interface on each EFA-capable card"),
        )
