"""An existing Lustre file system, compared with the description."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.fleet.facts import FileSystemState
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Fleet, LustreFileSystem, Ref
from muster.hardware.lustre import LUSTRE
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import facts_observed
from muster.unknown import NotKnown

_MOUNTED = (FileSystemState.AVAILABLE, FileSystemState.UPDATING)
"""A file system that is being updated stays in use."""


def lustre_usable(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not system.existing or fleet.gone(ResourceKind.FILE_SYSTEM, system.id):
        return
    known = fleet.file_system_facts(system.id)
    if known.type not in (None, LUSTRE):
        got = f"{system.id} is a file system of type {known.type}, not LUSTRE"
        yield rule.finding(system, "id", got=got, change="use a file system of type LUSTRE")
        return
    if known.state not in (None, *_MOUNTED):
        got = f"file system {system.id} is {known.state.value}"
        yield rule.finding(system, "id", got=got, change="use a file system that is AVAILABLE, or have it repaired")
    declared = (
        ("mount-name", system.mount_name, known.mount_name, rule),
        ("dns-name", system.dns_name, known.dns_name, rule),
        ("zone", system.zone, known.zone, rule.advice),
    )
    for key, ours, theirs, leveled in declared:
        if None not in (ours, theirs) and ours != theirs:
            got = f"the description sets {key} {ours} for {system.id}, but AWS reports {theirs}"
            yield leveled.finding(system, key, got=got, change=set_to(theirs))
    yield from _in_its_vpc(system, known.vpc, rule)
    needed: dict[str, object] = {} if isinstance(system.vpc, Ref) else {"VPC": known.vpc}
    if facts_observed(fleet):
        needed |= {"type": known.type, "state": known.state}
        needed |= {key: theirs for key, ours, theirs, _ in declared if ours is not None}
    if missing := [name for name, value in needed.items() if value is None]:
        raise NotKnown(fleet.missing(f"the {and_list(missing)} of file system {system.id}"))


def _in_its_vpc(system: LustreFileSystem, vpc: str | None, rule: Rule) -> Iterator[Verdict]:
    if isinstance(system.vpc, Ref):
        got = f"{system.id} is an existing file system, but the stack creates a new VPC for the cluster"
        change = "also create the file system in this stack, or use its VPC (network: existing)"
        yield rule.finding(system, "id", got=got, change=change)
    elif vpc not in (None, system.vpc):
        got = f"{system.id} is in {vpc}, but the cluster is in {system.vpc}"
        change = f"use a file system in {system.vpc}, or put the cluster into {vpc}"
        yield rule.finding(system, "id", got=got, change=change)
