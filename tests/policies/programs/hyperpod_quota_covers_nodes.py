"""A quota of one instance for two."""

from tests.policies.programs.hyperpod import cluster, ground, quotas

AT = {"hyperpod"}

FACTS = quotas(p4d=2)
FAILING_FACTS = quotas(p4d=1)


def passing() -> None:
    cluster(ground())


def failing() -> None:
    cluster(ground())
