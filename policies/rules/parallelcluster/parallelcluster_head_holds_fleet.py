"""The head node's memory against the nodes that it manages."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, HeadNode
from policies.reading.slurm import cluster_of, machine_of, most_nodes
from policies.rule import Rule, Verdict, rule

_NODES_PER_GIB = 25
_FOR_THE_SYSTEM = 0.6
_MOST_GIB = 16
"""ParallelCluster asks for no more, however many nodes there are."""


@rule(
    "parallelcluster-head-holds-fleet",
    title="The head node has the memory for the nodes that it manages",
    judges=HeadNode,
    backends=("parallelcluster",),
    why="Slurm's controller and ParallelCluster's daemons hold every node's state in memory: a GiB for 25 nodes, up to "
    "16. A smaller head node is refused.",
    source="aws-parallelcluster 3.16.1, HeadNodeMemorySizeValidator",
    remedy="Take a larger head node.",
    facts=("rules.md#62",),
)
def parallelcluster_head_holds_fleet(head: HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(head, fleet)
    machine, missing = machine_of(head.instance)
    nodes, unseen = most_nodes(cluster, fleet) if cluster else (0, "")
    needed = min(nodes / _NODES_PER_GIB + _FOR_THE_SYSTEM, _MOST_GIB)
    if missing:
        yield rule.unjudged(head.place, missing)
    elif machine and machine.memory_mib / 1024 < needed:
        got = f"{machine.instance} has {machine.memory_mib / 1024:g} GiB, for {nodes} nodes it takes {needed:g}"
        yield rule.finding(head.place, at="instance", got=got, remedy=f"take a type with {needed:g} GiB or more")
    elif machine and unseen and machine.memory_mib / 1024 < _MOST_GIB:
        yield rule.unjudged(head.place, unseen)
