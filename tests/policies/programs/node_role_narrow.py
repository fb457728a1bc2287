"""Nodes with all of S3, and with a policy that allows everything."""

import json

import pulumi_aws as aws

from tests.policies.programs.world import a_template, a_world, workers

AT = {"nodes"}


def passing() -> None:
    world = a_world()
    workers(world, a_template(world))
    for name in ("AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly"):
        aws.iam.RolePolicyAttachment(name, role=world.node_role.name, policy_arn=f"arn:aws:iam::aws:policy/{name}")


def failing() -> None:
    world = a_world()
    workers(world, a_template(world))
    aws.iam.RolePolicyAttachment(
        "data", role=world.node_role.name, policy_arn="arn:aws:iam::aws:policy/AmazonS3FullAccess"
    )
    statement = {"Effect": "Allow", "Action": "*", "Resource": "*"}
    aws.iam.RolePolicy("all", role=world.node_role.id, policy=json.dumps({"Statement": [statement]}))
