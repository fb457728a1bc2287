"""Names of the cluster, its queues, compute resources and storage."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from muster.config.description.slurm_cluster import MOST_LETTERS_WITH_ACCOUNTING
from muster.fleet.resources import ComputeResource, Fleet, ParallelCluster, Queue
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.parallelcluster import display_name, queues_of, resources_of

_CLUSTER_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*")
_LONGEST_CLUSTER_NAME = 60


@rule(
    "parallelcluster-name-legal",
    title="ParallelCluster takes the cluster's name",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="A name begins with a letter, has letters, digits and dashes, 60 at most; with accounting 40, because Slurm "
    "names database tables by it. The cluster's own CloudFormation stack has that name: another stack cannot.",
    source="aws-parallelcluster 3.16.1, ClusterNameValidator; ParallelCluster guide, Use a custom resource",
    remedy="Take a shorter name of letters, digits and dashes.",
    facts=("rules.md#61", "hardware.md#g1"),
)
def parallelcluster_name_legal(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    name = cluster.name
    ways = (cluster.accounting, cluster.external_accounting)
    longest = MOST_LETTERS_WITH_ACCOUNTING if True in ways else _LONGEST_CLUSTER_NAME
    doubtful = UNKNOWN in ways and isinstance(name, str) and MOST_LETTERS_WITH_ACCOUNTING < len(name) <= longest
    if name is UNKNOWN or doubtful:
        yield rule.unjudged(cluster.place, "the name, or whether the cluster has accounting, not known before creation")
    elif not name:
        got = f"the cluster of {cluster.ref.name} has no name"
        yield rule.finding(cluster.place, at="name", got=got, remedy="give it one, as in training")
    elif not _CLUSTER_NAME.fullmatch(name):
        got = f"'{name}' is no name for a cluster of ParallelCluster"
        remedy = "begin with a letter, and take letters, digits and dashes; without `name` a cluster has its stack's"
        yield rule.finding(cluster.place, at="name", got=got, remedy=remedy)
    elif len(name) > longest:
        why = " beside accounting" if longest < _LONGEST_CLUSTER_NAME else ""
        got = f"'{name}' has {len(name)} letters; ParallelCluster takes {longest}{why}"
        yield rule.finding(cluster.place, at="name", got=got, remedy=f"take a name of {longest} letters at most")
    elif name == cluster.stack_name:
        got = f"the cluster and the CloudFormation stack that makes it are both called '{name}'"
        yield rule.finding(cluster.place, at="name", got=got, remedy="call one of them otherwise")


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
        # Two queues of one name do not differ by their resources: the first line names them.
        if queue.name not in listed[0][2]:
            names = _twice(each.name for each in resources_of(queue, fleet))
            listed.append(
                (
                    f"two compute resources of {display_name(queue)} are called",
                    f"queues.{display_name(queue)}.groups",
                    names,
                )
            )
    for what, at, names in listed:
        if names:
            yield rule.finding(
                cluster.place,
                at=at,
                got=f"{what} {and_list(names)}",
                remedy="leave one of them out, or rename it",
            )


def _twice(names: Iterable[object]) -> list[str]:
    """The known names that occur more than once."""
    return sorted(name for name, count in Counter(each for each in names if isinstance(each, str)).items() if count > 1)


_QUEUE_NAME = re.compile(r"[a-z][a-z0-9-]*")
_LONGEST_QUEUE_NAME = 25
_RESERVED_QUEUE_NAME = "default"


@rule(
    "parallelcluster-names-legal",
    title="ParallelCluster takes the names of queues and compute resources",
    judges=Queue | ComputeResource,
    backends=("parallelcluster",),
    why="Slurm's nodes are called QUEUE-st-RESOURCE-1, which is also their host name. A description's own types refuse "
    "other names.",
    source="aws-parallelcluster 3.16.1, NameValidator",
    remedy="Take up to 25 lower-case letters, digits and dashes.",
    facts=("rules.md#61", "hardware.md#R22"),
)
def parallelcluster_names_legal(thing: Queue | ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    what = "queue" if isinstance(thing, Queue) else "compute resource"
    if thing.name is UNKNOWN:
        yield rule.unjudged(thing.place, f"the name of the {what} {thing.ref.name}, not known before creation")
    elif not thing.name:
        got = f"the {what} {thing.ref.name} has no name"
        yield rule.finding(thing.place, got, f"give the {what} one, as in training")
    elif (
        not _QUEUE_NAME.fullmatch(thing.name)
        or len(thing.name) > _LONGEST_QUEUE_NAME
        or thing.name == _RESERVED_QUEUE_NAME
    ):
        counted = f" ({len(thing.name)} characters)" if len(thing.name) > _LONGEST_QUEUE_NAME else ""
        remedy = f"begin with a letter, take up to {_LONGEST_QUEUE_NAME} lower-case letters, digits and dashes"
        yield rule.finding(
            thing.place,
            got=f"'{thing.name}'{counted} is no name for a {what}",
            remedy=f"take another than {_RESERVED_QUEUE_NAME}" if thing.name == _RESERVED_QUEUE_NAME else remedy,
        )


_STORAGE_NAME = re.compile(r"[\w+\-=.:@/]+")
_LONGEST_STORAGE_NAME = 30
_RESERVED_STORAGE_NAME = "default"


@rule(
    "parallelcluster-storage-names-legal",
    title="ParallelCluster takes the names of shared storage",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="A storage's name becomes a tag and part of file names on every node: 30 characters at most, and not default.",
    source="aws-parallelcluster 3.16.1, SharedStorageNameValidator",
    remedy="Take a shorter name.",
    facts=("rules.md#61",),
)
def parallelcluster_storage_names_legal(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.mounts is UNKNOWN:
        yield rule.unjudged(cluster.place, "the shared storage, not known before creation")
        return
    for mount in cluster.mounts:
        if mount.name is UNKNOWN:
            yield rule.unjudged(cluster.place, "the name of a shared storage, not known before creation")
        elif (
            not mount.name
            or mount.name == _RESERVED_STORAGE_NAME
            or not _STORAGE_NAME.fullmatch(mount.name)
            or len(mount.name) > _LONGEST_STORAGE_NAME
        ):
            counted = (
                f" ({len(mount.name)} characters)" if mount.name and len(mount.name) > _LONGEST_STORAGE_NAME else ""
            )
            yield rule.finding(
                cluster.place,
                at=f"storage.{mount.name}" if mount.name else "storage",
                got=f"'{mount.name or ''}'{counted} is no name for a shared storage",
                remedy=f"take up to {_LONGEST_STORAGE_NAME} letters, digits and dashes, and another word than "
                f"{_RESERVED_STORAGE_NAME}",
            )
