"""The size of root volumes compared with the images that are copied onto them."""

from collections.abc import Iterator

from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Fleet, HeadNode, Queue
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.parallelcluster import cluster_of, display_name
from muster.unknown import UNKNOWN


@rule(
    "parallelcluster-root-volume-holds-image",
    title="A root volume is at least as large as its image",
    judges=HeadNode | Queue,
    backends=("parallelcluster",),
    why="EC2 creates the root volume from the image's snapshot and refuses a smaller volume. ParallelCluster refuses "
    "the cluster before that.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/cluster_validators.py#L1419",
    ),
    remedy="Set a size at least as large as the image, or remove the size.",
    facts=("rules.md#62",),
)
def parallelcluster_root_volume_holds_image(thing: HeadNode | Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(thing, fleet)
    image = thing.image if thing.image is not None or cluster is None else cluster.image
    gib = thing.root.gib if thing.root else None
    if image is None or gib is None or fleet.gone(ResourceKind.IMAGE, image):
        return
    if image is UNKNOWN or gib is UNKNOWN:
        yield rule.unjudged(
            thing.place, f"the image or the root volume of {display_name(thing)} (known only after `pulumi up`)"
        )
        return
    known = fleet.image_facts(image)
    if known is None or known.root_gib is None:
        yield rule.unjudged(thing.place, fleet.missing(f"the size of image {image}"))
    elif gib < known.root_gib:
        got = f"{display_name(thing)} has a root volume of {gib} GiB, but {image} needs {known.root_gib} GiB"
        yield rule.finding(
            thing.place,
            at="root",
            got=got,
            remedy=f"set the size of the root volume to at least {known.root_gib}GiB",
            program_remedy=f"set LocalStorage.RootVolume.Size to at least {known.root_gib}",
        )
