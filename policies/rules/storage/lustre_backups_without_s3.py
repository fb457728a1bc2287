"""Backups of file systems that are linked to S3."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LustreFileSystem
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule


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
