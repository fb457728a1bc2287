"""Kubernetes versions by EKS's own word."""

from typing import Any

from muster.fleet.facts import Facts
from tests.factories import a_fleet, facts
from tests.policies.case import cases


def eks_says(version: str = "1.35", **said: Any) -> Facts:
    """What EKS says of one version."""
    return facts(kubernetesVersions={version: {"offered": True, **said}})


cases(
    # Whatever the calendar says.
    a_version_that_eks_does_not_offer=lambda: a_fleet(facts=eks_says(offered=False)),
)
