"""Images against hardware, Kubernetes and whoever runs the nodes."""

from dataclasses import replace
from datetime import date
from typing import Any

from muster.config.description.node_settings import Family
from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.factories import DROP, a_control_plane, a_fleet, a_group, a_template, described, elsewhere, facts
from tests.policies.case import case

WORKERS = "groups.workers"
IMAGE = f"{WORKERS}.image"
FITS, SUPPORTS, MADE = "image-fits-hardware", "image-supports-kubernetes", "image-still-made"


def on(ami_type: Any, instance: str = "p5.48xlarge", **group: Any) -> Fleet:
    """A group of a type on an image."""
    return a_fleet(a_template(instance=instance), a_group(ami_type=ami_type, **group))


def from_parameter(path: str, instance: str = "p5.48xlarge") -> Fleet:
    """A self-managed group whose template names an image by parameter."""
    return a_fleet(a_template(instance=instance, image=f"resolve:ssm:{path}"), a_group(managed=False))


# image-fits-hardware


@case(f"{FITS} @ {IMAGE}")
def gpus_on_the_standard_image() -> Fleet:
    return on("AL2023_x86_64_STANDARD")


@case(f"{FITS} @ {IMAGE}")
def gpus_on_the_neuron_image() -> Fleet:
    return on("AL2023_x86_64_NEURON")


@case(f"{FITS} @ {IMAGE}")
def gpus_on_ordinary_bottlerocket() -> Fleet:
    return on("BOTTLEROCKET_x86_64_FIPS")


@case()
def gpus_on_bottlerocket_for_them() -> Fleet:
    return on("BOTTLEROCKET_x86_64_NVIDIA_FIPS")


@case(f"{FITS} @ {IMAGE}")
def trainium_on_the_nvidia_image() -> Fleet:
    return on("AL2023_x86_64_NVIDIA", "trn1.32xlarge")


@case()
def trainium_on_the_neuron_image() -> Fleet:
    return on("AL2023_x86_64_NEURON", "trn1.32xlarge")


@case()
def trainium_on_ordinary_bottlerocket() -> Fleet:
    """There is no variant for Neuron: the ordinary one carries the driver."""
    return on("BOTTLEROCKET_x86_64", "trn1.32xlarge")


@case(f"{FITS} @ {IMAGE}")
def an_arm_image_on_x86() -> Fleet:
    return on("AL2023_ARM_64_STANDARD", "m5.8xlarge")


@case(f"{FITS} @ {IMAGE}", unjudged=(f"subnet-holds-nodes @ {WORKERS}",))
def an_x86_image_on_grace() -> Fleet:
    return on("AL2023_x86_64_NVIDIA", "p6e-gb200.36xlarge")


@case()
def a_driver_without_its_device() -> Fleet:
    return on("AL2023_x86_64_NVIDIA", "m5.8xlarge")


@case(unjudged=(f"{FITS} @ {WORKERS}",))
def an_image_left_to_eks() -> Fleet:
    return on(None)


@case()
def an_image_left_to_eks_for_nodes_that_take_any() -> Fleet:
    return on(None, "m5.8xlarge")


@case(unjudged=(f"{FITS} @ {WORKERS}",))
def an_ami_type_not_yet_known() -> Fleet:
    return on(UNKNOWN)


@case(unjudged=(f"{FITS} @ {WORKERS}",))
def an_ami_type_that_nobody_knows() -> Fleet:
    return on("AL2023_x86_64_NVIDEA")


@case(f"{FITS} @ {IMAGE}")
def gpus_on_the_standard_images_parameter() -> Fleet:
    return from_parameter("/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/standard/x-v1/image_id")


@case()
def gpus_on_bottlerockets_parameter_for_them() -> Fleet:
    return from_parameter("/aws/service/bottlerocket/aws-k8s-1.35-nvidia/x86_64/1.63.0/image_id")


@case()
def an_image_of_ones_own_by_a_parameter_of_ones_own() -> Fleet:
    return from_parameter("/teams/ml/images/training-2026-11")


# image-supports-kubernetes, image-still-made


@case(f"{SUPPORTS} @ {IMAGE}")
def amazon_linux_2_on_1_35() -> Fleet:
    return on("AL2_x86_64_GPU")


