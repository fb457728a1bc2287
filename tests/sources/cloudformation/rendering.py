"""Registered resources of a Pulumi program, written as a CloudFormation template: the inverse of the reader."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.unknown import UNKNOWN

PASCAL = {
    "forceDelete": "EmptyOnDelete",
    "deletionWindowInDays": "PendingWindowInDays",
    "vpcSecurityGroupIds": "SecurityGroupIds",
    "vpcZoneIdentifiers": "VPCZoneIdentifier",
    "nodeRoleArn": "NodeRole",
    "volumeSizeInGb": "VolumeSizeInGB",
}


def pascal(value: Any) -> Any:
    """Inputs with CloudFormation's names. Blocks of labels and tags keep theirs."""
    if isinstance(value, Mapping):
        return {
            PASCAL.get(key, f"{key[:1].upper()}{key[1:]}"): each if key in ("labels", "tags") else pascal(each)
            for key, each in value.items()
            if each is not None and not key.startswith("__")
        }
    return [pascal(each) for each in value] if isinstance(value, list) else value


def without(inputs: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Inputs without some of them, and without tags, whose form differs."""
    return {key: value for key, value in inputs.items() if key not in {*names, "tags", "namePrefix"}}


def same(kind: str, **renamed: str) -> Callable[[Mapping[str, Any]], tuple[str, Any]]:
    """A type with the same properties, but for some names."""

    def render(inputs: Mapping[str, Any]) -> tuple[str, Any]:
        left = without(inputs)
        other = {renamed[key]: pascal(left.pop(key)) for key in [*left] if key in renamed}
        return kind, {**pascal(left), **other}

    return render


def cluster(inputs: Mapping[str, Any]) -> tuple[str, Any]:
    """`AWS::EKS::Cluster`."""
    properties = pascal(without(inputs, "vpcConfig"))
    properties["ResourcesVpcConfig"] = pascal(without(inputs.get("vpcConfig", {}), "clusterSecurityGroupId", "vpcId"))
    if isinstance(properties.get("EncryptionConfig"), Mapping):
        properties["EncryptionConfig"] = [properties["EncryptionConfig"]]
    if logged := properties.pop("EnabledClusterLogTypes", None):
        properties["Logging"] = {"ClusterLogging": {"EnabledTypes": [{"Type": each} for each in logged]}}
    return "AWS::EKS::Cluster", properties


def node_group(inputs: Mapping[str, Any]) -> tuple[str, Any]:
    """`AWS::EKS::Nodegroup`."""
    properties = pascal(without(inputs, "subnetIds", "nodeGroupNamePrefix"))
    return "AWS::EKS::Nodegroup", {
        **properties,
        "Subnets": inputs["subnetIds"],
    } if "subnetIds" in inputs else properties


def addon(inputs: Mapping[str, Any]) -> tuple[str, Any]:
    """`AWS::EKS::Addon`, which has one setting for what differs when it is created and when it is updated."""
    properties = pascal(without(inputs, "resolveConflictsOnCreate", "resolveConflictsOnUpdate"))
    return "AWS::EKS::Addon", {**properties, "ResolveConflicts": inputs["resolveConflictsOnUpdate"]}


def tagged(specification: Mapping[str, Any]) -> dict[str, Any]:
    """The tags of what a launch template makes, as a list."""
    tags = specification.get("tags", {})
    listed = [{"Key": key, "Value": value} for key, value in tags.items()]
    return {"ResourceType": specification["resourceType"], "Tags": listed}


def launch_template(inputs: Mapping[str, Any]) -> tuple[str, Any]:
    """`AWS::EC2::LaunchTemplate`."""
    data = pascal(without(inputs, "name", "updateDefaultVersion", "networkInterfaces", "tagSpecifications"))
    if "tagSpecifications" in inputs:
        data["TagSpecifications"] = [tagged(each) for each in inputs["tagSpecifications"]]
    if "networkInterfaces" in inputs:
        data["NetworkInterfaces"] = [
            {"Groups" if key == "SecurityGroups" else key: value for key, value in pascal(each).items()}
            for each in inputs["networkInterfaces"]
        ]
    return "AWS::EC2::LaunchTemplate", {"LaunchTemplateData": data}


def security_group(inputs: Mapping[str, Any]) -> tuple[str, Any]:
    """`AWS::EC2::SecurityGroup` without rules; CDK writes such an egress rule to have none."""
    nothing = {"CidrIp": "255.255.255.255/32", "IpProtocol": "icmp", "FromPort": 252, "ToPort": 86}
    given = {"VpcId": inputs.get("vpcId"), "GroupDescription": "a group", "SecurityGroupEgress": [nothing]}
    return "AWS::EC2::SecurityGroup", given


def auto_scaling_group(inputs: Mapping[str, Any]) -> tuple[str, Any]:
    """`AWS::AutoScaling::AutoScalingGroup`."""
    properties = pascal(without(inputs, "launchTemplate", "suspendedProcesses", "waitForCapacityTimeout"))
    if "launchTemplate" in inputs:
        names = {"id": "LaunchTemplateId", "name": "LaunchTemplateName", "version": "Version"}
        properties["LaunchTemplate"] = {names[key]: value for key, value in inputs["launchTemplate"].items()}
    return "AWS::AutoScaling::AutoScalingGroup", {**properties, "Tags": pascal(inputs.get("tags", []))}


_AT_THE_TOP = {"storageCapacity", "storageType", "subnetIds", "securityGroupIds", "kmsKeyId", "backupId"}


def lustre(inputs: Mapping[str, Any]) -> tuple[str, Any]:
    """`AWS::FSx::FileSystem`."""
    top = {key: value for key, value in inputs.items() if key in {*_AT_THE_TOP, "fileSystemTypeVersion"}}
    top |= {"subnetIds": [inputs["subnetIds"]]} if isinstance(inputs.get("subnetIds"), str) else {}
    settings = without(inputs, *_AT_THE_TOP, "fileSystemTypeVersion", "skipFinalBackup")
    return "AWS::FSx::FileSystem", {
        **pascal(top),
        "FileSystemType": "LUSTRE",
        "LustreConfiguration": pascal(settings),
    }


def document(policy: Any) -> Any:
    """A policy as CloudFormation has it: not as text."""
    return json.loads(policy) if isinstance(policy, str) else policy


def role(inputs: Mapping[str, Any]) -> tuple[str, Any]:
    """`AWS::IAM::Role`."""
    return "AWS::IAM::Role", {"AssumeRolePolicyDocument": document(inputs["assumeRolePolicy"])}


def role_policy(inputs: Mapping[str, Any]) -> tuple[str, Any]:
    """`AWS::IAM::Policy`."""
    return "AWS::IAM::Policy", {
        "Roles": [inputs["role"]],
        "PolicyName": "own",
        "PolicyDocument": document(inputs["policy"]),
    }


def extension(inputs: Mapping[str, Any]) -> tuple[str, Any]:
    """A resource of Cloud Control is one of CloudFormation."""
    return inputs["type"], inputs["properties"]


RENDERED: Mapping[str, Callable[[Mapping[str, Any]], tuple[str, Any]]] = {
    "aws-native:index:ExtensionResource": extension,
    "aws-native:pcs:ComputeNodeGroup": same("AWS::PCS::ComputeNodeGroup"),
    "aws-native:pcs:Queue": same("AWS::PCS::Queue"),
    "aws-native:sagemaker:Cluster": same("AWS::SageMaker::Cluster"),
    "aws-native:sagemaker:ComputeQuota": same("AWS::SageMaker::ComputeQuota"),
    "aws:autoscaling/group:Group": auto_scaling_group,
    "aws:autoscaling/schedule:Schedule": same(
        "AWS::AutoScaling::ScheduledAction", autoscalingGroupName="AutoScalingGroupName"
    ),
    "aws:ec2/capacityReservation:CapacityReservation": same("AWS::EC2::CapacityReservation"),
    "aws:ec2/eip:Eip": same("AWS::EC2::EIP"),
    "aws:ec2/internetGateway:InternetGateway": lambda _: ("AWS::EC2::InternetGateway", {}),
    "aws:ec2/launchTemplate:LaunchTemplate": launch_template,
    "aws:ec2/natGateway:NatGateway": same("AWS::EC2::NatGateway"),
    "aws:ec2/placementGroup:PlacementGroup": same("AWS::EC2::PlacementGroup", name="GroupName"),
    "aws:ec2/route:Route": same("AWS::EC2::Route"),
    "aws:ec2/routeTable:RouteTable": same("AWS::EC2::RouteTable"),
    "aws:ec2/routeTableAssociation:RouteTableAssociation": same("AWS::EC2::SubnetRouteTableAssociation"),
    "aws:ec2/securityGroup:SecurityGroup": security_group,
    "aws:ec2/subnet:Subnet": same("AWS::EC2::Subnet"),
    "aws:ec2/vpc:Vpc": same("AWS::EC2::VPC"),
    "aws:ec2/vpcEndpoint:VpcEndpoint": same("AWS::EC2::VPCEndpoint"),
    "aws:ecr/repository:Repository": same("AWS::ECR::Repository", name="RepositoryName"),
    "aws:eks/accessEntry:AccessEntry": same("AWS::EKS::AccessEntry"),
    "aws:eks/addon:Addon": addon,
    "aws:eks/cluster:Cluster": cluster,
    "aws:eks/nodeGroup:NodeGroup": node_group,
    "aws:eks/podIdentityAssociation:PodIdentityAssociation": same("AWS::EKS::PodIdentityAssociation"),
    "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation": same("AWS::FSx::DataRepositoryAssociation"),
    "aws:fsx/lustreFileSystem:LustreFileSystem": lustre,
    "aws:iam/instanceProfile:InstanceProfile": lambda inputs: (
        "AWS::IAM::InstanceProfile",
        {"Roles": [inputs["role"]]},
    ),
    "aws:iam/role:Role": role,
    "aws:iam/rolePolicy:RolePolicy": role_policy,
    "aws:kms/alias:Alias": same("AWS::KMS::Alias", name="AliasName"),
    "aws:kms/key:Key": same("AWS::KMS::Key"),
    "aws:s3/bucket:Bucket": lambda inputs: (
        "AWS::S3::Bucket",
        {"BucketName": inputs["bucket"]} if "bucket" in inputs else {},
    ),
    "aws:sagemaker/mlflowApp:MlflowApp": same("AWS::SageMaker::MlflowApp"),
    "aws:sagemaker/mlflowTrackingServer:MlflowTrackingServer": same("AWS::SageMaker::MlflowTrackingServer"),
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": same(
        "AWS::EC2::SecurityGroupEgress",
        securityGroupId="GroupId",
        cidrIpv4="CidrIp",
        referencedSecurityGroupId="DestinationSecurityGroupId",
    ),
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": same(
        "AWS::EC2::SecurityGroupIngress",
        securityGroupId="GroupId",
        cidrIpv4="CidrIp",
        referencedSecurityGroupId="SourceSecurityGroupId",
    ),
}
"""Pulumi's type -> CloudFormation's type and properties."""

ATTACHMENT = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
"""A property of the role in CloudFormation."""


def is_rendered(each: Registration) -> bool:
    """Whether CloudFormation has a resource with its type."""
    return each.type in RENDERED or each.type == ATTACHMENT


def logical(each: Registration) -> str:
    """A logical id: CloudFormation's names are unique among all types."""
    return re.sub(r"\W|_", "", each.name.title()) + each.type.rpartition(":")[2]


def template(registrations: Iterable[Registration]) -> dict[str, Any]:
    """A template with the resources that CloudFormation has types for."""
    listed = [each for each in registrations if is_rendered(each)]
    names = _names(listed)
    resources: dict[str, Any] = {}
    for each in listed:
        if each.type in RENDERED:
            kind, properties = RENDERED[each.type](each.inputs)
            own = {name: ref for name, ref in names.items() if logical(each) not in ref.values()}
            resources[logical(each)] = {"Type": kind, "Properties": _with_references(properties, own)}
    for each in listed:
        owner = names.get(each.inputs["role"], {}).get("Ref") if each.type == ATTACHMENT else None
        if owner is not None:
            arns = resources[owner]["Properties"].setdefault("ManagedPolicyArns", [])
            arns.append(_with_references(each.inputs["policyArn"], names))
    return {"AWSTemplateFormatVersion": "2010-09-09", "Resources": resources}


def _names(listed: Iterable[Registration]) -> dict[str, Any]:
    """The ids, ARNs and names of resources -> the function that returns them."""
    found: dict[str, Any] = {}
    for each in listed:
        if each.type not in RENDERED:
            continue
        for value in (each.id, each.outputs.get("bucket") if "s3/bucket:" in each.type else None):
            if isinstance(value, str) and value:
                found[value] = {"Ref": logical(each)}
        if isinstance(each.outputs.get("arn"), str):
            attribute = "TrackingServerArn" if "TrackingServer" in each.type else "Arn"
            found[each.outputs["arn"]] = {"Fn::GetAtt": [logical(each), attribute]}
        group = each.outputs.get("vpcConfig")
        group = group.get("clusterSecurityGroupId") if isinstance(group, Mapping) else None
        if isinstance(group, str):
            found[group] = {"Fn::GetAtt": [logical(each), "ClusterSecurityGroupId"]}
    return found


def _with_references(value: Any, names: Mapping[str, Any]) -> Any:
    if isinstance(value, Mapping):
        return {key: _with_references(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [_with_references(each, names) for each in value]
    if isinstance(value, str) and value.startswith("s3://"):
        bucket, slash, rest = value.removeprefix("s3://").partition("/")
        return {"Fn::Sub": f"s3://${{{names[bucket]['Ref']}}}{slash}{rest}"} if bucket in names else value
    if value is UNKNOWN:
        return {"Fn::ImportValue": "unknown"}
    return names.get(value, value) if isinstance(value, str) else value
