"""A cluster that waits for nothing."""

from dataclasses import replace

from tests.policies.programs.hyperpod import cluster, ground

AT = {"hyperpod"}


def passing() -> None:
    cluster(ground())


def failing() -> None:
    on = ground()
    cluster(replace(on, chart=None))
