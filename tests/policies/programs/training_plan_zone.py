"""A plan in another zone than the group."""

from tests.policies.programs.hyperpod import cluster, ground, on_plan, plan

AT = {"hyperpod"}

FACTS = plan()
FAILING_FACTS = plan(zone="us-west-2b")


def passing() -> None:
    on = ground()
    cluster(on, [on_plan(on)])


def failing() -> None:
    on = ground()
    cluster(on, [on_plan(on)])
