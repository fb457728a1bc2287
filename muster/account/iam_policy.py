"""The IAM policy that the queries of any stack need. Pure.

Source: the Service Authorization Reference, "Actions, resources, and condition keys", of each service; for the members
of resource groups also the Resource Groups API, ListGroupResources, "Minimum permissions".
"""

from typing import Any

ACTIONS = (
    "cloudformation:DescribeStacks",
    "cloudformation:ListStackResources",
    "cloudwatch:GetMetricData",
    "ec2:DescribeAddresses",
    "ec2:DescribeAvailabilityZones",
    "ec2:DescribeCapacityReservations",
    "ec2:DescribeImages",
    "ec2:DescribeInstanceTypeOfferings",
    "ec2:DescribeInstances",
    "ec2:DescribeInternetGateways",
    "ec2:DescribeKeyPairs",
    "ec2:DescribeNatGateways",
    "ec2:DescribeNetworkInterfaces",
    "ec2:DescribeRouteTables",
    "ec2:DescribeSecurityGroupRules",
    "ec2:DescribeSecurityGroups",
    "ec2:DescribeSubnets",
    "ec2:DescribeVpcAttribute",
    "ec2:DescribeVpcEndpoints",
    "ec2:DescribeVpcs",
    "eks:DescribeAddon",
    "eks:DescribeCluster",
    "eks:DescribeClusterVersions",
    "eks:ListAddons",
    "eks:ListClusters",
    "eks:ListNodegroups",
    "fsx:DescribeFileSystems",
    "iam:GetRole",
    "iam:SimulatePrincipalPolicy",
    "ram:GetResourceShareInvitations",
    "ram:ListPendingInvitationResources",
    "resource-groups:GetGroupConfiguration",
    "resource-groups:ListGroupResources",
    "s3:GetBucketLocation",
    "s3:ListBucket",
    "sagemaker:DescribeCluster",
    "sagemaker:DescribeTrainingPlan",
    "sagemaker:ListClusters",
    "servicequotas:GetAWSDefaultServiceQuota",
    "servicequotas:GetServiceQuota",
    "servicequotas:ListAWSDefaultServiceQuotas",
    "servicequotas:ListServiceQuotas",
    "ssm:GetParameter",
    "tag:GetResources",
)
"""All of them only read. A test compares them with the queries."""


def document() -> dict[str, Any]:
    """The policy document."""
    return {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": list(ACTIONS), "Resource": "*"}]}
