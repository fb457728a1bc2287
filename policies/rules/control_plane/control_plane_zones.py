"""The zones of a control plane's subnets."""

from collections.abc import Iterator

from pydantic import Field

from muster.fleet.resources import ControlPlane, Fleet, Subnet
from muster.hardware.zones import REGIONS_WITH_REFUSED_ZONES, takes_control_plane
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list, quantity_text
from policies.engine.options import Options
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.launch_templates import is_described


class Zones(Options):
    """How far the control plane is spread."""

    zones: int = Field(
        default=2, ge=2, le=6, description="How many zones the control plane's subnets are in, at least."
    )


@rule(
    "control-plane-two-zones",
    title="The control plane has subnets in two zones at least",
    judges=ControlPlane,
    backends=("eks", "hyperpod"),
    why="EKS refuses a cluster whose subnets are in one zone, even where all nodes are in one.",
    source="EKS user guide, Amazon EKS networking requirements for VPC and subnets",
    remedy="List a subnet of a second zone; nodes need not use it.",
    facts=("rules.md#42", "hardware.md#R12"),
    options=Zones,
)
def control_plane_two_zones(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.existing:
        return  # EKS took its subnets when it was made
    if cluster.subnets is UNKNOWN:
        yield rule.unjudged(cluster.place, "the control plane's subnets, not known before creation")
        return
    subnets = sorted(set(map(str, cluster.subnets)))
    zones = {name: fleet.subnets[name].zone if name in fleet.subnets else None for name in subnets}
    known = {zone for zone in zones.values() if zone}
    unknown = [name for name, zone in zones.items() if zone is None]
    least = Zones.of(rule.settings).zones
    if len(known) >= least:
        return
    if unknown and len(known) + len(unknown) >= least:
        yield rule.unjudged(cluster.place, fleet.missing(f"the zones of subnets {and_list(unknown)}"))
    else:
        where = f", in {and_list(known)} only" if known else ""
        refused = [
            each
            for each in fleet.subnets.values()
            if not takes_control_plane(each.zone, each.zone_id) and not each.public
        ]
        where += f" (EKS takes none in {and_list(map(_zone, refused))})" if refused else ""
        created = any(each.created for each in fleet.subnets.values()) and is_described(cluster.place)
        what = "zone" if created else "subnet of a zone"
        if created and refused:
            remedy = f"write another zone in place of {and_list(sorted(map(_zone, refused)))}"
        elif known:
            remedy = f"add a {what} other than {and_list((*known, *map(_zone, refused)))}"
        else:
            remedy = "add a subnet of a second zone"
        yield rule.finding(
            cluster.place,
            at="network.create.zones" if created else "network.existing.private",
            got=f"the control plane has {quantity_text(len(subnets), 'subnet')}{where}",
            remedy=remedy,
        )


def _zone(subnet: Subnet) -> str:
    """``us-east-1e (use1-az3)``, or what is known of it."""
    if subnet.zone and subnet.zone_id:
        return f"{subnet.zone} ({subnet.zone_id})"
    return subnet.zone or subnet.zone_id or subnet.id


@rule(
    "control-plane-zone-accepted",
    title="No control-plane subnet is in a zone that EKS refuses",
    judges=ControlPlane,
    backends=("eks", "hyperpod"),
    why="EKS takes no control-plane subnets in use1-az3, usw1-az2 and cac1-az3, nor in Local Zones. "
    "Zones go by id here: which letter has that id differs between accounts. Nodes may be there.",
    source="EKS user guide, Amazon EKS networking requirements for VPC and subnets; EKS user guide, local-zones; "
    "eksctl az.go",
    remedy="Give the control plane subnets of other zones.",
    facts=("rules.md#42", "hardware.md#R12", "hardware.md#D26"),
)
def control_plane_zone_accepted(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    by_id = fleet.region is None or fleet.region in REGIONS_WITH_REFUSED_ZONES
    if cluster.subnets is UNKNOWN:
        if by_id:
            yield rule.unjudged(cluster.place, "the control plane's subnets, not known before creation")
        return
    subnets = [fleet.subnets.get(name, Subnet(name)) for name in sorted(set(map(str, cluster.subnets)))]
    for subnet in subnets:
        if not takes_control_plane(subnet.zone, subnet.zone_id):
            yield rule.finding(
                cluster.place,
                at=subnet.declared_at,
                got=f"{subnet.id} is in {_zone(subnet)}, where EKS takes no control plane",
                remedy=f"name a subnet of another zone for the control plane instead of {subnet.id}",
            )
    local = {subnet.id for subnet in subnets if not takes_control_plane(subnet.zone, None)}
    unknown = [subnet.id for subnet in subnets if subnet.zone_id is None and subnet.id not in local]
    if unknown and by_id:
        yield rule.unjudged(
            cluster.place, fleet.missing(f"the zone ids of {and_list(unknown)} (the network's zone-ids say them too)")
        )
