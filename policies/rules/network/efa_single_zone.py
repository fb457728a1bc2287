"""EFA groups against the zones of their subnets."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, NodeGroup
from policies.reading.targets import Kind, target_of
from policies.reading.templates import interfaces_of, template_of
from policies.reading.zones import several_zones
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "efa-single-zone",
    title="A group with EFA has subnets in one zone only",
    judges=NodeGroup,
    why="EFA traffic does not leave a zone: nodes in different zones never form one job.",
    source="EC2 user guide, Elastic Fabric Adapter; eksctl validation.go; ParallelCluster EfaMultiAzValidator",
    remedy="Give the group the subnets of one zone.",
    facts=("rules.md#8", "hardware.md#R6"),
)
def efa_single_zone(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    template, missing = template_of(group, fleet)
    if template:
        _, missing = interfaces_of(template, "type")
    target, _ = target_of(group, fleet)
    if target and target.kind is not Kind.GROUP:
        return  # a reservation is in one zone, with EFA or without: reservation-zone-matches-subnet
    if template is None or not template.efa_interfaces:
        if missing:
            yield rule.unjudged(group.place, missing)
        return
    zones, missing = several_zones(group, fleet)
    if missing:
        yield rule.unjudged(group.place, missing)
    elif zones:
        yield rule.finding(
            group.place,
            at="zone",
            got=f"a group with EFA has subnets in {some(zones)}",
            remedy=f"give it one zone (zone: {min(zones)}), or a group for each",
        )
