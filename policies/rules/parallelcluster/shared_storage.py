"""Shared storage: how many, for whom, and whether its data outlives the cluster."""

from collections import Counter
from collections.abc import Iterator

from pydantic import Field

from muster.finding import Level
from muster.fleet.resources import Fleet, Mount, ParallelCluster
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list, quantity_text, singular_or_plural
from policies.engine.options import Options
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.parallelcluster import most_nodes

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


class Fleets(Options):
    """What a head node serves."""

    nodes: int = Field(default=100, ge=1, description="How many nodes a volume of the head node may be shared with.")


@rule(
    "parallelcluster-shared-volume-serves-fleet",
    title="A volume of the head node is shared with 100 nodes at most",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="An EBS volume is exported by the head node over NFS: its network is all that the nodes have together.",
    source="aws-parallelcluster 3.16.1, SharedEbsPerformanceBottleNeckValidator",
    remedy="Keep there what is read seldom, the rest on FSx for Lustre.",
    facts=("hardware.md#R22",),
    options=Fleets,
)
def parallelcluster_shared_volume_serves_fleet(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mounts = () if cluster.mounts is UNKNOWN else cluster.mounts
    exported = [str(each.name) for each in mounts if each.kind == "Ebs"]
    nodes, missing = most_nodes(cluster, fleet)
    if exported and nodes > Fleets.of(rule.settings).nodes:
        got = (
            f"{and_list(exported)} {singular_or_plural(exported, 'is', 'are')} "
            f"exported by the head node to {nodes} nodes"
        )
        remedy = "keep programs there, and data and checkpoints on FSx for Lustre"
        yield rule.finding(cluster.place, at="queues", got=got, remedy=remedy)
    elif exported and missing:
        yield rule.unjudged(cluster.place, missing)


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
        return  # `parallelcluster-storage-names-legal` reports it
    counted = Counter(_kind(each) for each in cluster.mounts if each.kind is not UNKNOWN)
    unknown = len(cluster.mounts) - counted.total()
    if unknown and any(counted[what] <= most < counted[what] + unknown for what, most in _MOST.items()):
        kinds = f"{quantity_text(unknown, 'shared storage')} {'is' if unknown == 1 else 'are'} of"
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
