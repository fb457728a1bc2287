"""Instances that no plan holds, on a plan of which nobody was asked what it holds."""

from tests.policies.programs.hyperpod import cluster, ground, on_plan, plan

AT = {"hyperpod"}

FACTS = plan()
FAILING_FACTS = plan(instanceType=None)


def passing() -> None:
    on = ground()
    cluster(on, [on_plan(on)])


def failing() -> None:
    on = ground()
    cluster(on, [on_plan(on, instance_type="ml.g5.48xlarge")])
