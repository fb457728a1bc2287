"""A second HyperPod cluster on one EKS cluster."""

from tests.policies.programs.hyperpod import a_group, cluster, ground

AT = {"hyperpod", "second"}


def passing() -> None:
    cluster(ground())


def failing() -> None:
    on = ground()
    cluster(on)
    cluster(on, [a_group(on, "others")], "second")
