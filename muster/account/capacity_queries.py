"""Queries about capacity: a reservation by its id, a resource group's members, a training plan. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from muster.account.query import Answer, Query

LISTING_GROUPS_ALSO_NEEDS = ("cloudformation:DescribeStacks", "cloudformation:ListStackResources", "tag:GetResources")
"""Additional permissions to list a resource group's members (Resource Groups API, ListGroupResources, "Minimum
permissions")."""

LISTING_GROUPS = {
    "resource-groups:ListGroupResources": "arn:*:resource-groups:*:*:group/*",
    **dict.fromkeys(LISTING_GROUPS_ALSO_NEEDS, "*"),
}
"""All required permissions."""


def query_reservation(id_: str, noun: str = "reservation") -> Query:
    """A query for one reservation: EC2 has no filter for ids, and an unknown id makes a whole call fail.

    Args:
        id_: its id.
        noun: its usual name: ``Capacity Block``.
    """
    absent = frozenset({"InvalidCapacityReservationId.NotFound"})
    parameters = {"CapacityReservationIds": [id_]}
    return Query("ec2", "DescribeCapacityReservations", f"{noun} {id_}", parameters, absent=absent)


def query_group(operation: str, arn: str) -> Query:
    """A query to Resource Groups about one group: ``ListGroupResources``."""
    absent = frozenset({"NotFoundException"})
    return Query("resource-groups", operation, f"reservation group {group_name(arn)}", {"Group": arn}, absent=absent)


def group_name(arn: str) -> str:
    """The name, without the suffix that Resource Groups may add."""
    return arn.partition(":group/")[2].partition("/")[0]


def group_members(listing: Answer) -> Iterator[str]:
    """The ids of the reservations in a group; none without an answer."""
    resources: Any = listing.result.get("Resources", ()) if listing.result else ()
    for each in resources:
        arn = str(each.get("Identifier", {}).get("ResourceArn", ""))
        if ":capacity-reservation/" in arn:
            yield arn.rpartition("/")[2]


def is_complete_listing(listing: Answer) -> bool:
    """Whether every entry of a group's list has a name: an entry without one may be a reservation."""
    resources: Any = (listing.result or {}).get("Resources")
    return resources is not None and all("ResourceArn" in each.get("Identifier", {}) for each in resources)


def query_training_plan(arn: str) -> Query:
    """A query for one plan by its ARN: the parameter accepts a name or an ARN (SageMaker API, DescribeTrainingPlan)."""
    absent = frozenset({"ResourceNotFound"})
    return Query(
        "sagemaker", "DescribeTrainingPlan", f"training plan {plan_name(arn)}", {"TrainingPlanName": arn}, absent=absent
    )


def plan_name(arn: str) -> str:
    """The end of an ARN."""
    return arn.rpartition("/")[2]


def query_hyperpod_cluster(name: str) -> Query:
    """A query for a HyperPod cluster's groups, and their instances of training plans."""
    absent = frozenset({"ResourceNotFound"})
    return Query("sagemaker", "DescribeCluster", f"HyperPod cluster {name}", {"ClusterName": name}, absent=absent)


def instances_by_plan(cluster: Answer) -> Mapping[str, int] | None:
    """ARN of a training plan -> the number of its instances in a HyperPod cluster; None if the answer lacks it."""
    groups = listed_instance_groups(cluster)
    if groups is None or not all("CurrentCount" in each for each in groups):
        return None
    counts: Counter[str] = Counter()
    for group in groups:
        counts[group.get("TrainingPlanArn", "")] += group["CurrentCount"]
    return counts


def listed_instance_groups(cluster: Answer) -> list[Mapping[str, Any]] | None:
    """A HyperPod cluster's instance groups; empty if there is no such cluster, None if the answer lacks them."""
    if cluster.absent:
        return []
    result = cluster.result or {}
    if "InstanceGroups" not in result:
        return None
    return [*result["InstanceGroups"], *result.get("RestrictedInstanceGroups", ())]
