"""EFA groups against the zones of their subnets."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.targets import Kind, target_of
from policies.reading.templates import interfaces_of, template_of
from policies.rule import Rule, Verdict, rule
from policies.words import names, some


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
    elif group.subnets is UNKNOWN:
        yield rule.unjudged(group.place, "the subnets, not known before creation")
    elif len(group.subnets) > 1:  # one subnet is one zone; none is group-has-subnet's finding
        zones = fleet.zones_of(group.subnets)
        if zones is None:
            yield rule.unjudged(group.place, fleet.missing(f"the zones of subnets {names(group.subnets)}"))
        elif len(zones) > 1:
            yield rule.finding(
                group.place,
                at="zone",
                got=f"a group with EFA has subnets in {some(zones)}",
                remedy=f"give it one zone (zone: {min(zones)}), or a group for each",
            )
