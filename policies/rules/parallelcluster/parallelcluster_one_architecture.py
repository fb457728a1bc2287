"""Processors of compute nodes against the head node's."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet
from policies.reading.slurm import called, cluster_of, head_of, machines_in, traits_of
from policies.rule import Rule, Verdict, rule


@rule(
    "parallelcluster-one-architecture",
    title="All nodes of a cluster have one architecture",
    judges=ComputeResource,
    backends=("parallelcluster",),
    why="The head node exports Slurm and /home to every node, and they run what stands there: ParallelCluster refuses "
    "Arm beside x86.",
    source="aws-parallelcluster 3.16.1, InstanceArchitectureCompatibilityValidator",
    remedy="Take a head node of the compute nodes' architecture.",
    facts=("rules.md#62",),
)
def parallelcluster_one_architecture(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(resource, fleet)
    head = head_of(cluster, fleet) if cluster else None
    if head is None:
        return
    rows, missing = machines_in(resource)
    traits, missing_too = traits_of(head.instance)
    of_head = traits.architecture
    if missing or (missing_too and of_head is None):
        yield rule.unjudged(resource.place, missing or missing_too)
    for row in rows if of_head else ():
        if row.architecture != of_head:
            yield rule.finding(
                resource.place,
                at="instance",
                got=f"{called(resource)} has {row.instance} ({row.architecture}), and the head node {head.instance} "
                f"({of_head})",
                remedy=f"take a head node with {row.architecture}, or compute nodes with {of_head}",
            )
