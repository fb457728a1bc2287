"""What the SDKs do not tell about the types Muster uses: sets, what forces a replacement, how ids are made.

Each table is short on purpose and is no copy of the providers' schemas. A type that is missing here simply has no
sets, is never replaced, and gets an id of its own name. What replaces stands in Muster's own table.
"""

import csv
from collections.abc import Mapping
from pathlib import Path

EVERY_OBJECT = "kubernetes:*"
"""The table's type for the inputs that replace any Kubernetes object."""

SETS: Mapping[str, tuple[str, ...]] = {
    "aws:autoscaling/group:Group": ("vpcZoneIdentifiers", "enabledMetrics", "suspendedProcesses", "tags"),
    "aws:cloudformation/stack:Stack": ("capabilities", "notificationArns"),
    "aws:ec2/launchTemplate:LaunchTemplate": (
        "vpcSecurityGroupIds",
        "securityGroupNames",
        "networkInterfaces.*.securityGroups",
    ),
    "aws:ec2/natGateway:NatGateway": (
        "availabilityZoneAddresses",
        "secondaryAllocationIds",
        "secondaryPrivateIpAddresses",
    ),
    "aws:ec2/networkAcl:NetworkAcl": ("subnetIds", "ingress", "egress"),
    "aws:ec2/routeTable:RouteTable": ("propagatingVgws", "routes"),
    "aws:ec2/securityGroup:SecurityGroup": ("ingress", "egress", "ingress.*.securityGroups", "egress.*.securityGroups"),
    "aws:ec2/vpcEndpoint:VpcEndpoint": (
        "routeTableIds",
        "securityGroupIds",
        "subnetConfigurations",
        "subnetIds",
    ),
    "aws:eks/accessEntry:AccessEntry": ("kubernetesGroups",),
    "aws:eks/accessPolicyAssociation:AccessPolicyAssociation": ("accessScope.namespaces",),
    "aws:eks/cluster:Cluster": (
        "enabledClusterLogTypes",
        "vpcConfig.publicAccessCidrs",
        "vpcConfig.securityGroupIds",
        "vpcConfig.subnetIds",
    ),
    "aws:eks/nodeGroup:NodeGroup": ("subnetIds", "taints", "remoteAccess.sourceSecurityGroupIds"),
    "aws:efs/mountTarget:MountTarget": ("securityGroups",),
    "aws:fsx/lustreFileSystem:LustreFileSystem": ("securityGroupIds",),
    "aws:fsx/openZfsFileSystem:OpenZfsFileSystem": ("securityGroupIds",),
    "aws:iam/openIdConnectProvider:OpenIdConnectProvider": ("clientIdLists",),
    "aws:iam/role:Role": ("managedPolicyArns", "inlinePolicies"),
    "aws:resourcegroups/group:Group": ("configurations", "configurations.*.parameters"),
}
"""Lists in Pulumi that are sets in the AWS provider: read back in an order of AWS's own. `*` is each item of a list."""


SHADOWED = {
    "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration",
    "aws:s3/bucketVersioning:BucketVersioning",
}
"""Other classes of the SDK have their names, so that their inputs cannot be read there; they go with their bucket."""


with Path(__file__).with_name("replacing_inputs.csv").open(encoding="utf-8", newline="") as _file:
    _ROWS = tuple(csv.DictReader(_file))
"""The inputs that replace a resource: its type, the input, the change that does (`changed`; `lowered`; `removed`;
`set`, from one value to another), and the source."""


def _replacing(when: str) -> Mapping[str, tuple[str, ...]]:
    """The inputs of each type that replace it when they change so."""
    found: dict[str, tuple[str, ...]] = {}
    for row in _ROWS:
        if row["when"] == when and row["type"] not in {EVERY_OBJECT, "pulumi:providers:kubernetes", *SHADOWED}:
            found[row["type"]] = (*found.get(row["type"], ()), row["input"])
    return found


REPLACES = _replacing("changed")
REPLACES_WHEN_LOWERED = _replacing("lowered")
"""Inputs that grow in place and do not shrink: numbers, and versions as text."""
REPLACES_WHEN_REMOVED = _replacing("removed")
REPLACES_WHEN_SET = _replacing("set")
"""Inputs whose value AWS chooses if a program does not set it, and the provider then keeps."""

REFUSED_IN_A_GROUP = (
    "capacityRequirements",
    "instanceStorageConfigs",
    "instanceType",
    "networkInterface",
    "overrideVpcConfig",
    "threadsPerCore",
)
"""What SageMaker does not change in an instance group of HyperPod that exists. SageMaker guide: "To update an existing
instance group, you must match the instance type", the threads likewise ("Updating SageMaker HyperPod cluster
configuration"); "you can't change the KMS key" ("Customer managed AWS KMS key encryption"); the network is for good. Of
Spot, a volume's size and the kind of interfaces nothing says that they change."""

FOR_NEW_INSTANCES = ("imageId", "imageReleaseVersion", "lifeCycleConfig", "trainingPlanArn")
"""What it changes for the instances that come from then on. Guide: "you can change the values for both `SourceS3Uri`
and `OnCreate`"; "You can add, update, or remove a training plan by updating the instance group"; instances that run get
another image by UpdateClusterSoftware."""

