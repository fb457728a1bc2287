"""HyperPod on EKS: ml.p5.48xlarge for training, ml.c5.2xlarge for everything else."""

import json

import pulumi
import pulumi_aws as aws
import pulumi_aws_native as aws_native


def role(name: str, service: str) -> aws.iam.Role:
    """A role that a service assumes."""
    trust = {"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": service}}
    return aws.iam.Role(name, assume_role_policy=json.dumps({"Version": "2012-10-17", "Statement": [trust]}))


vpc = aws.ec2.Vpc("main", cidr_block="10.0.0.0/16")
subnets = [
    aws.ec2.Subnet(f"private-{zone}", vpc_id=vpc.id, cidr_block=f"10.0.{16 * index}.0/20", availability_zone=zone)
    for index, zone in enumerate(("us-west-2a", "us-west-2b"))
]
group = aws.ec2.SecurityGroup(
    "nodes",
    vpc_id=vpc.id,
    ingress=[{"protocol": "tcp", "from_port": 22, "to_port": 22, "cidr_blocks": ["10.0.0.0/16"]}],
    egress=[{"protocol": "-1", "from_port": 0, "to_port": 0, "cidr_blocks": ["0.0.0.0/0"]}],
)
cluster = aws.eks.Cluster(
    "research",
    version="1.35",
    role_arn=role("control-plane", "eks.amazonaws.com").arn,
    vpc_config={
        "subnet_ids": [subnet.id for subnet in subnets],
        "endpoint_private_access": True,
        "endpoint_public_access": False,
    },
    access_config={"authentication_mode": "CONFIG_MAP"},
)

bucket = aws.s3.Bucket("scripts", bucket="research-lifecycle-scripts")
aws.s3.BucketObjectv2(
    "on-create", bucket=bucket.id, key="lifecycle/on_create.sh", source=pulumi.FileAsset("../lifecycle/on_create.sh")
)
execution = role("execution", "sagemaker.amazonaws.com")


def instances(name: str, kind: str, count: int) -> aws_native.sagemaker.ClusterInstanceGroupArgs:
    """An instance group with the lifecycle script."""
    return aws_native.sagemaker.ClusterInstanceGroupArgs(
        instance_group_name=name,
        instance_type=kind,
        instance_count=count,
        execution_role=execution.arn,
        threads_per_core=2,
        life_cycle_config=aws_native.sagemaker.ClusterLifeCycleConfigArgs(
            source_s3_uri=pulumi.Output.concat("s3://", bucket.id, "/lifecycle"),
            on_create="on_create.sh",
        ),
    )


hyperpod = aws_native.sagemaker.Cluster(
    "research",
    cluster_name="research",
    orchestrator={"eks": {"cluster_arn": cluster.arn}},
    node_recovery="Automatic",
    vpc_config={"subnets": [subnet.id for subnet in subnets], "security_group_ids": [group.id]},
    instance_groups=[
        instances("system", "ml.c5.2xlarge", 2),
        instances("workers", "ml.p5.48xlarge", 4),
    ],
)
pulumi.export("hyperpod", hyperpod.cluster_arn)
