"""The instance types that are used where none is named."""

EKS_SYSTEM_NODES = "c5.2xlarge"
"""Nodes for add-ons on EKS, as AWS's own examples have them (awsome-distributed-training)."""

HYPERPOD_SYSTEM_NODES = "m5.2xlarge"
"""Nodes for add-ons on HyperPod (AWS's blog about HyperPod on EKS)."""

HYPERPOD_CONTROLLER = "m5.4xlarge"
"""The controller of HyperPod with Slurm; AWS's examples have c5.xlarge to m5.12xlarge."""

HEAD_NODE = "m5.8xlarge"
"""The head node of a ParallelCluster."""

PCS_LOGIN_NODES = "m5.2xlarge"
PCS_LOGIN_NODES_ARM = "m7g.2xlarge"
"""Login nodes of a cluster on AWS PCS, by the architecture of its image."""

EKSCTL_NODES = "m5.large"
"""What eksctl takes for a node group that names no type (`DefaultNodeType`, eksctl 0.231)."""
