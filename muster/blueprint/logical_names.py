"""The logical names of resources that exist once per cluster."""

from muster.fleet.resources import Ref
from muster.fleet.resources import ref as types

CLUSTER = "cluster"
"""The logical name of the resources of the cluster; with the stack's name, a rename would replace everything."""

CLUSTER_REF = Ref(types.CLUSTER, f"{CLUSTER}-eksCluster")
"""The EKS cluster as `pulumi_eks.Cluster` names it; also the reference to the security group that EKS gives it."""

HYPERPOD_REF = Ref(types.HYPERPOD, "hyperpod")

BUNDLE_REF = Ref(types.BUCKET, "lifecycle")
"""The bucket of lifecycle scripts."""

MLFLOW_REF = Ref(types.TRACKING_SERVER, "mlflow")
MLFLOW_APP_REF = Ref(types.MLFLOW_APP, "mlflow")
ARTIFACTS_REF = Ref(types.BUCKET, "mlflow")
"""The bucket of the tracking server's artifacts."""

EFA_GROUP_REF = Ref(types.SECURITY_GROUP, "efa")

PARALLELCLUSTER_REF = Ref(types.CLOUDFORMATION_STACK, "slurm")
"""The CloudFormation stack that creates a cluster on ParallelCluster."""
NODES_GROUP_REF = Ref(types.SECURITY_GROUP, "nodes")
"""The security group of all nodes of a cluster on ParallelCluster, including the head node."""
KEY_PAIR_REF = Ref(types.KEY_PAIR, "head")

PCS_REF = Ref(types.CLOUD_CONTROL, "pcs")
"""The cluster of PCS."""
PCS_GROUP_REF = Ref(types.SECURITY_GROUP, "pcs")
"""The security group of its controller and of all nodes."""
