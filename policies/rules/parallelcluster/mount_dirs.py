"""Mount directories of shared storage and NVMe disks."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from muster.fleet.resources import Fleet, ParallelCluster
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.parallelcluster import (
    display_name,
    head_of,
    machines_in,
    queues_of,
    resources_of,
    traits_of,
)
from muster.unknown import UNKNOWN

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
"""Without the leading slash, which is optional."""


@rule(
    "parallelcluster-mount-dir-usable",
    title="Shared storage is not mounted over directories of the system",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="Storage mounted over /opt or /usr hides files that the node needs to run. ParallelCluster refuses the "
    "directories of the system and its own directories.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/cluster_validators.py#L920",
    ),
    remedy="Mount it at its own directory, such as /fsx.",
    facts=("hardware.md#R22",),
)
def parallelcluster_mount_dir_usable(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for mount in () if cluster.mounts is UNKNOWN else cluster.mounts:
        directory = mount.directory
        if directory is UNKNOWN:
            yield rule.unjudged(cluster.place, f"where {mount.name} is mounted (known only after `pulumi up`)")
        elif not directory or not _FORM.fullmatch(directory) or directory.removeprefix("/") in _RESERVED:
            yield rule.finding(
                cluster.place.within(mount.inside),
                at=f"storage.{mount.name}",
                got=f"{mount.name} has mount directory '{directory or ''}', which ParallelCluster does not allow",
                remedy="rename the storage, because Muster mounts it at its name (fsx at /fsx)",
                program_remedy="set MountDir to a directory that holds nothing else, such as /fsx",
            )


_DEFAULT = "/scratch"
"""Where ParallelCluster mounts NVMe disks by default (`DEFAULT_EPHEMERAL_DIR`)."""


@rule(
    "parallelcluster-mount-dirs-apart",
    title="Each shared storage and the NVMe disks have their own mount directory",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="The last mount hides the other one. Jobs then write shared data to a node's own disk, or do not find it. "
    "ParallelCluster refuses nested mount directories, and two storages at one directory.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/cluster_validators.py#L734",
    ),
    remedy="Mount them at different directories.",
    facts=("hardware.md#R22",),
)
def parallelcluster_mount_dirs_apart(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mounts = [] if cluster.mounts is UNKNOWN else [each for each in cluster.mounts if isinstance(each.directory, str)]
    local, missing = _local(cluster, fleet)
    shared = [_Used(f"{_whole(str(each.directory))}/", index) for index, each in enumerate(mounts)]
    disks = [_Used(f"{directory}/", _DISKS) for directory in local]
    for pair in _overlaps([*shared, *disks]):
        first, second = sorted(pair, key=lambda each: each.mount)
        mount, directory = mounts[second.mount], first.directory.rstrip("/") or "/"
        if first.mount == _DISKS:
            got = f"the NVMe disks of {and_list(local[directory])} at {directory}"
            remedy = "rename the storage, because Muster mounts it at its name (fsx at /fsx)"
            in_program = "set MountDir to another directory"
        else:
            got = f"{mounts[first.mount].name} at {directory}"
            remedy = "mount one of them at another directory"
            in_program = f"set MountDir of {mount.name} to another directory"
        yield rule.finding(
            cluster.place.within(mount.inside),
            at=f"storage.{mount.name}",
            got=f"{mount.name} is mounted at {_whole(str(mount.directory))}, and {got}",
            remedy=remedy,
            program_remedy=in_program,
        )
    if missing and shared:
        yield rule.unjudged(cluster.place, missing)


_DISKS = -1


class _Used(NamedTuple):
    """A directory, with a slash at its end, and the index of the storage that is mounted there, or `_DISKS`."""

    directory: str
    mount: int


def _overlaps(used: list[_Used]) -> Iterator[tuple[_Used, _Used]]:
    """Each directory that is in another one, or equal to it, with the nearest storage and the nearest disks around it.
    In their order, those below a directory follow it."""
    around: list[_Used] = []
    for each in sorted(used, key=lambda one: (one.directory, one.mount)):
        while around and not each.directory.startswith(around[-1].directory):
            around.pop()
        for of_disks in (True, False):
            nearest = next((one for one in reversed(around) if (one.mount == _DISKS) is of_disks), None)
            if nearest and not (of_disks and each.mount == _DISKS):
                yield nearest, each
        around.append(each)


def _local(cluster: ParallelCluster, fleet: Fleet) -> tuple[dict[str, list[str]], str]:
    """Where the NVMe disks of queues and of the head node are mounted, with their names, and what is unknown."""
    found, lacking = [], []
    for queue in queues_of(cluster, fleet):
        read = [machines_in(each) for each in resources_of(queue, fleet)]
        lacking += [words for _, words in read if words]
        if any(row.nvme_gb for rows, _ in read for row in rows):
            found.append((display_name(queue), queue.scratch))
    head = head_of(cluster, fleet)
    if head:
        traits, missing = traits_of(head.instance)
        lacking += [missing] if missing and traits.nvme is None else []
        if traits.nvme:
            found.append((display_name(head), head.scratch))
    known: dict[str, list[str]] = {}
    for whose, at in found:
        if at is not UNKNOWN:
            known.setdefault(_whole(str(at or _DEFAULT)), []).append(whose)
    lacking += [
        f"where the disks of {whose} are mounted (known only after `pulumi up`)" for whose, at in found if at is UNKNOWN
    ]
    return known, next(iter(lacking), "")


def _whole(directory: str) -> str:
    return "/" + directory.strip("/")
