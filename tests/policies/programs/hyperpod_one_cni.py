"""Another CNI, and the same chart that leaves pods to the VPC CNI."""

from tests.policies.programs.hyperpod import cluster, ground
from tests.policies.programs.kubernetes import a_release

AT = {"cilium"}


def passing() -> None:
    cluster(ground())
    a_release("cilium", "cilium", "1.18.4", {"cni": {"chainingMode": "aws-cni", "exclusive": False}})


def failing() -> None:
    cluster(ground())
    a_release("cilium", "cilium", "1.18.4")
