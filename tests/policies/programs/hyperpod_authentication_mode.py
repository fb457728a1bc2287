"""An EKS cluster that takes no access entries, for nobody said otherwise."""

from tests.policies.programs.hyperpod import cluster, ground

AT = {"training"}


def passing() -> None:
    cluster(ground())


def failing() -> None:
    cluster(ground(mode=None))
