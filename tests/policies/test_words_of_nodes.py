"""The words of the rules about images, nodes and how they get in, in each of their forms."""

import pytest

from tests.policies.case import cases, judged
from tests.policies.test_words import said

WORDS = [
    (
        "access.a_self_managed_group_where_entries_are_off",
        "access-entries-taken",
        "theirs takes no access entries (authentication: config-map), by which self-managed nodes join",
        (
            "switch it: `aws eks update-cluster-config --name theirs --region us-west-2 --access-config "
            "authenticationMode=API_AND_CONFIG_MAP` (takes minutes, has no way back; what aws-auth lists "
            "stays in), then say authentication: api-and-config-map; or make the group managed: EKS lists "
            "its role in aws-auth. For nodes that are not Muster's: `kubectl describe configmap -n "
            "kube-system aws-auth` shows who is let in, and `kubectl edit configmap -n kube-system "
            "aws-auth` adds under mapRoles: `- {rolearn: arn:aws:iam::ACCOUNT:role/NODE-ROLE, username: "
            "'system:node:{{EC2PrivateDNSName}}', groups: ['system:bootstrappers', 'system:nodes']}`"
        ),
    ),
    (
        "access.a_managed_group_where_entries_are_off",
        "aws-auth-kept",
        "EKS will list the roles of workers in aws-auth of theirs, where another owner may take them out again",
        (
            "ask who writes aws-auth, or run `aws eks update-cluster-config --name theirs --access-config "
            "authenticationMode=API_AND_CONFIG_MAP`"
        ),
    ),
    (
        "access.people_let_in_where_entries_are_off",
        "access-entries-taken",
        "theirs takes no access entries (authentication: config-map), and 2 principals would get one",
        (
            "switch it: `aws eks update-cluster-config --name theirs --region us-west-2 --access-config "
            "authenticationMode=API_AND_CONFIG_MAP` (takes minutes, has no way back; what aws-auth lists "
            "stays in), then say authentication: api-and-config-map; or remove it and list them in "
            "aws-auth (`kubectl edit configmap -n kube-system aws-auth`)"
        ),
    ),
    (
        "access.efa_attached_to_an_instance_that_runs",
        "efa-not-attached-later",
        "an efa interface is attached to an instance that runs",
        "remove the attachment and name the interface in the launch template's networkInterfaces",
    ),
    (
        "access.efa_only_attached_to_an_instance_that_runs",
        "efa-not-attached-later",
        "an efa-only interface is attached to an instance that runs",
        "remove the attachment and name the interface in the launch template's networkInterfaces",
    ),
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
    (
        "nodes.nobody_tells_the_kubelet_of_efa_only_on_card_0",
        "max-pods-within-addresses",
        (
            "user data says no number of pods, the kubelet takes 100; p5.48xlarge has addresses for 51 "
            "with these interfaces"
        ),
        "set maxPods to 51 in user data",
    ),
    (
        "nodes.one_pod_more_than_addresses",
        "max-pods-within-addresses",
        "user data says 52; p5.48xlarge has addresses for 51 with these interfaces",
        "set maxPods to 51 in user data",
    ),
    (
        "nodes.more_pods_than_eks_takes",
        "max-pods-within-addresses",
        "user data says 251; on p4d.24xlarge EKS takes 250 at most",
        "set maxPods to 250 in user data",
    ),
    (
        "nodes.nobody_tells_the_kubelet_of_nodes_without_eks_own_limit",
        "max-pods-within-addresses",
        (
            "user data says no number of pods, the kubelet takes 737; p4d.24xlarge has addresses for 688 "
            "with these interfaces"
        ),
        "set maxPods to 688 in user data",
    ),
    (
        "nodes.two_nodes_in_a_subnet_for_one",
        "subnet-holds-nodes",
        (
            "its 2 nodes with the control plane take 106 addresses of subnet-0aaaaaaaaaaaaaaaa at first; "
            "105 are free there"
        ),
        "give the group a larger subnet, or start with 1 node at most",
    ),
    (
        "nodes.a_subnet_for_no_node",
        "subnet-holds-nodes",
        "its 1 node with the control plane take 56 addresses of subnet-0aaaaaaaaaaaaaaaa at first; 20 are free there",
        "give the group a larger subnet",
    ),
    (
        "nodes.two_nodes_beside_a_control_plane_that_is_there_already",
        "subnet-holds-all-nodes",
        "its 2 nodes take 480 addresses of subnet-0aaaaaaaaaaaaaaaa at most; 120 are free there",
        "give the group a larger subnet",
    ),
    (
        "nodes.room_for_the_nodes_at_first_only",
        "subnet-holds-all-nodes",
        "its 3 nodes with the control plane take 156 addresses of subnet-0aaaaaaaaaaaaaaaa at most; 106 are free there",
        "give the group a larger subnet, or let it grow to 2 nodes at most",
    ),
    (
        "nodes.p4d_full_of_pods",
        "subnet-holds-all-nodes",
        "its 2 nodes with the control plane take 606 addresses of subnet-0aaaaaaaaaaaaaaaa at most; 500 are free there",
        "give the group a larger subnet, or let it grow to 1 node at most",
    ),
    (
        "nodes.two_groups_in_a_subnet_for_one",
        "subnet-holds-nodes",
        (
            "its 1 node with the control plane and those of workers take 106 addresses of "
            "subnet-0aaaaaaaaaaaaaaaa at first; 105 are free there"
        ),
        "give the group a larger subnet",
    ),
    (
        "nodes.two_groups_in_a_subnet_for_one",
        "subnet-holds-nodes",
        (
            "its 1 node with the control plane and those of others take 106 addresses of "
            "subnet-0aaaaaaaaaaaaaaaa at first; 105 are free there"
        ),
        "give the group a larger subnet",
    ),
    (
        "nodes.trn1_in_a_zone_where_nobody_saw_it",
        "instance-offered-in-zone",
        "trn1.32xlarge was seen only in usw2-az1 and usw2-az4, not in usw2-az2",
        (
            "take a zone of usw2-az1 and usw2-az4, or ask AWS: `aws ec2 describe-instance-type-offerings "
            "--location-type availability-zone-id --filters Name=instance-type,Values=trn1.32xlarge "
            "--region us-west-2`"
        ),
    ),
    (
        "nodes.hpc7a_where_nobody_saw_it_in_the_region",
        "instance-offered-in-zone",
        "hpc7a.96xlarge was seen nowhere in us-west-2",
        (
            "take another Region, or ask AWS: `aws ec2 describe-instance-type-offerings --location-type "
            "availability-zone-id --filters Name=instance-type,Values=hpc7a.96xlarge --region us-west-2`"
        ),
    ),
    (
        "nodes.a_number_and_a_percentage_of_an_update",
        "update-limits-single",
        "maxUnavailable and maxUnavailablePercentage together",
        "remove one of them",
    ),
    (
        "nodes.an_update_of_nothing",
        "update-limits-single",
        "maxUnavailable 0",
        "make maxUnavailable 1 at least and 100 at most",
    ),
    (
        "nodes.an_update_of_more_than_all",
        "update-limits-single",
        "maxUnavailablePercentage 101",
        "make maxUnavailablePercentage 1 at least and 100 at most",
    ),
    (
        "nodes.a_count_and_a_percentage_of_repairs",
        "node-repair-limits-single",
        "maxParallelNodesRepairedCount and maxParallelNodesRepairedPercentage together",
        "remove one of them",
    ),
    (
        "nodes.no_repair_at_a_time",
        "node-repair-limits-single",
        "maxParallelNodesRepairedCount 0",
        "make maxParallelNodesRepairedCount 1 at least",
    ),
    (
        "nodes.more_repairs_than_all_at_a_time",
        "node-repair-limits-single",
        "maxParallelNodesRepairedPercentage 101",
        "make maxParallelNodesRepairedPercentage 1 at least and 100 at most",
    ),
    (
        "nodes.a_range_that_nobody_moves_in",
        "scaling-range-without-autoscaler",
        "min 1 and max 2, and nothing is said to move between them",
        "say `nodes: 1`, or scaled-by: autoscaler (or you) beside min and max",
    ),
]
"""(case, rule, what was found, what to do)."""


