"""Data repository associations, import and export paths."""

from collections import Counter
from collections.abc import Iterator

from muster.fleet.resources import Fleet, LustreFileSystem
from muster.hardware.lustre import INTELLIGENT_TIERING, MOST_ASSOCIATIONS, PERSISTENT_2, SCRATCH_1
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list, singular_or_plural
from policies.engine.rule import Rule, Verdict, rule


@rule(
    "lustre-association-paths-apart",
    title="No data repository association lies within another, in the file system or in S3",
    judges=LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="FSx refuses a path inside a linked one, the root beside any other, and the same bucket or prefix twice.",
    source="FSx API, CreateDataRepositoryAssociation; FSx Lustre guide, Linking your file system to S3",
    remedy="Give each link a directory and a prefix of its own.",
    facts=("rules.md#53",),
)
def lustre_association_paths_apart(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if system.associations is UNKNOWN or len(system.associations) <= 1:
        return  # lustre-associations-allowed reports unknown values
    paths = [each.path for each in system.associations if each.path is not UNKNOWN]
    places = Counter(each.s3.rstrip("/") for each in system.associations if each.s3 is not UNKNOWN)
    inside = {
        f"{path} twice" if path == other else f"{path} in {other}"
        for index, path in enumerate(paths)
        for number, other in enumerate(paths)
        if index != number and (path == other or path.startswith(f"{other.rstrip('/')}/"))
    }
    if inside:
        yield rule.finding(system.place, and_list(inside), "link directories that are beside each other", at="data")
    twice = [place for place, count in places.items() if count > 1]
    if twice:
        got = f"{and_list(twice)} {singular_or_plural(twice, 'is', 'are')} linked twice"
        remedy = f"keep one of {singular_or_plural(twice, 'its links', 'the links of each')}"
        yield rule.finding(system.place, got, remedy, at="data")
    if any(UNKNOWN in (each.path, each.s3) for each in system.associations):
        yield rule.unjudged(system.place, "the paths of every association, and its places in S3")


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


@rule(
    "lustre-import-path-complete",
    title="Export path, chunk size and automatic import stand beside an import path, and none of them on PERSISTENT_2",
    judges=LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="They mean nothing without the import path, and PERSISTENT_2 knows associations only: FSx refuses them.",
    source="FSx API, CreateFileSystemLustreConfiguration; ParallelCluster fsx_validators.py",
    remedy="Link S3 by data repository associations instead.",
    facts=("rules.md#53",),
)
def lustre_import_path_complete(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    given = {*system.needs_import_path, *(("importPath",) if system.import_path is not None else ())}
    if not given:
        return
    if system.deployment is UNKNOWN:
        yield rule.unjudged(system.place, "the deployment type")
    elif system.deployment == PERSISTENT_2:
        got, remedy = f"{and_list(given)} on {PERSISTENT_2}", "make a data repository association of it"
        yield rule.finding(system.place, got, remedy)
    if system.needs_import_path and system.import_path is None:
        got = f"{and_list(system.needs_import_path)} without an importPath"
        yield rule.finding(system.place, got, f"name the importPath, or remove {and_list(system.needs_import_path)}")


@rule(
    "lustre-backups-without-s3",
    title="A file system that is linked to S3 has no backups",
    judges=LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="FSx does not back up file systems with a data repository: it refuses the one or the other, and what was "
    "thought to be safe is in no backup.",
    source="FSx Lustre guide, Working with backups; ParallelCluster fsx_validators.py",
    remedy="Keep no backups and export to S3, or give up the link.",
    facts=("rules.md#52",),
)
def lustre_backups_without_s3(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if system.existing or system.backup_days == 0:
        return
    linked = UNKNOWN if system.associations is UNKNOWN else bool(system.associations)
    linked = True if system.import_path is not None else linked
    if linked is False:
        return
    if linked is UNKNOWN or system.backup_days is UNKNOWN:
        yield rule.unjudged(system.place, "whether it has backups, and links to S3")
    else:
        days = system.backup_days
        got = f"backups are kept {days} {'day' if days == 1 else 'days'}, and it is linked to S3"
        yield rule.finding(system.place, got, "set them to 0 days and export to S3, or remove the link", "backup-days")
