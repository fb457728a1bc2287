"""The controller of a cluster: its size and its network."""

from collections.abc import Iterator
from functools import partial

from muster.config.description.pcs_nodes import ClusterSize
from muster.fleet.resources import ComputeNodeGroup, Fleet, PcsCluster, Reference
from muster.fleet.resources.ec2 import EGRESS, INGRESS
from muster.message_text import count_noun
from muster.policies.engine.finding_text import name_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.engine.transition import pair_of
from muster.policies.lookups.pcs import cluster_of, groups_of
from muster.policies.lookups.security_groups import CarriedGroups, allows_traffic, carried_groups, missing_self_traffic
from muster.unknown import UNKNOWN, if_known

_AFTER_UP = "(known only after `pulumi up`)"


@rule(
    "pcs-size-covers-nodes",
    title="The size of a cluster covers the nodes of its groups",
    judges=PcsCluster,
    backends=("pcs",),
    why="The size limits the nodes that Slurm manages: SMALL 32, MEDIUM 512, LARGE 2048, login nodes included. It "
    "cannot change: another size is another cluster. Maximums may exceed it, but their nodes never run all at once.",
    source=("https://docs.aws.amazon.com/pcs/latest/APIReference/API_CreateCluster.html",),
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
    groups = groups_of(cluster, fleet)
    counts = [group.nodes_max for group in groups]
    known = sum(count for count in counts if count is not UNKNOWN)
    always = sum(group.nodes_min for group in groups if group.nodes_min is not UNKNOWN)
    if known > size.nodes:
        larger = next((each for each in ClusterSize if each.nodes >= known), None)
        yield (rule if always > size.nodes else rule.advice).finding(
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


_SLURMCTLD, _SLURMD = 6817, 6818
"""The default ports of the daemons (slurm.conf, SlurmctldPort and SlurmdPort)."""


@rule(
    "pcs-controller-reaches-nodes",
    title="Security groups let the controller and the nodes of a cluster reach each other",
    judges=ComputeNodeGroup,
    backends=("pcs",),
    why="Nodes register with slurmctld at port 6817, and slurmctld starts jobs on nodes at port 6818. Nodes that do "
    "not reach it launch, do not register, and PCS terminates them.",
    source=(
        "https://docs.aws.amazon.com/pcs/latest/APIReference/API_Networking.html",
        "https://slurm.schedmd.com/slurm.conf.html",
    ),
    remedy="Attach one security group to both, with rules for all protocols from itself, to itself and to 0.0.0.0/0.",
    facts=("pcs.md#network",),
)
def pcs_controller_reaches_nodes(group: ComputeNodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(group, fleet)
    if cluster is None:
        return
    theirs = cluster.security_groups
    nodes, missing = pair_of(lambda: carried_groups(group, fleet), CarriedGroups(frozenset()))
    if theirs is UNKNOWN or missing or not nodes.sure:
        which = "the controller" if theirs is UNKNOWN else "the nodes"
        yield rule.unjudged(group.place, missing or f"the security groups of {which} {_AFTER_UP}")
        return
    if not theirs or not nodes.groups:
        return  # the default security group of the VPC, whose rules no program has
    of_both = sorted(nodes.groups.intersection(theirs), key=str)
    lacking = [if_known(partial(missing_self_traffic, each, fleet), UNKNOWN) for each in of_both]
    if "" in lacking:
        return
    if UNKNOWN in lacking:
        yield rule.unjudged(group.place, f"the rules of security group {name_list(of_both)} {_AFTER_UP}")
        return
    ways = (
        ("the controller's", theirs, INGRESS, _SLURMCTLD, nodes.groups),
        ("the nodes'", nodes.groups, EGRESS, _SLURMCTLD, theirs),
        ("the nodes'", nodes.groups, INGRESS, _SLURMD, theirs),
        ("the controller's", theirs, EGRESS, _SLURMD, nodes.groups),
    )
    unclear = set[Reference]()
    for whose, groups, direction, port, peers in ways:
        answer = if_known(partial(allows_traffic, groups, direction, port, peers, fleet), UNKNOWN)
        if answer is UNKNOWN:
            unclear |= set(groups)
        elif not answer:
            where = f"from security group {name_list(peers)}" if direction == INGRESS else f"to {name_list(peers)}"
            yield rule.finding(
                group.place,
                got=f"{whose} security groups ({name_list(groups)}) do not allow TCP {port} {where}",
                remedy="attach one group to both, with rules for all protocols (-1) from itself and to itself",
            )
            return
    if unclear:
        yield rule.unjudged(
            group.place, fleet.missing(f"the rules of security group {name_list(sorted(unclear, key=str))}")
        )
