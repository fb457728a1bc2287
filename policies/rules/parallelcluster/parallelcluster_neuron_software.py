"""Drivers of Trainium and Inferentia."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.hardware import Accelerator
from muster.fleet.resources import ComputeResource, Fleet
from muster.fleet.unknown import UNKNOWN
from policies.reading.slurm import called, cluster_of, machines_in, queue_of
from policies.rule import Rule, Severity, Verdict, rule


@rule(
    "parallelcluster-neuron-software",
    title="Nodes with Trainium or Inferentia have an image or scripts that bring the Neuron driver",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=ComputeResource,
    backends=("parallelcluster",),
    why="ParallelCluster's images have NVIDIA's driver and none of Neuron's: without it a node comes up, jobs are "
    "placed on it, and no program finds a NeuronCore.",
    source="aws-parallelcluster-cookbook (installs no Neuron package); aws-neuron-parallelcluster-samples, "
    "trn1-16-nodes-pcluster.md: install_neuron.sh",
    remedy="Name an image of your own with the Neuron SDK, or a script that installs it.",
    facts=("rules.md#62",),
)
def parallelcluster_neuron_software(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    rows, _ = machines_in(resource)
    queue, cluster = queue_of(resource, fleet), cluster_of(resource, fleet)
    if queue is None or cluster is None or all(row.accelerator is not Accelerator.NEURON for row in rows):
        return
    # An image or a script not yet known is one all the same.
    if queue.image is None and cluster.image is None and (queue.scripts is not UNKNOWN and not _own(queue.scripts)):
        got = f"{called(resource)} has {rows[0].instance}, and nothing brings the Neuron driver"
        remedy = "name an image that has the Neuron SDK, or install it by a script (post-install)"
        yield rule.finding(resource.place, at="instance", got=got, remedy=remedy)


def _own(scripts: tuple[object, ...]) -> bool:
    """Whether any script is not one of AWS's for containers, which bring no driver."""
    return any("aws-parallelcluster-post-install-scripts" not in str(getattr(each, "at", "")) for each in scripts)
