"""The architecture of head node, login nodes and compute nodes."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, LoginPool
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.parallelcluster import architecture_in, cluster_of, display_name, head_of, machines_in


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
    of_head, missing_too = architecture_in(head.instance)
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
    architecture, missing = architecture_in(thing.instance)
    return ((str(thing.instance), architecture),) if architecture else (), "" if architecture else missing