@case(f"{SUPPORTS} @ {IMAGE}")
def amazon_linux_2_with_the_groups_own_version() -> Fleet:
    return on("AL2_x86_64_GPU", version="1.33")


@case(f"{SUPPORTS} @ {IMAGE}")
def amazon_linux_2_by_parameter() -> Fleet:
    return from_parameter("/aws/service/eks/optimized-ami/1.35/amazon-linux-2-gpu/amazon-eks-gpu-node-v1/image_id")


@case(f"{MADE} @ {IMAGE}")
def amazon_linux_2_on_1_32() -> Fleet:
    return on("AL2_x86_64_GPU", version="1.32")


@case(
    f"{MADE} @ {IMAGE}", unjudged=tuple(f"{each} @ {WORKERS}" for each in ("image-fits-hardware", "subnet-holds-nodes"))
)
def amazon_linux_2_on_a_type_that_nobody_knows() -> Fleet:
    return a_fleet(a_template(instance="x9.huge", interfaces=()), a_group(ami_type="AL2_x86_64_GPU", version="1.32"))


@case()
def amazon_linux_2_on_1_32_on_its_last_day() -> Fleet:
    fleet = (a_template(), a_group(ami_type="AL2_x86_64_GPU", version="1.32"), a_control_plane("1.32"))
    return a_fleet(*(elsewhere(each, "workers") for each in fleet), as_of=date(2025, 11, 26))


@case(
    f"{SUPPORTS} @ {IMAGE}",
    unjudged=tuple(f"{each} @ {WORKERS}" for each in ("image-fits-hardware", "subnet-holds-nodes")),
)
def amazon_linux_2_on_1_35_and_a_type_that_nobody_knows() -> Fleet:
    return a_fleet(a_template(instance="x9.huge", interfaces=()), a_group(ami_type="AL2_x86_64_GPU"))


@case(f"{MADE} @ {IMAGE}", unjudged=(f"{SUPPORTS} @ {WORKERS}",))
def amazon_linux_2_on_a_version_not_yet_known() -> Fleet:
    return on("AL2_x86_64_GPU", version=UNKNOWN)


@case(f"{MADE} @ {IMAGE}", unjudged=(f"{SUPPORTS} @ {WORKERS}",))
def amazon_linux_2_on_a_version_of_another_form() -> Fleet:
    return on("AL2_x86_64_GPU", version="latest")


# image-release-pinned, image-parameter-fixed, image-parameter-not-managed

JOINED: dict[str, Any] = {
    "kubernetes": "1.33",
    "control-plane": {
        "existing": {"name": "theirs", "security-group": "sg-0123456789abcdef0", "authentication": "api"}
    },
    "api": DROP,
    "groups.workers.self-managed": True,
}
OF_THE_ACCOUNT = (
    f"several-interfaces-private-subnets @ {WORKERS}",
    f"reservation-instance-type-matches @ {WORKERS}",
    f"reservation-usable @ {WORKERS}",
    f"quota-covers-vcpus @ {WORKERS}",
    f"vpc-cni-supports-efa @ {WORKERS}",
)


@case(f"image-release-pinned @ {IMAGE}", unjudged=OF_THE_ACCOUNT)
def a_version_without_a_pinned_image() -> Fleet:
    return described(JOINED)


@case(unjudged=OF_THE_ACCOUNT)
def an_image_of_ones_own_where_none_is_pinned() -> Fleet:
    return described({**JOINED, "groups.workers.image": {"custom": {"id": "ami-0123456789abcdef0"}}})


@case(f"image-parameter-fixed @ {IMAGE}")
def a_parameter_that_moves() -> Fleet:
    return from_parameter("/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/nvidia/recommended/image_id")


@case(f"image-parameter-fixed @ {IMAGE}")
def a_parameter_of_ones_own_that_moves() -> Fleet:
    return from_parameter("/teams/ml/images/latest")


@case()
def one_version_of_a_parameter_that_moves() -> Fleet:
    return from_parameter("/teams/ml/images/latest:3")


@case(f"image-parameter-not-managed @ {IMAGE}")
def a_parameter_in_a_managed_groups_template() -> Fleet:
    return a_fleet(a_template(image="resolve:ssm:/teams/ml/images/latest"))


# plugins that an image has built in


