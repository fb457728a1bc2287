"""What only persistent file systems have."""

from collections.abc import Iterator

from muster.fleet.lustre import PERSISTENT
from muster.fleet.resources import Fleet, LustreFileSystem
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule


@rule(
    "lustre-key-and-backups-persistent",
    title="Only a persistent file system has a KMS key of its own and backups",
    judges=LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="FSx refuses both on scratch, which it encrypts with its own key and never backs up.",
    source="FSx API, CreateFileSystemLustreConfiguration; ParallelCluster fsx_validators.py",
    remedy="Remove them, or make the file system persistent.",
    facts=("rules.md#52",),
)
def lustre_key_and_backups_persistent(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    days, deployment = system.backup_days, system.deployment
    if system.existing or (system.key is None and days == 0):
        return
    if deployment is UNKNOWN:
        yield rule.unjudged(system.place, "the deployment type")
    elif deployment not in PERSISTENT:
        if system.key is not None:
            got, remedy = f"a KMS key on {deployment}", "remove the key, or take a persistent type"
            yield rule.finding(system.place, got, remedy, at="key")
        if days is UNKNOWN:
            yield rule.unjudged(system.place, "whether there are backups")
        elif days:
            got, remedy = f"backups kept on {deployment}", "set them to 0 days, or take a persistent type"
            yield rule.finding(system.place, got, remedy, at="backup-days")
