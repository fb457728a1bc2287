"""CloudFormation's schemas, with cfn-lint's knowledge beside them, take what the stacks register."""

import json

import pytest
from cfnlint.api import lint
from cfnlint.config import ManualArgs

from tests.sources.cloudformation.rendering import ATTACHMENT, RENDERED, template
from tests.stack_files import OF_EACH_KIND_FIRST, filled_in, plan_of

NO_TYPE = frozenset(
    {
        "aws:cloudformation/stack:Stack",  # ParallelCluster's own template
        "aws:cloudwatch/eventRule:EventRule",
        "aws:cloudwatch/eventTarget:EventTarget",
        "aws:cloudwatch/logGroup:LogGroup",
        "aws:ecr/lifecyclePolicy:LifecyclePolicy",
        "aws:eks/accessPolicyAssociation:AccessPolicyAssociation",
        "aws:iam/openIdConnectProvider:OpenIdConnectProvider",
        "aws:s3/bucketObjectv2:BucketObjectv2",
        "aws:s3/bucketOwnershipControls:BucketOwnershipControls",
        "aws:s3/bucketPolicy:BucketPolicy",
        "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock",
        "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration",
        "aws:s3/bucketVersioning:BucketVersioning",
        "aws:sqs/queue:Queue",
        "aws:sqs/queuePolicy:QueuePolicy",
    }
)
"""Pulumi's types that are not written as CloudFormation's: most are properties of another resource there."""

NOT_TOLD = (
    "E3004",  # a name that is written out is no reference, and makes no circle
    "E3628",  # its list of instance types is older than p6e-gb200
    "E3644",
)


@pytest.mark.parametrize("stack", OF_EACH_KIND_FIRST)
def test_cloudformation_takes_what_a_stack_registers(stack: str) -> None:
    """Every property has a name, a form and a value that AWS's schemas allow."""
    plan = plan_of(stack)
    own = {each.type for each in plan.registrations if each.type.startswith("aws")}
    assert own <= NO_TYPE | RENDERED.keys() | {ATTACHMENT}
    text = filled_in(json.dumps(template(plan.registrations)))
    found = lint(text, config=ManualArgs(regions=[plan.blueprint.region], ignore_checks=[*NOT_TOLD, "W", "I"]))
    assert [f"{each.rule.id} {'/'.join(map(str, each.path or ()))}: {each.message}" for each in found] == []
