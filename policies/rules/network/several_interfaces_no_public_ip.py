"""Public addresses on nodes with several interfaces."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, LaunchTemplate
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list, quantity_text, singular_or_plural
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.machines import machines_of
from policies.lookups.parallelcluster import interfaces


@rule(
    "several-interfaces-no-public-ip",
    title="A node with several interfaces asks for no public IP address",
    judges=LaunchTemplate | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="EC2 refuses a launch with more than one interface and AssociatePublicIpAddress.",
    source="EC2 user guide, Public IPv4 addresses; ParallelCluster cluster_validators.py; Karpenter NodeClass docs",
    remedy="Set associatePublicIpAddress to false and reach the nodes through NAT.",
    facts=("rules.md#9", "hardware.md#R4", "pains.md#16"),
)
def several_interfaces_no_public_ip(
    thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    of = _of_slurm(thing, fleet, rule) if isinstance(thing, ComputeResource) else _of_template(thing, rule)
    yield from of


def _of_slurm(group: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Its queue asks for the address, of the first interface."""
    if group.public_ip in (None, False):
        return
    machines, missing = machines_of(group, fleet)
    counts = {machine.instance: interfaces(group, machine) for machine in machines}
    several = {instance: count for instance, count in counts.items() if count is not UNKNOWN and count > 1}
    if several and group.public_ip is True:
        instance, count = min(several.items())
        got = f"AssignPublicIp, and {quantity_text(count, 'interface')} on {instance}"
        yield rule.finding(group.place, got, "set AssignPublicIp to false, and reach the nodes through NAT")
    elif several or missing or UNKNOWN in counts.values():
        what = missing or "AssignPublicIp and the number of interfaces, not known before creation"
        yield rule.unjudged(group.place, what)


def _of_template(template: LaunchTemplate, rule: Rule) -> Iterator[Verdict]:
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
            got=f"{quantity_text(len(template.interfaces), 'interface')}, and {and_list(asking)} "
            f"{singular_or_plural(asking, 'asks', 'ask')} for a public IP address",
            remedy=f"set associatePublicIpAddress to false at {and_list(asking)}",
        )
    elif any(nic.public_ip is UNKNOWN for nic in template.interfaces):
        yield rule.unjudged(template.place, "whether an interface asks for a public IP address")
