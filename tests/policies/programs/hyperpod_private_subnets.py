"""Subnets that give public addresses."""

from tests.policies.programs.hyperpod import cluster, ground

AT = {"hyperpod"}


def passing() -> None:
    cluster(ground())


def failing() -> None:
    cluster(ground(map_public_ip_on_launch=True))
