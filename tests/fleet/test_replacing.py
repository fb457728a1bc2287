"""Which inputs replace a resource: the table against what AWS and the providers publish, and against the fields."""

import json
import re
from collections.abc import Mapping

import pytest
from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER

from muster.extras.against.resource_changes import (
    EVERY_OBJECT,
    ReplacesWhen,
    ReplacingInput,
    known_types,
    replacing_inputs,
)
from muster.unknown import UNKNOWN
from tests.stack_files import ROOT
from tools.replacing_inputs import differences, marked_inputs, of_native

CLOUDFORMATION: Mapping[str, str] = {
    "aws-native:sagemaker:Cluster": "AWS::SageMaker::Cluster",
    "aws-native:sagemaker:ComputeQuota": "AWS::SageMaker::ComputeQuota",
    "aws:autoscaling/group:Group": "AWS::AutoScaling::AutoScalingGroup",
    "aws:autoscaling/schedule:Schedule": "AWS::AutoScaling::ScheduledAction",
    "aws:cloudwatch/logGroup:LogGroup": "AWS::Logs::LogGroup",
    "aws-native:pcs:ComputeNodeGroup": "AWS::PCS::ComputeNodeGroup",
    "aws-native:pcs:Queue": "AWS::PCS::Queue",
    "aws:ec2/eip:Eip": "AWS::EC2::EIP",
    "aws:ec2/internetGateway:InternetGateway": "AWS::EC2::InternetGateway",
    "aws:ec2/keyPair:KeyPair": "AWS::EC2::KeyPair",
    "aws:ec2/launchTemplate:LaunchTemplate": "AWS::EC2::LaunchTemplate",
    "aws:ec2/natGateway:NatGateway": "AWS::EC2::NatGateway",
    "aws:ec2/placementGroup:PlacementGroup": "AWS::EC2::PlacementGroup",
    "aws:ec2/route:Route": "AWS::EC2::Route",
    "aws:ec2/routeTable:RouteTable": "AWS::EC2::RouteTable",
    "aws:ec2/routeTableAssociation:RouteTableAssociation": "AWS::EC2::SubnetRouteTableAssociation",
    "aws:ec2/securityGroup:SecurityGroup": "AWS::EC2::SecurityGroup",
    "aws:ec2/subnet:Subnet": "AWS::EC2::Subnet",
    "aws:ec2/vpc:Vpc": "AWS::EC2::VPC",
    "aws:ec2/vpcEndpoint:VpcEndpoint": "AWS::EC2::VPCEndpoint",
    "aws:ecr/repository:Repository": "AWS::ECR::Repository",
    "aws:eks/accessEntry:AccessEntry": "AWS::EKS::AccessEntry",
    "aws:eks/addon:Addon": "AWS::EKS::Addon",
    "aws:eks/cluster:Cluster": "AWS::EKS::Cluster",
    "aws:eks/nodeGroup:NodeGroup": "AWS::EKS::Nodegroup",
    "aws:eks/podIdentityAssociation:PodIdentityAssociation": "AWS::EKS::PodIdentityAssociation",
    "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation": "AWS::FSx::DataRepositoryAssociation",
    "aws:fsx/lustreFileSystem:LustreFileSystem": "AWS::FSx::FileSystem",
    "aws:iam/instanceProfile:InstanceProfile": "AWS::IAM::InstanceProfile",
    "aws:iam/openIdConnectProvider:OpenIdConnectProvider": "AWS::IAM::OIDCProvider",
    "aws:iam/role:Role": "AWS::IAM::Role",
    "aws:iam/rolePolicy:RolePolicy": "AWS::IAM::RolePolicy",
    "aws:kms/alias:Alias": "AWS::KMS::Alias",
    "aws:kms/key:Key": "AWS::KMS::Key",
    "aws:resourcegroups/group:Group": "AWS::ResourceGroups::Group",
    "aws:s3/bucket:Bucket": "AWS::S3::Bucket",
    "aws:s3/bucketPolicy:BucketPolicy": "AWS::S3::BucketPolicy",
    "aws:sagemaker/mlflowApp:MlflowApp": "AWS::SageMaker::MlflowApp",
    "aws:sagemaker/mlflowTrackingServer:MlflowTrackingServer": "AWS::SageMaker::MlflowTrackingServer",
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": "AWS::EC2::SecurityGroupEgress",
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": "AWS::EC2::SecurityGroupIngress",
}
"""The types of the table that CloudFormation has, too."""

