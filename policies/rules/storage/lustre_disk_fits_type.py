"""What a file system is stored on."""

from collections.abc import Iterator

from muster.fleet.lustre import DISKS, HDD, PERSISTENT_1
from muster.fleet.resources import Fleet, LustreFileSystem
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule
from policies.words import choice


@rule(
    "lustre-disk-fits-type",
    title="A file system's deployment type has the disks that it asks for, and a drive cache where they are hard disks",
    judges=LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="FSx makes hard disks for PERSISTENT_1 only, with a drive cache stated; it refuses everything else, after the "
    "rest of the stack is up.",
    source="FSx API, CreateFileSystemLustreConfiguration; ParallelCluster fsx_validators.py",
    remedy="Use ssd, or hdd with persistent-1.",
    facts=("rules.md#52", "pains.md#15"),
)
def lustre_disk_fits_type(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if system.existing:
        return
    if system.deployment is UNKNOWN or system.disk is UNKNOWN:
        yield rule.unjudged(system.place, "the deployment type and the disks")
        return
    disks, cache, wrong = DISKS.get(system.deployment), system.drive_cache, None
    if disks is None:
        wrong = f"'{system.deployment}' is no deployment type", f"take {choice(DISKS)}", "type"
    elif system.disk not in disks:
        wrong = f"{system.deployment} on {system.disk}", f"take SSD, or {PERSISTENT_1} for HDD", "disk"
    elif system.disk == HDD and cache is None:
        wrong = "hard disks, and no drive cache", "say NONE or READ", "drive-cache"
    elif system.disk != HDD and isinstance(cache, str):
        wrong = f"a drive cache ({cache}) before {system.disk}", "remove it: only hard disks have one", "drive-cache"
    if wrong:
        yield rule.finding(system.place, *wrong)
