"""A foreign program in a preview, of any size, with resources that refer to each other."""

from collections.abc import Iterator
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources.ref import (
    AUTO_SCALING_GROUP,
    BUCKET,
    DATA_ASSOCIATION,
    LAUNCH_TEMPLATE,
    LUSTRE,
    SECURITY_GROUP,
)
from muster.policies.views.eks import SCHEDULE
from muster.policies.views.iam import ROLE
from muster.unknown import UNKNOWN

RULE = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
_OBJECT = "aws:s3/bucketObjectv2:BucketObjectv2"
_ATTACHMENT = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
_TRUST = {"Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": "ec2.amazonaws.com"}}]}
_TAG = {"key": "kubernetes.io/cluster/training", "value": "owned"}


def a_program(size: int) -> list[Registration]:
    """About this number of resources, none of which has an id yet."""
    made: list[Registration] = []
    while len(made) < size:
        made += _one_group(f"group-{len(made)}")
    return made


def _one_group(name: str) -> Iterator[Registration]:
    """A group of nodes with all resources that belong to it, and resources that refer to these."""
    yield _made(SECURITY_GROUP, name)
    yield _made(RULE, name, securityGroupId=SECURITY_GROUP, referencedSecurityGroupId=SECURITY_GROUP, ipProtocol="-1")
    yield _made(LAUNCH_TEMPLATE, name, instanceType="p5.48xlarge")
    yield _made(AUTO_SCALING_GROUP, name, launchTemplate=LAUNCH_TEMPLATE, minSize=0, maxSize=1, tags=[_TAG])
    yield _made(SCHEDULE, name, autoscalingGroupName=AUTO_SCALING_GROUP, desiredCapacity=0, recurrence="0 10 * * *")
    yield _made(ROLE, name, assumeRolePolicy=_TRUST)
    yield _made(_ATTACHMENT, name, role=ROLE, policyArn="arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy")
    yield _made(BUCKET, name)
    yield _made(_OBJECT, name, bucket=BUCKET, key="on_create.sh")
    yield _made(LUSTRE, name, storageCapacity=1200, deploymentType="PERSISTENT_2")
    yield _made(DATA_ASSOCIATION, name, fileSystemId=LUSTRE, fileSystemPath="/")


_TYPES = frozenset({SECURITY_GROUP, LAUNCH_TEMPLATE, AUTO_SCALING_GROUP, ROLE, BUCKET, LUSTRE})


def _made(kind: str, name: str, **said: Any) -> Registration:
    """A resource. If a value is a type, it means the id of the resource with that type and the same name."""
    needs = {key: (_urn(value, name),) for key, value in said.items() if isinstance(value, str) and value in _TYPES}
    inputs = {key: UNKNOWN if key in needs else value for key, value in said.items()}
    return Registration(_urn(kind, name), kind, name, inputs, id=UNKNOWN, property_dependencies=needs)


def _urn(kind: str, name: str) -> str:
    return f"urn:pulumi:dev::theirs::{kind}::{name}"