CALLED: Mapping[str, Mapping[str, str]] = {
    "aws:autoscaling/group:Group": {"AutoScalingGroupName": "name"},
    "aws:autoscaling/schedule:Schedule": {"AutoScalingGroupName": "autoscalingGroupName"},
    "aws:cloudwatch/logGroup:LogGroup": {"LogGroupName": "name"},
    "aws:ec2/keyPair:KeyPair": {"PublicKeyMaterial": "publicKey"},
    "aws:ec2/launchTemplate:LaunchTemplate": {"LaunchTemplateName": "name"},
    "aws:ec2/natGateway:NatGateway": {"PrivateIpAddress": "privateIp"},
    "aws:ec2/securityGroup:SecurityGroup": {"GroupName": "name", "GroupDescription": "description"},
    "aws:ecr/repository:Repository": {
        "RepositoryName": "name",
        "EncryptionConfiguration": "encryptionConfigurations",
        "EncryptionConfiguration/EncryptionType": "encryptionConfigurations",
        "EncryptionConfiguration/KmsKey": "encryptionConfigurations",
    },
    "aws:eks/nodeGroup:NodeGroup": {
        "NodegroupName": "nodeGroupName",
        "NodeRole": "nodeRoleArn",
        "Subnets": "subnetIds",
    },
    "aws:iam/instanceProfile:InstanceProfile": {"InstanceProfileName": "name"},
    "aws:iam/role:Role": {"RoleName": "name"},
    "aws:iam/rolePolicy:RolePolicy": {"PolicyName": "name", "RoleName": "role"},
    "aws:kms/alias:Alias": {"AliasName": "name"},
    "aws:s3/bucket:Bucket": {"BucketName": "bucket", "BucketNamePrefix": "bucketPrefix"},
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": {"GroupId": "securityGroupId"},
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": {"GroupId": "securityGroupId"},
}
"""What CloudFormation calls otherwise than the provider."""

NOT_OURS: Mapping[str, str] = {
    "aws:autoscaling/group:Group": "InstanceId",
    "aws:ec2/eip:Eip": "IpamPoolId TransferAddress",
    "aws:ec2/keyPair:KeyPair": "KeyType KeyFormat",
    "aws:ec2/placementGroup:PlacementGroup": "ParentGroupId",
    "aws:ec2/subnet:Subnet": "OutpostArn Ipv6Native Ipv4IpamPoolId Ipv4NetmaskLength Ipv6IpamPoolId Ipv6NetmaskLength",
    "aws:ec2/vpc:Vpc": "Ipv4IpamPoolId Ipv4NetmaskLength VpcEncryptionControl",
    "aws:ec2/vpcEndpoint:VpcEndpoint": "ServiceNetworkArn ResourceConfigurationArn DnsOptions/PrivateDnsPreference "
    "DnsOptions/PrivateDnsSpecifiedDomains",
    "aws:eks/addon:Addon": "NamespaceConfig",
    "aws:eks/cluster:Cluster": "OutpostConfig",
    "aws:fsx/lustreFileSystem:LustreFileSystem": "FileSystemType",
    "aws:s3/bucket:Bucket": "BucketNamespace",
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": "DestinationPrefixListId",
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": "GroupName SourcePrefixListId "
    "SourceSecurityGroupName SourceSecurityGroupOwnerId",
}
"""What is create-only there and no program of ours says: a test holds it."""

OTHERWISE: Mapping[str, tuple[str, str]] = {
    "aws-native:pcs:ComputeNodeGroup": (
        "Name InstanceConfigs",
        "the provider asks for an update, which Cloud Control refuses: its schema is older",
    ),
    "aws:ec2/keyPair:KeyPair": ("Tags", "the provider tags what exists (CreateTags)"),
    "aws:ec2/placementGroup:PlacementGroup": ("Tags", "the provider tags what exists (CreateTags)"),
    "aws:ec2/routeTableAssociation:RouteTableAssociation": (
        "RouteTableId",
        "the provider moves it (ReplaceRouteTableAssociation)",
    ),
    "aws:eks/cluster:Cluster": (
        "EncryptionConfig",
        "the provider replaces where it is removed alone, and asks EKS for nothing where the key is another one",
    ),
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": (
        "IpProtocol DestinationSecurityGroupId ToPort CidrIp FromPort CidrIpv6",
        "the provider changes what exists (ModifySecurityGroupRules)",
    ),
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": (
        "IpProtocol SourceSecurityGroupId ToPort CidrIp FromPort CidrIpv6",
        "the provider changes what exists (ModifySecurityGroupRules)",
    ),
}
"""What is create-only there and the provider changes all the same, and how."""


