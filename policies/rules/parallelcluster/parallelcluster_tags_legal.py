"""Tags of a cluster, its queues and compute resources."""

from collections.abc import Iterator

from muster.blueprint.tags import PARALLELCLUSTER_PROVIDER_TAG
from muster.fleet.resources import ComputeResource, Fleet, ParallelCluster
from muster.policies.engine.finding_text import and_list, or_list, quantity_text, singular_or_plural
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.parallelcluster import cluster_of, display_name, queue_of
from muster.unknown import UNKNOWN

_MOST = 40
_LONGEST = 128
_RESERVED = ("parallelcluster:", "aws:")


@rule(
    "parallelcluster-tags-legal",
    title="Nodes have at most 40 tags, and none that ParallelCluster reserves",
    judges=ParallelCluster | ComputeResource,
    backends=("parallelcluster",),
    why="EC2 allows 50 tags on an instance. ParallelCluster adds up to ten, which its daemons use to find their nodes. "
    "The tags of the cluster, the queue and the compute resource count together, plus one from the cluster's provider.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/tags_validators.py#L15",
    ),
    remedy="Use fewer tags, with keys that ParallelCluster does not reserve.",
    facts=("rules.md#61",),
)
def parallelcluster_tags_legal(thing: ParallelCluster | ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if thing.tags is UNKNOWN:
        yield rule.unjudged(thing.place, f"the tags of {display_name(thing)} (known only after `pulumi up`)")
        return
    reserved = [each for each in thing.tags if each.startswith(_RESERVED) and each != PARALLELCLUSTER_PROVIDER_TAG]
    if reserved:
        got = f"the tags have keys with a reserved prefix: {and_list(reserved)}"
        yield rule.finding(
            thing.place, at="tags", got=got, remedy=f"remove the prefix {or_list(_RESERVED)} from these keys"
        )
    long = [each for each in thing.tags if len(each) > _LONGEST]
    if long:
        have = singular_or_plural(long, "has", "have")
        got = f"{quantity_text(len(long), 'tag key')} {have} more than {_LONGEST} characters"
        yield rule.finding(thing.place, at="tags", got=got, remedy=f"use keys of at most {_LONGEST} characters")
    if isinstance(thing, ParallelCluster):
        if (more := len(_on_nodes(thing)) - _MOST) > 0:
            own = len(thing.tags - {PARALLELCLUSTER_PROVIDER_TAG})
            got = f"the cluster has {own} tags, including Muster's own, but ParallelCluster allows at most {own - more}"
            yield rule.finding(thing.place, at="tags", got=got, remedy=f"remove {more} of them")
        return
    queue, cluster = queue_of(thing, fleet), cluster_of(thing, fleet)
    if queue is not None and queue.tags is UNKNOWN:
        yield rule.unjudged(thing.place, f"the tags of {display_name(queue)} (known only after `pulumi up`)")
    of_queue = queue.tags if queue is not None and queue.tags is not UNKNOWN else frozenset()
    together = thing.tags | of_queue | _on_nodes(cluster)
    # Too many on the cluster alone are reported there, once.
    if len(together) > _MOST >= len(_on_nodes(cluster)):
        got = (
            f"the nodes of {display_name(thing)} have {len(together)} tags, including those of the queue and the "
            f"cluster, but ParallelCluster allows at most {_MOST}"
        )
        yield rule.finding(thing.place, at="tags", got=got, remedy=f"remove {len(together) - _MOST} of them")


def _on_nodes(cluster: ParallelCluster | None) -> frozenset[str]:
    """The tags of a cluster, as far as they are known, and the tag of its provider."""
    known = cluster.tags if cluster is not None and cluster.tags is not UNKNOWN else frozenset()
    return known | {PARALLELCLUSTER_PROVIDER_TAG}
