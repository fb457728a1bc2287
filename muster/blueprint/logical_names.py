"""The logical names of what is derived once a cluster."""

from muster.fleet.resources import Ref
from muster.fleet.resources import ref as types

CLUSTER = "cluster"
"""The logical name of the cluster's own resources; the stack's name would replace everything on a rename."""

CLUSTER_REF = Ref(types.CLUSTER, f"{CLUSTER}-eksCluster")
"""The EKS cluster as `pulumi_eks.Cluster` names it; also the reference to the security group that EKS gives it."""

HYPERPOD_REF = Ref(types.HYPERPOD, "hyperpod")

BUNDLE_REF = Ref(types.BUCKET, "lifecycle")
"""The bucket of lifecycle scripts."""

MLFLOW_REF = Ref(types.TRACKING_SERVER, "mlflow")
ARTIFACTS_REF = Ref(types.BUCKET, "mlflow")
"""The bucket of the tracking server's artifacts."""

EFA_GROUP_REF = Ref(types.SECURITY_GROUP, "efa")

PARALLELCLUSTER_REF = Ref(types.CLOUDFORMATION_STACK, "slurm")
"""The CloudFormation stack that makes a cluster on ParallelCluster."""
NODES_GROUP_REF = Ref(types.SECURITY_GROUP, "nodes")
"""Carried by all nodes of a cluster on ParallelCluster, the head node included."""
KEY_PAIR_REF = Ref(types.KEY_PAIR, "head")
