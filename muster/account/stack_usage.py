"""The resources that the stack's running nodes already use: addresses, reserved instances, vCPUs. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from muster.account import capacity_queries
from muster.account.caller_identity import GET_CALLER_IDENTITY, account_of
from muster.account.query import Answer, Query
from muster.account.topic import PreflightRequest, id_filter
from muster.blueprint.tags import STACK_TAG
from muster.config.description.capacity import Reservation, ReservationGroup
from muster.config.identifiers import PLACEHOLDER
from muster.fleet.facts import ReservationState
from muster.hardware.quotas import Quota, vcpu_quota, vcpus_of

_HOLDING = ("pending", "running", "stopping", "stopped")
_OF_A_PREFIX = 16
"""The addresses of a prefix (/28) that the VPC CNI assigns to an interface."""


def instance_queries(wanted: PreflightRequest) -> list[Query]:
    """The queries for the stack's instances in the account, by the tag that Muster sets.

    For HyperPod: the security group of all its interfaces. Its instances are in an account of SageMaker, and the user's
    account cannot list them.
    """
    if not any(group.in_ec2 for group in wanted.blueprint.groups):
        of_stack = id_filter(f"tag:{STACK_TAG}", (wanted.blueprint.stack,))
        filters = [*of_stack, *id_filter("tag:Name", (f"{wanted.blueprint.cluster_name}-efa",))]
        about = "the security group of the stack's instances"
        return [Query("ec2", "DescribeSecurityGroups", about, {"Filters": filters})]
    return [query_instances(wanted)]


def query_instances(wanted: PreflightRequest) -> Query:
    """The query of instances with the stack's tag, in every state but shutting-down and terminated."""
    of_stack = id_filter(f"tag:{STACK_TAG}", (wanted.blueprint.stack,))
    filters = [*of_stack, *id_filter("instance-state-name", _HOLDING)]
    return Query("ec2", "DescribeInstances", "the stack's instances", {"Filters": filters})


def query_hyperpod_interfaces(answers: Sequence[Answer]) -> list[Query]:
    """For HyperPod, the query for the interfaces with the group; none before the group exists."""
    every = [group for each in answers if each.result for group in each.result.get("SecurityGroups", ())]
    found = tuple(group["GroupId"] for group in every if "GroupId" in group)
    about = "the interfaces of the stack's instances"
    return (
        [Query("ec2", "DescribeNetworkInterfaces", about, {"Filters": id_filter("group-id", found)})] if found else []
    )


def addresses_by_subnet(answers: Sequence[Answer]) -> Mapping[str, int] | None:
    """Subnet -> the addresses that the stack's nodes use there; None if an answer lacks them."""
    taken: Counter[str] = Counter()
    for answer in answers:
        holders = listed_instances(answer) if answer.question.operation == "DescribeInstances" else _holders(answer)
        if holders is None:
            return None
        for interface in (one for each in holders for one in each.get("NetworkInterfaces", ())):
            prefixes = len(interface.get("Ipv4Prefixes", ())) * _OF_A_PREFIX
            taken[interface.get("SubnetId", "")] += len(interface.get("PrivateIpAddresses", ())) + prefixes
    return taken


def _holders(answer: Answer) -> Sequence[Mapping[str, Any]] | None:
    """The holders of interfaces in an answer, or the group, which has none; None if it lacks its list."""
    result = answer.result or {}
    return [result] if {"NetworkInterfaces", "SecurityGroups"} & result.keys() else None


def instances_by_reservation(answers: Sequence[Answer]) -> Mapping[str, int] | None:
    """Reservation -> the number of the stack's instances in it; None if an answer lacks them."""
    every = [listed_instances(each) for each in answers]
    if None in every:
        return None
    return Counter(one.get("CapacityReservationId", "") for each in every for one in each or ())


def listed_instances(answer: Answer) -> list[Mapping[str, Any]] | None:
    """The instances of an answer; None if AWS did not list them."""
    groups = (answer.result or {}).get("Reservations")
    if groups is None or not all("Instances" in each for each in groups):
        return None
    return [instance for each in groups for instance in each["Instances"]]


STACK_VCPU_RIGHTS = {
    "ec2:DescribeCapacityReservations": "*",
    "ec2:DescribeInstances": "*",
    **capacity_queries.LISTING_GROUPS,
}


_COUNTED = ("pending", "running")
"""The states in which an instance's vCPUs count."""


def vcpu_queries(wanted: PreflightRequest) -> list[Query]:
    """The queries for the caller's account, the stack's instances, its reservations, and the members of its groups of
    reservations."""
    return [
        GET_CALLER_IDENTITY,
        query_instances(wanted),
        *(capacity_queries.query_group("ListGroupResources", arn) for arn in _groups(wanted)),
        *(capacity_queries.query_reservation(id_) for id_ in dict.fromkeys(_reservations(wanted))),
    ]


def member_queries(wanted: PreflightRequest, answers: Sequence[Answer]) -> list[Query]:
    """The queries for the members of reservation groups."""
    members = dict.fromkeys(id_ for answer in answers[2:] for id_ in capacity_queries.group_members(answer))
    named = set(_reservations(wanted))
    return [capacity_queries.query_reservation(id_) for id_ in members if id_ not in named]


def stack_vcpus(answers: Sequence[Answer], members: Sequence[Answer]) -> Mapping[Quota, int] | None:
    """Quota -> the vCPUs that the stack already uses; None if an answer is missing, or lacks a counted value.

    Args:
        answers: the answers to `vcpu_queries`.
        members: the answers to `member_queries`.
    """
    caller, listing = answers[:2]
    account, instances = account_of(caller), listed_instances(listing)
    groups = [each for each in answers[2:] if each.question.operation == "ListGroupResources"]
    of_reservations = [each for each in (*answers[2:], *members) if each not in groups]
    reservations = [_entries(each) for each in of_reservations]
    whole = all(each.absent or capacity_queries.is_complete_listing(each) for each in groups)
    if account is None or instances is None or None in reservations or not whole:
        return None
    own: Counter[Quota] = Counter()
    named = set()
    for each in (one for entries in reservations for one in entries or ()):
        if not each.keys() >= _OF_A_RESERVATION:
            return None
        ours = each["OwnerId"] == account and each["State"] == ReservationState.ACTIVE
        if ours and each["ReservationType"] == "default":
            named.add(each["CapacityReservationId"])
            _add(own, each["InstanceType"], each["TotalInstanceCount"], spot=False)
    for each in instances:
        state = each.get("State", {}).get("Name")
        if state is None or "InstanceType" not in each:
            return None
        running = state in _COUNTED and each.get("InstanceLifecycle") in {None, "spot"}
        if running and each.get("CapacityReservationId") not in named:
            _add(own, each["InstanceType"], 1, spot=each.get("InstanceLifecycle") == "spot")
    return own


_OF_A_RESERVATION = frozenset(
    {"CapacityReservationId", "InstanceType", "OwnerId", "ReservationType", "State", "TotalInstanceCount"}
)


def _entries(answer: Answer) -> Sequence[Mapping[str, Any]] | None:
    """The reservations in an answer; empty if there are none, None if the answer lacks them."""
    entries: Sequence[Mapping[str, Any]] | None = (answer.result or {}).get("CapacityReservations")
    return () if answer.absent else entries


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


def _groups(wanted: PreflightRequest) -> list[str]:
    arns = (group.arn for group in _named(wanted) if isinstance(group, ReservationGroup) and group.arn)
    return [arn for arn in dict.fromkeys(arns) if PLACEHOLDER not in arn]
