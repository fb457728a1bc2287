"""The encryption of disks and file systems that ParallelCluster makes."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, HeadNode, Mount, ParallelCluster, Queue
from muster.unknown import UNKNOWN, UnknownType
from policies.engine.rule import Rule, Verdict, rule

_EFS = "Efs"


@rule(
    "parallelcluster-storage-encrypted",
    title="Volumes and file systems that ParallelCluster makes are encrypted",
    judges=ParallelCluster | HeadNode | Queue,
    backends=("parallelcluster",),
    why="Homes, checkpoints and what jobs leave behind. ParallelCluster encrypts EBS volumes unless it is told not to, "
    "and file systems of EFS only if it is told to; either is for good. Lustre is encrypted whatever is said.",
    source="ParallelCluster guide, SharedStorage",
    remedy="Say Encrypted: true of EFS, and nothing of EBS.",
    facts=("aws-controls#encrypted-volumes",),
)
def parallelcluster_storage_encrypted(
    thing: ParallelCluster | HeadNode | Queue, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if not isinstance(thing, ParallelCluster):
        volumes, at = [("its root volume", thing.root.encrypted if thing.root else None)], ""
    elif thing.mounts is UNKNOWN:
        yield rule.unjudged(thing.place, "the shared storage, not known before creation")
        return
    else:
        volumes, at = [(f"the shared storage {each.name}", _encrypted(each)) for each in thing.mounts], "storage"
    for what, encrypted in volumes:
        if encrypted is UNKNOWN:
            yield rule.unjudged(thing.place, f"whether {what} is encrypted, not known before creation")
        elif encrypted is False:
            remedy = "say Encrypted: true; it cannot be said later"
            yield rule.finding(thing.place, f"{what} is not encrypted", remedy, at=at)


def _encrypted(mount: Mount) -> bool | None | UnknownType:
    """None where ParallelCluster encrypts by itself, or only mounts what exists."""
    if mount.file_system is not None:
        return None
    if mount.kind == _EFS:
        return False if mount.encrypted is None else mount.encrypted
    return mount.volume.encrypted if mount.volume else None
