"""The logical names of resources that exist once per cluster, and AWS tags and bucket names of a stack's resources."""

from typing import TYPE_CHECKING

from muster.config.description.base import HYPERPOD, HYPERPOD_SLURM, PCS
from muster.fleet.resources import Ref
from muster.fleet.resources import ref as types

if TYPE_CHECKING:
    from muster.blueprint.cluster import ClusterBlueprint

CLUSTER = "cluster"
"""The logical name of the resources of the cluster; with the stack's name, a rename would replace everything."""

CLUSTER_REF = Ref(types.CLUSTER, CLUSTER)
"""The EKS cluster; also the reference to the security group that EKS gives it."""

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

NODE_ROLES = {HYPERPOD: "hyperpod-instances", HYPERPOD_SLURM: "hyperpod-instances", PCS: "nodes"}
"""The roles that all nodes have. On EKS, each group has one."""

STACK_TAG = "muster:stack"
"""Key of the tag that all resources of a stack have, besides the description's tags."""


def tags(blueprint: "ClusterBlueprint", name: str) -> dict[str, str]:
    """AWS tags of a resource: its name, the stack, and the description's tags, which override the others."""
    return {"Name": f"{blueprint.cluster_name}-{name}", **stack_tags(blueprint)}


def stack_tags(blueprint: "ClusterBlueprint") -> dict[str, str]:
    """AWS tags that all of a stack's resources share."""
    return {STACK_TAG: blueprint.stack, **blueprint.described.tags}


SAGEMAKER_PREFIX = "sagemaker-"
"""HyperPod's managed policy lets instances read buckets of such names only
(AmazonSageMakerClusterInstanceRolePolicy)."""

LONGEST_PREFIX = 37
"""The maximum number of characters of a prefix: a bucket's name has at most 63, and the provider's suffix has 26."""


def bucket_prefix(begins: str) -> str:
    """The prefix of a bucket's name for the provider: lower case, cut to its maximum length, with one dash at the end.

    The function is idempotent.

    Args:
        begins: the beginning of the name, of letters, digits and dashes.
    """
    return f"{begins.lower()[: LONGEST_PREFIX - 1].rstrip('-')}-"
