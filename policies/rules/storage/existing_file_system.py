"""An existing Lustre file system, compared with the description."""

from collections.abc import Iterator

from muster.fleet.backend_sets import EVERY_BACKEND
from muster.fleet.facts import FileSystemState
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Fleet, LustreFileSystem, Ref
from muster.hardware.lustre import LUSTRE
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.account_facts import facts_observed, is_no_lustre


@rule(
    "lustre-as-declared",
    title="An existing file system is as the description states",
    judges=LustreFileSystem,
    backends=EVERY_BACKEND,
    why="Pods mount the file system with the names in the description. With wrong names, every mount fails. With a "
    "wrong zone, all traffic crosses zones.",
    source=("https://docs.aws.amazon.com/fsx/latest/APIReference/API_DescribeFileSystems.html",),
    remedy="Set the values that AWS reports.",
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
            got = f"the description sets {key} {ours} for {system.id}, but AWS reports {theirs}"
            yield rule.finding(system.place, got, f"set {key}: {theirs}, or use another file system", at=key)


@rule(
    "lustre-in-cluster-vpc",
    title="An existing file system is in the cluster's VPC",
    judges=LustreFileSystem,
    backends=EVERY_BACKEND,
    why="The DNS name of a file system does not resolve outside its VPC, and its security groups cannot reference "
    "groups of another VPC. No node can mount it.",
    source=(
        "https://docs.aws.amazon.com/fsx/latest/LustreGuide/mounting-on-premises.html",
        "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_FSxLustreConfig.html",
    ),
    remedy="Use a file system in the cluster's VPC, or put the cluster into the VPC of the file system.",
    facts=("rules.md#55",),
)
def lustre_in_cluster_vpc(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not system.existing or is_no_lustre(system, fleet):
        return
    observed = fleet.file_system_facts(system.id).vpc
    if isinstance(system.vpc, Ref):
        got = f"{system.id} is an existing file system, but the stack creates a new VPC for the cluster"
        remedy = "also create the file system in this stack, or use its VPC (network: existing)"
        yield rule.finding(system.place, got, remedy, "id")
    elif observed is None:
        yield rule.unjudged(system.place, fleet.missing(f"the VPC of file system {system.id}"))
    elif observed != system.vpc:
        got = f"{system.id} is in {observed}, but the cluster is in {system.vpc}"
        remedy = f"use a file system in {system.vpc}, or put the cluster into {observed}"
        yield rule.finding(system.place, got, remedy, "id")


_MOUNTED = (FileSystemState.AVAILABLE, FileSystemState.UPDATING)
"""A file system that is being updated stays in use."""

_REPAIR = "ask its owner to repair it (FailureDetails has the cause), or use another file system"
_REMEDIES = {
    FileSystemState.CREATING: "wait until it is AVAILABLE",
    FileSystemState.MISCONFIGURED: _REPAIR,
    FileSystemState.MISCONFIGURED_UNAVAILABLE: _REPAIR,
}


@rule(
    "lustre-usable",
    title="An existing file system is Lustre, and available",
    judges=LustreFileSystem,
    backends=EVERY_BACKEND,
    why="Nodes can mount only Lustre, and only a file system that is available. With any other, pods stay in "
    "ContainerCreating, and Slurm's nodes do not start.",
    source=("https://docs.aws.amazon.com/fsx/latest/APIReference/API_FileSystem.html",),
    remedy="Use a Lustre file system that is AVAILABLE.",
    facts=("rules.md#55", "pains.md#14"),
)
def lustre_usable(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not system.existing or fleet.gone(ResourceKind.FILE_SYSTEM, system.id):
        return
    known = fleet.file_system_facts(system.id)
    if known.type not in (None, LUSTRE):
        got = f"{system.id} is a file system of type {known.type}, not LUSTRE"
        yield rule.finding(system.place, got, "use a file system of type LUSTRE", at="id")
    elif known.state not in (None, *_MOUNTED):
        remedy = _REMEDIES.get(known.state, "use a file system that is AVAILABLE")
        yield rule.finding(system.place, f"file system {system.id} is {known.state.value}", remedy, at="id")
    elif facts_observed(fleet):
        for what, value in (("type", known.type), ("state", known.state)):
            if value is None:
                yield rule.unjudged(system.place, fleet.missing(f"the {what} of file system {system.id}"))
