"""An RSA key on Ubuntu."""

import pulumi_aws as aws

from tests.policies.programs.pcluster import cluster, head

AT = {"pcluster"}


def _cluster(public_key: str) -> None:
    key = aws.ec2.KeyPair("admins", key_name="ml-admins", public_key=public_key)
    ssh = {"AllowedIps": "203.0.113.0/24", "KeyName": {"Ref": "Key"}}
    cluster(Image={"Os": "ubuntu2204"}, HeadNode=head(Ssh=ssh), parameters={"Key": key.key_name})


def passing() -> None:
    _cluster("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ00")


def failing() -> None:
    _cluster("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC0")
