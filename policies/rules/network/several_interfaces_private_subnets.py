"""Public subnets under nodes that can have no public address."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.templates import template_of
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "several-interfaces-private-subnets",
    title="Nodes that can have no public IP address are not in public subnets",
    judges=NodeGroup,
    why="A node with several interfaces gets no public IP address, and a public subnet has no NAT: the node has no way "
    "out, never reaches its registry or the EKS API, and never joins.",
    source="EC2 user guide, Public IPv4 addresses; ParallelCluster cluster_validators.py",
    remedy="Use private subnets with a NAT gateway.",
    facts=("rules.md#9", "hardware.md#R4", "pains.md#16"),
)
def several_interfaces_private_subnets(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    template, missing = template_of(group, fleet)
    if template and template.interfaces is UNKNOWN:
        missing = "the network interfaces, not known before creation"
    if template is None or template.interfaces is UNKNOWN:
        if missing:
            yield rule.unjudged(group.place, missing)
        return
    # A single interface may be told, too, to take no public address.
    if len(template.interfaces) <= 1 and not any(nic.public_ip is False for nic in template.interfaces):
        return
    if group.subnets is UNKNOWN:
        yield rule.unjudged(group.place, "the subnets, not known before creation")
        return
    known = {name: fleet.subnets.get(name) for name in map(str, group.subnets)}
    public = [name for name, subnet in known.items() if subnet and (subnet.public or subnet.map_public_ip)]
    open_ = [name for name, subnet in known.items() if subnet is None or subnet.map_public_ip is None]
    if public:
        yield rule.finding(
            group.place,
            at="subnets",
            got=f"its nodes can have no public IP address, and {some(public)} is a public subnet",
            remedy="use private subnets (subnets: private), or interfaces: plain where EFA is not needed",
        )
    elif open_ and len(template.interfaces) > 1:
        yield rule.unjudged(group.place, fleet.missing(f"whether {some(open_)} gives public IP addresses"))
