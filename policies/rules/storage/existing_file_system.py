"""A Lustre file system that exists, against the description."""

from collections.abc import Iterator

from muster.fleet.facts import FileSystemState
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Fleet, LustreFileSystem, Ref
from muster.hardware.lustre import LUSTRE
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.account_facts import facts_observed, is_no_lustre


@rule(
    "lustre-as-declared",
    title="An existing file system is what the description says",
    judges=LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="Pods mount what the description says: with another file system's names every mount fails, with another zone "
    "every byte crosses zones.",
    source="FSx API, DescribeFileSystems",
    remedy="Write what AWS says.",
    facts=("rules.md#55", "pains.md#14"),
)
def lustre_as_declared(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not system.existing or is_no_lustre(system, fleet):
        return
    known = fleet.file_system_facts(system.id)
    declared = (
        ("mount-name", system.mount_name, known.mount_name),
        ("dns-name", system.dns_name, known.dns_name),
        ("zone", system.zone, known.zone),
    )
    for key, ours, theirs in declared:
        if ours is not None and theirs is None and facts_observed(fleet):
            yield rule.unjudged(system.place, fleet.missing(f"the {key} of file system {system.id}"))
        if ours is not None and theirs is not None and ours != theirs:
            got = f"{system.id} is said to have {key} {ours}; AWS says {theirs}"
            yield rule.finding(system.place, got, f"write {key}: {theirs}, or name another file system", at=key)


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


_MOUNTED = (FileSystemState.AVAILABLE, FileSystemState.UPDATING)
"""A file system that is being updated stays in use."""

_MEND = "have its owner mend it, as its FailureDetails say, or use another"
_REMEDIES = {
    FileSystemState.CREATING: "wait until it is AVAILABLE",
    FileSystemState.MISCONFIGURED: _MEND,
    FileSystemState.MISCONFIGURED_UNAVAILABLE: _MEND,
}


@rule(
    "lustre-usable",
    title="An existing file system is Lustre, and available",
    judges=LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="Nodes mount Lustre alone, and only one that is there for its clients: every pod that wants another waits in "
    "ContainerCreating, and Slurm's nodes do not come up.",
    source="FSx API, FileSystem (Lifecycle, FileSystemType)",
    remedy="Name a Lustre file system that is AVAILABLE.",
    facts=("rules.md#55", "pains.md#14"),
)
def lustre_usable(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not system.existing or fleet.gone(ResourceKind.FILE_SYSTEM, system.id):
        return
    known = fleet.file_system_facts(system.id)
    if known.type not in (None, LUSTRE):
        got = f"{system.id} is a file system of type {known.type}"
        yield rule.finding(system.place, got, "name one of type LUSTRE", at="id")
    elif known.state not in (None, *_MOUNTED):
        remedy = _REMEDIES.get(known.state, "name one that is AVAILABLE")
        yield rule.finding(system.place, f"{system.id} is {known.state.value}", remedy, at="id")
    elif facts_observed(fleet):
        for what, value in (("type", known.type), ("state", known.state)):
            if value is None:
                yield rule.unjudged(system.place, fleet.missing(f"the {what} of file system {system.id}"))
