"""Scripts in a bucket that HyperPod's instances may not read."""

from tests.policies.programs.hyperpod import cluster, ground, scripts

AT = {"scripts"}


def passing() -> None:
    cluster(ground())


def failing() -> None:
    cluster(ground(bucket=scripts("ml-platform-scripts")))
