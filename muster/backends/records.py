"""The records of the backends. A new one is a record here; docs/contributing/developing.md has the recipe."""

from collections.abc import Mapping
from typing import Any

from muster.backends.backend import Backend, Lazy, Scheduler

_ON_KUBERNETES: Mapping[str, Any] = {
    "scheduler": Scheduler.KUBERNETES,
    "register": Lazy("muster.deploy.kubernetes:kubernetes"),
    "deployed_parts": Lazy("muster.account.topics.permissions:of_kubernetes"),
    # The AWS services that a node calls before it joins and has images. The VPC CNI calls EC2, and so does the image,
    # for the node's name; the kubelet pulls from ECR, whose layers are in S3 (EKS user guide, "Deploy private clusters
    # with limited internet access"). A node gets the API's address from its user data and does not call EKS. STS, EKS
    # Auth, CloudWatch Logs, Auto Scaling, load balancing and SSM are for the pods and operators that use them.
    # HyperPod's nodes are EKS's, and fetch their scripts from S3; no page lists more for them.
    "node_endpoints": ("ec2", "ecr.api", "ecr.dkr", "s3"),
    "print_job": Lazy("muster.cli.commands.job:manifest"),
    "rehearse": Lazy("muster.cli.commands.rehearse:rehearse_on_kubernetes"),
}
_ON_SLURM: Mapping[str, Any] = {
    "scheduler": Scheduler.SLURM,
    "print_job": Lazy("muster.cli.commands.job:batch_script"),
    "rehearse": Lazy("muster.cli.commands.rehearse:rehearse_on_slurm"),
}

_EKS = Backend(
    name="eks",
    title="EKS",
    other_names=frozenset({"kubernetes"}),
    description=Lazy("muster.config.description.eks_cluster:EksCluster"),
    cross_field_checks=Lazy("muster.config.description.cross_field:ON_EKS"),
    derive=Lazy("muster.blueprint.derive.eks:eks"),
    group_of_output=Lazy("muster.stack.cluster_outputs:eks_group"),
    simulated_nodes=Lazy("muster.rehearsal.kubernetes.services:EKS"),
    **_ON_KUBERNETES,
)

_HYPERPOD = Backend(
    name="hyperpod",
    title="HyperPod",
    other_names=frozenset({"sagemaker"}),
    description=Lazy("muster.config.description.hyperpod_cluster:HyperPodCluster"),
    cross_field_checks=Lazy("muster.config.description.cross_field:ON_HYPERPOD"),
    derive=Lazy("muster.blueprint.derive.hyperpod:hyperpod"),
    group_of_output=Lazy("muster.stack.cluster_outputs:hyperpod_group"),
    simulated_nodes=Lazy("muster.rehearsal.kubernetes.services:HYPERPOD"),
    **_ON_KUBERNETES,
)

_HYPERPOD_SLURM = Backend(
    name="hyperpod-slurm",
    title="HyperPod with Slurm",
    other_names=frozenset({"slurm-hyperpod", "hyperpod_slurm"}),
    description=Lazy("muster.config.description.hyperpod_slurm_cluster:HyperPodSlurmCluster"),
    cross_field_checks=Lazy("muster.config.description.slurm_cross_field:ON_HYPERPOD"),
    derive=Lazy("muster.blueprint.derive.hyperpod_slurm:hyperpod_slurm"),
    register=Lazy("muster.deploy.hyperpod_slurm:hyperpod_slurm"),
    deployed_parts=Lazy("muster.account.topics.permissions:of_hyperpod_slurm"),
    # HyperPod's own setup needs no internet access: all software is in the image (SageMaker guide,
    # smcluster-getting-started-slurm-cli, Option A). No page lists endpoints that nodes need.
    node_endpoints=(),
    simulated_nodes=Lazy("muster.rehearsal.slurm.services:hyperpod"),
    **_ON_SLURM,
)

_PARALLELCLUSTER = Backend(
    name="parallelcluster",
    title="ParallelCluster",
    other_names=frozenset({"slurm", "pcluster"}),
    description=Lazy("muster.config.description.parallelcluster:SlurmCluster"),
    cross_field_checks=Lazy("muster.config.description.slurm_cross_field:ON_PARALLELCLUSTER"),
    derive=Lazy("muster.blueprint.derive.parallelcluster:slurm"),
    register=Lazy("muster.deploy.parallelcluster:slurm"),
    deployed_parts=Lazy("muster.account.topics.permissions:of_parallelcluster"),
    # Those that its guide lists ("in a single subnet with no internet access"), without what a directory or a load
    # balancer takes.
    node_endpoints=("cloudformation", "dynamodb", "ec2", "logs", "s3"),
    simulated_nodes=Lazy("muster.rehearsal.slurm.services:parallelcluster"),
    **_ON_SLURM,
)

_PCS = Backend(
    name="pcs",
    title="AWS PCS",
    other_names=frozenset({"aws-pcs", "parallel-computing-service"}),
    description=Lazy("muster.config.description.pcs_cluster:PcsCluster"),
    cross_field_checks=Lazy("muster.config.description.slurm_cross_field:ON_PCS"),
    derive=Lazy("muster.blueprint.derive.pcs:pcs"),
    register=Lazy("muster.deploy.pcs:pcs"),
    deployed_parts=Lazy("muster.account.topics.permissions:of_pcs"),
    # Nodes register with PCS; the other services are those of nodes on EC2 that pull images from ECR.
    node_endpoints=("ec2", "ecr.api", "ecr.dkr", "pcs", "s3"),
    simulated_nodes=Lazy("muster.rehearsal.slurm.services:pcs"),
    **_ON_SLURM,
)

RECORDS: Mapping[str, Backend] = {
    each.name: each for each in (_EKS, _HYPERPOD, _HYPERPOD_SLURM, _PARALLELCLUSTER, _PCS)
}
"""The value of `backend` -> its record."""
