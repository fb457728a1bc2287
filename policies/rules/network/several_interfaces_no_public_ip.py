"""Public addresses on nodes with several interfaces."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LaunchTemplate
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule
from policies.words import number, some


@rule(
    "several-interfaces-no-public-ip",
    title="A node with several interfaces asks for no public IP address",
    judges=LaunchTemplate,
    why="EC2 refuses a launch with more than one interface and AssociatePublicIpAddress.",
    source="EC2 user guide, Public IPv4 addresses; ParallelCluster cluster_validators.py; Karpenter NodeClass docs",
    remedy="Set associatePublicIpAddress to false and reach the nodes through NAT.",
    facts=("rules.md#9", "hardware.md#R4"),
)
def several_interfaces_no_public_ip(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if template.interfaces is UNKNOWN:
        yield rule.unjudged(template.place, "the network interfaces, not known before creation")
        return
    if len(template.interfaces) <= 1:
        return
    asking = [nic.label for nic in template.interfaces if nic.public_ip is True]
    if asking:
        yield rule.finding(
            template.place,
            at="interfaces",
            got=f"{number(len(template.interfaces), 'interface')}, and {some(asking)} asks for a public IP address",
            remedy=f"set associatePublicIpAddress to false at {some(asking)}",
        )
    elif any(nic.public_ip is UNKNOWN for nic in template.interfaces):
        yield rule.unjudged(template.place, "whether an interface asks for a public IP address")
