"""Whether the data on shared storage outlives the cluster."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.fleet.resources import Fleet, Mount, ParallelCluster
from muster.policies.engine.rule import Rule, Verdict
from muster.unknown import stored

_KEPT = frozenset({"Retain", "Snapshot"})
_FILE_SYSTEMS = frozenset({"FsxLustre", "Efs"})


def parallelcluster_data_kept(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    def judge(mount: Mount) -> Iterator[Verdict]:
        made = stored(mount, "file_system") is None  # one that is not known yet exists too
        if made and mount.kind in _FILE_SYSTEMS and mount.deletion not in _KEPT:
            name = stored(mount, "name", "?")
            got = f"ParallelCluster deletes the file system {name} together with the cluster"
            change = (set_to("Retain", at="DeletionPolicy"), "create it separately and set FileSystemId")
            place = cluster.place.within(mount.inside)
            yield rule.finding(cluster, f"storage.{name}", got=got, change=change, place=place)

    yield from rule.each(cluster.mounts, judge, cluster.place)
