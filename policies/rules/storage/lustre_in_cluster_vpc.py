"""An existing file system's network against the cluster's."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LustreFileSystem, Ref
from policies.reading.file_systems import is_no_lustre
from policies.rule import Rule, Verdict, rule


@rule(
    "lustre-in-cluster-vpc",
    title="An existing file system is in the cluster's VPC",
    judges=LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="A file system's DNS name means nothing outside its VPC, and its security groups name none of another: no node "
    "mounts it.",
    source="FSx Lustre guide, Mounting from another VPC; SageMaker API, FSxLustreConfig",
    remedy="Use a file system of the cluster's VPC, or put the cluster into the file system's.",
    facts=("rules.md#55",),
)
def lustre_in_cluster_vpc(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not system.existing or is_no_lustre(system, fleet):
        return
    observed = fleet.file_system_facts(system.id).vpc
    if isinstance(system.vpc, Ref):
        got = f"{system.id} exists, and the cluster's VPC is made new"
        yield rule.finding(system.place, got, "make the file system here too, or use its VPC (network: existing)", "id")
    elif observed is None:
        yield rule.unjudged(system.place, fleet.missing(f"the VPC of file system {system.id}"))
    elif observed != system.vpc:
        got = f"{system.id} is in {observed}, the cluster in {system.vpc}"
        yield rule.finding(system.place, got, f"name a file system in {system.vpc}, or put the cluster there", "id")
