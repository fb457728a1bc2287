"""Huge pages without a unit."""

from tests.policies.programs.kubernetes import a_deployment, a_spec

AT = {"train"}


def passing() -> None:
    a_deployment(a_spec({"hugepages-1Gi": "2Gi"}))


def failing() -> None:
    a_deployment(a_spec({"hugepages-1Gi": "2"}))
