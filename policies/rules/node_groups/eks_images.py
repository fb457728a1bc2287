"""EKS's images: architecture, driver, Kubernetes version."""

from collections.abc import Iterator

from muster.config.description.node_settings import Family
from muster.edits import Remedy, set_to
from muster.fleet.resources import Fleet, NodeGroup
from muster.hardware.ami import AL2, AL2_LAST_KUBERNETES, ami_type
from muster.hardware.catalogue import Accelerator, Hardware
from muster.hardware.other_types import newer_driver_since
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.machines import (
    Image,
    image_of,
    is_of_another_system,
    known_machines,
    kubernetes_of,
    machines_of,
)
from muster.unknown import NotKnown, if_known
from muster.whole_number import version_numbers

_DRIVERS = {Accelerator.GPU: "NVIDIA", Accelerator.NEURON: "Neuron"}


def image_fits_group(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    image = if_known(lambda: image_of(group, fleet))
    machines = known_machines(group, fleet)
    if image is not None:
        yield from _hardware(group, image, machines, rule)
        yield from _family(group, image, rule)
        yield from _kubernetes(group, image, fleet, rule)
        machines_of(group, fleet)  # raises where a type is not known
    elif not machines or any(map(_needs_its_image, machines)):
        image_of(group, fleet)  # raises where it is not known


def _needs_its_image(machine: Hardware) -> bool:
    """On all other types any image boots, whichever EKS chooses, except an Arm one."""
    return machine.accelerator is not Accelerator.NONE or machine.architecture != "x86_64"


def _hardware(group: NodeGroup, image: Image, machines: tuple[Hardware, ...], rule: Rule) -> Iterator[Verdict]:
    """Judges the architecture and the driver."""
    for machine in machines:
        if not image.kind.fits(machine):
            family = Family.BOTTLEROCKET if image.kind.system == Family.BOTTLEROCKET else Family.AL2023
            fitting = ami_type(machine, family)
            fitting += "_FIPS" if image.name.endswith("_FIPS") else ""
            yield rule.finding(
                group, "image", got=f"{image.name} {_fault(image, machine)}", change=_use(fitting, group)
            )
            return
        if (since := newer_driver_since().get(machine.instance.partition(".")[0])) and image.kind.system != AL2:
            yield from _driver_new_enough(group, image, machine, since, rule)
            return


def _driver_new_enough(group: NodeGroup, image: Image, machine: Hardware, since: str, rule: Rule) -> Iterator[Verdict]:
    """Judges an image for GPUs that NVIDIA's driver 580 does not know. A later Bottlerocket may have a newer one."""
    old = image.release is not None and image.release < since
    if not old and image.kind.system != Family.BOTTLEROCKET:
        return
    leveled = rule if old else rule.advice
    driver = "has NVIDIA's driver 580" if old else "may have NVIDIA's driver 580"
    got = f"{image.name} {driver}, but {machine.instance} needs 595"
    yield leveled.finding(group, "image", got=got, change=f"use an AL2023 image of release v{since} or newer")


def _fault(image: Image, machine: Hardware) -> str:
    if image.kind.architecture != machine.architecture:
        return f"is for {image.kind.architecture}, but {machine.instance} is {machine.architecture}"
    return f"has no {_DRIVERS[machine.accelerator]} driver for {machine.instance}"


def _use(image: str, group: NodeGroup) -> Remedy:
    """What to do about an image, where managed groups know the right one by name."""
    if group.managed:
        return f"use {image}" if group.place.described else set_to(image)
    return f"use the image that managed groups call {image}"


_LAST_KUBERNETES_SUPPORTED = ".".join(map(str, AL2_LAST_KUBERNETES))


def _kubernetes(group: NodeGroup, image: Image, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges an image of Amazon Linux 2."""
    if image.kind.system != AL2 or is_of_another_system(image, group.family):
        return  # `_family` refuses the last
    version = image.kubernetes or kubernetes_of(group, fleet)
    number = version_numbers(version)
    if not number:
        raise NotKnown(f"the Kubernetes version '{version}', which is not a number")
    if number > AL2_LAST_KUBERNETES:
        machines = known_machines(group, fleet)
        got = (
            f"{image.name} is Amazon Linux 2, which EKS supports up to Kubernetes {_LAST_KUBERNETES_SUPPORTED}, "
            f"but the version is {version}"
        )
        change = _use(ami_type(machines[0]), group) if machines else "use an image of Amazon Linux 2023"
        yield rule.finding(group, "image", got=got, change=change)


_NAMES = {AL2: "Amazon Linux 2", Family.AL2023.value: "Amazon Linux 2023", Family.BOTTLEROCKET.value: "Bottlerocket"}


def _family(group: NodeGroup, image: Image, rule: Rule) -> Iterator[Verdict]:
    """Judges the operating system."""
    if group.family is None or not is_of_another_system(image, group.family):
        return
    own = _NAMES[image.kind.system]
    if image.kind.system == AL2:
        remedy = f"use an image of {_NAMES[group.family]}: Muster writes no user data for {own}"
    else:
        remedy = f"set family: {image.kind.system} for it, or use an image of {_NAMES[group.family]}"
    got = f"{image.name} is {own}, but family: {group.family} gives it user data for {_NAMES[group.family]}"
    yield rule.finding(group, "image", got=got, change=remedy)
