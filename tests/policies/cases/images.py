"""Images against hardware, Kubernetes and whoever runs the nodes."""

from dataclasses import replace
from datetime import date
from typing import Any

from muster.config.description.node_settings import Family
from muster.fleet.resources import Fleet
from muster.unknown import UNKNOWN
from tests.factories import DROP, a_control_plane, a_fleet, a_group, a_template, described, elsewhere, facts
from tests.policies.case import case, cases


def on(ami_type: Any, instance: str = "p5.48xlarge", **group: Any) -> Fleet:
    """A group of a type on an image."""
    return a_fleet(a_template(instance=instance), a_group(ami_type=ami_type, **group))


def from_parameter(path: str, instance: str = "p5.48xlarge") -> Fleet:
    """A self-managed group whose template names an image by parameter."""
    return a_fleet(a_template(instance=instance, image=f"resolve:ssm:{path}"), a_group(managed=False))


# image-fits-hardware


cases(
    gpus_on_the_standard_image=lambda: on("AL2023_x86_64_STANDARD"),
    gpus_on_the_neuron_image=lambda: on("AL2023_x86_64_NEURON"),
    gpus_on_ordinary_bottlerocket=lambda: on("BOTTLEROCKET_x86_64_FIPS"),
    gpus_on_bottlerocket_for_them=lambda: on("BOTTLEROCKET_x86_64_NVIDIA_FIPS"),
    trainium_on_the_nvidia_image=lambda: on("AL2023_x86_64_NVIDIA", "trn1.32xlarge"),
    trainium_on_the_neuron_image=lambda: on("AL2023_x86_64_NEURON", "trn1.32xlarge"),
    # There is no variant for Neuron: the ordinary one carries the driver.
    trainium_on_ordinary_bottlerocket=lambda: on("BOTTLEROCKET_x86_64", "trn1.32xlarge"),
    an_arm_image_on_x86=lambda: on("AL2023_ARM_64_STANDARD", "m5.8xlarge"),
    an_x86_image_on_grace=lambda: on("AL2023_x86_64_NVIDIA", "p6e-gb200.36xlarge"),
    a_driver_without_its_device=lambda: on("AL2023_x86_64_NVIDIA", "m5.8xlarge"),
    an_image_left_to_eks=lambda: on(None),
    an_image_left_to_eks_for_nodes_that_take_any=lambda: on(None, "m5.8xlarge"),
    an_ami_type_not_yet_known=lambda: on(UNKNOWN),
    an_ami_type_that_nobody_knows=lambda: on("AL2023_x86_64_NVIDEA"),
    gpus_on_the_standard_images_parameter=lambda: from_parameter(
        "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/standard/x-v1/image_id"
    ),
    gpus_on_bottlerockets_parameter_for_them=lambda: from_parameter(
        "/aws/service/bottlerocket/aws-k8s-1.35-nvidia/x86_64/1.63.0/image_id"
    ),
    an_image_of_ones_own_by_a_parameter_of_ones_own=lambda: from_parameter("/teams/ml/images/training-2026-11"),
)


# image-supports-kubernetes, image-still-made


cases(
    amazon_linux_2_on_1_35=lambda: on("AL2_x86_64_GPU"),
    amazon_linux_2_with_the_groups_own_version=lambda: on("AL2_x86_64_GPU", version="1.33"),
    amazon_linux_2_by_parameter=lambda: from_parameter(
        "/aws/service/eks/optimized-ami/1.35/amazon-linux-2-gpu/amazon-eks-gpu-node-v1/image_id"
    ),
    amazon_linux_2_on_1_32=lambda: on("AL2_x86_64_GPU", version="1.32"),
    amazon_linux_2_on_a_type_that_nobody_knows=lambda: a_fleet(
        a_template(instance="x9.huge", interfaces=()), a_group(ami_type="AL2_x86_64_GPU", version="1.32")
    ),
)


@case
def amazon_linux_2_on_1_32_on_its_last_day() -> Fleet:
    fleet = (a_template(), a_group(ami_type="AL2_x86_64_GPU", version="1.32"), a_control_plane("1.32"))
    return a_fleet(*(elsewhere(each, "workers") for each in fleet), as_of=date(2025, 11, 26))


cases(
    amazon_linux_2_on_1_35_and_a_type_that_nobody_knows=lambda: a_fleet(
        a_template(instance="x9.huge", interfaces=()), a_group(ami_type="AL2_x86_64_GPU")
    ),
    amazon_linux_2_on_a_version_not_yet_known=lambda: on("AL2_x86_64_GPU", version=UNKNOWN),
    amazon_linux_2_on_a_version_of_another_form=lambda: on("AL2_x86_64_GPU", version="latest"),
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
    a_kubelet_three_minor_versions_older=lambda: of_version("1.32"),
    a_kubelet_four_minor_versions_older=lambda: of_version("1.31"),
    a_kubelet_newer_than_the_control_plane=lambda: of_version("1.36"),
    a_kubelet_of_a_version_not_yet_known=lambda: of_version(UNKNOWN),
    a_control_plane_of_a_version_not_yet_known=lambda: of_version("1.35", UNKNOWN),
    a_kubelet_of_no_version_of_its_own=lambda: of_version(None),
    a_parameter_of_a_newer_kubelet=lambda: from_parameter(
        f"{EKS}/1.36/amazon-linux-2023/x86_64/nvidia/amazon-eks-node-al2023-x86_64-nvidia-1.36-v20260901/image_id"
    ),
    a_bottlerocket_parameter_of_a_newer_kubelet=lambda: from_parameter(
        "/aws/service/bottlerocket/aws-k8s-1.36-nvidia/x86_64/1.63.0/image_id"
    ),
)

