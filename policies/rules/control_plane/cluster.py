"""The control plane: who reaches it, where it is, and what AWS reports of an existing one."""

from collections.abc import Iterator
from ipaddress import IPv4Network, IPv6Network, collapse_addresses, ip_network

from muster.config.description.base import HYPERPOD
from muster.edits import Remedy, add, set_to
from muster.fleet.resources import AccessEntry, Addon, ControlPlane, CountedResource, Fleet, NodeGroup, Subnet
from muster.fleet.resources.eks import AddonKind
from muster.fleet.resources.ref import VPC
from muster.hardware.zones import REGIONS_WITH_REFUSED_ZONES, takes_control_plane
from muster.message_text import count_noun
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import facts_observed
from muster.policies.lookups.versions import version_tuple
from muster.unknown import NotKnown, any_of


def api_not_open_to_all(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.existing or any_of(lambda: not cluster.endpoint_public, lambda: _limits(cluster.public_networks)):
        return
    networks = cluster.public_networks or ["without a list of networks"]
    own = set_to(words="the networks that you deploy from, for example 203.0.113.0/24")
    change = (own, set_to("private", at="api", in_program=False))
    got = f"the Kubernetes API is open to every address ({and_list(networks)})"
    yield rule.finding(cluster, "api.public", got=got, change=change)


def _limits(networks: tuple[str, ...]) -> bool:
    """Whether networks are set, and do not together cover every address of IPv4 or IPv6, as 0.0.0.0/1 and 128.0.0.0/1
    do. Invalid ones are EKS's matter."""
    valid = [each for each in map(_network, networks) if each]
    by_version = [[each for each in valid if each.version == version] for version in (4, 6)]
    return bool(networks) and all(each.prefixlen for alike in by_version for each in collapse_addresses(alike))  # type: ignore[type-var]


def _network(text: str) -> IPv4Network | IPv6Network | None:
    try:
        return ip_network(text, strict=False)
    except ValueError:
        return None


def private_api_reached(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Only of a description: a program may connect its VPC to others."""
    created = any(each.ref.type == VPC for each in fleet.of(CountedResource))
    if not cluster.place.described or cluster.existing or cluster.endpoint_public or not created:
        return
    own = [each.ref.name for each in fleet.of(Addon) if each.installed_by is None and each.kind != AddonKind.EKS_ADDON]
    if own:
        got = f"only the new VPC reaches the Kubernetes API, over which `up` installs {and_list(own)}"
        change = (
            "create the network in another stack, and run `up` in it or in a network that is connected to it",
            "install these add-ons by a stack with addons-of, inside the VPC",
        )
        yield rule.finding(cluster, "api", got=got, change=change)


_CONFIG_MAP = "CONFIG_MAP"
"""The authentication mode of a cluster that rejects access entries."""


def _switch(cluster: ControlPlane, fleet: Fleet) -> str:
    """The command that makes a cluster accept access entries."""
    there = f" --region {fleet.region}" if fleet.region else ""
    mode = "--access-config authenticationMode=API_AND_CONFIG_MAP"
    return f"run `aws eks update-cluster-config --name {cluster.name}{there} {mode}`"


_EXISTING = "control-plane.existing"
_AT = f"{_EXISTING}.authentication"


def access_entries_taken(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not cluster.existing or cluster.authentication != _CONFIG_MAP:
        return
    switch = _switch(cluster, fleet)
    if cluster.place.described:
        switch += f" and set {_AT}: api-and-config-map"
    needing: list[tuple[ControlPlane | NodeGroup, str]] = [(cluster, "access")] if fleet.of(AccessEntry) else []
    for group in fleet.of(NodeGroup):
        if group.pool is None and not group.managed:
            needing.append((group, "self-managed"))
        elif group.pool is not None and group.place.described:  # elsewhere, aws-auth may have their role
            needing.append((group, "provisioned-by"))
    for thing, at in needing:
        got = f"{cluster.name} takes no access entries (authentication: config-map), which {rule.key(thing, at)} needs"
        yield rule.finding(thing, at, got=got, change=switch)


def aws_auth_kept(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not cluster.existing or cluster.authentication != _CONFIG_MAP:
        return
    managed = [group.ref.name for group in fleet.of(NodeGroup) if group.managed]
    if managed:
        got = f"EKS adds the roles of {and_list(managed)} to {cluster.name}'s aws-auth, where others may remove them"
        yield rule.finding(cluster, _AT, got=got, change=("ask who writes aws-auth", _switch(cluster, fleet)))


def existing_cluster_as_declared(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not cluster.existing:
        return
    known = fleet.cluster_facts(cluster.name)
    if known.exists is False:
        return  # another rule reports that the cluster does not exist
    group = next(iter(cluster.security_groups), None)
    declared = (
        ("Kubernetes version", "kubernetes", cluster.kubernetes, known.version),
        ("security group", f"{_EXISTING}.security-group", group, known.security_group),
        ("authentication mode", _AT, cluster.authentication, known.authentication),
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
    if at == _AT and theirs == _CONFIG_MAP:
        yield f"{_switch(cluster, fleet)} (takes minutes, and cannot be undone)"
        if HYPERPOD in fleet.backends:
            return
    words = "and its subnets" if at.endswith(".vpc") else ""
    yield set_to(theirs.lower().replace("_", "-") if at == _AT else theirs, words=words)
    if at == "kubernetes" and (version_tuple(theirs) or ()) < (version_tuple(ours) or ()):
        yield f"upgrade the cluster to {ours} first, one minor version at a time"


_ZONES = 2


def control_plane_zones(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from rule.each((_two_zones, _accepted), lambda judge: judge(cluster, fleet, rule), cluster.place)


def _two_zones(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges the number of zones."""
    if cluster.existing:
        return  # EKS accepted its subnets at its creation
    subnets = fleet.subnets_of(tuple(sorted(set(map(str, cluster.subnets)))))
    known = {each.zone for each in subnets if each.zone}
    unknown = [each.id for each in subnets if each.zone is None]
    if len(known) >= _ZONES:
        return
    if len(known) + len(unknown) >= _ZONES:
        raise NotKnown(fleet.missing(f"the zones of subnets {and_list(unknown)}"))
    every = fleet.subnets.values()
    refused = [_zone(each) for each in every if not takes_control_plane(each.zone, each.zone_id) and not each.public]
    without = f" without {and_list(refused)}, where EKS accepts none" if refused else ""
    got = f"the control plane has subnets in {count_noun(len(known), 'zone')} ({and_list(known)}){without}"
    created = any(each.created for each in every) and cluster.place.described
    own = any(each.declared_at.startswith("network.existing.control-plane") for each in every)
    listed = "network.existing.control-plane" if own else "network.existing.private"
    at, one = ("network.create.zones", "a zone") if created else (listed, "a subnet of a zone")
    change = add(words=f"{one} other than {and_list((*known, *refused))}")
    yield rule.finding(cluster, at, got=got, change=change)


def _zone(subnet: Subnet) -> str:
    """``us-east-1e (use1-az3)``, or what is known about it."""
    if subnet.zone and subnet.zone_id:
        return f"{subnet.zone} ({subnet.zone_id})"
    return subnet.zone or subnet.zone_id or subnet.id


def _accepted(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges each zone."""
    by_id = fleet.region is None or fleet.region in REGIONS_WITH_REFUSED_ZONES
    subnets = fleet.subnets_of(tuple(sorted(set(map(str, cluster.subnets)))))
    for subnet in subnets:
        if not takes_control_plane(subnet.zone, subnet.zone_id):
            at = subnet.declared_at or "network.existing.private"
            got = f"{subnet.id} is in {_zone(subnet)}, where EKS accepts no control-plane subnets"
            yield rule.finding(cluster, at, got=got, change=f"replace {subnet.id} with a subnet of another zone")
    local = {subnet.id for subnet in subnets if not takes_control_plane(subnet.zone, None)}
    unknown = [subnet.id for subnet in subnets if subnet.zone_id is None and subnet.id not in local]
    if unknown and by_id:
        missing = f"the zone ids of {and_list(unknown)}"
        missing += ", which you can also set in the network's zone-ids" if cluster.place.described else ""
        raise NotKnown(fleet.missing(missing))
