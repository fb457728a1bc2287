"""A plan that was bought for training jobs."""

from tests.policies.programs.hyperpod import cluster, ground, on_plan, plan

AT = {"hyperpod"}

FACTS = plan()
FAILING_FACTS = plan(targets=["training-job"])


def passing() -> None:
    on = ground()
    cluster(on, [on_plan(on)])


def failing() -> None:
    on = ground()
    cluster(on, [on_plan(on)])
