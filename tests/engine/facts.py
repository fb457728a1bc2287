"""What the SDKs do not tell about the types Muster uses: sets, what forces a replacement, how ids are made.

Each table is short on purpose and is no copy of the providers' schemas. A type that is missing here simply has no
sets, is never replaced, and gets an id of its own name.
"""

from collections.abc import Mapping

SETS: Mapping[str, tuple[str, ...]] = {
    "aws:autoscaling/group:Group": ("vpcZoneIdentifiers", "enabledMetrics", "suspendedProcesses"),
    "aws:ec2/launchTemplate:LaunchTemplate": (
        "vpcSecurityGroupIds",
        "securityGroupNames",
        "networkInterfaces.*.securityGroups",
    ),
    "aws:ec2/networkAcl:NetworkAcl": ("subnetIds", "ingress", "egress"),
    "aws:ec2/securityGroup:SecurityGroup": ("ingress", "egress", "ingress.*.securityGroups", "egress.*.securityGroups"),
    "aws:ec2/vpcEndpoint:VpcEndpoint": ("subnetIds", "securityGroupIds", "routeTableIds"),
    "aws:eks/accessEntry:AccessEntry": ("kubernetesGroups",),
    "aws:eks/accessPolicyAssociation:AccessPolicyAssociation": ("accessScope.namespaces",),
    "aws:eks/cluster:Cluster": (
        "enabledClusterLogTypes",
        "vpcConfig.publicAccessCidrs",
        "vpcConfig.securityGroupIds",
        "vpcConfig.subnetIds",
    ),
    "aws:eks/nodeGroup:NodeGroup": ("subnetIds", "taints", "remoteAccess.sourceSecurityGroupIds"),
    "aws:fsx/lustreFileSystem:LustreFileSystem": ("securityGroupIds",),
    "aws:iam/openIdConnectProvider:OpenIdConnectProvider": ("clientIdLists",),
    "aws:iam/role:Role": ("managedPolicyArns", "inlinePolicies"),
}
"""Lists in Pulumi that are sets in the AWS provider: read back in an order of AWS's own. `*` is each item of a list."""

REPLACES: Mapping[str, tuple[str, ...]] = {
    "aws-native:sagemaker:Cluster": ("clusterName", "vpcConfig"),
    "aws:cloudformation/stack:Stack": ("name",),
    "aws:ec2/launchTemplate:LaunchTemplate": ("name", "namePrefix"),
    "aws:ec2/placementGroup:PlacementGroup": ("name", "strategy", "partitionCount", "spreadLevel"),
    "aws:ec2/securityGroup:SecurityGroup": ("name", "namePrefix", "description", "vpcId"),
    "aws:ec2/securityGroupRule:SecurityGroupRule": (
        "type",
        "protocol",
        "fromPort",
        "toPort",
        "securityGroupId",
        "self",
    ),
    "aws:ec2/subnet:Subnet": ("vpcId", "cidrBlock", "availabilityZone", "availabilityZoneId"),
    "aws:ec2/vpc:Vpc": ("cidrBlock",),
    "aws:ec2/vpcEndpoint:VpcEndpoint": ("vpcId", "serviceName", "vpcEndpointType"),
    "aws:eks/accessEntry:AccessEntry": ("clusterName", "principalArn", "type"),
    "aws:eks/accessPolicyAssociation:AccessPolicyAssociation": (
        "clusterName",
        "principalArn",
        "policyArn",
        "accessScope",
    ),
    "aws:eks/addon:Addon": ("clusterName", "addonName"),
    "aws:eks/cluster:Cluster": ("name", "roleArn", "encryptionConfig", "bootstrapSelfManagedAddons"),
    "aws:eks/nodeGroup:NodeGroup": (
        "amiType",
        "capacityType",
        "clusterName",
        "diskSize",
        "instanceTypes",
        "nodeGroupName",
        "nodeGroupNamePrefix",
        "nodeRoleArn",
        "remoteAccess",
        "subnetIds",
    ),
    "aws:eks/podIdentityAssociation:PodIdentityAssociation": ("clusterName", "namespace", "serviceAccount"),
    "aws:fsx/lustreFileSystem:LustreFileSystem": (
        "deploymentType",
        "efaEnabled",
        "fileSystemTypeVersion",
        "kmsKeyId",
        "securityGroupIds",
        "storageType",
        "subnetIds",
    ),
    "aws:iam/role:Role": ("name", "namePrefix", "path"),
    "aws:iam/rolePolicyAttachment:RolePolicyAttachment": ("role", "policyArn"),
    "aws:s3/bucket:Bucket": ("bucket", "bucketPrefix"),
    "kubernetes:core/v1:ConfigMap": ("data", "binaryData", "metadata.name", "metadata.namespace"),
    "kubernetes:core/v1:Secret": ("data", "stringData", "type", "metadata.name", "metadata.namespace"),
    "kubernetes:helm.sh/v3:Release": ("name", "namespace"),
    "kubernetes:storage.k8s.io/v1:StorageClass": (
        "provisioner",
        "parameters",
        "reclaimPolicy",
        "volumeBindingMode",
        "metadata.name",
    ),
}
"""Inputs whose change forces a replacement, as the providers document it: those that Muster sets, not all there are."""

KUBERNETES_REPLACES = ("apiVersion", "kind", "metadata.name", "metadata.namespace")
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
    "aws:efs/fileSystem:FileSystem": "fs-",
    "aws:eks/podIdentityAssociation:PodIdentityAssociation": "a-",
    "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation": "dra-",
    "aws:fsx/lustreFileSystem:LustreFileSystem": "fs-",
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": "sgr-",
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": "sgr-",
}
"""Ids that AWS makes up: the prefix before 17 hexadecimal digits."""

ID_PATTERNS: Mapping[str, str] = {
    "aws:eks/accessEntry:AccessEntry": "{clusterName}:{principalArn}",
    "aws:eks/accessPolicyAssociation:AccessPolicyAssociation": "{clusterName}#{principalArn}#{policyArn}",
    "aws:eks/addon:Addon": "{clusterName}:{addonName}",
    "aws:eks/nodeGroup:NodeGroup": "{clusterName}:{nodeGroupName}",
    "aws:s3/bucket:Bucket": "{bucket}",
}
"""Ids that are made from inputs."""

ID_IS_ARN = frozenset(
    {
        "aws-native:sagemaker:Cluster",
        "aws:cloudformation/stack:Stack",
        "aws:iam/openIdConnectProvider:OpenIdConnectProvider",
        "aws:iam/policy:Policy",
        "aws:sns/topic:Topic",
    }
)

DEFAULT_REGION = "us-west-2"
ACCOUNT = "111122223333"
