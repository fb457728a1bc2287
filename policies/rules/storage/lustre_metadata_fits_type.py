"""Metadata operations a second."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LustreFileSystem
from muster.hardware.lustre import AUTOMATIC, METADATA_IOPS, METADATA_MODES, PERSISTENT_2, SSD, automatic_iops
from muster.unknown import UNKNOWN
from muster.versions import LUSTRE
from policies.engine.finding_text import or_list
from policies.engine.rule import Rule, Verdict, rule

_STEP = 12000


@rule(
    "lustre-metadata-fits-type",
    title="Metadata operations are provisioned on PERSISTENT_2 only, in numbers that FSx has",
    judges=LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="FSx refuses a metadata configuration on other types and versions than 2.15, a number beside AUTOMATIC, and "
    "numbers that it does not have. None can be added to a file system that exists.",
    source="FSx API, CreateFileSystemLustreMetadataConfiguration; FSx Lustre guide, Metadata performance",
    remedy="Say automatic, or 1500, 3000, 6000 or a multiple of 12000 up to 192000.",
    facts=("rules.md#54",),
)
def lustre_metadata_fits_type(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mode, iops = system.metadata_mode, system.metadata_iops
    if system.existing or (mode is None and iops is None):
        return
    if UNKNOWN in (mode, iops, system.deployment, system.disk):
        yield rule.unjudged(system.place, "the metadata configuration, and what kind of file system it is for")
        return
    wrong = _of_kind(system) or _number(system)
    if wrong:
        yield rule.finding(system.place, *wrong, at="metadata")


def _of_kind(system: LustreFileSystem) -> tuple[str, str] | None:
    """What was found and the remedy where the file system's kind has no metadata configuration; else None."""
    if system.deployment != PERSISTENT_2:
        return f"a metadata configuration on {system.deployment}", f"remove it, or take {PERSISTENT_2}"
    if isinstance(system.version, str) and system.version != LUSTRE:
        return f"a metadata configuration on Lustre {system.version}", f"take version {LUSTRE}"
    if system.metadata_mode not in (None, *METADATA_MODES):
        return f"metadata mode '{system.metadata_mode}'", f"take {or_list(METADATA_MODES)}"
    return None


def _number(system: LustreFileSystem) -> tuple[str, str] | None:
    """What was found and the remedy where the number of IOPS is wrong, or must not be set; else None."""
    mode, iops, numbers = system.metadata_mode, system.metadata_iops, METADATA_IOPS.get(str(system.disk), ())
    if not numbers:
        return None  # lustre-disk-fits-type reports it
    if mode == AUTOMATIC and iops is not None:
        return f"{iops} metadata IOPS beside {AUTOMATIC}", "remove one of the two"
    if mode == AUTOMATIC and system.disk != SSD:
        return f"{AUTOMATIC} metadata on {system.disk}", f"state {_numbers(numbers)}"
    if mode == AUTOMATIC or iops in numbers:
        return None
    own = f", or let it grow by itself ({_automatic(system)})" if system.disk == SSD else ""
    return f"{'no' if iops is None else iops} metadata IOPS", f"take {_numbers(numbers)}{own}"


def _numbers(numbers: tuple[int, ...]) -> str:
    """``1500, 3000, 6000 or a multiple of 12000 up to 192000``."""
    small, step = [each for each in numbers if each < _STEP], f"a multiple of {_STEP} up to {numbers[-1]}"
    return or_list([*small, step] if numbers[-1] > _STEP else numbers)


def _automatic(system: LustreFileSystem) -> str:
    return f"{automatic_iops(system.size)} at {system.size}GiB" if isinstance(system.size, int) else AUTOMATIC
