"""The words of the rules about images: what was found, what to do about this very thing."""

from tests.policies.words.said import all_missed, all_said

WORDS = [
    (
        "images.gpus_on_the_standard_image",
        "image-fits-hardware",
        "amiType AL2023_x86_64_STANDARD has no NVIDIA driver for p5.48xlarge",
        "take AL2023_x86_64_NVIDIA",
    ),
    (
        "images.gpus_on_the_neuron_image",
        "image-fits-hardware",
        "amiType AL2023_x86_64_NEURON has no NVIDIA driver for p5.48xlarge",
        "take AL2023_x86_64_NVIDIA",
    ),
    (
        "images.gpus_on_ordinary_bottlerocket",
        "image-fits-hardware",
        "amiType BOTTLEROCKET_x86_64_FIPS has no NVIDIA driver for p5.48xlarge",
        "take BOTTLEROCKET_x86_64_NVIDIA_FIPS",
    ),
    (
        "images.trainium_on_the_nvidia_image",
        "image-fits-hardware",
        "amiType AL2023_x86_64_NVIDIA has no Neuron driver for trn1.32xlarge",
        "take AL2023_x86_64_NEURON",
    ),
    (
        "images.an_arm_image_on_x86",
        "image-fits-hardware",
        "amiType AL2023_ARM_64_STANDARD is for arm64; m5.8xlarge is x86_64",
        "take AL2023_x86_64_STANDARD",
    ),
    (
        "images.an_x86_image_on_grace",
        "image-fits-hardware",
        "amiType AL2023_x86_64_NVIDIA is for x86_64; p6e-gb200.36xlarge is arm64",
        "take AL2023_ARM_64_NVIDIA",
    ),
    (
        "images.gpus_on_the_standard_images_parameter",
        "image-fits-hardware",
        (
            "image "
            "resolve:ssm:/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/standard/x-v1/image_id "
            "has no NVIDIA driver for p5.48xlarge"
        ),
        "take the image that managed groups call AL2023_x86_64_NVIDIA",
    ),
    (
        "images.amazon_linux_2_on_1_35",
        "image-supports-kubernetes",
        "amiType AL2_x86_64_GPU on Kubernetes 1.35: EKS has Amazon Linux 2 up to 1.32",
        "take AL2023_x86_64_NVIDIA",
    ),
    (
        "images.amazon_linux_2_on_1_35_and_a_type_that_nobody_knows",
        "image-supports-kubernetes",
        "amiType AL2_x86_64_GPU on Kubernetes 1.35: EKS has Amazon Linux 2 up to 1.32",
        "take an amiType that begins with AL2023",
    ),
    (
        "images.amazon_linux_2_with_the_groups_own_version",
        "image-supports-kubernetes",
        "amiType AL2_x86_64_GPU on Kubernetes 1.33: EKS has Amazon Linux 2 up to 1.32",
        "take AL2023_x86_64_NVIDIA",
    ),
    (
        "images.amazon_linux_2_by_parameter",
        "image-supports-kubernetes",
        (
            "image "
            "resolve:ssm:/aws/service/eks/optimized-ami/1.35/amazon-linux-2-gpu/amazon-eks-gpu-node-v1/image_id "
            "on Kubernetes 1.35: EKS has Amazon Linux 2 up to 1.32"
        ),
        "take AL2023_x86_64_NVIDIA",
    ),
    (
        "images.amazon_linux_2_on_1_32",
        "image-still-made",
        "amiType AL2_x86_64_GPU: EKS made the last one on 2025-11-26",
        "take AL2023_x86_64_NVIDIA, before Kubernetes goes past 1.32",
    ),
    (
        "images.amazon_linux_2_on_a_type_that_nobody_knows",
        "image-still-made",
        "amiType AL2_x86_64_GPU: EKS made the last one on 2025-11-26",
        "take an amiType that begins with AL2023, before Kubernetes goes past 1.32",
    ),
    (
        "images.a_version_without_a_pinned_image",
        "image-release-pinned",
        "no image is pinned for Kubernetes 1.33",
        (
            "name one (image: {custom: {id: ami-...}}), take one of 1.34, 1.35 and 1.36, or add a release "
            "to muster/versions.py"
        ),
    ),
    (
        "images.a_parameter_that_moves",
        "image-parameter-fixed",
        (
            "the image is whatever "
            "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/nvidia/recommended/image_id "
            "says at a launch"
        ),
        (
            "name the parameter of one release, or the image's id (`aws ssm get-parameter --name "
            "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/nvidia/recommended/image_id "
            "--query Parameter.Value --output text`)"
        ),
    ),
    (
        "images.a_parameter_of_ones_own_that_moves",
        "image-parameter-fixed",
        "the image is whatever /teams/ml/images/latest says at a launch",
        (
            "name the parameter of one release, or the image's id (`aws ssm get-parameter --name "
            "/teams/ml/images/latest --query Parameter.Value --output text`)"
        ),
    ),
    (
        "images.a_parameter_in_a_managed_groups_template",
        "image-parameter-not-managed",
        "EKS cannot read the image's parameter /teams/ml/images/latest",
        (
            "name the id that `aws ssm get-parameter --name /teams/ml/images/latest --query "
            "Parameter.Value --output text` prints, or make the group self-managed"
        ),
    ),
    (
        "images.the_nvidia_plugin_where_every_image_has_it",
        "addon-serves-a-group",
        "the image of bottlerocket is Bottlerocket's: it offers nvidia.com/gpu by itself",
        "remove the add-on",
    ),
]
"""(case, rule, what was found, what to do)."""

MISSING = [
    (
        "images.an_image_left_to_eks",
        "image-fits-hardware",
        "the image: the group says no amiType, and EKS chooses",
    ),
    (
        "images.an_ami_type_not_yet_known",
        "image-fits-hardware",
        "amiType, not known before creation",
    ),
    (
        "images.an_ami_type_that_nobody_knows",
        "image-fits-hardware",
        "what image amiType AL2023_x86_64_NVIDEA is; did you mean 'AL2023_x86_64_NVIDIA'?",
    ),
    (
        "images.amazon_linux_2_on_a_version_not_yet_known",
        "image-supports-kubernetes",
        "the group's Kubernetes version",
    ),
    (
        "images.amazon_linux_2_on_a_version_of_another_form",
        "image-supports-kubernetes",
        "what Kubernetes version 'latest' is",
    ),
]
"""(case, rule, what was missing)."""


test_words = all_said(WORDS)
test_words_for_what_is_missing = all_missed(MISSING)
