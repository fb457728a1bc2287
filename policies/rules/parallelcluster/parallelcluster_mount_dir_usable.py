"""Where shared storage is mounted."""

import re
from collections.abc import Iterator

from muster.fleet.resources import Fleet, ParallelCluster
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule

_FORM = re.compile(r"/?[^/.\\][^/\\]*(/[^/.\\][^/]*)*")
_RESERVED = frozenset(
    [
        "bin",
        "boot",
        "dev",
        "etc",
        "lib",
        "lib64",
        "media",
        "mnt",
        "opt",
        "opt/parallelcluster",
        "opt/parallelcluster/shared",
        "opt/parallelcluster/shared_login_nodes",
        "opt/slurm",
        "opt/intel",
        "proc",
        "root",
        "run",
        "sbin",
        "srv",
        "sys",
        "tmp",
        "usr",
        "var",
        "NONE",
    ]
)
"""Without the first slash, which may be left out."""


@rule(
    "parallelcluster-mount-dir-usable",
    title="Shared storage is mounted where the system itself keeps nothing",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="Mounted over /opt or /usr it hides what the node runs by. ParallelCluster refuses directories of the system "
    "and its own.",
    source="aws-parallelcluster 3.16.1, SharedStorageMountDirValidator and SharedStorageSchema",
    remedy="Take a directory of your own, as in /fsx.",
    facts=("hardware.md#R22",),
)
def parallelcluster_mount_dir_usable(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for mount in () if cluster.mounts is UNKNOWN else cluster.mounts:
        directory = mount.directory
        if directory is UNKNOWN:
            yield rule.unjudged(cluster.place, f"where {mount.name} is mounted, not known before creation")
        elif not directory or not _FORM.fullmatch(directory) or directory.removeprefix("/") in _RESERVED:
            yield rule.finding(
                cluster.place,
                at=f"storage.{mount.name}",
                got=f"{mount.name} is to be mounted at '{directory or ''}', where it cannot be",
                remedy="mount it at a directory of its own, as in /fsx; a description mounts storage at its name",
            )