def create_only(type_: str) -> set[str]:
    """What CloudFormation changes in nothing that exists, in its own words."""
    schema = PROVIDER_SCHEMA_MANAGER.get_resource_schema("us-west-2", CLOUDFORMATION[type_]).schema
    return {path.removeprefix("/properties/") for path in schema.get("createOnlyProperties", ())}


def in_our_words(type_: str, path: str) -> str:
    """``KubernetesNetworkConfig/IpFamily`` -> ``kubernetesNetworkConfig.ipFamily``."""
    called = CALLED.get(type_, {}).get(path)
    return called or ".".join(f"{step[0].lower()}{step[1:]}" for step in path.split("/"))


def test_what_aws_calls_create_only_replaces() -> None:
    """Everything that CloudFormation's schema names is in the table, is nothing we say, or has its reason."""
    for type_ in CLOUDFORMATION:
        beside = {*NOT_OURS.get(type_, "").split(), *OTHERWISE.get(type_, ("", ""))[0].split()}
        published = create_only(type_)
        assert beside <= published, "AWS no longer calls it create-only"
        known = {
            each.input for each in replacing_inputs(type_) if each.when in (ReplacesWhen.CHANGED, ReplacesWhen.SET)
        }
        assert {in_our_words(type_, path) for path in published - beside} <= known, type_


def test_what_is_said_to_stand_in_a_schema_of_cloudformation_stands_there() -> None:
    """A row that names CloudFormation as its source is what the schema says, and names the right type."""
    for type_ in known_types():
        for each in replacing_inputs(type_):
            if each.source.startswith("cloudformation "):
                assert each.source == f"cloudformation {CLOUDFORMATION[type_]}"
                assert each.input in {in_our_words(type_, path) for path in create_only(type_)}, (type_, each.input)


def registered() -> Mapping[str, set[str]]:
    """The types that our stacks register, with the inputs that they are given."""
    found: dict[str, set[str]] = {}
    for plan in (ROOT / "tests" / "golden").glob("*.plan.json"):
        for each in json.loads(plan.read_text(encoding="utf-8"))["resources"]:
            found.setdefault(each["type"], set()).update(each["inputs"])
    return found


def test_every_registered_type_is_in_the_table() -> None:
    """A type that is missing would never be replaced."""
    resources = {type_ for type_ in registered() if type_.startswith(("aws:", "aws-native:"))}
    assert resources - known_types() == set()


def test_nothing_that_a_program_of_ours_says_is_left_out_as_not_ours() -> None:
    """What is left out of the table for being nobody's input is no input of any stack."""
    given = registered()
    for type_, names in NOT_OURS.items():
        said = {in_our_words(type_, name).partition(".")[0] for name in names.split()}
        assert said & given.get(type_, set()) == set(), type_


def test_the_native_provider_says_the_same() -> None:
    """Its SDK has what its own schema replaces."""
    native = pytest.importorskip("pulumi_aws_native")
    for type_ in (native.sagemaker.Cluster, native.pcs.ComputeNodeGroup, native.pcs.Queue):
        assert of_native(type_) == {each.input for each in replacing_inputs(type_.pulumi_type)}


def test_objects_of_kubernetes_have_what_every_object_has() -> None:
    """A kind that no row names is replaced for its name, and a release has none of an object's metadata."""
    queue = {each.input for each in replacing_inputs("kubernetes:scheduling.volcano.sh/v1beta1:Queue")}
    assert queue == {each.input for each in replacing_inputs(EVERY_OBJECT)}
    assert {"spec.csi", "metadata.name"} <= {
        each.input for each in replacing_inputs("kubernetes:core/v1:PersistentVolume")
    }
    assert {each.input for each in replacing_inputs("kubernetes:helm.sh/v3:Release")} == {"name", "namespace"}


def test_every_row_has_a_source_and_stands_once() -> None:
    """By name: a file at a commit, a schema, or what an id is made of."""
    form = re.compile(
        r"cloudformation AWS::\w+::\w+|terraform-provider-aws internal/\S+\.go( at [0-9a-f]{12})?"
        r"|pulumi-kubernetes provider/\S+\.go at [0-9a-f]{9}|names: .+|documented: .+"
    )
    for type_ in known_types():
        inputs = [each.input for each in replacing_inputs(type_)]
        assert len(inputs) == len(set(inputs)), type_
        assert [each.source for each in replacing_inputs(type_) if not form.fullmatch(each.source)] == []


