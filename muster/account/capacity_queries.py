"""Queries about capacity: a reservation by its id, a resource group's members, a training plan. Pure."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import jmespath

from muster.account.query import Answer, Query


def query_reservation(id_: str, noun: str = "reservation", needs: tuple[str, ...] = ()) -> Query:
    """A query for one reservation: EC2 has no filter for ids, and an unknown id makes a whole call fail.

    Args:
        id_: its id.
        noun: its usual name: ``Capacity Block``.
        needs: the members of the reservation that an answer must have.
    """
    return Query(
        "ec2",
        "DescribeCapacityReservations",
        f"{noun} {id_}",
        {"CapacityReservationIds": [id_]},
        absent=frozenset({"InvalidCapacityReservationId.NotFound"}),
        needs=("CapacityReservations", *(f"CapacityReservations[].{each}" for each in needs)),
    )


def query_group_members(arn: str) -> Query:
    """A query for the members of a resource group."""
    return _query_group("ListGroupResources", arn, "Resources[].Identifier.ResourceArn")


def query_group_configuration(arn: str) -> Query:
    """A query for the configuration of a resource group."""
    return _query_group("GetGroupConfiguration", arn, "GroupConfiguration.Configuration?[].Type")


def _query_group(operation: str, arn: str, needed: str) -> Query:
    # Resource Groups may add a suffix to the name.
    about = f"reservation group {arn.partition(':group/')[2].partition('/')[0]}"
    absent = frozenset({"NotFoundException"})
    return Query("resource-groups", operation, about, {"Group": arn}, absent, needs=(needed,))


def group_members(listing: Answer) -> list[str]:
    """The ids of the reservations in a group; none without an answer."""
    arns = jmespath.search("Resources[].Identifier.ResourceArn", listing.result) or []
    return [each.rpartition("/")[2] for each in arns if ":capacity-reservation/" in each]


def query_training_plan(arn: str) -> Query:
    """A query for one plan by its ARN: the parameter accepts a name or an ARN (SageMaker API, DescribeTrainingPlan)."""
    absent = frozenset({"ResourceNotFound"})
    about = f"training plan {arn.rpartition('/')[2]}"
    return Query("sagemaker", "DescribeTrainingPlan", about, {"TrainingPlanName": arn}, absent)


def query_hyperpod_cluster(name: str) -> Query:
    """A query for a HyperPod cluster's groups, and their instances of training plans."""
    return Query(
        "sagemaker",
        "DescribeCluster",
        f"HyperPod cluster {name}",
        {"ClusterName": name},
        absent=frozenset({"ResourceNotFound"}),
        needs=("InstanceGroups", *(f"{each}?[].{member}" for each in _GROUPS for member in _OF_A_GROUP)),
    )


_GROUPS = ("InstanceGroups", "RestrictedInstanceGroups")
_OF_A_GROUP = (
    *("CurrentCount", "TargetCount", "InstanceType|InstanceTypeDetails"),
    *("InstanceTypeDetails?[].InstanceType", "InstanceTypeDetails?[].CurrentCount"),
)


def instance_groups(cluster: Answer) -> list[Mapping[str, Any]]:
    """A HyperPod cluster's instance groups; none if there is no such cluster, or no answer."""
    return [group for each in _GROUPS for group in (cluster.result or {}).get(each, ())]


def instances_by_plan(cluster: Answer) -> Mapping[str, int] | None:
    """ARN of a training plan -> the number of its instances in a HyperPod cluster; None without an answer."""
    if not cluster.answered:
        return None
    counts: Counter[str] = Counter()
    for group in instance_groups(cluster):
        counts[group.get("TrainingPlanArn", "")] += group["CurrentCount"]
    return counts
