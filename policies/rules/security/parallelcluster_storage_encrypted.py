"""The encryption of disks and file systems that ParallelCluster creates."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, HeadNode, Mount, ParallelCluster, Queue
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.unknown import UNKNOWN, UnknownType

_EFS = "Efs"


@rule(
    "parallelcluster-storage-encrypted",
    title="Volumes and file systems that ParallelCluster creates are encrypted",
    judges=ParallelCluster | HeadNode | Queue,
    backends=("parallelcluster",),
    why="These disks hold home directories, checkpoints and the files of jobs. By default, ParallelCluster encrypts "
    "EBS volumes but not EFS file systems, and you cannot change it later. Lustre is always encrypted.",
    source="ParallelCluster guide, SharedStorage",
    remedy="Set Encrypted: true for EFS, and do not set it for EBS.",
    facts=("aws-controls#encrypted-volumes",),
)
def parallelcluster_storage_encrypted(
    thing: ParallelCluster | HeadNode | Queue, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if not isinstance(thing, ParallelCluster):
        volumes, at = [("the root volume", thing.root.encrypted if thing.root else None, thing.place)], ""
    elif thing.mounts is UNKNOWN:
        yield rule.unjudged(thing.place, "the shared storage (known only after `pulumi up`)")
        return
    else:
        volumes = [
            (f"the shared storage {each.name}", _encrypted(each), thing.place.within(each.inside))
            for each in thing.mounts
        ]
        at = "storage"
    for what, encrypted, place in volumes:
        if encrypted is UNKNOWN:
            yield rule.unjudged(thing.place, f"whether {what} is encrypted (known only after `pulumi up`)")
        elif encrypted is False:
            remedy = "set Encrypted: true now, because you cannot change it later"
            yield rule.finding(place, f"{what} is not encrypted", remedy, at=at)


def _encrypted(mount: Mount) -> bool | None | UnknownType:
    """None where ParallelCluster encrypts by default, or only mounts what exists."""
    if mount.file_system is not None:
        return None
    if mount.kind == _EFS:
        return False if mount.encrypted is None else mount.encrypted
    return mount.volume.encrypted if mount.volume else None
