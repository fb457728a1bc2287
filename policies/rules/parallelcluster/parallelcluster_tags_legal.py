"""Tags of a cluster, its queues and compute resources."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, ParallelCluster
from muster.fleet.unknown import UNKNOWN
from policies.reading.slurm import called, cluster_of, queue_of
from policies.rule import Rule, Verdict, rule
from policies.words import number, some

_MOST = 40
_LONGEST = 128
_RESERVED = ("parallelcluster:", "aws:")
_ALLOWED = "parallelcluster:custom_resource"


@rule(
    "parallelcluster-tags-legal",
    title="Nodes have 40 tags at most, none of them ParallelCluster's own",
    judges=ParallelCluster | ComputeResource,
    backends=("parallelcluster",),
    why="EC2 takes 50 tags, and ParallelCluster adds up to ten, by which its daemons find their nodes. Tags of the "
    "cluster, the queue and the compute resource count together.",
    source="aws-parallelcluster 3.16.1, ComputeResourceTagsValidator, MAX_TAGS_COUNT, validate_no_reserved_tag",
    remedy="Take fewer, and other keys.",
    facts=("rules.md#61",),
)
def parallelcluster_tags_legal(thing: ParallelCluster | ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if thing.tags is UNKNOWN:
        yield rule.unjudged(thing.place, f"the tags of {called(thing)}, not known before creation")
        return
    reserved = [each for each in thing.tags if each.startswith(_RESERVED) and each != _ALLOWED]
    if reserved:
        got = f"tags that are not yours to set: {some(reserved)}"
        yield rule.finding(thing.place, at="tags", got=got, remedy="take keys without that prefix")
    long = [each for each in thing.tags if len(each) > _LONGEST]
    if long:
        got = f"{number(len(long), 'key')} of tags with more than {_LONGEST} characters"
        yield rule.finding(thing.place, at="tags", got=got, remedy=f"take keys of {_LONGEST} characters at most")
    if isinstance(thing, ParallelCluster):
        if len(thing.tags) > _MOST:
            got = f"{len(thing.tags)} tags; ParallelCluster takes {_MOST}, Muster's own among them"
            yield rule.finding(thing.place, at="tags", got=got, remedy=f"leave {len(thing.tags) - _MOST} out")
        return
    queue, cluster = queue_of(thing, fleet), cluster_of(thing, fleet)
    if queue is not None and queue.tags is UNKNOWN:
        yield rule.unjudged(thing.place, f"the tags of {called(queue)}, not known before creation")
    above = frozenset[str]().union(
        *(each.tags for each in (queue, cluster) if each is not None and each.tags is not UNKNOWN)
    )
    together = thing.tags | above
    # More than that on the cluster alone is found there, once.
    if len(together) > _MOST >= len(cluster.tags if cluster and cluster.tags is not UNKNOWN else ()):
        got = f"nodes of {called(thing)} have {len(together)} tags together with their queue's and the cluster's"
        yield rule.finding(thing.place, at="tags", got=got, remedy=f"leave {len(together) - _MOST} out")
