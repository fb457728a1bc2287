"""Queries about capacity: a reservation by its id, a resource group's members, a training plan. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from muster.account.query import Answer, Query

LISTING_GROUPS_ALSO_NEEDS = ("cloudformation:DescribeStacks", "cloudformation:ListStackResources", "tag:GetResources")
"""What listing a resource group's members takes besides (Resource Groups API, ListGroupResources, "Minimum
permissions")."""

LISTING_GROUPS = {
    "resource-groups:ListGroupResources": "arn:*:resource-groups:*:*:group/*",
    **dict.fromkeys(LISTING_GROUPS_ALSO_NEEDS, "*"),
}
"""All that it takes."""


def query_reservation(id_: str, noun: str = "reservation") -> Query:
    """One alone: EC2 has no filter for ids, and one that it does not know makes a whole call fail.

    Args:
        id_: its id.
        noun: what people call it: ``Capacity Block``.
    """
    absent = frozenset({"InvalidCapacityReservationId.NotFound"})
    parameters = {"CapacityReservationIds": [id_]}
    return Query("ec2", "DescribeCapacityReservations", f"{noun} {id_}", parameters, absent=absent)


def query_group(operation: str, arn: str) -> Query:
    """A question of Resource Groups' about one group: ``ListGroupResources``."""
    absent = frozenset({"NotFoundException"})
    return Query("resource-groups", operation, f"reservation group {group_name(arn)}", {"Group": arn}, absent=absent)


def group_name(arn: str) -> str:
    """Without the suffix that Resource Groups may add."""
    return arn.partition(":group/")[2].partition("/")[0]


def group_members(listing: Answer) -> Iterator[str]:
    """The ids of the reservations in a group; none without an answer."""
    resources: Any = listing.result.get("Resources", ()) if listing.result else ()
    for each in resources:
        arn = str(each.get("Identifier", {}).get("ResourceArn", ""))
        if ":capacity-reservation/" in arn:
            yield arn.rpartition("/")[2]


def is_complete_listing(listing: Answer) -> bool:
    """Whether AWS names everything that it lists of a group: what it does not name may be a reservation."""
    resources: Any = (listing.result or {}).get("Resources")
    return resources is not None and all("ResourceArn" in each.get("Identifier", {}) for each in resources)


def query_training_plan(arn: str) -> Query:
    """One by its ARN: the parameter takes a name or an ARN (SageMaker API, DescribeTrainingPlan)."""
    absent = frozenset({"ResourceNotFound"})
    return Query(
        "sagemaker", "DescribeTrainingPlan", f"training plan {plan_name(arn)}", {"TrainingPlanName": arn}, absent=absent
    )


def plan_name(arn: str) -> str:
    """What an ARN ends with."""
    return arn.rpartition("/")[2]


def query_hyperpod_cluster(name: str) -> Query:
    """What a HyperPod cluster is made of, and what it has of training plans."""
    absent = frozenset({"ResourceNotFound"})
    return Query("sagemaker", "DescribeCluster", f"HyperPod cluster {name}", {"ClusterName": name}, absent=absent)


def instances_by_plan(cluster: Answer) -> Mapping[str, int] | None:
    """Training plan, by its ARN -> how many of its instances a HyperPod cluster has; None where the answer lacks it."""
    groups = listed_instance_groups(cluster)
    if groups is None or not all("CurrentCount" in each for each in groups):
        return None
    counts: Counter[str] = Counter()
    for group in groups:
        counts[group.get("TrainingPlanArn", "")] += group["CurrentCount"]
    return counts


def listed_instance_groups(cluster: Answer) -> list[Mapping[str, Any]] | None:
    """A HyperPod cluster's instance groups, none where there is no such cluster; None where the answer lacks them."""
    if cluster.absent:
        return []
    result = cluster.result or {}
    if "InstanceGroups" not in result:
        return None
    return [*result["InstanceGroups"], *result.get("RestrictedInstanceGroups", ())]
