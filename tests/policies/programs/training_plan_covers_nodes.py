"""A plan of one instance for two."""

from tests.policies.programs.hyperpod import cluster, ground, on_plan, plan

AT = {"hyperpod"}

FACTS = plan()
FAILING_FACTS = plan(totalInstances=1)


def passing() -> None:
    on = ground()
    cluster(on, [on_plan(on)])


def failing() -> None:
    on = ground()
    cluster(on, [on_plan(on)])
