"""The words of rules that go by what AWS said: of versions, existing clusters, images, buckets."""

from tests.policies.words.said import all_said

PATH = "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/nvidia"
SWITCH = (
    "switch it: `aws eks update-cluster-config --name theirs --region us-west-2 --access-config "
    "authenticationMode=API_AND_CONFIG_MAP` (takes minutes, has no way back), or write authentication: config-map"
)
LISTED = f"`aws ssm get-parameters-by-path --recursive --path {PATH} --region us-west-2` lists those there are"
ALL = "BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true"

WORDS = [
    (
        "kubernetes_versions.a_version_that_eks_does_not_offer",
        "kubernetes-version-offered",
        "EKS does not offer Kubernetes 1.35 in us-west-2",
        "take a version in standard support (1.34 and 1.36)",
    ),
    (
        "kubernetes_versions.a_version_whose_extended_support_ended_since_eks_was_asked",
        "kubernetes-version-offered",
        "extended support of Kubernetes 1.35 ended on 2027-01-01",
        "take a version in standard support (1.36)",
    ),
    (
        "kubernetes_versions.a_version_whose_standard_support_ended_before_the_calendars",
        "kubernetes-standard-support",
        "standard support of Kubernetes 1.35 ended on 2026-11-20",
        "upgrade: the control plane costs six times as much until 2028-03-27, when EKS upgrades it by itself",
    ),
    (
        "existing_clusters.a_cluster_of_another_version",
        "existing-cluster-as-declared",
        "theirs is said to have Kubernetes version 1.35; AWS says 1.34",
        'write kubernetes: "1.34", or bring the cluster to 1.35 first, one minor version at a time',
    ),
    (
        "existing_clusters.a_cluster_of_a_newer_version",
        "existing-cluster-as-declared",
        "theirs is said to have Kubernetes version 1.35; AWS says 1.36",
        'write kubernetes: "1.36"',
    ),
    (
        "existing_clusters.a_cluster_with_another_security_group",
        "existing-cluster-as-declared",
        "theirs is said to have security group sg-0123456789abcdef0; AWS says sg-0fedcba9876543210",
        "write security-group: sg-0fedcba9876543210",
    ),
    (
        "existing_clusters.a_cluster_that_takes_no_access_entries",
        "existing-cluster-as-declared",
        "theirs is said to have authentication mode API_AND_CONFIG_MAP; AWS says CONFIG_MAP",
        SWITCH,
    ),
    (
        "existing_clusters.a_cluster_that_takes_access_entries_alone",
        "existing-cluster-as-declared",
        "theirs is said to have authentication mode API_AND_CONFIG_MAP; AWS says API",
        "write authentication: api",
    ),
    (
        "existing_clusters.a_cluster_in_another_vpc",
        "existing-cluster-as-declared",
        "theirs is said to have VPC vpc-0123456789abcdef0; AWS says vpc-0fedcba9876543210",
        "put the network into vpc-0fedcba9876543210, with subnets of it, or name a cluster in vpc-0123456789abcdef0",
    ),
    (
        "existing_clusters.a_cluster_that_is_updating",
        "existing-cluster-active",
        "EKS cluster theirs is UPDATING",
        "wait for it (`aws eks wait cluster-active --name theirs --region us-west-2`), then ask again",
    ),
    (
        "existing_clusters.a_cluster_that_is_being_deleted",
        "existing-cluster-active",
        "EKS cluster theirs is DELETING",
        "name a cluster that is active",
    ),
    (
        "images.a_parameter_that_is_not_there",
        "image-parameter-exists",
        f"us-west-2 has no SSM parameter {PATH}/amazon-eks-node-al2023-v1/image_id",
        f"name the parameter of another release (image: {{custom: {{ssm: ...}}}}): {LISTED}",
    ),
    (
        "images.a_parameter_of_ones_own_that_is_not_there",
        "image-parameter-exists",
        "us-west-2 has no SSM parameter /teams/ml/images/training-2026-11",
        "write the path of one that there is (`aws ssm describe-parameters` lists yours)",
    ),
    (
        "images.an_image_that_eks_does_not_have_for_managed_groups",
        "image-parameter-exists",
        f"us-west-2 has no SSM parameter {PATH}/recommended/image_id",
        "take another Kubernetes version than 1.35, another image or an image of your own",
    ),
    (
        "lifecycles.an_existing_bucket_that_is_not_private",
        "lifecycle-bundle-private",
        "the bucket sagemaker-ml-scripts does not block all public access, and its scripts run as root",
        (
            "turn all four settings on: `aws s3api put-public-access-block --bucket sagemaker-ml-scripts "
            f"--public-access-block-configuration {ALL}`"
        ),
    ),
    (
        "lifecycles.an_existing_bucket_without_versions",
        "lifecycle-bundle-versioned",
        "the bucket sagemaker-ml-scripts keeps no versions of its scripts",
        (
            "enable them: `aws s3api put-bucket-versioning --bucket sagemaker-ml-scripts --versioning-configuration "
            "Status=Enabled`"
        ),
    ),
]
"""(case, rule, what was found, what to do)."""


test_words = all_said(WORDS)
