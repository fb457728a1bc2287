"""How many shared storages a cluster has."""

from collections import Counter
from collections.abc import Iterator

from muster.fleet.resources import Fleet, Mount, ParallelCluster
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule
from policies.words import number

_MOST = {
    "new FSx file systems": 1,
    "new EFS file systems": 1,
    "RAID volumes": 1,
    "EBS volumes": 5,
    "existing FSx file systems": 20,
    "existing EFS file systems": 20,
}


@rule(
    "parallelcluster-storage-within-limits",
    title="A cluster makes one FSx file system at most, and mounts 20",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="ParallelCluster refuses more: one FSx and one EFS that it makes, 20 of each that exist, five EBS volumes.",
    source="aws-parallelcluster 3.16.1, constants.py: MAX_NEW_STORAGE_COUNT, MAX_EXISTING_STORAGE_COUNT, MAX_EBS_COUNT",
    remedy="Make further file systems beside the cluster, and mount them by their id.",
    facts=("rules.md#56",),
)
def parallelcluster_storage_within_limits(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.mounts is UNKNOWN:
        return  # `parallelcluster-storage-names-legal` says so
    counted = Counter(_kind(each) for each in cluster.mounts if each.kind is not UNKNOWN)
    unknown = len(cluster.mounts) - counted.total()
    if unknown and any(counted[what] <= most < counted[what] + unknown for what, most in _MOST.items()):
        kinds = f"{number(unknown, 'shared storage')} {'is' if unknown == 1 else 'are'} of"
        yield rule.unjudged(cluster.place, f"what kind {kinds}, not known before creation")
    for what, most in _MOST.items():
        if counted[what] > most:
            got = f"{counted[what]} {what}; ParallelCluster takes {most}"
            remedy = "make the others beside the cluster, and mount them by their id"
            again = "mount what is on them from one file system"
            yield rule.finding(cluster.place, at="storage", got=got, remedy=remedy if "new" in what else again)


def _kind(mount: Mount) -> str:
    if mount.kind == "Ebs":
        return "RAID volumes" if mount.raid else "EBS volumes"
    service = "EFS" if mount.kind == "Efs" else "FSx"
    return f"{'new' if mount.file_system is None else 'existing'} {service} file systems"
