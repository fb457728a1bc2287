"""Lists of instance types."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet
from policies.reading.slurm import called, machines_in
from policies.rule import Rule, Verdict, rule
from policies.words import some


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
            listed = some(f"{instance} {count}" for instance, count in each.items())
            got = f"{called(resource)} lists types with different numbers of {what}: {listed}"
            yield rule.finding(resource.place, at="instance", got=got, remedy="list types with as many, or one alone")
    if missing:
        yield rule.unjudged(resource.place, missing)
