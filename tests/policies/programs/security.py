"""Programs about security."""

import json
from base64 import b64encode
from typing import Any

import pulumi
import pulumi_aws as aws
import pulumi_kubernetes as kubernetes

from tests.policies.programs.kubernetes import EFA, GPU, a_pytorch_job, a_spec, gpu_workers
from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.pcluster import cluster
from tests.policies.programs.world import (
    OFFICE,
    World,
    a_template,
    a_template_with,
    a_world,
    efa_group,
    interfaces,
    workers,
)


@keeps("imds-out-of-pods", "imds-v2-required")
def workers_that_require_tokens() -> None:
    world = a_world()
    options = {"http_tokens": "required", "http_put_response_hop_limit": 1}
    workers(world, a_template(world, metadata_options=options))


breaks("api-networks-stated", "A public API without a list of networks.", at={"training"})(
    lambda: a_template_with(a_world(api=None))
)


def readable_by(principal: object) -> None:
    world = a_world()
    workers(world, a_template(world))
    bucket = aws.s3.Bucket("data", bucket="our-data-sets")
    statement = {
        "Effect": "Allow",
        "Principal": principal,
        "Action": "s3:GetObject",
        "Resource": "arn:aws:s3:::our-data-sets/*",
    }
    aws.s3.BucketPolicy("data", bucket=bucket.id, policy=json.dumps({"Statement": [statement]}))


keeps("buckets-private")(lambda: readable_by({"AWS": "arn:aws:iam::111122223333:role/readers"}))
breaks("buckets-private", "Data sets that everyone can read.", at={"data"})(lambda: readable_by("*"))


