"""Zones without EKS control planes."""

from collections.abc import Iterator

from muster.fleet.resources import ControlPlane, Fleet, Subnet
from muster.fleet.unknown import UNKNOWN
from muster.fleet.zones import CONTROL_PLANE_REFUSED, REGIONS_WITH_REFUSED_ZONES
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "control-plane-zone-accepted",
    title="No control-plane subnet is in a zone that EKS refuses",
    judges=ControlPlane,
    backends=("eks", "hyperpod"),
    why="EKS takes no control-plane subnets in use1-az3, usw1-az2 and cac1-az3. Zones go by id here: which letter has "
    "that id differs between accounts. Nodes may be there.",
    source="EKS user guide, Amazon EKS networking requirements for VPC and subnets; eksctl az.go",
    remedy="Give the control plane subnets of other zones.",
    facts=("rules.md#42", "hardware.md#R12", "hardware.md#D26"),
)
def control_plane_zone_accepted(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if fleet.region is not None and fleet.region not in REGIONS_WITH_REFUSED_ZONES:
        return
    if cluster.subnets is UNKNOWN:
        yield rule.unjudged(cluster.place, "the control plane's subnets, not known before creation")
        return
    subnets = [fleet.subnets.get(name, Subnet(name)) for name in sorted(set(map(str, cluster.subnets)))]
    for subnet in subnets:
        if subnet.zone_id in CONTROL_PLANE_REFUSED:
            yield rule.finding(
                cluster.place,
                at=subnet.declared_at,
                got=f"{subnet.id} is in {subnet.zone_id}, where EKS takes no control plane",
                remedy=f"name a subnet of another zone for the control plane instead of {subnet.id}",
            )
    unknown = [subnet.id for subnet in subnets if subnet.zone_id is None]
    if unknown:
        yield rule.unjudged(
            cluster.place, fleet.missing(f"the zone ids of {some(unknown)} (the network's zone-ids say them too)")
        )
