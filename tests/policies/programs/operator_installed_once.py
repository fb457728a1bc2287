"""Volcano twice."""

from tests.policies.programs.kubernetes import a_release

AT = {"other"}


def passing() -> None:
    a_release("batch", "volcano", "1.15.0")


def failing() -> None:
    a_release("batch", "volcano", "1.15.0")
    a_release("other", "volcano", "1.15.0")
