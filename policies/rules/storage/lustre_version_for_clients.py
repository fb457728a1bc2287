"""Lustre's version compared with the version of the nodes' clients."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.fleet.resources import Fleet, LustreFileSystem
from muster.hardware.lustre import BEFORE_EFA, DEFAULT_VERSION, OLDEST_VERSION
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import is_no_lustre
from muster.unknown import NotKnown
from muster.versions import LUSTRE
from muster.whole_number import version_numbers


def lustre_version_for_clients(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if is_no_lustre(system, fleet):
        return
    version: object = fleet.file_system_facts(system.id).version if system.existing else system.version
    if version is None and not system.existing:
        if system.deployment not in BEFORE_EFA:
            return  # FSx creates 2.12 or newer
        got = f"the file system sets no version, so FSx uses {DEFAULT_VERSION} on {system.deployment}"
        yield rule.finding(system, "version", got=got, change=set_to(LUSTRE))
        return
    numbers = version_numbers(version)
    if len(numbers) != len(OLDEST_VERSION):
        created = "the Lustre version of the file system"
        raise NotKnown(fleet.missing(f"the version of file system {system.id}") if system.existing else created)
    if numbers < OLDEST_VERSION:
        got = f"the file system has Lustre {version}, which clients of version 2.15 cannot mount"
        update = f"unmount it everywhere, and update it to {LUSTRE}" if system.existing else set_to(LUSTRE)
        yield rule.finding(system, "id" if system.existing else "version", got=got, change=update)
