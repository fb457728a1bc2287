"""Images of nodes: architecture, driver, operating system, Kubernetes version, SSM parameters."""

from collections.abc import Iterator, Mapping

from muster.blueprint.gpu_sharing import GPU
from muster.edits import Remedy, set_to
from muster.fleet.resources import ControlPlane, Fleet, NodeGroup
from muster.hardware.ami import (
    AL2,
    AL2_LAST_KUBERNETES,
    AMI_TYPES,
    RESOLVED_BY_EC2,
    Family,
    ami_type,
    ami_type_of_parameter,
    image_parameter,
)
from muster.hardware.catalogue import Accelerator, Hardware
from muster.hardware.other_types import newer_driver_since
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import facts_observed
from muster.policies.lookups.device_plugins import plugins_without
from muster.policies.lookups.launch_templates import template_of
from muster.policies.lookups.machines import (
    Image,
    image_of,
    is_of_another_system,
    known_machines,
    kubernetes_of,
    machines_of,
)
from muster.policies.lookups.versions import is_offered, kubernetes_numbers, version_tuple
from muster.unknown import NotKnown, if_known, needed
from muster.whole_number import version_numbers

_DRIVERS = {Accelerator.GPU: "NVIDIA", Accelerator.NEURON: "Neuron"}


def image_fits_group(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    image = if_known(lambda: image_of(group, fleet))
    machines = known_machines(group, fleet)
    yield from _custom(group, machines, fleet, rule)
    if image is not None:
        yield from _hardware(group, image, machines, rule)
        yield from _family(group, image, fleet, rule)
        yield from _kubernetes(group, image, fleet, rule)
        machines_of(group, fleet)  # raises where a type is not known
    elif not machines or any(map(_needs_its_image, machines)):
        image_of(group, fleet)  # raises where it is not known


def _custom(group: NodeGroup, machines: tuple[Hardware, ...], fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges a custom image by what EC2 states of it: its architecture, and the device of its root volume."""
    template = if_known(lambda: template_of(group, fleet))
    known = fleet.facts.images.get(str(if_known(lambda: template.image))) if template and fleet.facts else None
    if template is None or known is None:
        return
    for machine in machines:
        if known.architecture not in (None, machine.architecture):
            got = (
                f"image {template.image} is for {known.architecture}, but {machine.instance} is {machine.architecture}"
            )
            yield rule.finding(group, "image", got=got, change=f"use an image for {machine.architecture}")
            return
    if known.root_device and template.devices and known.root_device not in template.devices:
        got = f"image {template.image} has its root volume on {known.root_device}, which the volumes do not name"
        change = set_to(known.root_device, at="image.custom.root-device")
        yield rule.advice.finding(template, "image", got=got, change=change, place=group.place)


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
        needed(group.release_version)  # one that is not known may be old
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


def _family(group: NodeGroup, image: Image, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges the operating system."""
    if group.family is None or not is_of_another_system(image, group.family):
        return
    own = _NAMES[image.kind.system]
    remedy: tuple[Remedy, ...] = (f"use an image of {_NAMES[group.family]}",)
    if image.kind.system != AL2:
        in_image = plugins_without((group,), GPU, fleet) if image.kind.system == Family.BOTTLEROCKET else ()
        remedy += (set_to(image.kind.system, at="image.custom.family", also=in_image),)
    got = f"{image.name} is {own}, but family: {group.family} gives it user data for {_NAMES[group.family]}"
    yield rule.finding(group, "image", got=got, change=remedy)


def image_parameter_exists(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if (not group.managed and fleet.facts is None) or group.pool is not None:
        return  # only AWS knows whether a parameter exists; Karpenter names none
    template = template_of(group, fleet)
    image = template.image if template else None
    if group.managed and template and image and image.startswith(RESOLVED_BY_EC2):
        path = image.removeprefix(RESOLVED_BY_EC2)
        change = set_to(words=f"the id that `aws ssm get-parameter --name {path}` prints", at="image.custom.id")
        got = f"EKS cannot read the image's SSM parameter {path}"
        yield rule.finding(template, "image", got=got, change=change, place=group.place)
    elif fleet.facts:
        yield from _exists(group, image, fleet, fleet.facts.image_parameters, rule)


def _exists(
    group: NodeGroup, image: str | None, fleet: Fleet, known: Mapping[str, str | None], rule: Rule
) -> Iterator[Verdict]:
    """Whether EKS has an image of the group's version, accelerator and architecture."""
    version = if_known(lambda: kubernetes_of(group, fleet))  # other rules report that it is not known
    path = image_parameter(image, group.ami_type, version, managed=group.managed)
    named = ami_type_of_parameter(path or "")
    # EKS no longer has that version, or Amazon Linux 2 for it: other rules report it.
    gone = named is not None and (AMI_TYPES[named[0]].system == AL2 or not is_offered(named[1], fleet))
    if path is None or gone:
        return
    if path not in known and facts_observed(fleet):
        raise NotKnown(fleet.missing(f"whether the image parameter {path} exists"))
    if known.get(path, path) is None:
        got = f"{fleet.region or 'the Region'} has no SSM parameter {path}"
        yield rule.finding(group, "image", got=got, change=_change(path, group, named[1] if named else None))


def _change(path: str, group: NodeGroup, version: str | None) -> Remedy:
    if group.managed:
        return f"use another Kubernetes version than {version}, another image or a custom image"
    listing = f"aws ssm get-parameters-by-path --recursive --path {path.rsplit('/', 2)[0]}"
    return set_to(words=f"one that `{listing}` lists", at="image.custom.ssm")


_OLDER = 3
"""How many minor versions a kubelet may be older than the API server."""


def kubelet_within_version_skew(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    planes = fleet.of(ControlPlane)
    if len(planes) != 1:
        return
    image = if_known(lambda: image_of(group, fleet))  # image-fits-group reports what is missing
    named = image.kubernetes if image and image.kubernetes else group.version
    if named is None:
        return
    own, control_plane, version = version_tuple(named), kubernetes_numbers(planes[0]), planes[0].kubernetes
    if own is None:
        raise NotKnown(f"the Kubernetes version '{named}', which is not a number")
    (major, minor), (its_major, its_minor) = _minor(own), _minor(control_plane)
    if (major, minor) > (its_major, its_minor):
        fault, after = "newer than", ["upgrade the control plane first"]
    elif major == its_major and its_minor - minor > _OLDER:
        fault, after = "more than three minor versions older than", []
    else:
        return
    of_image = image is not None and image.kubernetes is not None
    what = f"{image.name} is for Kubernetes {named}" if image and of_image else f"the group's version is {named}"
    got = f"{what}, which is {fault} the control plane's {version}"
    change = f"use an image for {version}" if of_image else set_to(version)
    yield rule.finding(group, "image" if of_image else "version", got=got, change=(change, *after))


def _minor(version: tuple[int, ...]) -> tuple[int, int]:
    return version[0], version[1] if len(version) > 1 else 0
