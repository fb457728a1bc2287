"""GPUs that the driver of ParallelCluster's own images does not know."""

from collections.abc import Iterator

from muster.fleet.parallelcluster import open_driver
from muster.fleet.resources import ComputeResource, Fleet, HeadNode
from muster.fleet.unknown import UNKNOWN
from policies.reading.slurm import called, cluster_of, queue_of, types_of
from policies.rule import Rule, Verdict, rule


@rule(
    "parallelcluster-image-drives-type",
    title="The image has a driver for the type's GPUs",
    judges=ComputeResource | HeadNode,
    backends=("parallelcluster",),
    why="ParallelCluster's own images have NVIDIA's open kernel modules, which know GPUs from Turing on. On an older "
    "one it refuses them.",
    source="aws-parallelcluster 3.16.1, InstanceTypeBaseAMICompatibleValidator: "
    "NVIDIA_OPENRM_UNSUPPORTED_INSTANCE_TYPES",
    remedy="Build an image with the closed driver, or take a newer type.",
    facts=("hardware.md#R22",),
)
def parallelcluster_image_drives_type(thing: ComputeResource | HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    types = types_of(thing) if isinstance(thing, ComputeResource) else (thing.instance,)
    old = [str(each) for each in types if not open_driver.knows(str(each))]
    cluster = cluster_of(thing, fleet)
    if not old or cluster is None:
        return
    queue = queue_of(thing, fleet) if isinstance(thing, ComputeResource) else None
    own = thing.image if isinstance(thing, HeadNode) else queue.image if queue else None
    images = (own, cluster.image)
    if UNKNOWN in images:
        yield rule.unjudged(thing.place, f"whether {called(thing)} has an image of its own")
    elif images == (None, None):
        got = f"{called(thing)} has {old[0]}, whose GPUs the driver in ParallelCluster's own images does not know"
        remedy = "give an image of your own with NVIDIA's closed driver (image: ami-...), or take a newer type"
        yield rule.finding(thing.place, at="instance", got=got, remedy=remedy)
