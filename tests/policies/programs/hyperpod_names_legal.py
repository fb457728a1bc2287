"""An underscore in a group's name."""

from tests.policies.programs.hyperpod import a_group, cluster, ground

AT = {"hyperpod"}


def passing() -> None:
    cluster(ground())


def failing() -> None:
    on = ground()
    cluster(on, [a_group(on, "gpu_workers")])
