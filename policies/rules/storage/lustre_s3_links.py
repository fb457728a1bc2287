"""Data repository associations, import and export paths."""

from collections import Counter
from collections.abc import Iterator

from muster.fleet.backend_sets import EVERY_BACKEND
from muster.fleet.resources import Fleet, LustreFileSystem
from muster.hardware.lustre import INTELLIGENT_TIERING, MOST_ASSOCIATIONS, PERSISTENT_2, SCRATCH_1
from muster.policies.engine.finding_text import and_list, quantity_text, singular_or_plural
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.unknown import UNKNOWN


@rule(
    "lustre-association-paths-apart",
    title="Data repository associations do not overlap, in the file system or in S3",
    judges=LustreFileSystem,
    backends=EVERY_BACKEND,
    why="FSx refuses a path inside a linked path, the root together with any other path, and the same bucket or prefix "
    "twice.",
    source="FSx API, CreateDataRepositoryAssociation; FSx Lustre guide, Linking your file system to S3",
    remedy="Give each link its own directory and its own prefix.",
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
        got = f"data repository associations overlap: {and_list(inside)}"
        remedy = "link directories that are not inside each other"
        in_program = "set fileSystemPath of the associations to directories that are not inside each other"
        yield rule.finding(system.place, got, remedy, at="data", program_remedy=in_program)
    twice = [place for place, count in places.items() if count > 1]
    if twice:
        got = f"{and_list(twice)} {singular_or_plural(twice, 'is', 'are')} linked twice"
        each_ = singular_or_plural(twice, "it", "each of them")
        in_program = f"keep only one association with the dataRepositoryPath of {each_}"
        yield rule.finding(system.place, got, f"keep only one link to {each_}", at="data", program_remedy=in_program)
    if any(UNKNOWN in (each.path, each.s3) for each in system.associations):
        yield rule.unjudged(system.place, "the path and the S3 location of every data repository association")


@rule(
    "lustre-associations-allowed",
    title="A file system has at most 8 data repository associations, on a type that supports them, and no import path",
    judges=LustreFileSystem,
    backends=EVERY_BACKEND,
    why="FSx creates associations one at a time, after the file system. It refuses the ninth, any on SCRATCH_1 or on "
    "intelligent tiering, and any together with the older import path. AWS already bills the file system then.",
    source="FSx API, CreateDataRepositoryAssociation; ParallelCluster fsx_validators.py",
    remedy="Link at most 8 S3 locations, on a type other than scratch-1.",
    facts=("rules.md#53",),
)
def lustre_associations_allowed(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if system.existing:
        return
    if system.associations is UNKNOWN:
        yield rule.unjudged(system.place, "the data repository associations of the file system")
        return
    count, place = len(system.associations), system.place
    if not count:
        return
    if count > MOST_ASSOCIATIONS:
        yield rule.finding(
            place,
            f"the file system has {count} data repository associations, but FSx allows at most {MOST_ASSOCIATIONS}",
            f"keep {MOST_ASSOCIATIONS} of them, or link a bucket or prefix that contains several of them",
            "data",
            f"keep {MOST_ASSOCIATIONS} of them, or set a dataRepositoryPath that contains several of them",
        )
    if system.import_path is not None:
        got = "the file system has data repository associations and an importPath, which exclude each other"
        yield rule.finding(place, got, "replace importPath with a data repository association")
    if system.deployment is UNKNOWN or system.disk is UNKNOWN:
        yield rule.unjudged(place, "the deployment type and the disks of the file system")
    elif system.deployment == SCRATCH_1 or system.disk == INTELLIGENT_TIERING:
        kind = SCRATCH_1 if system.deployment == SCRATCH_1 else INTELLIGENT_TIERING
        got = f"the file system has data repository associations, which {kind} does not support"
        key = "storageType" if kind == INTELLIGENT_TIERING else "deploymentType"
        yield rule.finding(place, got, "remove them, or use another type", "data", f"remove them, or set another {key}")


@rule(
    "lustre-import-path-complete",
    title="Export path, chunk size and automatic import need an import path, and PERSISTENT_2 has none of these",
    judges=LustreFileSystem,
    backends=EVERY_BACKEND,
    why="FSx refuses these settings without an import path. On PERSISTENT_2 it refuses all of them, because this type "
    "supports only data repository associations.",
    source="FSx API, CreateFileSystemLustreConfiguration; ParallelCluster fsx_validators.py",
    remedy="Use data repository associations to link S3 instead.",
    facts=("rules.md#53",),
)
def lustre_import_path_complete(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    given = {*system.needs_import_path, *(("importPath",) if system.import_path is not None else ())}
    if not given:
        return
    if system.deployment is UNKNOWN:
        yield rule.unjudged(system.place, "the deployment type of the file system")
    elif system.deployment == PERSISTENT_2:
        got = f"the file system sets {and_list(given)}, which {PERSISTENT_2} does not support"
        yield rule.finding(system.place, got, "use a data repository association instead")
    if system.needs_import_path and system.import_path is None:
        got = f"the file system sets {and_list(system.needs_import_path)} without importPath"
        yield rule.finding(system.place, got, f"set importPath, or remove {and_list(system.needs_import_path)}")


@rule(
    "lustre-backups-without-s3",
    title="A file system that is linked to S3 has no backups",
    judges=LustreFileSystem,
    backends=EVERY_BACKEND,
    why="FSx does not back up file systems with a data repository. It refuses one of the two, so data that you expect "
    "to be safe is in no backup.",
    source="FSx Lustre guide, Working with backups; ParallelCluster fsx_validators.py",
    remedy="Keep no backups and export to S3, or remove the link.",
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
        yield rule.unjudged(system.place, "whether the file system has backups, or links to S3")
    else:
        days = system.backup_days
        got = f"the file system keeps backups for {quantity_text(days, 'day')}, but is linked to S3"
        instead = "and export to S3, or remove the link to S3"
        link = "importPath" if system.import_path is not None else "the data repository associations"
        yield rule.finding(
            system.place,
            got=got,
            remedy=f"set backup-days: 0 {instead}",
            at="backup-days",
            program_remedy=f"set automaticBackupRetentionDays to 0 and export to S3, or remove {link}",
        )
