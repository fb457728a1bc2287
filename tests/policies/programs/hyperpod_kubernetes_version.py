"""A version that EKS has and HyperPod has not yet."""

from tests.policies.programs.hyperpod import cluster, ground

AT = {"training"}


def passing() -> None:
    cluster(ground())


def failing() -> None:
    cluster(ground(version="1.36"))