@pytest.mark.parametrize(
    ("when", "before", "after", "replaces"),
    [
        (ReplacesWhen.CHANGED, "a", "b", True),
        (ReplacesWhen.CHANGED, None, "b", True),
        (ReplacesWhen.CHANGED, "a", None, True),
        (ReplacesWhen.CHANGED, "a", UNKNOWN, True),
        (ReplacesWhen.CHANGED, UNKNOWN, "a", True),
        (ReplacesWhen.CHANGED, UNKNOWN, UNKNOWN, True),
        (ReplacesWhen.CHANGED, "a", "a", False),
        (ReplacesWhen.LOWERED, 2400, 1200, True),
        (ReplacesWhen.LOWERED, 1200, 2400, False),
        (ReplacesWhen.LOWERED, 1200, 1200, False),
        (ReplacesWhen.LOWERED, "1200", 1200, False),
        (ReplacesWhen.LOWERED, "2.15", "2.15.0", False),
        (ReplacesWhen.LOWERED, "2.15.1", "2.15", True),
        (ReplacesWhen.LOWERED, "2.15", "2.12", True),
        (ReplacesWhen.LOWERED, "2.9", "2.10", False),
        (ReplacesWhen.LOWERED, None, 1200, False),
        (ReplacesWhen.LOWERED, 1200, None, False),
        (ReplacesWhen.LOWERED, None, None, False),
        (ReplacesWhen.LOWERED, None, UNKNOWN, False),
        (ReplacesWhen.LOWERED, UNKNOWN, None, False),
        (ReplacesWhen.LOWERED, UNKNOWN, UNKNOWN, False),
        (ReplacesWhen.LOWERED, 1200, UNKNOWN, True),
        (ReplacesWhen.LOWERED, UNKNOWN, 1200, True),
        (ReplacesWhen.LOWERED, "2.10", "2.9", True),
        (ReplacesWhen.LOWERED, "2.15", "2.15", False),
        (ReplacesWhen.LOWERED, 1.5, 1.25, True),
        (ReplacesWhen.SET, "ipv4", "ipv6", True),
        (ReplacesWhen.SET, "ipv4", UNKNOWN, True),
        (ReplacesWhen.SET, "ipv4", None, False),
        (ReplacesWhen.SET, None, "ipv4", False),
        (ReplacesWhen.REMOVED, {"a": 1}, None, True),
        (ReplacesWhen.REMOVED, {"a": 1}, {"a": 2}, False),
        (ReplacesWhen.REMOVED, None, {"a": 1}, False),
        (ReplacesWhen.REMOVED, None, None, False),
    ],
)
def test_which_change_of_an_input_replaces(when: ReplacesWhen, before: object, after: object, replaces: bool) -> None:
    """Any; a lower number, by its parts; or only that it is gone. What is unknown counts as another value."""
    assert ReplacingInput("it", when, "").by(before, after) is replaces


SCHEMA = {
    "resources": {
        "aws:kms/key:Key": {"inputProperties": {"policy": {"willReplaceOnChanges": True}, "tags": {}}},
        "aws:fsx/lustreFileSystem:LustreFileSystem": {
            "inputProperties": {
                name: {"willReplaceOnChanges": True}
                for name in {each.input for each in replacing_inputs("aws:fsx/lustreFileSystem:LustreFileSystem")}
                - {"fileSystemTypeVersion", "metadataConfiguration.iops", "kmsKeyId"}
            }
        },
        "aws:eks/accessPolicyAssociation:AccessPolicyAssociation": {
            "inputProperties": {
                "clusterName": {"replaceOnChanges": True},
                "policyArn": {"replaceOnChanges": True},
                "principalArn": {"replaceOnChanges": True},
                "accessScope": {"$ref": "#/types/aws:eks/Scope"},
            }
        },
        "aws:other:Type": {"inputProperties": {"it": {"willReplaceOnChanges": True}}},
    },
    "types": {"aws:eks/Scope": {"properties": {"type": {"willReplaceOnChanges": True}, "namespaces": {}}}},
}


def test_a_providers_schema_is_compared_input_by_input() -> None:
    """What either lacks is told, and of a partly replacing input that the schema says any change replaces."""
    token = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
    assert set(marked_inputs(SCHEMA, token)) == {"clusterName", "policyArn", "principalArn", "accessScope.type"}
    assert list(differences(SCHEMA)) == [
        f"{token}: the table replaces for accessScope, the schema does not",
        "aws:fsx/lustreFileSystem:LustreFileSystem: the table replaces for kmsKeyId, the schema does not",
        "aws:fsx/lustreFileSystem:LustreFileSystem: the schema replaces for any change of storageCapacity",
        "aws:kms/key:Key: the schema replaces for policy, the table does not",
    ]
