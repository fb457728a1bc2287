"""EKS's images: architecture, driver, Kubernetes version."""

from collections.abc import Iterator

from muster.config.description.node_settings import Family
from muster.finding import Level
from muster.fleet.resources import Fleet, NodeGroup
from muster.hardware.ami import AL2, AL2_ENDED, AL2_LAST_KUBERNETES, ami_type
from muster.hardware.catalogue import Accelerator, Hardware
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.machines import Image, image_of, is_of_another_system, kubernetes_of, machines_of

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


_LAST_KUBERNETES_BUILT = ".".join(map(str, AL2_LAST_KUBERNETES))


@rule(
    "image-still-made",
    title="EKS still makes the image",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=NodeGroup,
    why="EKS made its last Amazon Linux 2 images on 2025-11-26: no driver and no security fix comes after them, and "
    "they end with Kubernetes 1.32.",
    source="amazon-eks-ami README; amazon-eks-ami#2545",
    remedy="Take Amazon Linux 2023 or Bottlerocket.",
    facts=("rules.md#39", "hardware.md#R11"),
)
def image_still_made(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    image, _ = image_of(group, fleet)  # image-fits-hardware reports what is missing
    if image is None or image.kind.system != AL2 or fleet.as_of <= AL2_ENDED:
        return
    if is_of_another_system(image, group.family):
        return  # image-of-its-family refuses it
    version = image.kubernetes or kubernetes_of(group, fleet)[0]
    if version and version.replace(".", "").isdigit() and tuple(map(int, version.split("."))) > AL2_LAST_KUBERNETES:
        return  # image-supports-kubernetes refuses it
    machines, _ = machines_of(group, fleet)
    instead = ami_type(machines[0]) if machines else "an amiType that begins with AL2023"
    got = f"{image.name}: EKS made the last one on {AL2_ENDED}"
    yield rule.finding(
        group.place, at="image", got=got, remedy=f"take {instead}, before Kubernetes goes past {_LAST_KUBERNETES_BUILT}"
    )


_LAST_KUBERNETES_SUPPORTED = ".".join(map(str, AL2_LAST_KUBERNETES))


@rule(
    "image-supports-kubernetes",
    title="EKS has the image for the Kubernetes version",
    judges=NodeGroup,
    why="EKS made Amazon Linux 2 images up to Kubernetes 1.32: a group that asks for a newer one is refused.",
    source="EKS user guide, Kubernetes versions; eksctl AmazonLinux2EOLVersion; amazon-eks-ami#2545",
    remedy="Take Amazon Linux 2023 or Bottlerocket.",
    facts=("rules.md#39", "hardware.md#R11"),
)
def image_supports_kubernetes(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    image, _ = image_of(group, fleet)  # image-fits-hardware reports what is missing
    if image is None or image.kind.system != AL2 or is_of_another_system(image, group.family):
        return  # image-of-its-family refuses the last
    version, missing = (image.kubernetes, "") if image.kubernetes else kubernetes_of(group, fleet)
    number = tuple(map(int, version.split("."))) if version and version.replace(".", "").isdigit() else ()
    if not number:
        yield rule.unjudged(group.place, missing or f"what Kubernetes version '{version}' is")
    elif number > AL2_LAST_KUBERNETES:
        machines, _ = machines_of(group, fleet)
        instead = ami_type(machines[0]) if machines else "an amiType that begins with AL2023"
        yield rule.finding(
            group.place,
            at="image",
            got=f"{image.name} on Kubernetes {version}: EKS has Amazon Linux 2 up to {_LAST_KUBERNETES_SUPPORTED}",
            remedy=f"take {instead}",
        )
