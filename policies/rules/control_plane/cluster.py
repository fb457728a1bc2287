"""The control plane: who reaches it, where it is, and what AWS reports of an existing one."""

from collections.abc import Iterator

from muster.edits import Remedy, add, set_to
from muster.fleet.backend_sets import HYPERPOD
from muster.fleet.facts import ClusterFacts
from muster.fleet.resources import ControlPlane, Fleet, NodeGroup, Subnet
from muster.hardware.zones import REGIONS_WITH_REFUSED_ZONES, takes_control_plane
from muster.policies.engine.finding_text import and_list, quantity_text
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.access_entries import CONFIG_MAP, switch_command
from muster.policies.lookups.account_facts import facts_observed
from muster.policies.lookups.networks import cover_every_address
from muster.policies.lookups.versions import version_tuple
from muster.unknown import NotKnown, any_of


def api_not_open_to_all(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.existing or any_of(lambda: not cluster.endpoint_public, lambda: _are_listed(cluster.public_networks)):
        return
    networks = cluster.public_networks
    yield rule.finding(
        cluster,
        "api.public",
        got=f"the Kubernetes API is open to every address ({and_list(networks)})"
        if networks
        else "the Kubernetes API is public and states no networks, so EKS opens it to every address",
        change=(
            set_to(words="the networks that you deploy from, for example 203.0.113.0/24"),
            set_to("private", at="api", in_program=False),
        ),
    )


def _are_listed(networks: tuple[str, ...]) -> bool:
    return bool(networks) and not cover_every_address(networks)


_AT = "control-plane.existing.authentication"


def access_entries_taken(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not cluster.existing or cluster.authentication != CONFIG_MAP:
        return
    off = f"{cluster.name} does not accept access entries (authentication: config-map)"
    switch = f"run {switch_command(cluster.name, fleet.region)}"
    if cluster.place.described:
        switch += f" and set {_AT}: api-and-config-map"
    if cluster.grants:
        got = f"{off}, but the description grants access to {quantity_text(len(cluster.grants), 'principal')}"
        yield rule.finding(cluster, "access", got=got, change=(switch, "list them in aws-auth instead"))
    for group in fleet.of(NodeGroup):
        if group.pool is not None:
            if group.place.described:  # elsewhere, aws-auth may have their role
                got = f"{off}, which the nodes of Karpenter need to join"
                yield rule.finding(group, "provisioned-by", got=got, change=switch)
        elif not group.managed:
            got = f"{off}, which self-managed nodes need to join"
            yield rule.finding(group, "self-managed", got=got, change=(switch, "make the group managed"))


def aws_auth_kept(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not cluster.existing or cluster.authentication != CONFIG_MAP:
        return
    managed = [group.ref.name for group in fleet.of(NodeGroup) if group.managed]
    if managed:
        yield rule.finding(
            cluster,
            _AT,
            got=f"EKS adds the roles of {and_list(managed)} to aws-auth of {cluster.name}, where another tool may "
            "remove them",
            change=("ask who writes aws-auth", f"run {switch_command(cluster.name, fleet.region)}"),
        )


_EXISTING = "control-plane.existing"


def existing_cluster_as_declared(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not cluster.existing:
        return
    known = fleet.facts.clusters.get(str(cluster.name), ClusterFacts()) if fleet.facts else ClusterFacts()
    if known.exists is False:
        return  # another rule reports that the cluster does not exist
    group = next(iter(cluster.security_groups), None)
    declared = (
        ("Kubernetes version", "kubernetes", cluster.kubernetes, known.version),
        ("security group", f"{_EXISTING}.security-group", group, known.security_group),
        ("authentication mode", f"{_EXISTING}.authentication", cluster.authentication, known.authentication),
        ("VPC", "network.existing.vpc", cluster.vpc, known.vpc),
    )
    for what, at, ours, theirs in declared:
        if ours is not None and theirs is not None and ours != theirs:
            got = f"the description sets {what} {ours} for {cluster.name}, but AWS reports {theirs}"
            yield rule.finding(cluster, at, got=got, change=tuple(_changes(cluster, fleet, at, str(ours), theirs)))
    unknown = [what for what, _, _, theirs in declared if theirs is None]
    if unknown and facts_observed(fleet):
        raise NotKnown(fleet.missing(f"the {and_list(unknown)} of EKS cluster {cluster.name}"))


def _changes(cluster: ControlPlane, fleet: Fleet, at: str, ours: str, theirs: str) -> Iterator[Remedy]:
    match at.rpartition(".")[2]:
        case "kubernetes":
            yield set_to(theirs)
            if (version_tuple(theirs) or ()) < (version_tuple(ours) or ()):
                yield f"upgrade the cluster to {ours} first, one minor version at a time"
        case "vpc":
            yield set_to(theirs, words="and its subnets")
            yield f"use a cluster in {ours}"
        case "authentication":
            if theirs == CONFIG_MAP:
                command = switch_command(cluster.name, fleet.region)
                yield f"run {command} (takes minutes, and cannot be undone)"
            if theirs != CONFIG_MAP or HYPERPOD not in fleet.backends:
                yield set_to(theirs.lower().replace("_", "-"))
        case _:
            yield set_to(theirs)


_ZONES = 2


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
        got=f"the control plane has {quantity_text(len(subnets), 'subnet')}{where}",
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
