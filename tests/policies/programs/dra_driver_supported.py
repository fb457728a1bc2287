"""A DRA driver on a version of Kubernetes that does not serve its API."""

from datetime import date

from tests.policies.programs.kubernetes import releases
from tests.policies.programs.world import a_world

AT = {"aws-dranet"}
AS_OF = date(2026, 1, 1)
"""1.32 was in standard support."""


def passing() -> None:
    a_world(version="1.34")
    releases(("aws-dranet", "1.0.0"))


def failing() -> None:
    a_world(version="1.32")
    releases(("aws-dranet", "1.0.0"))
