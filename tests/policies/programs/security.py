"""Programs about security."""

import json
from base64 import b64encode
from typing import Any

import pulumi_aws as aws

from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.world import (
    a_template,
    a_template_with,
    a_world,
    workers,
)


@keeps("imds-out-of-pods")
def workers_that_require_tokens() -> None:
    world = a_world()
    options = {"http_tokens": "required", "http_put_response_hop_limit": 1}
    workers(world, a_template(world, metadata_options=options))


breaks("api-not-open-to-all", "A public API without a list of networks.", at={"training"})(
    lambda: a_template_with(a_world(api=None))
)


def told(line: str) -> str:
    """A script of the nodes with this line in it."""
    return b64encode(f"#!/bin/bash\n{line}\n# maxPods: 205\nmaxPods: 205\n".encode()).decode()


@breaks("imds-out-of-pods", "A hop limit that lets pods reach the instance metadata.", at={"workers"})
def breaks_imds_out_of_pods() -> None:
    world = a_world()
    options = {"http_tokens": "required", "http_put_response_hop_limit": 2}
    workers(world, a_template(world, metadata_options=options))


@keeps("node-role-narrow")
def keeps_node_role_narrow() -> None:
    world = a_world()
    workers(world, a_template(world))
    for name in ("AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly"):
        aws.iam.RolePolicyAttachment(name, role=world.node_role.name, policy_arn=f"arn:aws:iam::aws:policy/{name}")


@breaks("node-role-narrow", "Nodes with all of S3, and with a policy that allows everything.", at={"nodes"})
def breaks_node_role_narrow() -> None:
    world = a_world()
    workers(world, a_template(world))
    aws.iam.RolePolicyAttachment(
        "data", role=world.node_role.name, policy_arn="arn:aws:iam::aws:policy/AmazonS3FullAccess"
    )
    statement = {"Effect": "Allow", "Action": "*", "Resource": "*"}
    aws.iam.RolePolicy("all", role=world.node_role.id, policy=json.dumps({"Statement": [statement]}))


def shared(**settings: Any) -> dict[str, Any]:
    """A file system of EFS that ParallelCluster makes, at /shared."""
    said = {"DeletionPolicy": "Retain", **settings}
    return {"Name": "shared", "MountDir": "/shared", "StorageType": "Efs", "EfsSettings": said}
