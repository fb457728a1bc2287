"""Tags of a cluster, its queues and compute resources."""

from collections.abc import Iterator

from muster.blueprint.tags import PARALLELCLUSTER_PROVIDER_TAG
from muster.fleet.resources import ComputeResource, Fleet, ParallelCluster
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list, quantity_text
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.parallelcluster import cluster_of, display_name, queue_of

_MOST = 40
_LONGEST = 128
_RESERVED = ("parallelcluster:", "aws:")


@rule(
    "parallelcluster-tags-legal",
    title="Nodes have 40 tags at most, none of them ParallelCluster's own",
    judges=ParallelCluster | ComputeResource,
    backends=("parallelcluster",),
    why="EC2 takes 50 tags, and ParallelCluster adds up to ten, by which its daemons find their nodes. Tags of the "
    "cluster, the queue and the compute resource count together, and the one that its provider adds to the cluster's.",
    source="aws-parallelcluster 3.16.1, ComputeResourceTagsValidator, MAX_TAGS_COUNT, validate_no_reserved_tag",
    remedy="Take fewer, and other keys.",
    facts=("rules.md#61",),
)
def parallelcluster_tags_legal(thing: ParallelCluster | ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if thing.tags is UNKNOWN:
        yield rule.unjudged(thing.place, f"the tags of {display_name(thing)}, not known before creation")
        return
    reserved = [each for each in thing.tags if each.startswith(_RESERVED) and each != PARALLELCLUSTER_PROVIDER_TAG]
    if reserved:
        got = f"tags that are not yours to set: {and_list(reserved)}"
        yield rule.finding(thing.place, at="tags", got=got, remedy="take keys without that prefix")
    long = [each for each in thing.tags if len(each) > _LONGEST]
    if long:
        got = f"{quantity_text(len(long), 'key')} of tags with more than {_LONGEST} characters"
        yield rule.finding(thing.place, at="tags", got=got, remedy=f"take keys of {_LONGEST} characters at most")
    if isinstance(thing, ParallelCluster):
        if (more := len(_on_nodes(thing)) - _MOST) > 0:
            own = len(thing.tags - {PARALLELCLUSTER_PROVIDER_TAG})
            got = f"{own} tags; ParallelCluster takes {own - more}, Muster's own among them, and its provider adds one"
            yield rule.finding(thing.place, at="tags", got=got, remedy=f"leave {more} out")
        return
    queue, cluster = queue_of(thing, fleet), cluster_of(thing, fleet)
    if queue is not None and queue.tags is UNKNOWN:
        yield rule.unjudged(thing.place, f"the tags of {display_name(queue)}, not known before creation")
    of_queue = queue.tags if queue is not None and queue.tags is not UNKNOWN else frozenset()
    together = thing.tags | of_queue | _on_nodes(cluster)
    # More than that on the cluster alone is found there, once.
    if len(together) > _MOST >= len(_on_nodes(cluster)):
        got = f"nodes of {display_name(thing)} have {len(together)} tags together with their queue's and the cluster's"
        yield rule.finding(thing.place, at="tags", got=got, remedy=f"leave {len(together) - _MOST} out")


def _on_nodes(cluster: ParallelCluster | None) -> frozenset[str]:
    """The tags of a cluster, as far as they are known, with its provider's."""
    known = cluster.tags if cluster is not None and cluster.tags is not UNKNOWN else frozenset()
    return known | {PARALLELCLUSTER_PROVIDER_TAG}
