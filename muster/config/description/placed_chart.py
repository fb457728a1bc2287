"""The groups on whose nodes a chart of the description's own runs, and the roles of its service accounts in AWS."""

from typing import Annotated

from pydantic import AfterValidator

from muster.config.description.base import Change, Form, StrictModel, key
from muster.config.identifiers import GroupName, ManagedPolicyArn

ServiceAccountName = Annotated[
    str,
    Form(
        r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?",
        "the name of a service account",
        "dataset-sync: lower-case letters, digits, dots and dashes",
        253,
        drawn=False,
    ),
]
"""The name of an object in DNS (Kubernetes documentation, "Configure Service Accounts for Pods")."""
PlaceInValues = Annotated[str, Form(r"[^\s.]+(\.[^\s.]+)*", "a path of keys", "controller.manager", drawn=False)]


def _named_differently(arns: list[str]) -> list[str]:
    names = [each.rpartition("/")[2] for each in arns]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two policies are called '{name}'; remove one, or attach a copy with another name")
    return arns


class ChartRole(StrictModel):
    """The IAM role of a service account of a chart, by EKS Pod Identity."""

    policies: Annotated[list[ManagedPolicyArn], AfterValidator(_named_differently)] = key(
        "ARNs of the managed policies of the role, of AWS or of your account.", Change.IN_PLACE, min_length=1
    )


class PlacedChart(StrictModel):
    """A chart with roles and groups."""

    roles: dict[ServiceAccountName, ChartRole] = key(
        "IAM roles that Muster creates for service accounts of the chart, by the name of the service account in the "
        "namespace of the release. The chart creates the service account. Default: none.",
        Change.REPLACES,
        default={},
    )
    groups: list[GroupName] = key(
        "Names of the groups on whose nodes the pods of the chart run. Muster derives a node selector, or an affinity "
        "for several groups, and tolerations. Default: any node that the pods tolerate.",
        Change.IN_PLACE,
        default=[],
    )
    groups_at: list[PlaceInValues] = key(
        "Paths in the values of the chart at which its templates read nodeSelector, affinity and tolerations, as in "
        "controller. Default: the top level.",
        Change.IN_PLACE,
        default=[],
    )
