"""Four threads per core."""

from tests.policies.programs.hyperpod import a_group, cluster, ground

AT = {"hyperpod"}


def passing() -> None:
    on = ground()
    cluster(on, [a_group(on, threads_per_core=2)])


def failing() -> None:
    on = ground()
    cluster(on, [a_group(on, threads_per_core=4)])
