"""EKS's image against the hardware it boots on."""

from collections.abc import Iterator

from muster.fleet.ami import ami_type
from muster.fleet.description.image import Family
from muster.fleet.hardware import Accelerator, Hardware
from muster.fleet.resources import Fleet, NodeGroup
from policies.reading.images import Image, image_of
from policies.reading.machines import machines_of
from policies.rule import Rule, Verdict, rule

_DRIVERS = {Accelerator.GPU: "NVIDIA", Accelerator.NEURON: "Neuron"}


@rule(
    "image-fits-hardware",
    title="EKS's image is of the instance's architecture and carries the driver of its accelerators",
    judges=NodeGroup,
    why="Without the driver a node joins, bills, and offers nothing; of another architecture it does not boot.",
    source="EKS API, AMITypes; amazon-eks-ami; bottlerocket PR 4400 (Neuron in the ordinary variant)",
    remedy="GPUs take an image with NVIDIA in its name; Trainium and Inferentia take NEURON, or Bottlerocket.",
    facts=("rules.md#39", "hardware.md#R11"),
)
def image_fits_hardware(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    image, missing = image_of(group, fleet)
    machines, unheard = machines_of(group, fleet)
    # Any image but an Arm one boots on these: whichever EKS chooses.
    demanding = [one for one in machines if one.accelerator is not Accelerator.NONE or one.architecture != "x86_64"]
    if image is None:
        if missing and (demanding or not machines):
            yield rule.unjudged(group.place, missing)
        return
    if unheard:
        yield rule.unjudged(group.place, unheard)
    for machine in machines:
        if not image.kind.fits(machine):
            family = Family.BOTTLEROCKET if image.kind.system == Family.BOTTLEROCKET else Family.AL2023
            fitting = ami_type(machine, family)
            fitting += "_FIPS" if image.name.endswith("_FIPS") else ""
            instead = f"take {fitting}" if group.managed else f"take the image that managed groups call {fitting}"
            yield rule.finding(group.place, at="image", got=f"{image.name} {_fault(image, machine)}", remedy=instead)
            return


def _fault(image: Image, machine: Hardware) -> str:
    if image.kind.architecture != machine.architecture:
        return f"is for {image.kind.architecture}; {machine.instance} is {machine.architecture}"
    return f"has no {_DRIVERS[machine.accelerator]} driver for {machine.instance}"
