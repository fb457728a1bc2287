"""Metadata operations per second."""

from collections.abc import Iterator

from muster.fleet.backend_sets import EVERY_BACKEND
from muster.fleet.resources import Fleet, LustreFileSystem
from muster.hardware.lustre import AUTOMATIC, BEFORE_EFA, METADATA_IOPS, METADATA_MODES, PERSISTENT_2, automatic_iops
from muster.policies.engine.finding_text import or_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.versions import version_tuple
from muster.unknown import UNKNOWN
from muster.versions import LUSTRE

_SINCE = (2, 15)
"""The first version with a metadata configuration (FSx API, CreateFileSystemLustreConfiguration)."""
_NUMBERS = f"1500, 3000, 6000 or a multiple of 12000 up to {METADATA_IOPS[-1]}"


@rule(
    "lustre-metadata-fits-type",
    title="Only a PERSISTENT_2 file system provisions metadata IOPS, in numbers that FSx supports",
    judges=LustreFileSystem,
    backends=EVERY_BACKEND,
    why="FSx refuses a metadata configuration on other types and on versions before 2.15, a number together with "
    "AUTOMATIC, and unsupported numbers. You cannot add a metadata configuration to an existing file system.",
    source="FSx API, CreateFileSystemLustreMetadataConfiguration; FSx Lustre guide, Metadata performance",
    remedy="Use automatic, or 1500, 3000, 6000 or a multiple of 12000 up to 192000.",
    facts=("rules.md#54",),
)
def lustre_metadata_fits_type(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mode, iops = system.metadata_mode, system.metadata_iops
    if system.existing or (mode is None and iops is None):
        return
    if UNKNOWN in (mode, iops, system.deployment):
        yield rule.unjudged(system.place, "the metadata configuration, or the kind of the file system")
        return
    if mode not in (None, *METADATA_MODES):
        modes = or_list(METADATA_MODES)
        got, in_program = f"FSx has no metadata mode '{mode}'", f"set metadataConfiguration.mode to {modes}"
        remedy = f"set the mode to {modes}"
        yield rule.advice.finding(system.place, got, remedy, at="metadata", program_remedy=in_program)
    elif wrong := _of_kind(system) or _number(system):
        got, remedy, in_program = wrong
        yield rule.finding(system.place, got, remedy, at="metadata", program_remedy=in_program)


def _of_kind(system: LustreFileSystem) -> tuple[str, str, str] | None:
    """What was found, the remedy and that for a program if the file system's kind has no metadata configuration; else
    None."""
    if system.deployment in BEFORE_EFA:
        got = f"the file system has a metadata configuration, which {system.deployment} does not support"
        in_program = f"remove metadataConfiguration, or set deploymentType to {PERSISTENT_2}"
        return got, f"remove the metadata configuration, or use {PERSISTENT_2}", in_program
    if (version_tuple(system.version) or _SINCE) < _SINCE:
        got = f"the file system has a metadata configuration, which Lustre {system.version} does not support"
        return got, f"use Lustre version {LUSTRE}", f"set fileSystemTypeVersion to {LUSTRE}"
    return None


def _number(system: LustreFileSystem) -> tuple[str, str, str] | None:
    """What was found, the remedy and that for a program if the number of IOPS is wrong, or must not be set; else
    None."""
    mode, iops = system.metadata_mode, system.metadata_iops
    if mode == AUTOMATIC and iops is not None:
        got = f"the file system sets {iops} metadata IOPS, but also mode {AUTOMATIC}"
        return got, "remove one of the two", "remove iops or mode from metadataConfiguration"
    if mode == AUTOMATIC or iops in METADATA_IOPS:
        return None
    given = "not set" if iops is None else f"{iops}, which FSx does not support"
    to = f"to {_NUMBERS}"
    in_program = f"set metadataConfiguration.iops {to}, or mode to {AUTOMATIC}{_automatic(system)}"
    own = f"set the metadata IOPS {to}, or use mode {AUTOMATIC}{_automatic(system)}"
    return f"the metadata IOPS are {given}", own, in_program


def _automatic(system: LustreFileSystem) -> str:
    return f" ({automatic_iops(system.size)} at {system.size}GiB)" if isinstance(system.size, int) else ""
