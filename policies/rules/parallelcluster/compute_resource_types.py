"""The instance types of compute resources: memory, architecture, vCPUs."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.parallelcluster import cluster_of, display_name, head_of, machines_in, traits_of


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
        not_known = f"the memory that {display_name(resource)} promises, not known before creation"
        yield rule.unjudged(resource.place, missing or not_known)
        return
    least = min(rows, key=lambda row: row.memory_mib, default=None)
    if least and not 1 <= resource.memory_mib <= least.memory_mib:
        yield rule.finding(
            resource.place,
            at="memory",
            got=f"{display_name(resource)} promises {resource.memory_mib} MiB, {least.instance} has {least.memory_mib}",
            remedy=f"write {least.memory_mib * 95 // 100}MiB or less, or leave it out",
        )


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
                got=f"{display_name(resource)} has {row.instance} ({row.architecture}), and the head node "
                f"{head.instance} "
                f"({of_head})",
                remedy=f"take a head node with {row.architecture}, or compute nodes with {of_head}",
            )


@rule(
    "parallelcluster-types-alike",
    title="The instance types of a compute resource have equally many vCPUs and accelerators",
    judges=ComputeResource,
    backends=("parallelcluster",),
    why="Slurm is told one number of each for all nodes of a compute resource, whichever type EC2 then starts.",
    source="aws-parallelcluster 3.16.1, InstancesCPUValidator and InstancesAcceleratorsValidator",
    remedy="List types that are alike, or make a compute resource for each.",
    facts=("rules.md#29",),
)
def parallelcluster_types_alike(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not resource.flexible:
        return
    rows, missing = machines_in(resource)
    threads = 1 if resource.threads_per_core == 1 else 2
    counted = {
        "vCPUs": {row.instance: row.with_threads(threads).vcpus for row in rows},
        "accelerators": {row.instance: row.accelerators for row in rows},
    }
    for what, each in counted.items():
        if len(set(each.values())) > 1:
            listed = and_list(f"{instance} {count}" for instance, count in each.items())
            got = f"{display_name(resource)} lists types with different numbers of {what}: {listed}"
            yield rule.finding(resource.place, at="instance", got=got, remedy="list types with as many, or one alone")
    if missing:
        yield rule.unjudged(resource.place, missing)
