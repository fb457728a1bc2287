"""The instance types of compute resources: memory, architecture, vCPUs."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, LoginPool
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.parallelcluster import cluster_of, display_name, head_of, machines_in, traits_of
from muster.unknown import UNKNOWN


@rule(
    "parallelcluster-memory-within-instance",
    title="Schedulable memory is at most the memory of a node",
    judges=ComputeResource,
    backends=("parallelcluster",),
    why="Slurm drains a node that has less memory than its configuration states, as soon as the node registers: no job "
    "ever starts on it. ParallelCluster refuses more memory than EC2 states for the type.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/cluster_validators.py#L214",
    ),
    remedy="Remove the setting. The default is 95% of the type's memory.",
    facts=("rules.md#62",),
)
def parallelcluster_memory_within_instance(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if resource.memory_mib is None:
        return
    rows, missing = machines_in(resource)
    if resource.memory_mib is UNKNOWN or missing:
        not_known = f"the schedulable memory of {display_name(resource)} (known only after `pulumi up`)"
        yield rule.unjudged(resource.place, missing or not_known)
        return
    least = min(rows, key=lambda row: row.memory_mib, default=None)
    if least and not 1 <= resource.memory_mib <= least.memory_mib:
        yield rule.finding(
            resource.place,
            at="memory",
            got=f"{display_name(resource)} sets {resource.memory_mib} MiB of memory for jobs, but {least.instance} has "
            f"{least.memory_mib} MiB",
            remedy=f"set memory to {least.memory_mib * 95 // 100}MiB or less, or remove it",
            program_remedy=f"set SchedulableMemory to {least.memory_mib * 95 // 100} or less, or remove it",
        )


@rule(
    "parallelcluster-one-architecture",
    title="All nodes of a cluster have one architecture",
    judges=ComputeResource | LoginPool,
    backends=("parallelcluster",),
    why="The head node exports Slurm and /home to every node, and every node runs the programs there. ParallelCluster "
    "refuses a mix of Arm and x86 among compute nodes, but not for login nodes, which then cannot start.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/cluster_validators.py#L259",
    ),
    remedy="Use a head node with the architecture of the other nodes.",
    facts=("rules.md#62",),
)
def parallelcluster_one_architecture(
    resource: ComputeResource | LoginPool, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    cluster = cluster_of(resource, fleet)
    head = head_of(cluster, fleet) if cluster else None
    if head is None:
        return
    types, missing = _architectures(resource)
    traits, missing_too = traits_of(head.instance)
    of_head = traits.architecture
    if missing or (missing_too and of_head is None):
        yield rule.unjudged(resource.place, missing or missing_too)
    which = "login nodes" if isinstance(resource, LoginPool) else "compute nodes"
    for instance, architecture in types if of_head else ():
        if architecture != of_head:
            yield rule.finding(
                resource.place,
                at="instance",
                got=f"{display_name(resource)} has {instance} ({architecture}), but the head node is "
                f"{head.instance} ({of_head})",
                remedy=f"use a head node with {architecture}, or {which} with {of_head}",
                program_remedy=f"set InstanceType of the head node to a type with {architecture}, or use types "
                f"with {of_head} here",
            )


def _architectures(thing: ComputeResource | LoginPool) -> tuple[tuple[tuple[str, str], ...], str]:
    """The types with their architectures, as far as they are known, and what is missing."""
    if isinstance(thing, ComputeResource):
        rows, missing = machines_in(thing)
        return tuple((row.instance, row.architecture) for row in rows), missing
    traits, missing = traits_of(thing.instance)
    if traits.architecture is None:
        return (), missing
    return ((str(thing.instance), traits.architecture),), ""


@rule(
    "parallelcluster-types-alike",
    title="The instance types of a compute resource have the same number of vCPUs and accelerators",
    judges=ComputeResource,
    backends=("parallelcluster",),
    why="Slurm's configuration states one number of vCPUs and one of accelerators for all nodes of a compute resource, "
    "whichever type EC2 launches.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/instances_validators.py#L47",
    ),
    remedy="List types with the same numbers, or create a compute resource for each type.",
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
            remedy = f"list types with the same number of {what}, or a single type"
            in_program = f"in Instances, {remedy}"
            yield rule.finding(resource.place, at="instance", got=got, remedy=remedy, program_remedy=in_program)
    if missing:
        yield rule.unjudged(resource.place, missing)
