"""Whether the data on shared storage outlives the cluster."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.finding import Level
from muster.fleet.resources import Fleet, Mount, ParallelCluster
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.unknown import stored

_KEPT = frozenset({"Retain", "Snapshot"})
_FILE_SYSTEMS = frozenset({"FsxLustre", "Efs"})


@rule(
    "parallelcluster-data-kept",
    title="A file system that ParallelCluster creates outlives its cluster",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="Without DeletionPolicy: Retain, ParallelCluster deletes the file system when you remove it from the "
    "configuration, or with the cluster. An update to a new version of ParallelCluster needs a new cluster.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/cluster_validators.py#L983",
        "https://docs.aws.amazon.com/parallelcluster/latest/ug/SharedStorage-v3.html",
    ),
    remedy="Set DeletionPolicy to Retain, or create the file system outside the cluster.",
    facts=("rules.md#56",),
)
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
