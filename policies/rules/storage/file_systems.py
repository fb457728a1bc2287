"""A shared file system: its state, version, driver and zone."""

from collections.abc import Iterator
from functools import partial

from muster import versions
from muster.config.description.addons import addon_entry
from muster.config.description.node_group import Purpose
from muster.edits import Remedy, set_to
from muster.fleet.facts import FileSystemState
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import ControlPlane, FileSystem, Fleet, HeadNode, LustreFileSystem, Ref, SharedFileSystem
from muster.fleet.resources import ref as types
from muster.fleet.resources.fleet import AnyGroup, TemplateGroup
from muster.hardware.catalogue import Accelerator
from muster.hardware.lustre import BEFORE_EFA, DEFAULT_VERSION, OLDEST_VERSION
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list, name_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import facts_observed, is_of_another_kind
from muster.policies.lookups.chart_contents import PartKind
from muster.policies.lookups.installed_addons import name_of, ordered_addons, parts
from muster.policies.lookups.launch_templates import template_of
from muster.policies.lookups.machines import known_machines
from muster.unknown import NotKnown, any_of, if_known, stored
from muster.whole_number import version_numbers

_MOUNTED = (FileSystemState.AVAILABLE, FileSystemState.UPDATING)
"""A file system that is being updated stays in use."""


