"""Links to S3."""

from collections.abc import Iterator

from muster.fleet.lustre import INTELLIGENT_TIERING, MOST_ASSOCIATIONS, SCRATCH_1
from muster.fleet.resources import Fleet, LustreFileSystem
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule


@rule(
    "lustre-associations-allowed",
    title="A file system has at most 8 data repository associations, is of a type that has any, and has no import path",
    judges=LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="Associations are made after the file system and one at a time: FSx refuses the ninth, all on SCRATCH_1 and on "
    "intelligent tiering, and all beside the older import path, when the file system is there and bills.",
    source="FSx API, CreateDataRepositoryAssociation; ParallelCluster fsx_validators.py",
    remedy="Link at most 8 places, on another type than scratch-1.",
    facts=("rules.md#53",),
)
def lustre_associations_allowed(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if system.existing:
        return
    if system.associations is UNKNOWN:
        yield rule.unjudged(system.place, "which associations are this file system's")
        return
    count, place = len(system.associations), system.place
    if not count:
        return
    if count > MOST_ASSOCIATIONS:
        yield rule.finding(
            place, f"{count} associations", f"keep {MOST_ASSOCIATIONS}, or link a place further up", "data"
        )
    if system.import_path is not None:
        yield rule.finding(place, "associations beside an import path", "make an association of the import path too")
    if system.deployment is UNKNOWN or system.disk is UNKNOWN:
        yield rule.unjudged(place, "the deployment type and the disks")
    elif system.deployment == SCRATCH_1 or system.disk == INTELLIGENT_TIERING:
        kind = SCRATCH_1 if system.deployment == SCRATCH_1 else INTELLIGENT_TIERING
        yield rule.finding(place, f"associations on {kind}", "remove them, or take another type", "data")
