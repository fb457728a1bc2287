"""Two groups of one name."""

from tests.policies.programs.hyperpod import a_group, cluster, ground

AT = {"hyperpod"}


def passing() -> None:
    on = ground()
    cluster(on, [a_group(on), a_group(on, "others")])


def failing() -> None:
    on = ground()
    cluster(on, [a_group(on), a_group(on)])
