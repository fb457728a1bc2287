"""EBS volumes that the head node exports to many nodes."""

from collections.abc import Iterator

from pydantic import Field

from muster.fleet.finding import Level
from muster.fleet.resources import Fleet, ParallelCluster
from muster.fleet.unknown import UNKNOWN
from policies.options import Options
from policies.reading.slurm import most_nodes
from policies.rule import Rule, Severity, Verdict, rule
from policies.words import agree, some


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
        got = f"{some(exported)} {agree(exported, 'is', 'are')} exported by the head node to {nodes} nodes"
        remedy = "keep programs there, and data and checkpoints on FSx for Lustre"
        yield rule.finding(cluster.place, at="queues", got=got, remedy=remedy)
    elif exported and missing:
        yield rule.unjudged(cluster.place, missing)
