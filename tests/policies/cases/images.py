"""Images against hardware, Kubernetes and whoever runs the nodes."""

from dataclasses import replace
from typing import Any

from muster.fleet.resources import Fleet
from muster.unknown import UNKNOWN
from tests.factories import a_control_plane, a_fleet, a_group, a_template, described, facts
from tests.policies.case import cases


def on(ami_type: Any, instance: str = "p5.48xlarge", **group: Any) -> Fleet:
    """A group of a type on an image."""
    return a_fleet(a_template(instance=instance), a_group(ami_type=ami_type, **group))


def from_parameter(path: str, instance: str = "p5.48xlarge") -> Fleet:
    """A self-managed group whose template names an image by parameter."""
    return a_fleet(a_template(instance=instance, image=f"resolve:ssm:{path}"), a_group(managed=False))


# image-fits-hardware


cases(
    gpus_on_the_standard_image=lambda: on("AL2023_x86_64_STANDARD"),
)


# image-supports-kubernetes


cases(
    amazon_linux_2_on_1_35=lambda: on("AL2_x86_64_GPU"),
)


cases(
    amazon_linux_2_on_a_version_not_yet_known=lambda: on("AL2_x86_64_GPU", version=UNKNOWN),
)


# kubelet-within-version-skew, image-of-its-family

EKS = "/aws/service/eks/optimized-ami"


def of_version(version: Any, plane: Any = "1.35") -> Fleet:
    """A managed group of a version on a control plane of one."""
    return a_fleet(a_template(), a_control_plane(plane), a_group(version=version))


def own_image(path: str, **more: Any) -> Fleet:
    """The workers as Auto Scaling group, on an image by its parameter."""
    image = {"ssm": path, **more}
    return described({"groups.workers.self-managed": True, "groups.workers.image": {"custom": image}})


cases(
    "kubelet-within-version-skew",
    a_kubelet_of_the_control_planes_version=lambda: of_version("1.35"),
    a_kubelet_four_minor_versions_older=lambda: of_version("1.31"),
)

cases(
    "image-of-its-family",
    bottlerockets_parameter_as_amazon_linux_2023=lambda: own_image(
        "/aws/service/bottlerocket/aws-k8s-1.35-nvidia/x86_64/1.63.0/image_id"
    ),
    bottlerockets_parameter_as_bottlerocket=lambda: own_image(
        "/aws/service/bottlerocket/aws-k8s-1.35-nvidia/x86_64/1.63.0/image_id", family="bottlerocket"
    ),
)


# image-release-pinned, image-parameter-not-managed


cases(
    an_auto_scaling_group_without_a_template=lambda: a_fleet(a_group(managed=False, template=None)),
    a_parameter_in_a_managed_groups_template=lambda: a_fleet(a_template(image="resolve:ssm:/teams/ml/images/latest")),
)


# image-parameter-exists

OURS = "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/nvidia/amazon-eks-node-al2023-v1/image_id"
NEWEST = "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/nvidia/recommended/image_id"
TEAMS = "/teams/ml/images/training-2026-11"
AMI = "ami-0123456789abcdef0"


def where_aws_says(fleet: Fleet, **images: Any) -> Fleet:
    """The fleet where parameters are known: ours, EKS's newest, a team's own."""
    paths = {"ours": OURS, "newest": NEWEST, "teams": TEAMS}
    return replace(fleet, facts=facts(imageParameters={paths[each]: image for each, image in images.items()}))


cases(
    a_parameter_that_is_not_there=lambda: where_aws_says(from_parameter(OURS), ours=None),
)
