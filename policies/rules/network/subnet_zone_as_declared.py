"""What the description says of subnets against what AWS says."""

from collections.abc import Iterator

from muster.fleet.resources import ControlPlane, Fleet, ParallelCluster
from policies.reading.networks import subnet_was_asked
from policies.rule import Rule, Verdict, rule


@rule(
    "subnet-zone-as-declared",
    title="A subnet is in the zone it is listed under",
    # One of each description: so that a subnet is spoken of once, whoever uses it.
    judges=ControlPlane | ParallelCluster,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="Every group that asks for a zone gets the subnet listed under it: a wrong line sends nodes to another zone, "
    "away from their reservation and their file system.",
    source="EC2 API, DescribeSubnets",
    remedy="List the subnet under its own zone.",
    facts=("hardware.md#e", "pains.md#4"),
)
def subnet_zone_as_declared(cluster: ControlPlane | ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for subnet in fleet.subnets.values():
        if subnet.observed_zone is None and subnet.declared_zone and subnet_was_asked(subnet, fleet):
            yield rule.unjudged(cluster.place, fleet.missing(f"the zone of {subnet.id}"))
        if subnet.declared_zone and subnet.observed_zone and subnet.declared_zone != subnet.observed_zone:
            yield rule.finding(
                cluster.place,
                at=subnet.declared_at,
                got=f"{subnet.id} is listed under {subnet.declared_zone}; AWS says it is in {subnet.observed_zone}",
                remedy=f"list it under {subnet.observed_zone}, or name a subnet of {subnet.declared_zone} here",
            )
