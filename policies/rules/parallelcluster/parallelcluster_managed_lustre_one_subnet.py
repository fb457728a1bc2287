"""A file system that ParallelCluster makes, and queues in several subnets."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, ParallelCluster
from muster.fleet.unknown import UNKNOWN
from policies.reading.slurm import queues_of
from policies.rule import Rule, Verdict, rule
from policies.words import names


@rule(
    "parallelcluster-managed-lustre-one-subnet",
    title="Beside a file system that ParallelCluster makes all queues are in one subnet",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="It is made in the queues' subnet; of several ParallelCluster takes none and refuses the cluster. One that is "
    "made beside it is mounted from any. Muster makes them so.",
    source="aws-parallelcluster 3.16.1, ManagedFsxMultiAzValidator",
    remedy="Make the file system beside the cluster, and mount it by its id.",
    facts=("rules.md#56",),
)
def parallelcluster_managed_lustre_one_subnet(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    made = () if cluster.mounts is UNKNOWN else cluster.mounts
    fsx = [each for each in made if str(each.kind).startswith("Fsx") and each.file_system is None]
    if not fsx:
        return
    queues = queues_of(cluster, fleet)
    subnets = {subnet for queue in queues if queue.subnets is not UNKNOWN for subnet in queue.subnets}
    if len(subnets) > 1:
        got = f"{fsx[0].name} is made by ParallelCluster, and queues are in {names(subnets)}"
        remedy = "name it by its FileSystemId, or put all queues in one subnet"
        yield rule.finding(cluster.place, at=f"storage.{fsx[0].name}", got=got, remedy=remedy)
    elif any(queue.subnets is UNKNOWN for queue in queues):
        yield rule.unjudged(cluster.place, "the subnets of every queue, not known before creation")
