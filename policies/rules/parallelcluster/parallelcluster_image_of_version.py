"""Images of one's own against the version that starts nodes from them."""

from collections.abc import Iterator

from muster.fleet.facts import ImageFacts
from muster.fleet.named import Kind
from muster.fleet.resources import Fleet, HeadNode, ParallelCluster, Queue
from muster.fleet.unknown import UNKNOWN
from policies.reading.slurm import cluster_of
from policies.rule import Rule, Verdict, rule


@rule(
    "parallelcluster-image-of-version",
    title="An image of one's own was built by the cluster's version of ParallelCluster, for its operating system",
    judges=ParallelCluster | HeadNode | Queue,
    backends=("parallelcluster",),
    why="An image carries the recipes and daemons of the version that built it. ParallelCluster refuses one of another "
    "version or another operating system; its update to a new version needs new images first.",
    source="aws-parallelcluster 3.16.1, CustomAmiTagValidator and AmiOsCompatibleValidator",
    remedy="Build the image anew with the cluster's version.",
    facts=("rules.md#62",),
)
def parallelcluster_image_of_version(
    thing: ParallelCluster | HeadNode | Queue, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    cluster = thing if isinstance(thing, ParallelCluster) else cluster_of(thing, fleet)
    if thing.image is None or cluster is None or fleet.gone(Kind.IMAGE, thing.image):
        return
    if UNKNOWN in (thing.image, cluster.version, cluster.os):
        yield rule.unjudged(thing.place, "the image, the version or the operating system, not known before creation")
        return
    known = fleet.image_facts(str(thing.image))
    told = known or ImageFacts()
    if told.parallelcluster_version is None:
        yield rule.unjudged(thing.place, fleet.missing(f"the version of ParallelCluster that built {thing.image}"))
    elif told.parallelcluster_version != cluster.version:
        yield rule.finding(
            thing.place,
            at="image",
            got=f"{thing.image} was built by ParallelCluster {told.parallelcluster_version}, the cluster is of "
            f"{cluster.version}",
            remedy=f"build it anew with {cluster.version} (`muster pcluster image` prints what to build)",
        )
    if told.os is None and told.parallelcluster_version is not None:
        yield rule.unjudged(thing.place, fleet.missing(f"the operating system of {thing.image}"))
    elif told.os is not None and told.os != cluster.os:
        got = f"{thing.image} has {told.os}, the cluster {cluster.os}"
        yield rule.finding(
            thing.place, at="image", got=got, remedy=f"write {told.os}, or take an image of {cluster.os}"
        )
