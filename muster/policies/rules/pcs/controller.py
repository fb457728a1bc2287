"""The controller of a cluster: its size, its version, its network."""

from collections.abc import Iterator

from muster.config.description.pcs_nodes import ClusterSize
from muster.fleet.resources import Fleet, PcsCluster, SecurityGroup
from muster.fleet.resources.ec2 import EGRESS, EVERYWHERE
from muster.message_text import count_noun
from muster.policies.engine.finding_text import name_list, name_of
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.pcs import groups_of, release
from muster.policies.lookups.security_groups import carried_groups, missing_self_traffic
from muster.unknown import UNKNOWN
from muster.versions import PCS_SLURM

_AFTER_UP = "(known only after `pulumi up`)"
ACCOUNTING_SINCE, REST_SINCE, GROUP_IDLE_SINCE = (24, 11), (25, 5), (25, 11)


@rule(
    "pcs-size-covers-nodes",
    title="The size of a cluster covers the maximum number of nodes of its groups",
    judges=PcsCluster,
    backends=("pcs",),
    why="The size limits the nodes that Slurm manages: SMALL 32, MEDIUM 512, LARGE 2048, login nodes included. It "
    "cannot change: another size is another cluster.",
    source="AWS PCS API, CreateCluster (size)",
    remedy="Choose a larger size, or lower the maximum of groups.",
    facts=("pcs.md#size",),
)
def pcs_size_covers_nodes(cluster: PcsCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.size is UNKNOWN:
        yield rule.unjudged(cluster.place, f"the size {_AFTER_UP}")
        return
    size = next((each for each in ClusterSize if each.value.upper() == cluster.size), None)
    if size is None:
        return  # PCS refuses it
    counts = [group.nodes_max for group in groups_of(cluster, fleet)]
    known = sum(count for count in counts if count is not UNKNOWN)
    if known > size.nodes:
        larger = next((each for each in ClusterSize if each.nodes >= known), None)
        yield rule.finding(
            cluster.place,
            at="size",
            got=f"its groups have up to {count_noun(known, 'node')}, but a cluster of size {size.value} has at most "
            f"{size.nodes}",
            remedy=f"set size: {larger.value}, or lower the maximum of groups" if larger else "create several clusters",
            program_remedy=f"set size to {larger.value.upper()}, or lower maxInstanceCount of its groups"
            if larger
            else "create several clusters",
        )
    elif UNKNOWN in counts:
        yield rule.unjudged(cluster.place, f"the maximum number of nodes of its groups {_AFTER_UP}")


@rule(
    "pcs-version-supports-settings",
    title="The version of Slurm has the features that the cluster uses",
    judges=PcsCluster,
    backends=("pcs",),
    why="PCS supports accounting since Slurm 24.11, the REST API since 25.05, and an idle time for each group since "
    "25.11. It rejects the request for an earlier version.",
    source="AWS PCS user guide, Slurm accounting",
    remedy="Choose a newer version, or remove the setting.",
    facts=("pcs.md#versions",),
)
def pcs_version_supports_settings(cluster: PcsCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    version = release(cluster.version)
    own_idle = any(group.idle_seconds is not None for group in groups_of(cluster, fleet))
    wanted = (
        ("accounting", cluster.accounting, ACCOUNTING_SINCE),
        ("the REST API", cluster.rest, REST_SINCE),
        ("an idle time for a group", own_idle, GROUP_IDLE_SINCE),
    )
    for what, uses, since in wanted:
        if uses is True and version is None:
            yield rule.unjudged(cluster.place, f"the version of Slurm, which {what} needs")
        elif uses is True and version is not None and version < since:
            least = f"{since[0]}.{since[1]:02}"
            yield rule.finding(
                cluster.place,
                at="slurm.version",
                got=f"the cluster uses {what}, which PCS supports since Slurm {least}, but its version is "
                f"{cluster.version}",
                remedy=f'set slurm.version: "{least}" or later, or remove the setting',
                program_remedy=f"set scheduler.version to {least} or later, or remove the setting",
            )


@rule(
    "pcs-version-known",
    title="PCS has the version of Slurm",
    judges=PcsCluster,
    backends=("pcs",),
    why="PCS rejects other versions. It suspends a cluster whose version has ended: its controller stops, and its "
    "nodes are terminated.",
    source="AWS PCS API, Scheduler (version)",
    remedy="Choose one of the versions that PCS has.",
    facts=("pcs.md#versions",),
)
def pcs_version_known(cluster: PcsCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.version is UNKNOWN:
        yield rule.unjudged(cluster.place, f"the version of Slurm {_AFTER_UP}")
        return
    version, newest = release(cluster.version), release(PCS_SLURM[-1])
    if version is not None and newest is not None and version > newest:
        yield rule.unjudged(
            cluster.place, f"whether PCS has Slurm {cluster.version}, which is newer than Muster's facts"
        )
    elif cluster.version not in (*PCS_SLURM, *_OLD):
        yield rule.finding(
            cluster.place,
            at="slurm.version",
            got=f"PCS has no Slurm {cluster.version}",
            remedy=f'set slurm.version: "{PCS_SLURM[-1]}"',
            program_remedy=f"set scheduler.version to {PCS_SLURM[-1]}",
        )


_OLD = ("23.11", "24.05")
"""Versions that the API reference lists, and that Muster does not offer for new clusters."""


@rule(
    "pcs-one-subnet",
    title="The controller of a cluster has one subnet",
    judges=PcsCluster,
    backends=("pcs",),
    why="PCS creates the controller's network interface in one subnet, and rejects a list with several or none. The "
    "subnet cannot be in a Local Zone, in Wavelength or on an Outpost.",
    source="AWS PCS API, NetworkingRequest (subnetIds)",
    remedy="List one subnet.",
    facts=("pcs.md#network",),
)
def pcs_one_subnet(cluster: PcsCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.subnets is UNKNOWN:
        yield rule.unjudged(cluster.place, f"the subnets of the controller {_AFTER_UP}")
    elif len(cluster.subnets) > 1:
        yield rule.finding(
            cluster.place,
            got=f"the controller has {len(cluster.subnets)} subnets ({name_list(cluster.subnets)})",
            remedy="keep one of networking.subnetIds",
        )
    elif not cluster.subnets:
        yield rule.finding(
            cluster.place,
            at="zone",
            got="the controller has no subnet",
            remedy="set zone to a zone with a private subnet",
            program_remedy="set networking.subnetIds to one subnet",
        )


@rule(
    "pcs-security-group-rules",
    title="A security group of the controller allows all traffic from and to itself, and to the network",
    judges=PcsCluster,
    backends=("pcs",),
    why="Slurm's daemons on nodes and the controller talk to each other on several ports. If no group has these rules, "
    "nodes launch, do not register with slurmctld, and PCS terminates them.",
    source="AWS PCS API, Networking (securityGroupIds)",
    remedy="Give a group of the controller a rule for all protocols from itself, to itself and to 0.0.0.0/0.",
    facts=("pcs.md#network",),
)
def pcs_security_group_rules(cluster: PcsCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """The restricted rules that the user guide also allows, with single ports, have separate groups for the controller
    and nodes: then no group allows itself, and the rule only advises if it knows all groups."""
    if cluster.security_groups is UNKNOWN:
        yield rule.unjudged(cluster.place, f"the security groups of the controller {_AFTER_UP}")
        return
    carried = {ref for group in groups_of(cluster, fleet) for ref in carried_groups(group, fleet).groups}
    shared = [each for each in cluster.security_groups if each in carried]
    if not shared:
        return  # separate groups for nodes: which ports they need depends on both
    lacking = {each: missing_self_traffic(each, fleet) for each in shared}
    open_ = [each for each, missing in lacking.items() if missing in (None, UNKNOWN)]
    if "" in lacking.values():
        good = [each for each, missing in lacking.items() if missing == ""]
        found = [fleet.find(SecurityGroup, each) for each in good]
        if any(each is not None and each.lets(EGRESS, None, EVERYWHERE) is not False for each in found):
            return
        if None in found:
            yield rule.unjudged(cluster.place, fleet.missing(f"the rules of security group {name_list(good)}"))
            return
        yield rule.finding(
            cluster.place,
            got=f"security group {name_list(good)} of the controller does not allow all traffic to 0.0.0.0/0",
            remedy="add an egress rule with protocol -1 to 0.0.0.0/0",
        )
    elif open_:
        yield rule.unjudged(cluster.place, fleet.missing(f"the rules of security group {name_list(open_)}"))
    else:
        first = shared[0]
        yield rule.finding(
            cluster.place,
            got=f"security group {name_of(first)} is on the controller and on nodes, but does not allow all protocols "
            f"{lacking[first]} itself",
            remedy="add ingress and egress rules with protocol -1 that name the group itself",
        )
