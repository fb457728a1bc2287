"""The zones of a control plane's subnets."""

from collections.abc import Iterator

from muster.edits import add
from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import ControlPlane, Fleet, Subnet
from muster.hardware.zones import REGIONS_WITH_REFUSED_ZONES, takes_control_plane
from muster.message_text import count_noun
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.unknown import NotKnown

_ZONES = 2


@rule(
    "control-plane-zones",
    title="The control plane has subnets in two zones, and none in a zone that EKS rejects",
    judges=ControlPlane,
    backends=ON_KUBERNETES,
    why="EKS rejects a cluster whose subnets are in one zone, even if all nodes are in one zone. It accepts no "
    "control-plane subnets in use1-az3, usw1-az2 and cac1-az3, nor in Local Zones. These are zone ids: the letter of "
    "the zone with that id differs between accounts. Nodes may be in these zones.",
    source=(
        "https://docs.aws.amazon.com/eks/latest/userguide/network-reqs.html",
        "https://docs.aws.amazon.com/eks/latest/userguide/local-zones.html",
        "https://github.com/eksctl-io/eksctl/blob/v0.230.0/pkg/az/az.go",
    ),
    remedy="Give the control plane a subnet of a second zone that EKS accepts. Nodes need not use it.",
    facts=("rules.md#42", "hardware.md#R12", "hardware.md#D26"),
)
def control_plane_zones(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from rule.each((_two_zones, _accepted), lambda judge: judge(cluster, fleet, rule), cluster.place)


def _two_zones(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges the number of zones."""
    if cluster.existing:
        return  # EKS accepted its subnets at its creation
    subnets = sorted(set(map(str, cluster.subnets)))
    zones = {name: fleet.subnets[name].zone if name in fleet.subnets else None for name in subnets}
    known = {zone for zone in zones.values() if zone}
    unknown = [name for name, zone in zones.items() if zone is None]
    if len(known) >= _ZONES:
        return
    if unknown and len(known) + len(unknown) >= _ZONES:
        raise NotKnown(fleet.missing(f"the zones of subnets {and_list(unknown)}"))
    where = f", only in {and_list(known)}" if known else ""
    refused = [
        each for each in fleet.subnets.values() if not takes_control_plane(each.zone, each.zone_id) and not each.public
    ]
    where += f" (EKS accepts none in {and_list(map(_zone, refused))})" if refused else ""
    created = any(each.created for each in fleet.subnets.values()) and cluster.place.described
    other = f"a zone other than {and_list((*known, *map(_zone, refused)))}" if known else "a second zone"
    yield rule.finding(
        cluster,
        "network.create.zones" if created else "network.existing.private",
        got=f"the control plane has {count_noun(len(subnets), 'subnet')}{where}",
        change=add(words=other if created else f"a subnet of {other}"),
    )


def _zone(subnet: Subnet) -> str:
    """``us-east-1e (use1-az3)``, or what is known about it."""
    if subnet.zone and subnet.zone_id:
        return f"{subnet.zone} ({subnet.zone_id})"
    return subnet.zone or subnet.zone_id or subnet.id


def _accepted(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges each zone."""
    by_id = fleet.region is None or fleet.region in REGIONS_WITH_REFUSED_ZONES
    subnets = [fleet.subnets.get(name, Subnet(name)) for name in sorted(set(map(str, cluster.subnets)))]
    for subnet in subnets:
        if not takes_control_plane(subnet.zone, subnet.zone_id):
            yield rule.finding(
                cluster,
                subnet.declared_at or "network.existing.private",
                got=f"{subnet.id} is in {_zone(subnet)}, where EKS accepts no control-plane subnets",
                change=f"replace {subnet.id} with a subnet of another zone",
            )
    local = {subnet.id for subnet in subnets if not takes_control_plane(subnet.zone, None)}
    unknown = [subnet.id for subnet in subnets if subnet.zone_id is None and subnet.id not in local]
    if unknown and by_id:
        missing = f"the zone ids of {and_list(unknown)}"
        missing += ", which you can also set in the network's zone-ids" if cluster.place.described else ""
        raise NotKnown(fleet.missing(missing))