cases(
    "image-of-its-family",
    bottlerockets_parameter_as_amazon_linux_2023=lambda: own_image(
        "/aws/service/bottlerocket/aws-k8s-1.35-nvidia/x86_64/1.63.0/image_id"
    ),
    bottlerockets_parameter_as_bottlerocket=lambda: own_image(
        "/aws/service/bottlerocket/aws-k8s-1.35-nvidia/x86_64/1.63.0/image_id", family="bottlerocket"
    ),
    amazon_linux_2023s_parameter_as_bottlerocket=lambda: own_image(
        f"{EKS}/1.35/amazon-linux-2023/x86_64/nvidia/amazon-eks-node-v1/image_id", family="bottlerocket"
    ),
    amazon_linux_2s_parameter_in_a_description=lambda: own_image(
        f"{EKS}/1.32/amazon-linux-2-gpu/amazon-eks-gpu-node-1.32-v20250901/image_id"
    ),
    a_parameter_of_ones_own_of_any_family=lambda: own_image("/teams/ml/images/training-2026-11"),
)


# image-release-pinned, image-parameter-fixed, image-parameter-not-managed

JOINED: dict[str, Any] = {
    "kubernetes": "1.33",
    "control-plane": {
        "existing": {"name": "theirs", "security-group": "sg-0123456789abcdef0", "authentication": "api"}
    },
    "api": DROP,
    "groups.workers.self-managed": True,
}


cases(
    a_version_without_a_pinned_image=lambda: described(JOINED),
    an_auto_scaling_group_without_a_template=lambda: a_fleet(a_group(managed=False, template=None)),
    an_image_of_ones_own_where_none_is_pinned=lambda: described(
        {**JOINED, "groups.workers.image": {"custom": {"id": "ami-0123456789abcdef0"}}}
    ),
    a_parameter_that_moves=lambda: from_parameter(
        "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/nvidia/recommended/image_id"
    ),
    a_parameter_of_ones_own_that_moves=lambda: from_parameter("/teams/ml/images/latest"),
    one_version_of_a_parameter_that_moves=lambda: from_parameter("/teams/ml/images/latest:3"),
    a_parameter_in_a_managed_groups_template=lambda: a_fleet(a_template(image="resolve:ssm:/teams/ml/images/latest")),
)


# plugins that an image has built in


def of_families(*families: Family, **edits: Any) -> Fleet:
    """A group of p5 on each operating system."""
    group = {"for": "training", "instance": "p5.48xlarge", "nodes": 1, "zone": "us-west-2a"}
    groups = {f"groups.{family.value}": {**group, "image": family.value} for family in families}
    return described({"groups.workers": DROP, **groups, **edits})


cases(
    the_nvidia_plugin_where_every_image_has_it=lambda: of_families(Family.BOTTLEROCKET),
    no_nvidia_plugin_where_every_image_has_it=lambda: of_families(
        Family.BOTTLEROCKET, **{"addons.nvidia-device-plugin": DROP}
    ),
    the_nvidia_plugin_where_one_image_lacks_it=lambda: of_families(*Family),
    no_nvidia_plugin_where_one_image_lacks_it=lambda: of_families(*Family, **{"addons.nvidia-device-plugin": DROP}),
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
    a_parameter_that_is_there=lambda: where_aws_says(from_parameter(OURS), ours=AMI),
    a_parameter_that_is_not_there=lambda: where_aws_says(from_parameter(OURS), ours=None),
    a_parameter_of_ones_own_that_is_not_there=lambda: where_aws_says(from_parameter(TEAMS), teams=None),
    an_image_that_eks_does_not_have_for_managed_groups=lambda: where_aws_says(on("AL2023_x86_64_NVIDIA"), newest=None),
    an_image_that_eks_has_for_managed_groups=lambda: where_aws_says(on("AL2023_x86_64_NVIDIA"), newest=AMI),
    an_image_by_its_id_needs_no_parameter=lambda: where_aws_says(
        a_fleet(a_template(image=AMI), a_group(managed=False))
    ),
    # One finding: EKS reads none there.
    a_parameter_that_is_not_there_in_a_managed_groups_template=lambda: where_aws_says(
        a_fleet(a_template(image=f"resolve:ssm:{TEAMS}")), teams=None
    ),
)


@case
def amazon_linux_2_without_a_parameter() -> Fleet:
    """One finding: there is none because it ended."""
    path = "/aws/service/eks/optimized-ami/1.35/amazon-linux-2-gpu/amazon-eks-gpu-node-v1/image_id"
    fleet = where_aws_says(from_parameter(path))
    assert fleet.facts is not None
    return replace(fleet, facts=fleet.facts.model_copy(update={"image_parameters": {path: None}}))


cases(
    a_parameter_of_an_ami_type_not_yet_known=lambda: where_aws_says(on(UNKNOWN)),
)
