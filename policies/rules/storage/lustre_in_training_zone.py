"""A file system's zone compared with the zones of the nodes that read it."""

from collections.abc import Iterator

from muster.config.description.node_group import Purpose
from muster.edits import set_to
from muster.fleet.resources import Fleet, LustreFileSystem
from muster.fleet.resources.fleet import AnyGroup, TemplateGroup
from muster.hardware.catalogue import Accelerator
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list, name_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import is_no_lustre
from muster.policies.lookups.launch_templates import template_of
from muster.policies.lookups.machines import known_machines
from muster.unknown import NotKnown, if_known, stored


def lustre_in_training_zone(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    training = _training(fleet)
    # Another rule reports a file system or a group without a subnet, whose zone is then not known.
    nowhere = stored(system, "subnets") == () or (system.existing and is_no_lustre(system, fleet))
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


def _zone(system: LustreFileSystem, fleet: Fleet) -> str:
    if system.existing:
        observed = fleet.file_system_facts(system.id).zone
        return fleet.need(observed or system.zone, f"the zone of file system {system.id}")
    zones = fleet.zones_of(system.subnets) or frozenset()
    return fleet.need(min(zones) if len(zones) == 1 else None, f"the zone of subnet {name_list(system.subnets)}")
