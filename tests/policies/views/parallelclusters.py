"""Templates of clusters on ParallelCluster, and what their views see in them."""

import json
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import ComputeResource, Fleet, Ref
from muster.fleet.resources.ref import CLOUDFORMATION_STACK, SECURITY_GROUP, SUBNET
from tests.policies.views.registrations import registered, seen

STACK = Ref(CLOUDFORMATION_STACK, "pcluster")
NATIVE = "aws-native:cloudformation:Stack"
OBJECT = "aws:s3/bucketObjectv2:BucketObjectv2"
SUBNET_A, SUBNET_B, NODES = Ref(SUBNET, "a"), Ref(SUBNET, "b"), Ref(SECURITY_GROUP, "nodes")
PROVIDER = (
    "https://x-aws-parallelcluster.s3.x.amazonaws.com/parallelcluster/3.16.1/templates/custom_resource/cluster.yaml"
)
PARAMETER = {"Type": "String"}
RESERVED, GROUP = "cr-0123456789abcdef0", "arn:aws:resource-groups:us-west-2:111122223333:group/x"
OTHER = "cr-0fedcba9876543210"


def a_template(
    configuration: Any, *parameters: str, kind: str = "Custom::PclusterCluster", **said: Any
) -> dict[str, Any]:
    """A template of one cluster."""
    token = {"Fn::GetAtt": ["Provider", "Outputs.ServiceToken"]}
    properties = {"ServiceToken": token, "ClusterName": "ml", "ClusterConfiguration": configuration, **said}
    nested = {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": PROVIDER}}
    return {
        "Parameters": dict.fromkeys(parameters, PARAMETER),
        "Resources": {"Provider": nested, "Cluster": {"Type": kind, "Properties": properties}},
    }


def a_stack(body: Any, name: str = "pcluster", /, type: str = CLOUDFORMATION_STACK, **inputs: Any) -> Registration:
    text = json.dumps(body) if isinstance(body, dict) and type == CLOUDFORMATION_STACK else body
    return registered(type, name, templateBody=text, **inputs)


def around(*refs: Ref) -> list[Registration]:
    return [registered(ref.type, ref.name) for ref in refs]


def read(configuration: Any, *refs: Ref, **parameters: Any) -> Fleet:
    """A cluster whose parameters are made of some things."""
    stack = a_stack(a_template(configuration, *parameters), parameters=parameters, needs={"parameters": list(refs)})
    return seen(stack, *around(*refs))


def with_queue(queue: Any) -> dict[str, Any]:
    return {"Scheduling": {"SlurmQueues": [{"Name": "train", **queue}]}}


def the_resource(said: dict[str, Any], *refs: Ref, queue: Any = None, **parameters: Any) -> ComputeResource:
    resources = {"ComputeResources": [{"Name": "workers", **said}]}
    (found,) = read(with_queue({**resources, **(queue or {})}), *refs, **parameters).of(ComputeResource)
    return found


FSX = {"Name": "fsx", "MountDir": "/fsx", "StorageType": "FsxLustre"}
