"""The memory of the head node."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, HeadNode
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.parallelcluster import cluster_of, machine_of, most_nodes
from muster.unknown import UNKNOWN

_OF_THE_SYSTEM_GIB, _NODES_PER_GIB, _ENOUGH_GIB = 0.6, 25, 16
_MIB = 1024


@rule(
    "parallelcluster-head-memory-suffices",
    title="The head node has enough memory to manage its compute nodes",
    judges=HeadNode,
    backends=("parallelcluster",),
    why="Slurm's controller and ParallelCluster's daemons need memory for each node. ParallelCluster refuses a head "
    "node with less than 0.6 GiB plus 1 GiB for every 25 nodes. 16 GiB is enough for any number of nodes.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/cluster_validators.py#L1278",
    ),
    remedy="Use a larger head node.",
    facts=("rules.md#62",),
)
def parallelcluster_head_memory_suffices(head: HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(head, fleet)
    machine, missing = machine_of(head.instance)
    if machine is None:
        if missing:
            yield rule.unjudged(head.place, missing)
        return
    has = machine.memory_mib / _MIB
    if cluster is None or has >= _ENOUGH_GIB:
        return
    nodes, missing = most_nodes(cluster, fleet)
    needed = min(nodes / _NODES_PER_GIB + _OF_THE_SYSTEM_GIB, _ENOUGH_GIB)
    if has < needed and cluster.version is UNKNOWN:
        # ParallelCluster 3.12 has no such validator; 3.13.2 has it.
        got = f"the head node {machine.instance} has {has:.4g} GiB of memory for {nodes} compute nodes"
        yield rule.unjudged(head.place, f"the version of ParallelCluster: {got}, and newer versions refuse that")
    elif has < needed:
        yield rule.finding(
            head.place,
            at="instance",
            got=f"the head node {machine.instance} has {has:.4g} GiB of memory, but {nodes} compute nodes need "
            f"{needed:.4g} GiB",
            remedy=f"use a head node type with at least {needed:.4g} GiB of memory",
            program_remedy=f"set InstanceType to a type with at least {needed:.4g} GiB of memory",
        )
    elif missing:
        yield rule.unjudged(head.place, missing)
