"""The kubelet's limit of pods, compared with the addresses for them."""

from collections.abc import Iterator
from functools import partial

from muster.edits import set_to
from muster.fleet.resources import EksAddon, Fleet, LaunchTemplate, NodeGroup
from muster.hardware.catalogue import Hardware, Incomplete
from muster.hardware.interfaces import Slot
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.launch_templates import template_of
from muster.policies.lookups.machines import addresses_for_pods, capped, known_machines, machines_of, pods_of, slots_of
from muster.unknown import NotKnown, any_of, if_known


def max_pods_within_addresses(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    # Karpenter sets the number, and counts the addresses (its types.go), where its class does not set it.
    template = template_of(group, fleet) if group.pool is None else fleet.template_of(group)
    if template is None or (group.pool is not None and template.max_pods is None):
        return
    slots, key = slots_of(template), rule.key(group, "maxPods")
    if template.max_pods is None and not any(slot.card == 0 and not slot.is_primary for slot in slots):
        return  # nodeadm's own number, and every interface on card 0 has addresses for pods
    faults = (if_known(lambda: _fault(one, slots, template, group, key)) for one in known_machines(group, fleet))
    if fault := next(filter(None, faults), None):
        yield from _finding(rule, group, fleet, *fault)
    for machine in machines_of(group, fleet):
        _fault(machine, slots, template, group, key)  # raises where its addresses are not known


def _fault(
    machine: Hardware, slots: tuple[Slot, ...], template: LaunchTemplate, group: NodeGroup, key: str
) -> tuple[str, int] | None:
    """What is found on a type that has fewer addresses than pods, and the number of addresses; None on others."""
    limit = template.max_pods
    try:
        takes, addressed = pods_of(machine, slots, capped=if_known(lambda: capped(group, template), False))
    except Incomplete as lacks:
        raise NotKnown(str(lacks)) from None
    if (takes if limit is None else limit) <= addressed:
        return None
    pods = f"{key} is not set, so the kubelet accepts {takes} pods" if limit is None else f"{key} is {limit}"
    if addressed < addresses_for_pods(machine, slots):
        return f"{pods}, but EKS accepts at most {addressed} on a {machine.instance}", addressed
    return f"{pods}, but a {machine.instance} with these interfaces has addresses for {addressed}", addressed


def _finding(rule: Rule, group: NodeGroup, fleet: Fleet, got: str, addressed: int) -> Iterator[Verdict]:
    """The finding, if the VPC CNI does not use prefixes: with prefixes an interface has 16 times the addresses."""
    cni = [addon for addon in fleet.of(EksAddon) if if_known(lambda: addon.name, "vpc-cni") == "vpc-cni"]
    if not cni:
        raise NotKnown("whether the VPC CNI uses prefixes (ENABLE_PREFIX_DELEGATION)")
    if not any_of(*(partial(getattr, addon, "prefix_delegation") for addon in cni)):
        yield rule.finding(group, "interfaces", got=got, change=set_to(addressed, at="maxPods"))
