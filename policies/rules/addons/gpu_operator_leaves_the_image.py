"""The GPU operator against what EKS's images have already."""

from collections.abc import Iterator

from muster.fleet.hardware import Accelerator
from muster.fleet.resources import Addon, Fleet, NodeGroup
from policies.reading.images import image_of
from policies.reading.landing import Lands
from policies.reading.part import What
from policies.reading.parts import parts_of
from policies.reading.plugins import every_spot, lands_on
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "gpu-operator-leaves-the-image",
    title="On EKS's GPU images the GPU operator installs neither driver nor toolkit",
    judges=Addon,
    why="The images bring both. The operator's driver does not load over theirs, its toolkit changes a containerd that "
    "nodeadm has set up: pods with GPUs stay in ContainerCreating.",
    source="EKS user guide, best practices for AI/ML, aiml_compute; NVIDIA/gpu-operator values.yaml at v26.7.0",
    remedy="Set driver.enabled and toolkit.enabled to false.",
    facts=("rules.md#47", "addons.md#conflicts"),
)
def gpu_operator_leaves_the_image(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    found = [part for part in mine if part.what in (What.GPU_DRIVER, What.GPU_TOOLKIT)]
    having: list[str] = []
    # What HyperPod's wrapper starts is AWS's own choice on HyperPod's images; it is on all other nodes with GPUs, too.
    reached = {
        spot.group.ref
        for spot in every_spot(fleet)
        if spot.group and spot.machine.accelerator is Accelerator.GPU
        if any(lands_on(part, spot) is not Lands.NO for part in found)
    }
    for group in (each for each in fleet.of(NodeGroup) if each.ref in reached):
        image, wanting = image_of(group, fleet)
        if image is not None and Accelerator.GPU in image.kind.drivers:
            having.append(group.ref.name)
        elif image is None and wanting:
            yield rule.unjudged(group.place, wanting)
    if having:
        switches = [part.off for part in found]
        brings = some("the driver" if part.what is What.GPU_DRIVER else "the toolkit" for part in found)
        yield rule.finding(
            addon.place,
            at="values",
            got=f"{addon.ref.name} installs {brings}, which the image of {some(having)} has",
            remedy=f"set {some(switches)} among its values",
        )
