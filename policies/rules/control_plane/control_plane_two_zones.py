"""The control plane's zones."""

from collections.abc import Iterator

from pydantic import Field

from muster.fleet.resources import ControlPlane, Fleet
from muster.fleet.unknown import UNKNOWN
from muster.fleet.zones import CONTROL_PLANE_REFUSED
from policies.options import Options
from policies.reading.templates import is_described
from policies.rule import Rule, Verdict, rule
from policies.words import number, some


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
        yield rule.unjudged(cluster.place, fleet.missing(f"the zones of subnets {some(unknown)}"))
    else:
        where = f", in {some(known)} only" if known else ""
        refused = [
            each.id for each in fleet.subnets.values() if each.zone_id in CONTROL_PLANE_REFUSED and not each.public
        ]
        where += f" (EKS takes none in the zone of {some(refused)})" if refused else ""
        created = any(each.created for each in fleet.subnets.values()) and is_described(cluster.place)
        what = "zone" if created else "subnet of a zone"
        yield rule.finding(
            cluster.place,
            at="network.create.zones" if created else "network.existing.private",
            got=f"the control plane has {number(len(subnets), 'subnet')}{where}",
            remedy=f"add a {what} other than {some(known)}" if known else "add a subnet of a second zone",
        )
