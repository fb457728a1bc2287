"""What keeps a failed cluster for a look at it, and lets the cluster be updated later.

`RollbackOnFailure` is an argument of the provider's creation alone: its update refuses every request that has it
(`pcluster/lib/lib.py` of 3.16.1, "got unexpected arguments"), and so does the update by which CloudFormation would roll
that one back, which leaves the stack in UPDATE_ROLLBACK_FAILED. A template cannot tell creation from update. So a
function of ours stands before the provider: it takes the property out of all requests but the first, and hands them on.
CloudFormation knows custom resources by their function and refuses another one: the choice is made once, at creation.
"""

from typing import Any

FUNCTION, ROLE = "CreationOnly", "CreationOnlyRole"
"""Logical ids."""

PROPERTY = "RollbackOnFailure"

_RUNTIME = "python3.13"

CODE = f"""\
import json
import os

import boto3
import cfnresponse


def handler(event, context):
    if event["RequestType"] != "Create":
        for properties in ("ResourceProperties", "OldResourceProperties"):
            event.get(properties, {{}}).pop("{PROPERTY}", None)
    try:
        boto3.client("lambda").invoke(
            FunctionName=os.environ["PROVIDER"], InvocationType="Event", Payload=json.dumps(event).encode()
        )
    except Exception as fault:
        cfnresponse.send(event, context, cfnresponse.FAILED, {{}}, event.get("PhysicalResourceId"), reason=str(fault))
"""
"""It answers CloudFormation only where the provider, which answers otherwise, was never asked."""


def creation_only(provider: Any) -> dict[str, Any]:
    """The resources, by logical id.

    Args:
        provider: the ARN of the provider's function, as a value of the template.
    """
    logs = {"Fn::Sub": "arn:${AWS::Partition}:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"}
    return {
        ROLE: {
            "Type": "AWS::IAM::Role",
            "Properties": {
                "AssumeRolePolicyDocument": {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Principal": {"Service": "lambda.amazonaws.com"},
                            "Action": "sts:AssumeRole",
                        }
                    ],
                },
                "ManagedPolicyArns": [logs],
                "Policies": [
                    {
                        "PolicyName": "provider",
                        "PolicyDocument": {
                            "Version": "2012-10-17",
                            "Statement": [{"Effect": "Allow", "Action": "lambda:InvokeFunction", "Resource": provider}],
                        },
                    }
                ],
            },
        },
        FUNCTION: {
            "Type": "AWS::Lambda::Function",
            "Properties": {
                "Description": f"Asks ParallelCluster's provider, for {PROPERTY} at creation only",
                "Handler": "index.handler",
                "Runtime": _RUNTIME,
                "Timeout": 60,
                "Role": {"Fn::GetAtt": [ROLE, "Arn"]},
                "Environment": {"Variables": {"PROVIDER": provider}},
                "Code": {"ZipFile": CODE},
            },
        },
    }
