"""The GPU operator on EKS's images, which already contain a driver and a toolkit."""

from collections.abc import Iterator

from muster.fleet.resources import Addon, Fleet, NodeGroup
from muster.hardware.catalogue import Accelerator
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.chart_contents import PartKind
from muster.policies.lookups.device_plugins import every_node_kind, schedulable_on
from muster.policies.lookups.installed_addons import parts_of
from muster.policies.lookups.machines import image_of
from muster.policies.lookups.pod_placement import Schedulable
from muster.unknown import if_known


def gpu_operator_leaves_the_image(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    found = [part for part in parts_of(addon) if part.what in (PartKind.GPU_DRIVER, PartKind.GPU_TOOLKIT)]
    # On HyperPod's images AWS chose what HyperPod's chart starts; but it also runs on all other nodes with GPUs.
    reached = {
        spot.group.ref
        for spot in every_node_kind(fleet)
        if spot.group and spot.machine.accelerator is Accelerator.GPU
        if any(schedulable_on(part, spot) is not Schedulable.NO for part in found)
    }
    groups = [each for each in fleet.of(NodeGroup) if each.ref in reached]
    having = [group.ref.name for group in groups if if_known(lambda: _has_driver(group, fleet))]
    if having:
        switches = [part.off for part in found]
        brings = and_list("the driver" if part.what is PartKind.GPU_DRIVER else "the toolkit" for part in found)
        got = f"{addon.ref.name} installs {brings}, which the image of {and_list(having)} already contains"
        yield rule.finding(addon, "values", got=got, change=f"set {and_list(switches)} in its values")
    for group in groups:
        _has_driver(group, fleet)  # raises where that is not known


def _has_driver(group: NodeGroup, fleet: Fleet) -> bool:
    """Whether a group's image contains the driver; a custom one is the user's matter."""
    image = image_of(group, fleet)
    return image is not None and Accelerator.GPU in image.kind.drivers