def lustre_usable(system: FileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    kind = system.kind
    if not (system.existing and kind.service) or fleet.gone(ResourceKind.FILE_SYSTEM, system.id):
        return
    known, expected = fleet.file_system_facts(system.id), kind.word.upper()
    if known.type not in (None, expected):
        got = f"{system.id} is a file system of type {known.type}, not {expected}"
        yield rule.finding(system, "id", got=got, change=f"use a file system of type {expected}")
        return
    if known.state not in (None, *_MOUNTED):
        got = f"file system {system.id} is {known.state.value}"
        yield rule.finding(system, "id", got=got, change="use a file system that is AVAILABLE, or have it repaired")
    declared = (
        ("mount-name", None if kind.mount_name is not None else system.mount_name, known.mount_name, rule),
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


nfs_usable = lustre_usable


def _in_its_vpc(system: FileSystem, vpc: str | None, rule: Rule) -> Iterator[Verdict]:
    if isinstance(system.vpc, Ref):
        got = f"{system.id} is an existing file system, but the stack creates a new VPC for the cluster"
        change = "also create the file system in this stack, or use its VPC (network: existing)"
        yield rule.finding(system, "id", got=got, change=change)
    elif vpc not in (None, system.vpc):
        got = f"{system.id} is in {vpc}, but the cluster is in {system.vpc}"
        change = f"use a file system in {system.vpc}, or put the cluster into {vpc}"
        yield rule.finding(system, "id", got=got, change=change)


def lustre_single_subnet(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not system.existing and len(system.subnets) != 1:
        where = f" in {system.zone}" if system.zone else ""
        got = f"the file system is in {len(system.subnets)} subnets{where}, but FSx accepts exactly one"
        yield rule.finding(system, "zone", got=got, change=set_to(words="that of one private subnet beside the nodes"))


def lustre_version_for_clients(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if is_of_another_kind(system, fleet):
        return
    version: object = system.version
    change: Remedy = set_to(versions.LUSTRE)
    if system.existing:
        change = f"unmount it everywhere, and update it to {versions.LUSTRE}"
        version = fleet.file_system_facts(system.id).version
        version = fleet.need(version, f"the version of file system {system.id}")
    elif version is None:
        if system.deployment not in BEFORE_EFA:
            return  # FSx creates 2.12 or newer
        version = DEFAULT_VERSION
    numbers = version_numbers(version)
    if len(numbers) != len(OLDEST_VERSION):
        raise NotKnown("the Lustre version of the file system")
    if numbers < OLDEST_VERSION:
        got = f"the file system has Lustre {version}, which clients of version 2.15 cannot mount"
        # Without nodes the clients are not known: those of older kernels mount it.
        level = rule if any((fleet.groups, fleet.of(HeadNode))) else rule.advice
        yield level.finding(system, "id" if system.existing else "version", got=got, change=change)


def lustre_has_its_driver(system: FileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if system is not next(each for each in fleet.of(type(system)) if each.ref.type == system.ref.type):
        return  # once for all of its kind
    if fleet.backend is None or fleet.absent or any(plane.existing for plane in fleet.of(ControlPlane)):
        return  # another program, another stack or the cluster's owner may install it
    kind = system.kind
    named = (lambda each=each: name_of(each) == kind.chart for each in ordered_addons(fleet))
    if (system.ref.type == types.LUSTRE and any(parts(fleet, PartKind.FSX_CSI))) or any_of(*named):
        return
    got = f"no add-on installs the CSI driver of {kind.name}, so pods cannot mount it"
    change = f"add `{addon_entry(kind.driver)}` under addons, unless nodes mount it themselves"
    yield rule.finding(system, "", got=got, change=change)


shared_storage_has_its_driver = lustre_has_its_driver


def lustre_in_training_zone(system: FileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if system.ref.type not in (types.LUSTRE, types.OPENZFS):
        return
    training = _training(fleet)
    # Another rule reports a file system or a group without a subnet, whose zone is then not known.
    nowhere = stored(system, "subnets") == () or (system.existing and is_of_another_kind(system, fleet))
    if not training or nowhere or any(stored(group, "subnets") == () for group in training):
        return
    zone = _zone(system, fleet)
    of_groups = [if_known(lambda: fleet.zones_of(group.subnets)) for group in training]
    zones = frozenset[str]().union(*filter(None, of_groups))
    if zone in zones:
        return
    unclear = [group.ref.name for group, known in zip(training, of_groups, strict=True) if known is None]
    if unclear:
        raise NotKnown(fleet.missing(f"the zones of {and_list(unclear)}"))
    got = f"the file system is in {zone}, but the training nodes are in {and_list(zones)}"
    change = (
        f"use a file system in {min(zones)}, or put a training group into {zone}"
        if system.existing
        else set_to(*sorted(zones), in_program=tuple(f"a subnet in {each}" for each in sorted(zones)))
    )
    yield rule.finding(system, "zone", got=got, change=change)


openzfs_in_training_zone = lustre_in_training_zone


def efs_mount_target_in_zone(system: SharedFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if system.ref.type != types.EFS or (system.existing and is_of_another_kind(system, fleet)):
        return
    if system.existing:
        targets = fleet.need(
            fleet.file_system_facts(system.id).zones, f"the zones of the mount targets of file system {system.id}"
        )
        where = frozenset(targets)
    else:
        if not system.subnets:
            return  # another program, or nobody, makes its mount targets
        where = fleet.need(fleet.zones_of(system.subnets), f"the zones of the mount targets of {system.ref.name}")
    # On Slurm every node mounts it; on Kubernetes, pods that train do.
    groups = _training(fleet) if any(fleet.of(ControlPlane)) else fleet.groups
    zones = {each.ref.name: if_known(partial(fleet.zones_of, each.subnets)) for each in groups}
    if outside := {name: known - where for name, known in zones.items() if known and known - where}:
        missing = and_list(frozenset[str]().union(*outside.values()))
        got = f"EFS has mount targets in {and_list(where) or 'no zone'}, but {and_list(outside)} may be in {missing}"
        # Whether nodes of a program mount it, only their pods and scripts say.
        level = rule if system.place.described else rule.advice
        yield level.finding(system, "id" if system.existing else "", got=got, change=f"add a mount target in {missing}")
    if unclear := [name for name, known in zones.items() if known is None]:
        raise NotKnown(fleet.missing(f"the zones of {and_list(unclear)}"))


@cached_by_identity(4)
def _training(fleet: Fleet) -> list[AnyGroup]:
    return [group for group in fleet.groups if _trains(group, fleet)]


def _trains(group: AnyGroup, fleet: Fleet) -> bool:
    """Whether a group is for training: by its purpose, or by its accelerators if it has no purpose."""
    if group.purpose is not None:
        return group.purpose is Purpose.TRAINING
    if not isinstance(group, TemplateGroup):
        return any(machine.accelerator is not Accelerator.NONE for machine in known_machines(group, fleet))
    template = if_known(lambda: template_of(group, fleet))
    machine = if_known(lambda: fleet.hardware_of(template)) if template else None
    return machine is not None and machine.accelerator is not Accelerator.NONE


def _zone(system: FileSystem, fleet: Fleet) -> str:
    if system.existing:
        observed = fleet.file_system_facts(system.id).zone
        return fleet.need(observed or system.zone, f"the zone of file system {system.id}")
    zones = fleet.zones_of(system.subnets) or frozenset()
    return fleet.need(min(zones) if len(zones) == 1 else None, f"the zone of subnet {name_list(system.subnets)}")
