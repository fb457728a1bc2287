"""Memory that jobs may have."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet
from muster.fleet.unknown import UNKNOWN
from policies.reading.slurm import called, machines_in
from policies.rule import Rule, Verdict, rule


@rule(
    "parallelcluster-memory-within-instance",
    title="Jobs are promised no more memory than a node has",
    judges=ComputeResource,
    backends=("parallelcluster",),
    why="A node that has less than Slurm was told is drained as soon as it registers: no job ever starts on it. "
    "ParallelCluster refuses more than EC2 says of the type.",
    source="aws-parallelcluster 3.16.1, SchedulableMemoryValidator",
    remedy="Leave it out: it is then 95 of a hundred.",
    facts=("rules.md#62",),
)
def parallelcluster_memory_within_instance(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if resource.memory_mib is None:
        return
    rows, missing = machines_in(resource)
    if resource.memory_mib is UNKNOWN or missing:
        said = f"the memory that {called(resource)} promises, not known before creation"
        yield rule.unjudged(resource.place, missing or said)
        return
    least = min(rows, key=lambda row: row.memory_mib, default=None)
    if least and not 1 <= resource.memory_mib <= least.memory_mib:
        yield rule.finding(
            resource.place,
            at="memory",
            got=f"{called(resource)} promises {resource.memory_mib} MiB, {least.instance} has {least.memory_mib}",
            remedy=f"write {least.memory_mib * 95 // 100}MiB or less, or leave it out",
        )
