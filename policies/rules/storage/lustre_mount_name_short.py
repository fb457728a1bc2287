"""Mount names of existing file systems."""

from collections.abc import Iterator

from muster.fleet.backend_sets import EVERY_BACKEND
from muster.fleet.resources import Fleet, LustreFileSystem
from muster.hardware.lustre import LONGEST_MOUNT_NAME
from muster.policies.engine.rule import Rule, Verdict, rule


@rule(
    "lustre-mount-name-short",
    title="A mount name has at most 8 characters",
    judges=LustreFileSystem,
    backends=EVERY_BACKEND,
    why="FSx gives each file system a mount name of up to 8 characters. A longer text is something else, such as its "
    "id or its DNS name, and every mount fails.",
    source="FSx API, LustreFileSystemMountName; ParallelCluster constants.py",
    remedy="Copy MountName from `aws fsx describe-file-systems`.",
    facts=("rules.md#55",),
)
def lustre_mount_name_short(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    name = system.mount_name
    if name is not None and len(name) > LONGEST_MOUNT_NAME:
        got = f"mount name '{name}' has {len(name)} characters, but mount names have at most {LONGEST_MOUNT_NAME}"
        remedy = f"set the mount name to MountName of {system.id}, as `aws fsx describe-file-systems` prints it"
        yield rule.finding(system.place, got, remedy, at="mount-name")
