"""AWS's documentation: user guides by page, API references by the name of an action or a type.

The pages come from the guides' own lists of pages (`llms.txt` of the EC2, EKS, FSx for Lustre and ParallelCluster
guides, 2026); those of other guides come from links in public repositories.
"""

from muster.policies.sources.document import Document

_DOCS = "https://docs.aws.amazon.com"
_OWN_NAME = r"[a-z0-9]+(-[a-z0-9]+)+(?=$|[ ,;])"
"""A page of a guide by its own name (`node-efa`), not by its title."""


def _api(*names: str, at: str, pages: dict[str, str] | None = None) -> Document:
    """An API reference. `pages` maps what is neither an action nor a structure to the page that documents it."""
    home = f"{_DOCS}/{at}/APIReference"
    return Document(names, f"{home}/Welcome.html", f"{home}/API_{{}}.html", pages or {}, by_name=r"[A-Z]\w+")


def _guide(*names: str, at: str, start: str, pages: dict[str, str], by_name: str = "") -> Document:
    return Document(names, f"{_DOCS}/{at}/{start}.html", f"{_DOCS}/{at}/{{}}.html", pages, by_name)


AMAZON = (
    _api("EC2 API", at="AWSEC2/latest"),
    _api("EC2 Auto Scaling API", at="autoscaling/ec2"),
    _api("EKS API", at="eks/latest", pages={"AMITypes": "CreateNodegroup"}),
    _api(
        "FSx API",
        at="fsx/latest",
        pages={
            "FileSystemTypeVersion": "CreateFileSystem",
            "LustreFileSystemMountName": "LustreFileSystemConfiguration",
        },
    ),
    _api(
        "SageMaker API",
        "SageMaker API reference",
        at="sagemaker/latest",
        pages={
            "ClusterInstanceCount": "ClusterInstanceGroupSpecification",
            "ClusterInstanceStorageConfigs": "ClusterInstanceStorageConfig",
            "ClusterInstanceType": "ClusterInstanceGroupSpecification",
            "ClusterName": "CreateCluster",
            "ClusterNodeProvisioningMode": "CreateCluster",
            "ClusterNodeRecovery": "CreateCluster",
            "ClusterThreadsPerCore": "ClusterInstanceGroupSpecification",
            "NodeProvisioningMode": "CreateCluster",
            "OverrideVpcConfig": "ClusterInstanceGroupSpecification",
            "ReservedCapacityInstanceType": "ReservedCapacitySummary",
        },
    ),
    _api("AWS PCS API", at="pcs/latest"),
    _api("IAM API", at="IAM/latest"),
    _api("AWS STS API", at="STS/latest"),
    Document(("EC2 DescribeInstanceTypes",), f"{_DOCS}/AWSEC2/latest/APIReference/API_InstanceTypeInfo.html"),
    _guide(
        "EC2 user guide",
        at="AWSEC2/latest/UserGuide",
        start="concepts",
        pages={
            "Amazon EC2 security groups": "ec2-security-groups",
            "Attach an EFA": "create-efa",
            "Capacity Blocks": "ec2-capacity-blocks",
            "Capacity Blocks (pricing and billing)": "capacity-blocks-pricing-billing",
            "Capacity Reservation groups": "create-cr-group",
            "Capacity Reservations in cluster placement groups": "cr-cpg",
            "EFA interfaces for accelerated instance types": "efa-acc-inst-types",
            "Elastic Fabric Adapter": "efa",
            "Extend Capacity Blocks": "capacity-blocks-extend",
            "Find and purchase Capacity Blocks": "capacity-blocks-purchase",
            "Future-dated Capacity Reservations": "cr-concepts",
            "Get started with EFA": "efa-start",
            "Launch instances using Capacity Blocks": "capacity-blocks-launch",
            "Launch into a Capacity Reservation group": "capacity-reservations-launch",
            "Network cards": "using-eni",
            "On-Demand Capacity Reservations": "ec2-capacity-reservations",
            "On-Demand Instance quotas": "ec2-on-demand-instances",
            "Placement strategies": "placement-strategies",
            "Public IPv4 addresses": "using-instance-addressing",
            "Regions and Zones": "using-regions-availability-zones",
            "Shared Capacity Reservations": "capacity-reservation-sharing",
            "Spot Instance interruptions": "spot-interruptions",
            "Use Capacity Reservation groups": "create-cr-group",
            "Use IMDSv2": "configuring-instance-metadata-service",
            "Run commands when you launch an EC2 instance": "user-data",
        },
    ),
    Document(
        ("EC2 user guide, instance type naming conventions",),
        f"{_DOCS}/ec2/latest/instancetypes/instance-type-names.html",
    ),
    _guide(
        "EC2 Auto Scaling user guide",
        at="autoscaling/ec2/userguide",
        start="what-is-amazon-ec2-auto-scaling",
        pages={
            "Scheduled scaling": "ec2-auto-scaling-scheduled-scaling",
            "Use Systems Manager parameters instead of AMI IDs": "using-systems-manager-parameters",
            "launch templates": "launch-templates",
        },
    ),
    _guide(
        "EKS user guide",
        at="eks/latest/userguide",
        start="what-is-eks",
        by_name=_OWN_NAME,
        pages={
            "Amazon EKS networking requirements for VPC and subnets": "network-reqs",
            "Capacity Blocks": "capacity-blocks",
            "Choose an optimal EC2 instance type": "choosing-instance-type",
            "Cluster API server endpoint": "cluster-endpoint",
            "Create a managed node group with Capacity Blocks": "capacity-blocks-mng",
            "Create self-managed nodes with Capacity Blocks": "capacity-blocks",
            "Customize managed nodes with launch templates": "launch-templates",
            "Grant IAM users access to Kubernetes": "grant-k8s-access",
            "Kubernetes release calendar": "kubernetes-versions",
            "Kubernetes versions": "kubernetes-versions",
            "Run machine learning training with EFA": "node-efa",
            "Scale cluster compute with Karpenter and Cluster Autoscaler": "autoscaling",
            "Security group requirements": "sec-group-reqs",
            "Self-managed nodes": "worker",
            "Use P6e-GB200 UltraServers with Amazon EKS": "ml-eks-nvidia-ultraserver",
            "Use high-performance app storage with FSx for Lustre": "fsx-csi",
            "View and manage Amazon EKS and Fargate service quotas": "service-quotas",
            "networking requirements": "network-reqs",
        },
    ),
    _guide(
        "EKS best practices guide",
        at="eks/latest/best-practices",
        start="introduction",
        pages={"Security, Identity and access management": "identity-and-access-management"},
    ),
    Document(
        ("EKS user guide, best practices for AI/ML, aiml_compute",),
        f"{_DOCS}/eks/latest/best-practices/aiml-compute.html",
    ),
    Document(("EC2 Capacity Blocks pricing",), "https://aws.amazon.com/ec2/capacityblocks/pricing/"),
    Document(("Amazon EKS pricing",), "https://aws.amazon.com/eks/pricing/"),
    _guide(
        "FSx Lustre guide",
        at="fsx/latest/LustreGuide",
        start="what-is",
        pages={
            "EFA": "efa-file-systems",
            "File system access control with Amazon VPC": "limit-access-security-groups",
            "Installing the Lustre client": "install-lustre-client",
            "Linking your file system to S3": "create-dra-linked-data-repo",
            "Metadata performance": "managing-metadata-performance",
            "Mounting from another VPC": "mounting-on-premises",
            "Prerequisites": "getting-started",
            "Quotas": "limits",
            "Working with backups": "using-backups-fsx",
        },
    ),
    _guide(
        "SageMaker AI developer guide",
        "SageMaker guide",
        at="sagemaker/latest/dg",
        start="sagemaker-hyperpod",
        by_name=_OWN_NAME,
        pages={
            "HyperPod task governance setup": "sagemaker-hyperpod-eks-operate-console-ui-governance-setup",
            "HyperPod task governance policies": "sagemaker-hyperpod-eks-operate-console-ui-governance-policies",
            "Prerequisites for using HyperPod": "sagemaker-hyperpod-prerequisites",
            "Suggested resilience configurations": "sagemaker-hyperpod-eks-resiliency-config-tips",
            # The page for both orchestrators no longer exists; its part about the scripts is on the page for Slurm.
            "sagemaker-hyperpod-lifecycle-best-practices": "sagemaker-hyperpod-lifecycle-best-practices-slurm",
        },
    ),
    _guide(
        "ParallelCluster guide",
        at="parallelcluster/latest/ug",
        start="what-is-aws-parallelcluster",
        pages={
            "Custom bootstrap actions": "custom-bootstrap-actions-v3",
            "DevSettings": "cluster-configuration-file-v3",
            "Imds": "Imds-cluster-v3",
            "SharedStorage": "SharedStorage-v3",
            "Use a custom resource": "cloudformation-v3",
            "network configurations": "network-configuration-v3",
            "no internet access": "aws-parallelcluster-in-a-single-public-subnet-no-internet-v3",
        },
    ),
    _guide(
        "AWS PCS user guide",
        at="pcs/latest/userguide",
        start="what-is-service",
        pages={
            "Configure an AWS PCS compute node group to use a Capacity Block": "capacity-blocks-configure-cng",
            "Create or update an EC2 launch template": "working-with_networking_efa_create-lt",
            "Create or update compute node groups for EFA": "working-with_networking_efa_create-cng",
            "Custom Slurm settings for AWS PCS clusters": "slurm-custom-settings-cluster",
            "Custom Slurm settings for AWS PCS queues": "slurm-custom-settings-queue",
            "Slurm accounting": "slurm-accounting",
        },
    ),
    _guide(
        "CloudFormation user guide",
        at="AWSCloudFormation/latest/UserGuide",
        start="Welcome",
        pages={"quotas": "cloudformation-limits"},
    ),
    _guide(
        "CloudFormation guide",
        "CloudFormation schema of",
        at="AWSCloudFormation/latest/TemplateReference",
        start="introduction",
        pages={
            "AWS::CloudFormation::CustomResource": "aws-resource-cloudformation-customresource",
            "AWS::SageMaker::Cluster": "aws-resource-sagemaker-cluster",
            "AWS::SageMaker::ComputeQuota": "aws-resource-sagemaker-computequota",
        },
    ),
    _guide(
        "S3 user guide",
        at="AmazonS3/latest/userguide",
        start="Welcome",
        pages={
            "Blocking public access": "access-control-block-public-access",
            "Using versioning in S3 buckets": "Versioning",
            "default encryption": "bucket-encryption",
        },
    ),
    _guide(
        "VPC user guide",
        at="vpc/latest/userguide",
        start="what-is-amazon-vpc",
        pages={
            "Amazon VPC quotas": "amazon-vpc-limits",
            "Default security groups": "default-security-group",
            "NAT gateways": "vpc-nat-gateway",
            "Shared subnets": "vpc-sharing",
            "VPC CIDR blocks": "vpc-cidr-blocks",
        },
    ),
    _guide(
        "AWS PrivateLink guide",
        at="vpc/latest/privatelink",
        start="what-is-privatelink",
        pages={
            "Access an AWS service using an interface VPC endpoint": "create-interface-endpoint",
            "Gateway endpoints": "gateway-endpoints",
        },
    ),
    _guide(
        "EBS user guide",
        at="ebs/latest/userguide",
        start="what-is-ebs",
        pages={"How Amazon EBS encryption works": "how-ebs-encryption-works"},
    ),
    _guide(
        "IAM policy",
        at="aws-managed-policy/latest/reference",
        start="policy-list",
        pages={"AmazonSageMakerClusterInstanceRolePolicy": "AmazonSageMakerClusterInstanceRolePolicy"},
    ),
    _guide(
        "AWS CLI",
        at="cli/latest/reference",
        start="index",
        pages={"resource-groups create-group": "resource-groups/create-group"},
    ),
    Document(
        ("AWS, Introducing Amazon EKS support in Amazon SageMaker HyperPod",),
        "https://aws.amazon.com/blogs/machine-learning/introducing-amazon-eks-support-in-amazon-sagemaker-hyperpod/",
    ),
    Document(
        ("AWS, What's New of 2026-05-27",),
        "https://aws.amazon.com/about-aws/whats-new/2026/05/amazon-sagemaker-hyperpod-mincount",
    ),
    Document(
        ("AWS Neuron documentation, Neuron scheduler extension",),
        "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/containers/tutorials/k8s-neuron-scheduler.html",
    ),
)
"""The documents that AWS publishes."""


