"""Queries about capacity, and what the stack's running nodes already use of it: addresses, reserved instances, vCPUs.
Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import jmespath

from muster.account.caller_identity import GET_CALLER_IDENTITY, account_of
from muster.account.query import Answer, Inquiry, Query
from muster.account.topic import PreflightRequest, id_filter
from muster.blueprint.logical_names import STACK_TAG
from muster.config.description.capacity import Reservation, ReservationGroup
from muster.config.placeholders import PLACEHOLDER
from muster.fleet.facts import ReservationState
from muster.hardware.quotas import Quota, vcpu_quota, vcpus_of


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


_HOLDING = ("pending", "running", "stopping", "stopped")
_OF_A_PREFIX = 16
"""The addresses of a prefix (/28) that the VPC CNI assigns to an interface."""


def query_instances(wanted: PreflightRequest) -> Query:
    """The query of instances with the stack's tag, in every state but shutting-down and terminated."""
    of_stack = id_filter(f"tag:{STACK_TAG}", (wanted.blueprint.stack,))
    filters = [*of_stack, *id_filter("instance-state-name", _HOLDING)]
    needs = tuple(f"Reservations[].Instances[].{each}" for each in ("InstanceType", "State.Name"))
    return Query("ec2", "DescribeInstances", "the stack's instances", {"Filters": filters}, needs=needs)


def query_interfaces(wanted: PreflightRequest) -> Query:
    """The query of the interfaces of the stack's instances.

    For HyperPod: those with the stack's security group, by the beginning of its name. Its instances are in an account
    of SageMaker, and the user's account cannot list them.
    """
    if any(group.in_ec2 for group in wanted.blueprint.groups):
        return query_instances(wanted)
    filters = id_filter("group-name", (f"{wanted.blueprint.name_stem}-efa-*",))
    about = "the interfaces of the stack's instances"
    return Query("ec2", "DescribeNetworkInterfaces", about, {"Filters": filters}, needs=("NetworkInterfaces",))


def addresses_by_subnet(answer: Answer) -> Mapping[str, int] | None:
    """Subnet -> the addresses that the stack's nodes use there; None without an answer to `query_interfaces`."""
    if answer.result is None:
        return None
    taken: Counter[str] = Counter()
    interfaces = "Reservations[].Instances[].NetworkInterfaces[] || NetworkInterfaces"
    for each in jmespath.search(interfaces, answer.result) or ():
        prefixes = len(each.get("Ipv4Prefixes", ())) * _OF_A_PREFIX
        taken[each.get("SubnetId", "")] += len(each.get("PrivateIpAddresses", ())) + prefixes
    return taken


def instances_by_reservation(answer: Answer) -> Mapping[str, int] | None:
    """Reservation -> the number of the stack's instances in it; None without an answer to `query_instances`."""
    if answer.result is None:
        return None
    return Counter(each.get("CapacityReservationId", "") for each in _instances(answer))


def _instances(answer: Answer) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = jmespath.search("Reservations[].Instances[]", answer.result)
    return found


_COUNTED = ("pending", "running")
"""The states in which an instance's vCPUs count."""

_OF_A_RESERVATION = (
    *("CapacityReservationId", "InstanceType", "OwnerId", "ReservationType", "State", "TotalInstanceCount"),
)


def own_vcpus(wanted: PreflightRequest) -> Inquiry[Mapping[Quota, int] | None]:
    """Quota -> the vCPUs that the stack already uses: its instances, and its reservations in full. None if an answer is
    missing."""
    caller, listing, *groups = yield [
        GET_CALLER_IDENTITY,
        query_instances(wanted),
        *map(query_group_members, sorted({*_groups(wanted)})),
    ]
    ids = sorted({*_reservations(wanted), *(id_ for each in groups for id_ in group_members(each))})
    queries = [query_reservation(each, needs=_OF_A_RESERVATION) for each in ids]
    answers = (yield queries) if queries else ()
    account = account_of(caller)
    if account is None or not all(each.answered for each in (listing, *groups, *answers)):
        return None
    own: Counter[Quota] = Counter()
    held = set()
    for each in (one for answer in answers for one in (answer.result or {}).get("CapacityReservations", ())):
        ours = each["OwnerId"] == account and each["State"] == ReservationState.ACTIVE
        if ours and each["ReservationType"] == "default":
            held.add(each["CapacityReservationId"])
            _add(own, each["InstanceType"], each["TotalInstanceCount"], spot=False)
    for each in _instances(listing):
        running = each["State"]["Name"] in _COUNTED and each.get("InstanceLifecycle") in {None, "spot"}
        if running and each.get("CapacityReservationId") not in held:
            _add(own, each["InstanceType"], 1, spot=each.get("InstanceLifecycle") == "spot")
    return own


def _add(own: Counter[Quota], instance: str, count: int, *, spot: bool) -> None:
    quota, vcpus = vcpu_quota(instance, spot=spot), vcpus_of(instance)
    if quota and vcpus:
        own[quota] += count * vcpus


def _named(wanted: PreflightRequest) -> Iterator[Reservation | ReservationGroup]:
    for group in wanted.blueprint.groups:
        held = group.described.capacity.held
        if isinstance(held, Reservation | ReservationGroup):
            yield held


def _reservations(wanted: PreflightRequest) -> Iterator[str]:
    """The reservations of the stack by id or ARN, without placeholders."""
    for reservation in _named(wanted):
        ids = (reservation.id,) if isinstance(reservation, Reservation) else reservation.create or ()
        yield from (each.rpartition("/")[2] for each in ids if PLACEHOLDER not in each)


def _groups(wanted: PreflightRequest) -> Iterator[str]:
    arns = (group.arn for group in _named(wanted) if isinstance(group, ReservationGroup) and group.arn)
    return (arn for arn in arns if PLACEHOLDER not in arn)
