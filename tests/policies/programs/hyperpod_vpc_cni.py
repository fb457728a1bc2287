"""A CNI from before HyperPod."""

from tests.policies.programs.hyperpod import cluster, ground

AT = {"vpc-cni"}


def passing() -> None:
    cluster(ground())


def failing() -> None:
    cluster(ground(cni="v1.18.2-eksbuild.1"))