_AWS = "https://docs.aws.amazon.com"

SECURITY = (
    Document(
        ("AWS Config rules",),
        f"{_AWS}/config/latest/developerguide/managed-rules-by-aws-config.html",
        f"{_AWS}/config/latest/developerguide/{{}}.html",
        by_name=r"[a-z0-9]+(-[a-z0-9]+)+(?=$|[ ,;])",
    ),
    Document(
        ("AWS Control Tower controls",),
        f"{_AWS}/controltower/latest/controlreference/introduction.html",
        f"{_AWS}/controltower/latest/controlreference/{{}}.html",
        {"CT.EC2": "ec2-rules", "CT.EKS": "eks-rules"},
    ),
    Document(("EBS user guide, Encryption by default",), f"{_AWS}/ebs/latest/userguide/encryption-by-default.html"),
    Document(
        ("Kubernetes, Pod Security Standards",), "https://kubernetes.io/docs/concepts/security/pod-security-standards/"
    ),
    Document(("Kubernetes, RBAC Good Practices",), "https://kubernetes.io/docs/concepts/security/rbac-good-practices/"),
    Document(
        ("Kubernetes, Secrets Good Practices",),
        "https://kubernetes.io/docs/concepts/security/secrets-good-practices/",
    ),
    Document(("Pulumi, Secrets",), "https://www.pulumi.com/docs/iac/concepts/secrets/"),
)