def of_families(*families: Family, **edits: Any) -> Fleet:
    """A group of p5 on each operating system."""
    group = {"for": "training", "instance": "p5.48xlarge", "nodes": 1, "zone": "us-west-2a"}
    groups = {f"groups.{family.value}": {**group, "image": family.value} for family in families}
    return described({"groups.workers": DROP, **groups, **edits})


def of_their_account(*families: Family) -> tuple[str, ...]:
    """What nobody says of the account."""
    rules = ("several-interfaces-private-subnets", "quota-covers-vcpus")
    return tuple(f"{rule} @ groups.{family.value}" for family in families for rule in rules)


@case(
    "addon-serves-a-group @ addons.nvidia-device-plugin",
    unjudged=of_their_account(Family.BOTTLEROCKET),
)
def the_nvidia_plugin_where_every_image_has_it() -> Fleet:
    return of_families(Family.BOTTLEROCKET)


@case(unjudged=of_their_account(Family.BOTTLEROCKET))
def no_nvidia_plugin_where_every_image_has_it() -> Fleet:
    return of_families(Family.BOTTLEROCKET, **{"addons.nvidia-device-plugin": DROP})


@case(unjudged=of_their_account(*Family))
def the_nvidia_plugin_where_one_image_lacks_it() -> Fleet:
    return of_families(*Family)


@case("group-has-its-device-plugin @ groups.al2023.instance", unjudged=of_their_account(*Family))
def no_nvidia_plugin_where_one_image_lacks_it() -> Fleet:
    return of_families(*Family, **{"addons.nvidia-device-plugin": DROP})


# image-parameter-exists

EXISTS = "image-parameter-exists"
OURS = "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/nvidia/amazon-eks-node-al2023-v1/image_id"
NEWEST = "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/nvidia/recommended/image_id"
TEAMS = "/teams/ml/images/training-2026-11"
AMI = "ami-0123456789abcdef0"


def where_aws_says(fleet: Fleet, **images: Any) -> Fleet:
    """The fleet where parameters are known: ours, EKS's newest, a team's own."""
    paths = {"ours": OURS, "newest": NEWEST, "teams": TEAMS}
    return replace(fleet, facts=facts(imageParameters={paths[each]: image for each, image in images.items()}))


@case()
def a_parameter_that_is_there() -> Fleet:
    return where_aws_says(from_parameter(OURS), ours=AMI)


@case(f"{EXISTS} @ {IMAGE}")
def a_parameter_that_is_not_there() -> Fleet:
    return where_aws_says(from_parameter(OURS), ours=None)


@case(f"{EXISTS} @ {IMAGE}")
def a_parameter_of_ones_own_that_is_not_there() -> Fleet:
    return where_aws_says(from_parameter(TEAMS), teams=None)


@case(f"{EXISTS} @ {IMAGE}")
def an_image_that_eks_does_not_have_for_managed_groups() -> Fleet:
    return where_aws_says(on("AL2023_x86_64_NVIDIA"), newest=None)


@case()
def an_image_that_eks_has_for_managed_groups() -> Fleet:
    return where_aws_says(on("AL2023_x86_64_NVIDIA"), newest=AMI)


@case()
def an_image_by_its_id_needs_no_parameter() -> Fleet:
    return where_aws_says(a_fleet(a_template(image=AMI), a_group(managed=False)))


@case(f"image-parameter-not-managed @ {IMAGE}")
def a_parameter_that_is_not_there_in_a_managed_groups_template() -> Fleet:
    """One finding: EKS reads none there."""
    return where_aws_says(a_fleet(a_template(image=f"resolve:ssm:{TEAMS}")), teams=None)


@case(f"{SUPPORTS} @ {IMAGE}")
def amazon_linux_2_without_a_parameter() -> Fleet:
    """One finding: there is none because it ended."""
    path = "/aws/service/eks/optimized-ami/1.35/amazon-linux-2-gpu/amazon-eks-gpu-node-v1/image_id"
    fleet = where_aws_says(from_parameter(path))
    assert fleet.facts is not None
    return replace(fleet, facts=fleet.facts.model_copy(update={"image_parameters": {path: None}}))


@case(unjudged=(f"{FITS} @ {WORKERS}",))
def a_parameter_of_an_ami_type_not_yet_known() -> Fleet:
    return where_aws_says(on(UNKNOWN))
