"""A word for node recovery that the API does not have."""

from tests.policies.programs.hyperpod import Untyped, ground

AT = {"hyperpod"}


def passing() -> None:
    Untyped(ground(), nodeRecovery="None")


def failing() -> None:
    Untyped(ground(), nodeRecovery="Manual")
