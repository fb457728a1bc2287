"""The table of resource types: CloudFormation's type -> Pulumi's, as the views of the rules read it."""

from collections.abc import Mapping

from muster.fleet.resources.ref import (
    ADDRESS,
    CAPACITY_RESERVATION,
    COMPUTE_QUOTA,
    DATA_ASSOCIATION,
    HYPERPOD,
    INTERNET_GATEWAY,
    KEY,
    KEY_PAIR,
    NAT_GATEWAY,
    NETWORK_INTERFACE,
    PLACEMENT_GROUP,
    SUBNET,
    TRACKING_SERVER,
    VPC,
)
from muster.sources.cloudformation.converted import cdk, identity, instances, kubernetes, network, storage
from muster.sources.cloudformation.converted.forms import Convert, named, same

CONVERSIONS: Mapping[str, Convert] = {
    "AWS::AutoScaling::AutoScalingGroup": instances.auto_scaling_group,
    "AWS::AutoScaling::ScheduledAction": instances.schedule,
    "AWS::EC2::CapacityReservation": same(CAPACITY_RESERVATION),
    "AWS::EC2::EIP": same(ADDRESS),
    "AWS::EC2::InternetGateway": same(INTERNET_GATEWAY),
    "AWS::EC2::KeyPair": same(KEY_PAIR),
    "AWS::EC2::LaunchTemplate": instances.launch_template,
    "AWS::EC2::NatGateway": same(NAT_GATEWAY),
    "AWS::EC2::NetworkInterface": named(NETWORK_INTERFACE, "", GroupSet="securityGroups"),
    "AWS::EC2::NetworkInterfaceAttachment": network.interface_attachment,
    "AWS::EC2::PlacementGroup": named(PLACEMENT_GROUP, "GroupName"),
    "AWS::EC2::SecurityGroup": network.security_group,
    "AWS::EC2::SecurityGroupEgress": network.separate(network.EGRESS_RULE),
    "AWS::EC2::SecurityGroupIngress": network.separate(network.INGRESS_RULE),
    "AWS::EC2::Subnet": same(SUBNET),
    "AWS::EC2::VPC": same(VPC),
    "AWS::EKS::AccessEntry": kubernetes.access_entry,
    "AWS::EKS::Addon": kubernetes.addon,
    "AWS::EKS::Cluster": kubernetes.cluster,
    "AWS::EKS::Nodegroup": kubernetes.node_group,
    "AWS::FSx::DataRepositoryAssociation": same(DATA_ASSOCIATION),
    "AWS::FSx::FileSystem": storage.file_system,
    "AWS::IAM::InstanceProfile": identity.instance_profile,
    "AWS::IAM::ManagedPolicy": identity.managed_policy,
    "AWS::IAM::Policy": identity.policy,
    "AWS::IAM::Role": identity.role,
    "AWS::IAM::RolePolicy": identity.policy,
    "AWS::KMS::Key": same(KEY),
    "AWS::ResourceGroups::Group": instances.resource_group,
    "AWS::S3::Bucket": storage.bucket,
    "AWS::S3::BucketPolicy": named("aws:s3/bucketPolicy:BucketPolicy", "", PolicyDocument="policy"),
    "AWS::SageMaker::Cluster": same(HYPERPOD),
    "AWS::SageMaker::ComputeQuota": same(COMPUTE_QUOTA),
    "AWS::SageMaker::MlflowTrackingServer": same(TRACKING_SERVER),
    "Custom::AWSCDK-EKS-Cluster": cdk.eks_cluster,
    "Custom::AWSCDK-EKS-HelmChart": cdk.helm_chart,
    "Custom::AWSCDK-EKS-KubernetesResource": cdk.manifest,
}
"""CloudFormation's type -> the conversion of its properties. Where Pulumi's type has the same properties, `same`
changes only their names to camelCase."""
