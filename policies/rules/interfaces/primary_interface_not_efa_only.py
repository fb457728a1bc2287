"""The primary interface's type."""

from collections.abc import Iterator

from muster.fleet.interfaces import InterfaceType
from muster.fleet.resources import Fleet, LaunchTemplate
from policies.reading.templates import interfaces_of
from policies.rule import Rule, Verdict, rule


@rule(
    "primary-interface-not-efa-only",
    title="The primary interface is not efa-only",
    judges=LaunchTemplate,
    why="An efa-only interface carries no IP address, and the primary interface is the one the node is reached by: "
    "EC2 refuses it at card 0 / device 0.",
    source="EKS user guide, Run machine learning training with EFA; Karpenter ec2nodeclass.go",
    remedy="Make card 0 / device 0 an ordinary interface and put the efa-only one at card 0 / device 1.",
    facts=("rules.md#2", "hardware.md#R2"),
)
def primary_interface_not_efa_only(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    nics, missing = interfaces_of(template, "card", "device", "type")
    primary = [nic for nic in nics if (nic.card, nic.device) == (0, 0)]
    if any(nic.type == InterfaceType.EFA_ONLY for nic in primary):
        yield rule.finding(
            template.place,
            at="interfaces",
            got="card 0 / device 0 is efa-only",
            remedy="make it 'interface' and put the efa-only interface at card 0 / device 1, or make it 'efa'",
        )
    elif missing and not primary:
        yield rule.unjudged(template.place, missing)
