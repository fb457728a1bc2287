"""Shared storage: its number, its clients, and whether its data outlives the cluster."""

from collections import Counter
from collections.abc import Iterator

from pydantic import Field

from muster.finding import Level
from muster.fleet.resources import Fleet, Mount, ParallelCluster
from muster.policies.engine.finding_text import and_list, quantity_text, singular_or_plural
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.parallelcluster import most_nodes
from muster.unknown import UNKNOWN

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
    for mount in () if cluster.mounts is UNKNOWN else cluster.mounts:
        if mount.kind not in _FILE_SYSTEMS or mount.file_system is not None or mount.deletion in _KEPT:
            continue
        if mount.deletion is UNKNOWN:
            yield rule.unjudged(cluster.place, f"the deletion policy of {mount.name} (known only after `pulumi up`)")
            continue
        yield rule.finding(
            cluster.place.within(mount.inside),
            at=f"storage.{mount.name}",
            got=f"ParallelCluster deletes the file system {mount.name} together with the cluster",
            remedy="set DeletionPolicy to Retain, or create the file system separately and set its FileSystemId",
        )


class Fleets(Options):
    """How many nodes a head node serves."""

    nodes: int = Field(default=100, ge=1, description="Number of nodes that may share a volume of the head node.")


@rule(
    "parallelcluster-shared-volume-serves-fleet",
    title="At most 100 nodes share a volume of the head node",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="The head node exports an EBS volume over NFS, so all nodes share the network bandwidth of the head node.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/cluster_validators.py#L1318",
    ),
    remedy="Keep only files there that nodes rarely read, and keep the rest on FSx for Lustre.",
    facts=("hardware.md#R22",),
    options=Fleets,
)
def parallelcluster_shared_volume_serves_fleet(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mounts = () if cluster.mounts is UNKNOWN else cluster.mounts
    exported = [str(each.name) for each in mounts if each.kind == "Ebs"]
    nodes, missing = most_nodes(cluster, fleet)
    if exported and nodes > Fleets.of(rule.settings).nodes:
        volumes = singular_or_plural(exported, "volume", "volumes")
        got = f"the head node exports {volumes} {and_list(exported)} to {nodes} nodes"
        remedy = "keep only programs there, and keep data and checkpoints on FSx for Lustre"
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
    title="A cluster creates at most one FSx file system, and mounts at most 20",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="ParallelCluster creates at most one FSx and one EFS file system. It mounts at most 20 existing ones of each, "
    "and at most five EBS volumes. It refuses more.",
    source=("https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/constants.py#L155",),
    remedy="Create further file systems outside the cluster, and mount them by their ids.",
    facts=("rules.md#56",),
)
def parallelcluster_storage_within_limits(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.mounts is UNKNOWN:
        return  # `parallelcluster-storage-names-legal` reports it
    counted = Counter(_kind(each) for each in cluster.mounts if each.kind is not UNKNOWN)
    unknown = len(cluster.mounts) - counted.total()
    if unknown and any(counted[what] <= most < counted[what] + unknown for what, most in _MOST.items()):
        yield rule.unjudged(
            cluster.place, f"the kind of {quantity_text(unknown, 'shared storage')} (known only after `pulumi up`)"
        )
    for what, most in _MOST.items():
        if counted[what] > most:
            got = f"the cluster has {counted[what]} {what}, but ParallelCluster allows at most {most}"
            remedy = "create the others outside the cluster, and mount them by their ids"
            again = "move the data to fewer file systems or volumes"
            yield rule.finding(cluster.place, at="storage", got=got, remedy=remedy if "new" in what else again)


def _kind(mount: Mount) -> str:
    if mount.kind == "Ebs":
        return "RAID volumes" if mount.raid else "EBS volumes"
    service = "EFS" if mount.kind == "Efs" else "FSx"
    return f"{'new' if mount.file_system is None else 'existing'} {service} file systems"
