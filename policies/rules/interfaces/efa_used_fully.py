"""EFA interfaces that the instance supports and the template does not use."""

from collections.abc import Iterator

from muster.config.description.node_group import Purpose
from muster.finding import Level
from muster.fleet.backend_sets import IN_EC2
from muster.fleet.resources import ComputeNodeGroup, ComputeResource, Fleet, LaunchTemplate
from muster.hardware.interfaces import InterfaceType
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.launch_templates import hardware_missing, interfaces_of
from muster.policies.lookups.machines import machines_of

_TYPES = frozenset(kind.value for kind in InterfaceType)


@rule(
    "efa-used-fully",
    title="A training node uses every EFA interface of its type",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=LaunchTemplate | ComputeResource,
    backends=IN_EC2,
    why="You pay for the bandwidth of each missing interface without using it. EFA cannot be added to a running "
    "instance.",
    source=("https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-acc-inst-types.html",),
    remedy="Use all EFA interfaces that the type supports.",
    facts=("rules.md#5", "rules.md#11", "hardware.md#R5", "pains.md#22"),
)
def efa_used_fully(thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    of = _of_slurm(thing, fleet, rule) if isinstance(thing, ComputeResource) else _of_template(thing, fleet, rule)
    yield from of


def _of_slurm(group: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges compute resources, which have all EFA interfaces or none. In another program, a type with several is for
    training."""
    if group.has_efa is True or group.purpose not in (None, Purpose.TRAINING):
        return
    machines, missing = machines_of(group, fleet)
    having = [each for each in machines if each.max_efa > (0 if group.purpose else 1)]
    if having and group.has_efa is False:
        one = min(having, key=lambda machine: machine.instance)
        got = f"the group uses 0 of the {one.max_efa} EFA interfaces of {one.instance}"
        remedy = "remove efa, or set efa: true"
        yield rule.finding(group.place, got, remedy, at="efa", program_remedy="set Efa: {Enabled: true}")
    elif missing or having:
        yield rule.unjudged(group.place, missing or "whether it has EFA (known only after `pulumi up`)")


def _of_template(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    groups = tuple(fleet.groups_of(template))
    training = any(group.purpose is Purpose.TRAINING for group in groups)
    of_pcs = any(isinstance(group, ComputeNodeGroup) for group in groups)
    nics, missing = interfaces_of(template, "type")
    if any(nic.type is not None and nic.type not in _TYPES for nic in nics):
        return  # types that EC2 does not know may be intended as EFA
    used = len(template.efa_interfaces)
    if not (training or used or missing):
        return
    hardware = fleet.hardware_of(template)
    if hardware is None or missing:
        yield rule.unjudged(template.place, missing or hardware_missing(template, fleet))
    elif used < hardware.enough_efa:
        yield rule.finding(
            template.place,
            at="efa" if of_pcs else "interfaces",
            got=f"the template uses {used} of the {hardware.enough_efa} EFA interfaces of {hardware.instance}",
            remedy=("remove efa, or set efa: true" if of_pcs else "remove `interfaces`, or set it to aws or classic")
            if not used
            else "add the others, one on each EFA-capable card",
            program_remedy="add the others to networkInterfaces, one on each EFA-capable card",
        )
