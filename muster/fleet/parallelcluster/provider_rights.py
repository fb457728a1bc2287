"""What ParallelCluster's provider has to do for a cluster of ours, and may not by AWS's own policies.

They let it attach a list of AWS's policies to nodes' roles, and no other, and read no secret (aws-parallelcluster,
`cloudformation/policies/parallelcluster-policies.yaml`; guide, "cfn-provider-stack": "you must also grant the required
permissions"). CloudFormation would find out when it makes the head node's role.
"""

from typing import Any

POLICY = "ProviderRights"
"""Logical id."""

_MAY_ATTACH = frozenset(
    {
        "CloudWatchAgentServerPolicy",
        "AmazonSSMManagedInstanceCore",
        "AWSBatchFullAccess",
        "AmazonS3ReadOnlyAccess",
        "EC2InstanceProfileForImageBuilder",
    }
)
"""Without those of services other than EC2."""


def provider_rights(configuration: dict[str, Any]) -> dict[str, Any]:
    """The policy, by its logical id; nothing where AWS's are enough.

    Args:
        configuration: the cluster's, in ParallelCluster's words.
    """
    scheduling = configuration["Scheduling"]
    nodes = [configuration["HeadNode"], *scheduling["SlurmQueues"]]
    attached = {each["Policy"] for node in nodes for each in node.get("Iam", {}).get("AdditionalIamPolicies", ())}
    beyond = sorted(each for each in attached if each.rpartition("/")[2] not in _MAY_ATTACH)
    secret = scheduling.get("SlurmSettings", {}).get("Database", {}).get("PasswordSecretArn")
    statements = [
        *([_attach(beyond)] if beyond else ()),
        *([{"Effect": "Allow", "Action": "secretsmanager:DescribeSecret", "Resource": secret}] if secret else ()),
    ]
    if not statements:
        return {}
    return {
        POLICY: {
            "Type": "AWS::IAM::ManagedPolicy",
            "Properties": {"PolicyDocument": {"Version": "2012-10-17", "Statement": statements}},
        }
    }


def _attach(policies: list[str]) -> dict[str, Any]:
    return {
        "Effect": "Allow",
        "Action": ["iam:AttachRolePolicy", "iam:DetachRolePolicy"],
        "Resource": {"Fn::Sub": "arn:${AWS::Partition}:iam::${AWS::AccountId}:role/parallelcluster/*"},
        "Condition": {"ArnEquals": {"iam:PolicyARN": policies}},
    }
