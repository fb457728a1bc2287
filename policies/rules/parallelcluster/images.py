"""Images and operating systems, and the instance types that they run on."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.fleet.facts import ImageFacts
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import ComputeResource, Fleet, HeadNode, LoginPool, ParallelCluster, Queue
from muster.fleet.resources.fleet import machine
from muster.hardware import ami
from muster.hardware.catalogue import Accelerator, architecture_of
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.parallelcluster import cluster_of, display_name, head_of, queue_of, types_of
from muster.unknown import if_known, stored


def parallelcluster_image_drives_type(
    thing: ComputeResource | HeadNode | LoginPool, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    old = [each for each in types_of(thing) if not ami.supports_open_driver(each)]
    cluster = cluster_of(thing, fleet)
    node = queue_of(thing, fleet) if isinstance(thing, ComputeResource) else thing
    if old and cluster and node and cluster.image is None and node.image is None:
        got = f"{display_name(thing)} has {old[0]}, which the driver in ParallelCluster's own images does not support"
        own = set_to(words="your own image with NVIDIA's proprietary driver", at="image")
        yield rule.finding(thing, "instance", got=got, change=(own, "use a newer instance type"))


_UNPUBLISHED = frozenset({"rocky8", "rocky9"})


def parallelcluster_image_made_for_os(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if stored(cluster, "image") is not None:
        return  # an image that is not known yet is set too
    if cluster.os in _UNPUBLISHED:
        got = f"ParallelCluster publishes no image of {cluster.os}, and the cluster does not set its own"
        own = set_to(words="one that you built with `pcluster build-image`", at="image")
        yield rule.finding(cluster, "os", got=got, change=(own, "use another operating system"))


def parallelcluster_image_of_version(
    thing: ParallelCluster | HeadNode | LoginPool | Queue, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    cluster = thing if isinstance(thing, ParallelCluster) else cluster_of(thing, fleet)
    if thing.image is None or cluster is None or fleet.gone(ResourceKind.IMAGE, thing.image):
        return
    observed = fleet.image_facts(thing.image) or ImageFacts()
    if observed.os not in (None, cluster.os):
        got = f"{thing.image} has {observed.os}, but the cluster uses {cluster.os}"
        other = f"use an image of {cluster.os}"
        yield rule.finding(thing, "image", got=got, change=(set_to(observed.os, at="os"), other))
    built_by = fleet.need(observed.parallelcluster_version, f"the version of ParallelCluster that built {thing.image}")
    if built_by != cluster.version:
        got = f"{thing.image} was built by ParallelCluster {built_by}, but the cluster uses {cluster.version}"
        again = f"build the image again with {cluster.version} (`muster config --image` prints what to build)"
        yield rule.finding(thing, "image", got=got, change=again)
    fleet.need(observed.os, f"the operating system of {thing.image}")


_OF_AWS = "aws-parallelcluster-post-install-scripts"


def parallelcluster_neuron_software(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    queue, cluster = queue_of(resource, fleet), cluster_of(resource, fleet)
    if queue is None or cluster is None or {stored(queue, "image"), stored(cluster, "image")} != {None}:
        return  # an image that is not known yet is set too
    accelerators = {each: if_known(lambda: machine(each).accelerator) for each in types_of(resource)}
    neuron = [each for each, of_type in accelerators.items() if of_type is Accelerator.NEURON]
    # AWS's own scripts for containers install no driver.
    if neuron and all(_OF_AWS in each.at for each in queue.scripts):
        got = f"{display_name(resource)} has {neuron[0]}, but no image or script installs the Neuron driver"
        script = f"install the SDK in a script of {rule.key(resource, 'post-install')}"
        change = (set_to(words="one with the Neuron SDK", at="image"), script)
        yield rule.finding(resource, "instance", got=got, change=change)


def parallelcluster_one_architecture(
    resource: ComputeResource | LoginPool, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    cluster = cluster_of(resource, fleet)
    head = head_of(cluster, fleet) if cluster else None
    if head is None:
        return
    of_head = _architecture(head.instance) if head.instance else None

    def judge(instance: str) -> Iterator[Verdict]:
        architecture = _architecture(instance)
        if of_head and architecture != of_head:
            got = f"{display_name(resource)} has {instance} ({architecture}), but the head node is {of_head}"
            change = f"use a head node with {architecture}, or an instance type with {of_head} here"
            yield rule.finding(resource, "instance", got=got, change=change)

    yield from rule.each(types_of(resource), judge, resource.place)


def _architecture(instance: str) -> str:
    """A type's processor, possibly only from its name."""
    return architecture_of(instance) or machine(instance).architecture
