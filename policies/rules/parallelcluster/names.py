"""Names of the cluster, its queues, compute resources and storage."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from muster.config.description.slurm_cluster import MOST_LETTERS_WITH_ACCOUNTING
from muster.fleet.resources import ComputeResource, Fleet, LoginPool, ParallelCluster, Queue
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.parallelcluster import display_name, login_pools_of, queues_of, resources_of
from muster.unknown import UNKNOWN

_CLUSTER_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*")
_LONGEST_CLUSTER_NAME = 60


@rule(
    "parallelcluster-name-legal",
    title="ParallelCluster accepts the cluster's name",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="A name begins with a letter and has letters, digits and dashes: at most 60, or at most 40 with accounting, "
    "because Slurm uses it in the names of database tables. ParallelCluster gives the name to the cluster's "
    "CloudFormation stack, so no other stack can have it.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/cluster_validators.py#L86",
        "https://docs.aws.amazon.com/parallelcluster/latest/ug/cloudformation-v3.html",
    ),
    remedy="Use a shorter name of letters, digits and dashes.",
    facts=("rules.md#61", "hardware.md#g1"),
)
def parallelcluster_name_legal(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    name = cluster.name
    ways = (cluster.accounting, cluster.external_accounting)
    longest = MOST_LETTERS_WITH_ACCOUNTING if True in ways else _LONGEST_CLUSTER_NAME
    doubtful = UNKNOWN in ways and isinstance(name, str) and MOST_LETTERS_WITH_ACCOUNTING < len(name) <= longest
    if name is UNKNOWN or doubtful:
        yield rule.unjudged(
            cluster.place, "the name, or whether the cluster has accounting (known only after `pulumi up`)"
        )
    elif not name:
        got = f"the cluster of {cluster.ref.name} has no name"
        yield rule.finding(cluster.place, at="name", got=got, remedy="set a name, such as training")
    elif not _CLUSTER_NAME.fullmatch(name):
        got = f"ParallelCluster does not accept the cluster name '{name}'"
        remedy = "use letters, digits and dashes, and begin with a letter"
        default = ", or remove `name` to use the name of the stack"
        yield rule.finding(cluster.place, at="name", got=got, remedy=remedy + default, program_remedy=remedy)
    elif len(name) > longest:
        why = " with accounting" if longest < _LONGEST_CLUSTER_NAME else ""
        got = f"'{name}' has {len(name)} characters, but ParallelCluster accepts at most {longest}{why}"
        yield rule.finding(cluster.place, at="name", got=got, remedy=f"use a name of at most {longest} characters")
    elif name == cluster.stack_name:
        got = f"the cluster and the CloudFormation stack that creates it are both named '{name}'"
        yield rule.finding(cluster.place, at="name", got=got, remedy="rename one of them")


@rule(
    "parallelcluster-names-distinct",
    title="Queues, the compute resources of a queue, pools of login nodes and shared storage have unique names",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="ParallelCluster uses names to find what an update changes, and refuses two of the same name. It also refuses "
    "a file system that is listed twice.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/cluster_validators.py#L1075",
    ),
    remedy="Rename one of them.",
    facts=("rules.md#61",),
)
def parallelcluster_names_distinct(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    queues = queues_of(cluster, fleet)
    mounts = () if cluster.mounts is UNKNOWN else cluster.mounts
    systems = (str(each.file_system) for each in mounts if each.file_system not in (None, UNKNOWN))
    listed = [
        ("the cluster has two queues named", "queues", _twice(queue.name for queue in queues)),
        (
            "the cluster has two pools of login nodes named",
            "login-nodes",
            _twice(pool.name for pool in login_pools_of(cluster, fleet)),
        ),
        ("the cluster has two shared storages named", "storage", _twice(mount.name for mount in mounts)),
        ("two shared storages use file system", "storage", _twice(systems)),
    ]
    for queue in {each.ref: each for each in queues}.values():
        # The resources of two queues of one name are the same set: the first line reports those queues.
        if queue.name not in listed[0][2]:
            names = _twice(each.name for each in resources_of(queue, fleet))
            at = f"queues.{display_name(queue)}.groups"
            listed.append((f"queue {display_name(queue)} has two compute resources named", at, names))
    for what, at, names in listed:
        if names:
            remedy = "remove one of them" if at == "storage" and what.endswith("file system") else "rename one of them"
            yield rule.finding(cluster.place, at=at, got=f"{what} {and_list(names)}", remedy=remedy)


def _twice(names: Iterable[object]) -> list[str]:
    """The known names that occur more than once."""
    return sorted(name for name, count in Counter(each for each in names if isinstance(each, str)).items() if count > 1)


_KINDS: Mapping[type, str] = {
    Queue: "queue",
    ComputeResource: "compute resource",
    LoginPool: "pool of login nodes",
}
_QUEUE_NAME = re.compile(r"[a-z][a-z0-9-]*")
_LONGEST_QUEUE_NAME = 25
_RESERVED_QUEUE_NAME = "default"


@rule(
    "parallelcluster-names-legal",
    title="ParallelCluster accepts the names of queues, compute resources and pools of login nodes",
    judges=Queue | ComputeResource | LoginPool,
    backends=("parallelcluster",),
    why="Slurm's nodes have names such as QUEUE-st-RESOURCE-1, which are also their host names. ParallelCluster "
    "refuses other names, and so does the schema of a description.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/cluster_validators.py#L281",
    ),
    remedy="Use up to 25 lower-case letters, digits and dashes.",
    facts=("rules.md#61", "hardware.md#R22"),
)
def parallelcluster_names_legal(
    thing: Queue | ComputeResource | LoginPool, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    what = _KINDS[type(thing)]
    if thing.name is UNKNOWN:
        yield rule.unjudged(thing.place, f"the name of the {what} {thing.ref.name} (known only after `pulumi up`)")
    elif not thing.name:
        got = f"the {what} {thing.ref.name} has no name"
        yield rule.finding(
            thing.place, got, f"give the {what} a name, such as training", program_remedy="set Name, such as training"
        )
    elif (
        not _QUEUE_NAME.fullmatch(thing.name)
        or len(thing.name) > _LONGEST_QUEUE_NAME
        or thing.name == _RESERVED_QUEUE_NAME
    ):
        counted = f" ({len(thing.name)} characters)" if len(thing.name) > _LONGEST_QUEUE_NAME else ""
        form = f"up to {_LONGEST_QUEUE_NAME} lower-case letters, digits and dashes, beginning with a letter"
        if thing.name == _RESERVED_QUEUE_NAME:
            form = f"a name other than {_RESERVED_QUEUE_NAME}"
        yield rule.finding(
            thing.place,
            got=f"ParallelCluster does not accept '{thing.name}'{counted} as the name of a {what}",
            remedy=f"use {form}",
            program_remedy=f"set Name to {form}",
        )


_STORAGE_NAME = re.compile(r"[\w+\-=.:@/]+")
_LONGEST_STORAGE_NAME = 30
_RESERVED_STORAGE_NAME = "default"


@rule(
    "parallelcluster-storage-names-legal",
    title="ParallelCluster accepts the names of shared storage",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="The name of a storage becomes a tag and a part of file names on every node. ParallelCluster refuses the name "
    "default and names of more than 30 characters.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/cluster_validators.py#L891",
    ),
    remedy="Use a shorter name.",
    facts=("rules.md#61",),
)
def parallelcluster_storage_names_legal(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.mounts is UNKNOWN:
        yield rule.unjudged(cluster.place, "the shared storage (known only after `pulumi up`)")
        return
    for mount in cluster.mounts:
        if mount.name is UNKNOWN:
            yield rule.unjudged(cluster.place, "the name of a shared storage (known only after `pulumi up`)")
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
                got=f"ParallelCluster does not accept '{mount.name or ''}'{counted} as the name of a shared storage",
                remedy=f"use up to {_LONGEST_STORAGE_NAME} letters, digits and dashes, and not the name "
                f"{_RESERVED_STORAGE_NAME}",
            )
