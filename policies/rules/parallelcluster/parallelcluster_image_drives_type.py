"""GPUs that the driver in ParallelCluster's images does not know."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, HeadNode
from policies.reading.slurm import called, cluster_of, queue_of, types_of
from policies.rule import Rule, Verdict, rule

_BEFORE_TURING = frozenset({"p2", "p3", "p3dn", "g2", "g3", "g3s"})


@rule(
    "parallelcluster-image-drives-type",
    title="ParallelCluster's own images are not started on GPUs older than their driver",
    judges=ComputeResource | HeadNode,
    backends=("parallelcluster",),
    why="They have NVIDIA's open kernel modules, which know Turing and later. On a V100 or an older GPU no driver "
    "loads, and ParallelCluster refuses the cluster.",
    source="aws-parallelcluster 3.16.1, InstanceTypeBaseAMICompatibleValidator; constants.py: NVIDIA_OPENRM_...",
    remedy="Take a newer type, or an image with NVIDIA's closed driver.",
    facts=("rules.md#62",),
)
def parallelcluster_image_drives_type(thing: ComputeResource | HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    # An image that is not yet known is one of somebody's own; a type not yet known other rules name.
    cluster = cluster_of(thing, fleet)
    holder = queue_of(thing, fleet) if isinstance(thing, ComputeResource) else thing
    if cluster is None or holder is None or cluster.image is not None or holder.image is not None:
        return
    types = types_of(thing) if isinstance(thing, ComputeResource) else (thing.instance,)
    for each in types:
        if str(each).partition(".")[0] in _BEFORE_TURING:
            got = f"{called(thing)} has {each}, whose GPUs the driver in ParallelCluster's images does not know"
            remedy = "take a newer type, or name an image of your own with NVIDIA's closed driver"
            yield rule.finding(thing.place, at="instance", got=got, remedy=remedy)