def bound_to(group: str) -> None:
    world = a_world()
    workers(world, a_template(world))
    kubernetes.rbac.v1.ClusterRoleBinding(
        "admins",
        role_ref={"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
        subjects=[{"kind": "Group", "name": group, "apiGroup": "rbac.authorization.k8s.io"}],
    )


keeps("cluster-admin-named")(lambda: bound_to("ml-admins"))
breaks("cluster-admin-named", "A binding that makes all authenticated users administrators.", at={"admins"})(
    lambda: bound_to("system:authenticated")
)

CALLS = {"exec": {"apiVersion": "client.authentication.k8s.io/v1beta1", "command": "aws"}}


def kubeconfig(world: World, user: dict[str, object]) -> pulumi.Output[str]:
    def text(known: list[str]) -> str:
        cluster = {"server": known[0], "certificate-authority-data": "Y2E="}
        clusters, users = [{"name": "ml", "cluster": cluster}], [{"name": "ml", "user": user}]
        return json.dumps({"apiVersion": "v1", "kind": "Config", "clusters": clusters, "users": users})

    return pulumi.Output.all(world.cluster.endpoint, world.cluster.name).apply(text)


@keeps("credentials-not-exported")
def keeps_credentials_not_exported() -> None:
    world = a_world()
    workers(world, a_template(world))
    pulumi.export("kubeconfig", pulumi.Output.secret(kubeconfig(world, CALLS)))
    pulumi.export("region", "us-west-2")


@breaks(
    "credentials-not-exported",
    "A kubeconfig with a token: everyone who reads the state can read it.",
    at={"theirs-dev"},
)
def breaks_credentials_not_exported() -> None:
    world = a_world()
    workers(world, a_template(world))
    pulumi.export("access", {"users": [{"name": "ml", "user": {"token": "k8s"}}], "clusters": []})


def told(line: str) -> str:
    """A script of the nodes with this line in it."""
    return b64encode(f"#!/bin/bash\n{line}\n# maxPods: 205\nmaxPods: 205\n".encode()).decode()


@keeps("credentials-not-in-the-clear")
def keeps_credentials_not_in_the_clear() -> None:
    world = a_world()
    reads = "export TOKEN=$(aws secretsmanager get-secret-value --secret-id training/registry --query SecretString)"
    workers(world, a_template(world, user_data=told(reads)))


@breaks("credentials-not-in-the-clear", "An AWS access key in user data.", at={"workers"})
def breaks_credentials_not_in_the_clear() -> None:
    world = a_world()
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    workers(world, a_template(world, user_data=told(f"export AWS_ACCESS_KEY_ID={key}")))


@breaks("imds-out-of-pods", "A hop limit that lets pods reach the instance metadata.", at={"workers"})
def breaks_imds_out_of_pods() -> None:
    world = a_world()
    options = {"http_tokens": "required", "http_put_response_hop_limit": 2}
    workers(world, a_template(world, metadata_options=options))


breaks("imds-v2-required", "A launch template that also allows IMDSv1.", at={"workers"})(
    lambda: a_template_with(metadata_options={"http_tokens": "optional"})
)


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


def one_interface(world: World, **primary: Any) -> None:
    nics = interfaces(world, efa_group(world), cards=0, **primary)
    template = a_template(world, instance_type="m5.8xlarge", network_interfaces=nics)
    workers(world, template, ami_type="AL2023_x86_64_STANDARD")


keeps("nodes-without-public-address")(lambda: one_interface(a_world()))
breaks("nodes-without-public-address", "A node with a public address.", at={"workers"})(
    lambda: one_interface(a_world(), associate_public_ip_address="true")
)


def shared(**settings: Any) -> dict[str, Any]:
    """A file system of EFS that ParallelCluster makes, at /shared."""
    said = {"DeletionPolicy": "Retain", **settings}
    return {"Name": "shared", "MountDir": "/shared", "StorageType": "Efs", "EfsSettings": said}


keeps("parallelcluster-storage-encrypted")(lambda: cluster(SharedStorage=[shared(Encrypted=True)]))
breaks(
    "parallelcluster-storage-encrypted",
    "An EFS file system without encryption, which is ParallelCluster's default.",
    at={"pcluster"},
)(lambda: cluster(SharedStorage=[shared()]))


def a_job_with(**security: Any) -> None:
    gpu_workers(a_world())
    spec = a_spec({GPU: 8, EFA: 4})
    spec["containers"][0]["securityContext"] = security
    a_pytorch_job(spec)


keeps("pods-not-privileged")(lambda: a_job_with(capabilities={"add": ["IPC_LOCK"]}))
breaks("pods-not-privileged", "A job whose container is root on its node.", at={"train"})(
    lambda: a_job_with(privileged=True)
)


def a_job_that_mounts(path: str) -> None:
    gpu_workers(a_world())
    a_pytorch_job(a_spec({GPU: 8, EFA: 4}, volumes=[{"name": "host", "hostPath": {"path": path}}]))


keeps("pods-off-host-files")(lambda: a_job_that_mounts("/opt/dlami/nvme"))
breaks("pods-off-host-files", "A job that mounts its node's root.", at={"train"})(lambda: a_job_that_mounts("/"))


def a_job_in(**more: Any) -> None:
    gpu_workers(a_world())
    a_pytorch_job(a_spec({GPU: 8, EFA: 4}, **more))


keeps("pods-off-host-namespaces")(a_job_in)
breaks("pods-off-host-namespaces", "A job on its node's network.", at={"train"})(lambda: a_job_in(hostNetwork=True))

breaks("secrets-under-own-key", "A cluster without the account's own KMS key.", at={"training"})(
    lambda: a_template_with(a_world(encrypted=False))
)


def ssh_from(network: str) -> None:
    world = a_world()
    workers(world, a_template(world))
    group = aws.ec2.SecurityGroup("bastion", vpc_id=world.vpc.id)
    aws.vpc.SecurityGroupIngressRule(
        "ssh", security_group_id=group.id, cidr_ipv4=network, ip_protocol="tcp", from_port=22, to_port=22
    )


keeps("security-group-not-open-to-all")(lambda: ssh_from(OFFICE[0]))
breaks("security-group-not-open-to-all", "A rule that opens SSH to every address.", at={"bastion"})(
    lambda: ssh_from("0.0.0.0/0")
)


@breaks("volumes-encrypted", "A larger disk, of which only the size is set.", at={"workers"})
def breaks_volumes_encrypted() -> None:
    world = a_world()
    disks = [{"device_name": "/dev/xvda", "ebs": {"volume_size": 500, "volume_type": "gp3"}}]
    workers(world, a_template(world, block_device_mappings=disks))