KUBERNETES_REPLACES = tuple(row["input"] for row in _ROWS if row["type"] == EVERY_OBJECT)
"""What replaces every Kubernetes object that has no row of its own above."""

NESTED_COMPUTED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "aws:eks/cluster:Cluster": {
        "vpcConfig": ("clusterSecurityGroupId", "vpcId", "endpointPrivateAccess", "endpointPublicAccess")
    },
    "aws:eks/nodeGroup:NodeGroup": {"launchTemplate": ("name",)},
}
"""What AWS adds inside an object that the program gives. The SDK types call these Optional, like all that is nested."""

NEW_AT_EACH_UPDATE: Mapping[str, tuple[str, ...]] = {"aws:ec2/launchTemplate:LaunchTemplate": ("latestVersion",)}
"""Numbers that grow by one with each update, and are unknown in its preview."""

NAMES: Mapping[str, str] = {
    "aws-native:sagemaker:Cluster": "clusterName",
    "aws:eks/nodeGroup:NodeGroup": "nodeGroupName",
    "aws:s3/bucket:Bucket": "bucket",
    "kubernetes:helm.sh/v3:Release": "name",
}
"""The input that the provider names automatically, where it is not `name`."""

ID_PREFIXES: Mapping[str, str] = {
    "aws:ec2/capacityBlockReservation:CapacityBlockReservation": "cr-",
    "aws:ec2/capacityReservation:CapacityReservation": "cr-",
    "aws:ec2/eip:Eip": "eipalloc-",
    "aws:ec2/flowLog:FlowLog": "fl-",
    "aws:ec2/instance:Instance": "i-",
    "aws:ec2/internetGateway:InternetGateway": "igw-",
    "aws:ec2/launchTemplate:LaunchTemplate": "lt-",
    "aws:ec2/natGateway:NatGateway": "nat-",
    "aws:ec2/networkAcl:NetworkAcl": "acl-",
    "aws:ec2/networkInterface:NetworkInterface": "eni-",
    "aws:ec2/route:Route": "r-",
    "aws:ec2/routeTable:RouteTable": "rtb-",
    "aws:ec2/routeTableAssociation:RouteTableAssociation": "rtbassoc-",
    "aws:ec2/securityGroup:SecurityGroup": "sg-",
    "aws:ec2/securityGroupRule:SecurityGroupRule": "sgrule-",
    "aws:ec2/subnet:Subnet": "subnet-",
    "aws:ec2/vpc:Vpc": "vpc-",
    "aws:ec2/vpcDhcpOptions:VpcDhcpOptions": "dopt-",
    "aws:ec2/vpcEndpoint:VpcEndpoint": "vpce-",
    "aws:ec2/vpcIpv4CidrBlockAssociation:VpcIpv4CidrBlockAssociation": "vpc-cidr-assoc-",
    "aws:efs/fileSystem:FileSystem": "fs-",
    "aws:efs/mountTarget:MountTarget": "fsmt-",
    "aws:eks/podIdentityAssociation:PodIdentityAssociation": "a-",
    "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation": "dra-",
    "aws:fsx/lustreFileSystem:LustreFileSystem": "fs-",
    "aws:fsx/openZfsFileSystem:OpenZfsFileSystem": "fs-",
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": "sgr-",
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": "sgr-",
}
"""Ids that AWS makes up: the prefix before 17 hexadecimal digits."""

ID_PATTERNS: Mapping[str, str] = {
    "aws:eks/accessEntry:AccessEntry": "{clusterName}:{principalArn}",
    "aws:eks/accessPolicyAssociation:AccessPolicyAssociation": "{clusterName}#{principalArn}#{policyArn}",
    "aws:ecr/lifecyclePolicy:LifecyclePolicy": "{repository}",
    "aws:eks/addon:Addon": "{clusterName}:{addonName}",
    "aws:eks/nodeGroup:NodeGroup": "{clusterName}:{nodeGroupName}",
    "aws:autoscaling/schedule:Schedule": "{scheduledActionName}",
    "aws:resourcegroups/resource:Resource": "{groupArn}_{resourceArn}",
    "aws:s3/bucket:Bucket": "{bucket}",
}
"""Ids that are made from inputs."""

ID_IS_ARN = frozenset(
    {
        "aws-native:index:ExtensionResource",
        "aws-native:pcs:ComputeNodeGroup",
        "aws-native:pcs:Queue",
        "aws-native:sagemaker:Cluster",
        "aws:cloudformation/stack:Stack",
        "aws:iam/openIdConnectProvider:OpenIdConnectProvider",
        "aws:iam/policy:Policy",
        "aws:sns/topic:Topic",
    }
)

SERVICES: Mapping[str, str] = {"cloudwatch": "logs", "resourcegroups": "resource-groups", "vpc": "ec2"}
"""What ARNs call a service, where the SDK's module has another name."""

DEFAULT_REGION = "us-west-2"
ACCOUNT = "111122223333"