@pytest.mark.parametrize(("case", "rule", "got", "remedy"), WORDS, ids=[f"{each[1]}-{each[0]}" for each in WORDS])
def test_words(case: str, rule: str, got: str, remedy: str) -> None:
    assert (got, remedy) in said(case, rule)


MISSING = [
    (
        "access.an_interface_of_a_type_not_yet_known_attached",
        "efa-not-attached-later",
        "the type of the network interface it attaches",
    ),
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
    (
        "nodes.user_data_not_yet_known",
        "max-pods-within-addresses",
        "what user data tells the kubelet, not known before creation",
    ),
    (
        "nodes.more_pods_with_a_cni_not_yet_known",
        "max-pods-within-addresses",
        "whether the VPC CNI gives interfaces prefixes (ENABLE_PREFIX_DELEGATION)",
    ),
    (
        "nodes.a_subnet_of_which_nobody_says_its_room",
        "subnet-holds-nodes",
        "the free addresses of subnet-0aaaaaaaaaaaaaaaa (`muster schema facts` shows the form)",
    ),
    (
        "nodes.trn1_in_a_zone_without_id",
        "instance-offered-in-zone",
        (
            "the zone ids of subnet-0aaaaaaaaaaaaaaaa (the network's zone-ids say them too) (`muster "
            "schema facts` shows the form)"
        ),
    ),
    (
        "nodes.trn1_in_subnets_not_yet_known",
        "instance-offered-in-zone",
        "the subnets, not known before creation",
    ),
    (
        "nodes.an_update_of_a_number_not_yet_known",
        "update-limits-single",
        "maxUnavailable, not known before creation",
    ),
    (
        "nodes.repairs_of_a_number_not_yet_known",
        "node-repair-limits-single",
        "maxParallelNodesRepairedCount, not known before creation",
    ),
]
"""(case, rule, what was missing)."""


@pytest.mark.parametrize(("case", "rule", "missing"), MISSING, ids=[f"{each[1]}-{each[0]}" for each in MISSING])
def test_words_for_what_is_missing(case: str, rule: str, missing: str) -> None:
    (one,) = [each for each in cases() if each.name == case]
    assert {each.missing for each in judged(one).not_evaluated if each.rule == rule} == {missing}
