"""How nodes reach AWS's services from a subnet."""

from collections.abc import Mapping

from muster.fleet.resources.fleet import EKS, HYPERPOD, PARALLELCLUSTER

_NODES = ("ec2", "ecr.api", "ecr.dkr", "s3")

NEEDED: Mapping[str, tuple[str, ...]] = {
    EKS: _NODES,
    HYPERPOD: _NODES,
    PARALLELCLUSTER: ("cloudformation", "dynamodb", "ec2", "logs", "s3"),
}
"""Backend -> the services that its nodes cannot do without, as endpoints name them.

Of EKS those to join and to have images: the VPC CNI asks EC2, the kubelet ECR, whose layers are in S3 (EKS user guide,
"Deploy private clusters with limited internet access"). What pods ask for besides, only they know. HyperPod's nodes are
EKS's, and fetch their scripts from S3. Of ParallelCluster those that its guide lists ("in a single subnet with no
internet access"), without what a directory or a load balancer takes.
"""
