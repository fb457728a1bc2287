"""Mount names of file systems that exist."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LustreFileSystem
from muster.hardware.lustre import LONGEST_MOUNT_NAME
from policies.engine.rule import Rule, Verdict, rule


@rule(
    "lustre-mount-name-short",
    title="A mount name has at most 8 characters",
    judges=LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="FSx gives each file system a mount name of up to 8 characters; a longer one is something else (its id, its "
    "DNS name), and every mount fails.",
    source="FSx API, LustreFileSystemMountName; ParallelCluster constants.py",
    remedy="Copy MountName from `aws fsx describe-file-systems`.",
    facts=("rules.md#55",),
)
def lustre_mount_name_short(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    name = system.mount_name
    if name is not None and len(name) > LONGEST_MOUNT_NAME:
        got = f"'{name}' has {len(name)} characters"
        remedy = f"copy LustreConfiguration.MountName of {system.id}, {LONGEST_MOUNT_NAME} characters at most"
        yield rule.finding(system.place, got, remedy, at="mount-name")
