"""EKS by pulumi-eks, p4d.24xlarge with EFA, device plugins, and the job."""

import json

import pulumi
import pulumi_aws as aws
import pulumi_eks as eks
import pulumi_kubernetes as kubernetes

ZONES = ("us-west-2a", "us-west-2b")

vpc = aws.ec2.Vpc("main", cidr_block="10.0.0.0/16", enable_dns_hostnames=True)
subnets = [
    aws.ec2.Subnet(f"private-{zone}", vpc_id=vpc.id, cidr_block=f"10.0.{16 * index}.0/20", availability_zone=zone)
    for index, zone in enumerate(ZONES)
]

trust = {"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": "ec2.amazonaws.com"}}
node_role = aws.iam.Role("nodes", assume_role_policy=json.dumps({"Version": "2012-10-17", "Statement": [trust]}))
for policy in ("AmazonEKSWorkerNodePolicy", "AmazonEKS_CNI_Policy", "AmazonEC2ContainerRegistryPullOnly"):
    aws.iam.RolePolicyAttachment(policy, role=node_role.name, policy_arn=f"arn:aws:iam::aws:policy/{policy}")

cluster = eks.Cluster(
    "finetuning",
    version="1.35",
    vpc_id=vpc.id,
    private_subnet_ids=[subnet.id for subnet in subnets],
    endpoint_private_access=True,
    skip_default_node_group=True,
    authentication_mode=eks.AuthenticationMode.API,
    vpc_cni_options=eks.VpcCniOptionsArgs(addon_version="v1.23.1-eksbuild.1"),
)
workers = eks.ManagedNodeGroup(
    "workers",
    cluster=cluster,
    node_role=node_role,
    instance_types=["p4d.24xlarge"],
    ami_type="AL2023_x86_64_NVIDIA",
    enable_efa_support=True,
    placement_group_availability_zone=ZONES[0],
    scaling_config={"min_size": 0, "desired_size": 2, "max_size": 4},
    taints=[{"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE"}],
)

on_cluster = pulumi.ResourceOptions(provider=kubernetes.Provider("finetuning", kubeconfig=cluster.kubeconfig_json))
kubernetes.helm.v3.Release(
    "nvidia-device-plugin",
    chart="nvidia-device-plugin",
    version="0.17.1",
    namespace="kube-system",
    repository_opts={"repo": "https://nvidia.github.io/k8s-device-plugin"},
    opts=on_cluster,
)
kubernetes.helm.v3.Release(
    "gpu-operator",
    chart="gpu-operator",
    version="v25.3.0",
    namespace="gpu-operator",
    create_namespace=True,
    repository_opts={"repo": "https://helm.ngc.nvidia.com/nvidia"},
    opts=on_cluster,
)
kubernetes.helm.v3.Release(
    "aws-efa-k8s-device-plugin",
    chart="aws-efa-k8s-device-plugin",
    version="v0.5.30",
    namespace="kube-system",
    repository_opts={"repo": "https://aws.github.io/eks-charts"},
    opts=on_cluster,
)

kubernetes.batch.v1.Job(
    "finetune",
    spec={
        "completions": 2,
        "parallelism": 2,
        "template": {
            "spec": {
                "restartPolicy": "Never",
                "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}],
                "containers": [
                    {
                        "name": "train",
                        "image": "123456789012.dkr.ecr.us-west-2.amazonaws.com/finetune:v3",
                        "resources": {
                            "requests": {"cpu": "80", "memory": "1000Gi"},
                            "limits": {
                                "nvidia.com/gpu": 8,
                                "vpc.amazonaws.com/efa": 8,
                                "hugepages-2Mi": "5120Mi",
                            },
                        },
                    }
                ],
            }
        },
    },
    opts=on_cluster,
)
