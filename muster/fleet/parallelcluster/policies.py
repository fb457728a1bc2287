"""What every node may do beside ParallelCluster's own needs."""

from muster.fleet.iam import managed_policy

_NAMES = ("AmazonSSMManagedInstanceCore", "AmazonEC2ContainerRegistryReadOnly")
"""AWS's own: sessions, and images from ECR. The templates let nodes read all of S3, too; here each bucket is named."""


def node_policies(region: str) -> tuple[str, ...]:
    """The ARNs of the policies on every node's role."""
    return tuple(managed_policy(region, name) for name in _NAMES)
