"""Zones, compared with the Region."""

from collections.abc import Iterator

from muster.fleet.backend_sets import EVERY_BACKEND
from muster.fleet.resources import Fleet, WholeCluster
from muster.hardware.zones import ZONE_NAME, region_of
from muster.policies.engine.rule import Rule, Verdict, rule


@rule(
    "zone-in-region",
    title="Subnets are listed under zones of the stack's Region",
    judges=WholeCluster,
    backends=EVERY_BACKEND,
    why="A zone of another Region has none of this stack's subnets. The usual cause is a copied block, and AWS only "
    "reports that the subnet does not exist.",
    source=("https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/using-regions-availability-zones.html",),
    remedy="Use zones of the Region, or change aws:region.",
    facts=("pains.md#19", "pains.md#18"),
)
def zone_in_region(cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    declared = [(subnet, zone) for subnet in fleet.subnets.values() if (zone := subnet.declared_zone)]
    if declared and not fleet.region:
        yield rule.unjudged(cluster.root, "the Region (aws:region)")
        return
    yield from _created({zone for subnet, zone in declared if subnet.created}, cluster, fleet, rule)
    for subnet, zone in declared:
        if not subnet.created and _elsewhere(zone, fleet):
            yield rule.finding(
                cluster.root,
                at=subnet.declared_at,
                got=f"{zone} is not a zone of {fleet.region}",
                remedy=f"list {subnet.id} under its zone of {fleet.region}, or set aws:region: {region_of(zone)}",
            )


def _created(zones: set[str], cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """The findings about zones of a new network, one per zone."""
    for zone in sorted(zones):
        if _elsewhere(zone, fleet):
            yield rule.finding(
                cluster.root,
                at="network.create.zones",
                got=f"{zone} is not a zone of {fleet.region}",
                remedy=f"use a zone of {fleet.region}, or set aws:region: {region_of(zone)}",
            )


def _elsewhere(zone: str, fleet: Fleet) -> bool:
    return bool(ZONE_NAME.fullmatch(zone)) and region_of(zone) != fleet.region
