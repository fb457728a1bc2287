"""What CloudFormation reads as no template."""

import pulumi_aws as aws

from tests.policies.programs.pcluster import cluster

AT = {"pcluster"}


def passing() -> None:
    cluster()


def failing() -> None:
    aws.cloudformation.Stack("pcluster", template_body="Resources: [Custom::PclusterCluster")
