"""The primary interface, and security groups, of a template that lists interfaces."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.fleet.resources import Fleet, LaunchTemplate
from muster.hardware.interfaces import InterfaceType
from muster.policies.engine.finding_text import and_list, name_list, quantity_text
from muster.policies.engine.rule import Rule, Verdict
from muster.unknown import any_of, if_known, stored


def primary_interface_carries_ip(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    primary = [nic for nic in template.interfaces if if_known(lambda: (nic.card, nic.device) == (0, 0))]
    if any_of(*(lambda nic=nic: nic.type == InterfaceType.EFA_ONLY for nic in primary)):
        yield rule.finding(
            template,
            "interfaces",
            got="the interface at card 0 / device 0 is efa-only",
            change=(set_to("efa", at="interfaceType"), "move it to device 1, and put an interface without EFA there"),
        )
    elif template.interfaces and not primary:
        _ = [(nic.card, nic.device) for nic in template.interfaces]
        first = and_list(nic.label for nic in template.interfaces[:3])
        got = f"no interface is at card 0 / device 0 (the first are at {first})"
        yield rule.finding(template, "interfaces", got=got, change="add an interface without EFA there")


def security_groups_on_interfaces(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    groups = stored(template, "security_groups")
    if groups != () and template.interfaces:
        # Groups that are set count, even if they are unknown.
        yield rule.finding(
            template,
            "vpcSecurityGroupIds",
            got=f"the template sets security groups at its top level ({name_list(groups)}), but lists "
            f"{quantity_text(len(template.interfaces), 'interface')}",
            change=f"move them to {rule.key(template, 'securityGroups')} of each interface",
        )
