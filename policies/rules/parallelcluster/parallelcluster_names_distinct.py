"""Names that stand twice."""

from collections import Counter
from collections.abc import Iterable, Iterator

from muster.fleet.resources import Fleet, ParallelCluster
from muster.fleet.unknown import UNKNOWN
from policies.reading.slurm import called, queues_of, resources_of
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "parallelcluster-names-distinct",
    title="Queues, the compute resources of a queue and shared storage have each a name of their own",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="ParallelCluster finds by its name what an update changes, and refuses two of one name. A file system that is "
    "given twice is refused, too.",
    source="aws-parallelcluster 3.16.1, DuplicateNameValidator",
    remedy="Give one of them another name.",
    facts=("rules.md#61",),
)
def parallelcluster_names_distinct(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    queues = queues_of(cluster, fleet)
    mounts = () if cluster.mounts is UNKNOWN else cluster.mounts
    systems = (str(each.file_system) for each in mounts if each.file_system not in (None, UNKNOWN))
    listed = [
        ("two queues are called", "queues", _twice(queue.name for queue in queues)),
        ("two shared storages are called", "storage", _twice(mount.name for mount in mounts)),
        ("two shared storages are the one", "storage", _twice(systems)),
    ]
    for queue in {each.ref: each for each in queues}.values():
        # Two queues of one name cannot be told apart by their resources: the first line names them.
        if queue.name not in listed[0][2]:
            names = _twice(each.name for each in resources_of(queue, fleet))
            listed.append(
                (f"two compute resources of {called(queue)} are called", f"queues.{called(queue)}.groups", names)
            )
    for what, at, names in listed:
        if names:
            yield rule.finding(
                cluster.place,
                at=at,
                got=f"{what} {some(names)}",
                remedy="leave one of them out, or rename it",
            )


def _twice(names: Iterable[object]) -> list[str]:
    """Those that are known and stand more than once."""
    return sorted(name for name, count in Counter(each for each in names if isinstance(each, str)).items() if count > 1)
