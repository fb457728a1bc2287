"""Images that nobody mends any more."""

from collections.abc import Iterator

from muster.fleet.ami import AL2, AL2_ENDED, AL2_LAST_KUBERNETES, ami_type
from muster.fleet.finding import Level
from muster.fleet.resources import Fleet, NodeGroup
from policies.reading.images import image_of
from policies.reading.machines import kubernetes_of, machines_of
from policies.rule import Rule, Severity, Verdict, rule

_LAST = ".".join(map(str, AL2_LAST_KUBERNETES))


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
    image, _ = image_of(group, fleet)  # image-fits-hardware says what is missing
    if image is None or image.kind.system != AL2 or fleet.as_of <= AL2_ENDED:
        return
    version = image.kubernetes or kubernetes_of(group, fleet)[0]
    if version and version.replace(".", "").isdigit() and tuple(map(int, version.split("."))) > AL2_LAST_KUBERNETES:
        return  # image-supports-kubernetes refuses it
    machines, _ = machines_of(group, fleet)
    instead = ami_type(machines[0]) if machines else "an amiType that begins with AL2023"
    got = f"{image.name}: EKS made the last one on {AL2_ENDED}"
    yield rule.finding(group.place, at="image", got=got, remedy=f"take {instead}, before Kubernetes goes past {_LAST}")
