"""Operating systems that ParallelCluster publishes no image of."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, ParallelCluster
from policies.rule import Rule, Verdict, rule

_UNPUBLISHED = frozenset({"rocky8", "rocky9"})


@rule(
    "parallelcluster-image-made-for-os",
    title="A cluster on Rocky Linux names an image of its own",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="ParallelCluster publishes no image with Rocky Linux: there is nothing to start nodes from, and it refuses the "
    "cluster.",
    source="aws-parallelcluster 3.16.1, constants.py: PRIVATE_OSES; OsCustomAmiValidator",
    remedy="Build an image with `pcluster build-image`, and name it.",
    facts=("hardware.md#R22", "rules.md#62"),
)
def parallelcluster_image_made_for_os(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    # An image not yet known is there; an operating system not yet known `parallelcluster-os-supported` names.
    if cluster.os in _UNPUBLISHED and cluster.image is None:
        yield rule.finding(
            cluster.place,
            at="os",
            got=f"ParallelCluster publishes no image of {cluster.os}, and no other is named",
            remedy="name the one that `pcluster build-image` made for you, or take another operating system",
        )
