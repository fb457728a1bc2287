"""Data that goes with a cluster."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.resources import Fleet, ParallelCluster
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Severity, Verdict, rule

_KEPT = frozenset({"Retain", "Snapshot"})
_FILE_SYSTEMS = frozenset({"FsxLustre", "Efs"})


@rule(
    "parallelcluster-data-kept",
    title="A file system that ParallelCluster makes outlives its cluster",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="Without DeletionPolicy: Retain a file system goes when it is taken from the configuration, or with the "
    "cluster: and a new version of ParallelCluster is a new cluster.",
    source="aws-parallelcluster 3.16.1, DeletionPolicyValidator; ParallelCluster guide, SharedStorage",
    remedy="Write DeletionPolicy: Retain, or make the file system beside the cluster.",
    facts=("rules.md#56",),
)
def parallelcluster_data_kept(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for mount in () if cluster.mounts is UNKNOWN else cluster.mounts:
        if mount.kind not in _FILE_SYSTEMS or mount.file_system is not None or mount.deletion in _KEPT:
            continue
        if mount.deletion is UNKNOWN:
            yield rule.unjudged(cluster.place, f"the deletion policy of {mount.name}, not known before creation")
            continue
        yield rule.finding(
            cluster.place,
            at=f"storage.{mount.name}",
            got=f"{mount.name} is deleted with the cluster",
            remedy="write DeletionPolicy: Retain, or make it beside the cluster and name its FileSystemId",
        )
