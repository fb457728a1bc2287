"""Amazon Linux 2 against the Kubernetes version."""

from collections.abc import Iterator

from muster.fleet.ami import AL2, AL2_LAST_KUBERNETES, ami_type
from muster.fleet.resources import Fleet, NodeGroup
from policies.reading.images import image_of
from policies.reading.machines import kubernetes_of, machines_of
from policies.rule import Rule, Verdict, rule

_LAST = ".".join(map(str, AL2_LAST_KUBERNETES))


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
    image, _ = image_of(group, fleet)  # image-fits-hardware says what is missing
    if image is None or image.kind.system != AL2:
        return
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
            got=f"{image.name} on Kubernetes {version}: EKS has Amazon Linux 2 up to {_LAST}",
            remedy=f"take {instead}",
        )
