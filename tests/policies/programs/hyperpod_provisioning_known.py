"""A mode that the API has no word for."""

from tests.policies.programs.hyperpod import Untyped, ground

AT = {"hyperpod"}


def passing() -> None:
    Untyped(ground(), nodeProvisioningMode="Continuous")


def failing() -> None:
    Untyped(ground(), nodeProvisioningMode="AllAtOnce")
