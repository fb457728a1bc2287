"""Where a judged thing comes from, and how one thing names another."""

from dataclasses import dataclass, field, replace
from typing import Self

from muster.finding import KeyPath


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """The origin of a judged thing: a path in a description (``groups.workers``), or a resource's URN."""

    resource: str
    part: str = ""
    """Which part of the resource, in words, where several things are one resource: ``queue gpu, workers``."""
    inside: KeyPath = field(default=(), compare=False)
    """The path of that part in the resource: ``("Scheduling", "SlurmQueues", 0)`` in a configuration of
    ParallelCluster, ``("instanceGroups", 0)`` in the inputs of a HyperPod cluster."""

    @property
    def described(self) -> bool:
        """Whether it is in a description. A resource that a program registers is named by its URN."""
        return not self.resource.startswith("urn:")

    def within(self, inside: KeyPath) -> Self:
        """The place of a smaller block of the same resource; in a description, this place."""
        return self if self.described or not inside else replace(self, inside=inside)

    def path(self, at: str = "") -> str:
        """A place below this one; a resource has none: its URN names it whole."""
        if not self.described or not at:
            return self.resource
        return f"{self.resource}.{at}" if self.resource else at


@dataclass(frozen=True, slots=True, order=True)
class Ref:
    """A thing in the same program, by Pulumi type token and logical name."""

    type: str
    name: str

    @classmethod
    def of_urn(cls, urn: str) -> Self:
        """``urn:pulumi:stack::project::parent$type::name`` -> (type, name)."""
        qualified, name = urn.split("::", 3)[2:]
        return cls(qualified.rpartition("$")[2], name)

    def __str__(self) -> str:
        return f"{self.name} ({self.type.partition('/')[0]})"


Reference = Ref | str
"""A thing of this program (`Ref`), or one outside it by its AWS id."""

CLUSTER = "aws:eks/cluster:Cluster"
SECURITY_GROUP = "aws:ec2/securityGroup:SecurityGroup"
DEFAULT_GROUP = "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup"
LAUNCH_TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate"
NODE_GROUP = "aws:eks/nodeGroup:NodeGroup"
PLACEMENT_GROUP = "aws:ec2/placementGroup:PlacementGroup"
SUBNET = "aws:ec2/subnet:Subnet"
VPC = "aws:ec2/vpc:Vpc"
INTERNET_GATEWAY = "aws:ec2/internetGateway:InternetGateway"
NAT_GATEWAY = "aws:ec2/natGateway:NatGateway"
ADDRESS = "aws:ec2/eip:Eip"
AUTO_SCALING_GROUP = "aws:autoscaling/group:Group"
CAPACITY_RESERVATION = "aws:ec2/capacityReservation:CapacityReservation"
CAPACITY_BLOCK = "aws:ec2/capacityBlockReservation:CapacityBlockReservation"
RESOURCE_GROUP = "aws:resourcegroups/group:Group"
LUSTRE = "aws:fsx/lustreFileSystem:LustreFileSystem"
EFS = "aws:efs/fileSystem:FileSystem"
MOUNT_TARGET = "aws:efs/mountTarget:MountTarget"
OPENZFS = "aws:fsx/openZfsFileSystem:OpenZfsFileSystem"
DATA_ASSOCIATION = "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation"
KEY = "aws:kms/key:Key"
ACCESS_ENTRY = "aws:eks/accessEntry:AccessEntry"
ACCESS_POLICY = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
ADDON = "aws:eks/addon:Addon"
CLOUDFORMATION_STACK = "aws:cloudformation/stack:Stack"
KEY_PAIR = "aws:ec2/keyPair:KeyPair"
HYPERPOD = "aws-native:sagemaker:Cluster"
CLOUD_CONTROL = "aws-native:index:ExtensionResource"
"""A resource of any CloudFormation type, which the input `type` names, with the properties of that type."""
PCS_CLUSTER = "aws-native:pcs:Cluster"
PCS_NODE_GROUP = "aws-native:pcs:ComputeNodeGroup"
PCS_QUEUE = "aws-native:pcs:Queue"
ROLE = "aws:iam/role:Role"
INSTANCE_PROFILE = "aws:iam/instanceProfile:InstanceProfile"
COMPUTE_QUOTA = "aws-native:sagemaker:ComputeQuota"
BUCKET = "aws:s3/bucket:Bucket"
DIRECTORY_BUCKET = "aws:s3/directoryBucket:DirectoryBucket"
TRACKING_SERVER = "aws:sagemaker/mlflowTrackingServer:MlflowTrackingServer"
MLFLOW_APP = "aws:sagemaker/mlflowApp:MlflowApp"
NODE_POOL = "kubernetes:karpenter.sh/v1:NodePool"
EC2_NODE_CLASS = "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass"
NODE_CLASS = "kubernetes:eks.amazonaws.com/v1:NodeClass"
"""Of EKS Auto Mode."""
MOUNTED_BUCKET = "muster:storage:MountedBucket"
"""Not a Pulumi type: a bucket that pods mount, which a description names."""
KUBERNETES_ADDON = "muster:addons:Addon"
"""Not a Pulumi type: one of Muster's add-ons, whether it is registered as a release or as a manifest."""
