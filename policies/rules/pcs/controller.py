"""The controller of a cluster: its size and its network."""

from collections.abc import Iterator
from functools import partial

from muster.config.description.pcs_nodes import ClusterSize
from muster.edits import set_to
from muster.fleet.resources import ComputeNodeGroup, Fleet, PcsCluster, Reference
from muster.fleet.resources.ec2 import EGRESS, INGRESS
from muster.message_text import count_noun
from muster.policies.engine.finding_text import name_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.pcs import cluster_of, groups_of
from muster.policies.lookups.security_groups import allows_traffic, carried_groups, missing_self_traffic
from muster.unknown import NotKnown, all_of, any_of, if_known, stored


def pcs_size_covers_nodes(cluster: PcsCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    size = next((each for each in ClusterSize if each.value.upper() == cluster.size), None)
    if size is None:
        return  # PCS refuses it
    groups = groups_of(cluster, fleet)
    most, always = (sum(stored(group, count, 0) for group in groups) for count in ("nodes_max", "nodes_min"))
    if most <= size.nodes:
        most = sum(group.nodes_max for group in groups)  # those that are known are not too many
    if most > size.nodes:
        larger = next((each for each in ClusterSize if each.nodes >= most), None)
        enlarge = set_to(larger.value, in_program=larger.value.upper()) if larger else "create several clusters"
        leveled = rule if always > size.nodes else rule.advice
        got = f"its groups have up to {count_noun(most, 'node')}, but size {size.value} allows {size.nodes}"
        change = (enlarge, f"lower {rule.key(groups[0], 'nodes.max')} of its groups")
        yield leveled.finding(cluster, "size", got=got, change=change)


_SLURMCTLD, _SLURMD = 6817, 6818
"""The default ports of the daemons (slurm.conf, SlurmctldPort and SlurmdPort)."""


def pcs_controller_reaches_nodes(group: ComputeNodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(group, fleet)
    if cluster is None:
        return
    theirs, nodes = cluster.security_groups, carried_groups(group, fleet)
    if not nodes.sure:
        raise NotKnown("which security groups the nodes have")
    if not theirs or not nodes.groups:
        return  # the default security group of the VPC, whose rules no program has
    if any_of(*(partial(_open_to_itself, each, fleet) for each in nodes.groups.intersection(theirs))):
        return
    ways = (
        ("the controller's", theirs, INGRESS, _SLURMCTLD, nodes.groups),
        ("the nodes'", nodes.groups, EGRESS, _SLURMCTLD, theirs),
        ("the nodes'", nodes.groups, INGRESS, _SLURMD, theirs),
        ("the controller's", theirs, EGRESS, _SLURMD, nodes.groups),
    )
    answers = [
        partial(allows_traffic, groups, direction, port, peers, fleet) for _, groups, direction, port, peers in ways
    ]
    if not all_of(*answers):
        closed = (way for way, answer in zip(ways, answers, strict=True) if not if_known(answer, True))
        whose, groups, direction, port, peers = next(closed)
        where = f"from security group {name_list(peers)}" if direction == INGRESS else f"to {name_list(peers)}"
        got = f"{whose} security groups ({name_list(groups)}) do not allow TCP {port} {where}"
        change = "attach one group to both, with rules for all protocols (-1) from itself and to itself"
        yield rule.finding(group, "", got=got, change=change)


def _open_to_itself(group: Reference, fleet: Fleet) -> bool:
    return not missing_self_traffic(group, fleet)
