"""Capacity Reservations, Capacity Blocks, resource groups of them, and SageMaker's training plans."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from muster.account import capacity_queries, stack_usage
from muster.account.query import Answer, Inquiry, Query
from muster.account.topic import PreflightRequest, Topic, TopicLine, TopicResult, parse_fact, referenced_ids
from muster.config.description.capacity import NO_PLACEMENT_GROUP
from muster.config.identifiers import PLACEHOLDER
from muster.fleet.facts import Facts, ReservationFacts, ReservationGroupFacts, TrainingPlanFacts
from muster.fleet.resource_references import ResourceKind
from muster.message_text import list_names

MAX_GROUP_MEMBERS = 100
"""The maximum number of members of a resource group. Members of a larger group are not queried, and are unknown."""

MAX_INVITATIONS = 20
"""The maximum number of pending invitations whose resources are queried."""

_PENDING = "PENDING"
_OF_GROUPS = ("GetGroupConfiguration", "ListGroupResources")


def _inquire_reservations(wanted: PreflightRequest) -> Inquiry[TopicResult]:
    named = referenced_ids(wanted, ResourceKind.RESERVATION, ResourceKind.CAPACITY_BLOCK)
    groups = referenced_ids(wanted, ResourceKind.RESERVATION_GROUP)
    if not named and not groups:
        return TopicResult()
    own, by_id = stack_usage.instance_queries(wanted), [capacity_queries.query_reservation(each) for each in named]
    answers = yield [*own, *by_id, *(capacity_queries.query_group(each, arn) for arn in groups for each in _OF_GROUPS)]
    taken = stack_usage.instances_by_reservation(answers[: len(own)])
    known = dict(zip(named, answers[len(own) :], strict=False))
    pairs = iter(answers[len(own) + len(by_id) :])
    of_groups = dict(zip(groups, zip(pairs, pairs, strict=True), strict=True))
    members = {arn: _members(listing) for arn, (_, listing) in of_groups.items()}
    further = tuple(dict.fromkeys(each for inside in members.values() for each in inside or () if each not in known))
    if further:
        known |= dict(zip(further, (yield [capacity_queries.query_reservation(each) for each in further]), strict=True))
    invitations: dict[str, str] = {}
    if any(_unknown(each) for each in known.values()):
        (listing,) = yield [Query("ram", "GetResourceShareInvitations", "invitations to shared resources")]
        waiting = _waiting(listing)
        invitations = dict(_shared_by(waiting, (yield [_shares(each) for each in waiting]) if waiting else ()))
    reservations = {
        each: facts
        for each, answer in known.items()
        if (facts := _reservation_facts(each, answer, taken, invitations.get(each)))
    }
    found = {arn: of_group for arn, both in of_groups.items() if (of_group := _group_facts(*both, members[arn]))}
    lines = (
        *(TopicLine(f"reservation {each}", _reservation_text(facts)) for each, facts in reservations.items()),
        *(
            TopicLine(f"reservation group {capacity_queries.group_name(arn)}", _reservation_group_text(facts))
            for arn, facts in found.items()
        ),
    )
    return TopicResult(Facts.model_validate({"reservations": reservations, "reservationGroups": found}), lines)


def _unknown(answer: Answer) -> bool:
    """Whether the reservation does not exist: AWS returned an error, or an empty list."""
    return answer.absent or (answer.result or {}).get("CapacityReservations") == []


def _members(listing: Answer) -> tuple[str, ...] | None:
    """The reservations in a group; None if they are unknown."""
    if listing.result is None or not capacity_queries.is_complete_listing(listing):
        return None
    found = tuple(capacity_queries.group_members(listing))
    return found if len(found) <= MAX_GROUP_MEMBERS else None


def _waiting(listing: Answer) -> list[str]:
    """The ARNs of pending invitations."""
    invitations = listing.result.get("resourceShareInvitations", ()) if listing.result else ()
    pending = (each for each in invitations if each.get("status") == _PENDING)
    arns = [str(each["resourceShareInvitationArn"]) for each in pending if "resourceShareInvitationArn" in each]
    return arns[:MAX_INVITATIONS]


def _shares(invitation: str) -> Query:
    about = f"the resources of invitation {invitation.rpartition('/')[2]}"
    return Query("ram", "ListPendingInvitationResources", about, {"resourceShareInvitationArn": invitation})


def _shared_by(waiting: Sequence[str], shared: Sequence[Answer]) -> Iterator[tuple[str, str]]:
    """Reservation -> the invitation that shares it."""
    for invitation, answer in zip(waiting, shared, strict=True):
        for each in answer.result.get("resources", ()) if answer.result else ():
            yield each.get("arn", "").rpartition("/")[2], invitation


def _reservation_facts(
    id_: str, answer: Answer, own: Mapping[str, int] | None, invitation: str | None
) -> ReservationFacts | None:
    if _unknown(answer):
        return parse_fact(ReservationFacts, {"exists": False, "invitation": invitation})
    entries = (answer.result or {}).get("CapacityReservations")
    if not entries:
        return None
    one: Mapping[str, Any] = entries[0]
    free = one.get("AvailableInstanceCount")
    return reservation_facts(one, None if free is None or own is None else free + own.get(id_, 0))


def reservation_facts(one: Mapping[str, Any], available: int | None) -> ReservationFacts:
    """An entry of `DescribeCapacityReservations`.

    Args:
        one: the entry.
        available: the number of its instances that are free for the stack.
    """
    return parse_fact(
        ReservationFacts,
        {
            "exists": True,
            "instanceType": one.get("InstanceType"),
            "zone": one.get("AvailabilityZone"),
            "zoneId": one.get("AvailabilityZoneId"),
            "totalInstances": one.get("TotalInstanceCount"),
            "availableInstances": available,
            "state": one.get("State"),
            "reservationType": one.get("ReservationType"),
            "platform": one.get("InstancePlatform"),
            "tenancy": one.get("Tenancy"),
            "start": one.get("StartDate"),
            "end": one.get("EndDate"),
            "endType": one.get("EndDateType"),
            "placementGroup": one.get("PlacementGroupArn", NO_PLACEMENT_GROUP).rpartition("/")[2],
            "owner": one.get("OwnerId"),
        },
    )


def _group_facts(
    configuration: Answer, listing: Answer, members: tuple[str, ...] | None
) -> ReservationGroupFacts | None:
    if configuration.absent or listing.absent:
        return ReservationGroupFacts(exists=False)
    if configuration.result is None and listing.result is None:
        return None
    entries = (
        configuration.result.get("GroupConfiguration", {}).get("Configuration", ()) if configuration.result else None
    )
    types = None if entries is None else tuple(str(each.get("Type")) for each in entries)
    return ReservationGroupFacts(exists=True, configurations=types, reservations=members)


def _reservation_text(known: ReservationFacts) -> str:
    if known.exists is False:
        waits = (
            (f"; the pending invitation {known.invitation} shares it: accept the invitation")
            if known.invitation
            else ""
        )
        return f"does not exist in this account and Region{waits}"
    words = (
        "Capacity Block" if known.reservation_type == "capacity-block" else "",
        known.state,
        known.instance_type,
        f"{known.available_instances} of {known.total_instances} free or in use by the stack"
        if known.available_instances is not None
        else f"{known.total_instances} in total",
        f"{known.zone} ({known.zone_id})" if known.zone_id else known.zone,
        known.platform,
        f"{known.tenancy} tenancy" if known.tenancy else "",
        f"in placement group {known.placement_group}" if known.placement_group != NO_PLACEMENT_GROUP else "",
        f"from {known.start:%Y-%m-%d %H:%M %Z}" if known.start else "",
        f"until {known.end:%Y-%m-%d %H:%M %Z}" if known.end else "",
        f"of account {known.owner}" if known.owner else "",
    )
    return ", ".join(str(each) for each in words if each)


def _reservation_group_text(known: ReservationGroupFacts) -> str:
    if known.exists is False:
        return "does not exist in this account and Region"
    return "its members are unknown" if known.reservations is None else f"contains {list_names(known.reservations)}"


RESERVATIONS = Topic(
    "reservations",
    "Capacity reservations and Capacity Blocks by id, and resource groups of reservations with their members.",
    _inquire_reservations,
    frozenset({"reservationGroups", "reservations"}),
    rights={
        "ec2:DescribeCapacityReservations": "*",
        "ec2:DescribeInstances": "*",
        "ram:GetResourceShareInvitations": "*",
        "ram:ListPendingInvitationResources": "*",
        "resource-groups:GetGroupConfiguration": "arn:*:resource-groups:*:*:group/*",
        **capacity_queries.LISTING_GROUPS,
    },
    leads={
        "ec2.DescribeCapacityReservations": ("ram.GetResourceShareInvitations",),
        "ram.GetResourceShareInvitations": ("ram.ListPendingInvitationResources",),
        "resource-groups.ListGroupResources": ("ec2.DescribeCapacityReservations",),
    },
)


def _inquire_plans(wanted: PreflightRequest) -> Inquiry[TopicResult]:
    arns = _named_plans(wanted)
    if not arns:
        return TopicResult()
    *answers, own = yield [
        *(capacity_queries.query_training_plan(arn) for arn in arns),
        capacity_queries.query_hyperpod_cluster(_stack_cluster_name(wanted)),
    ]
    of_own = capacity_queries.instances_by_plan(own)
    known = {
        arn: _plan_facts(arn, answer, of_own) for arn, answer in zip(arns, answers, strict=True) if answer.answered
    }
    lines = tuple(
        TopicLine(f"training plan {capacity_queries.plan_name(arn)}", _plan_text(plan)) for arn, plan in known.items()
    )
    return TopicResult(Facts(trainingPlans=known), lines)


def _named_plans(wanted: PreflightRequest) -> list[str]:
    """The ARNs of the stack's plans, each once, without placeholders."""
    groups = wanted.blueprint.hyperpod_groups
    arns = (str(each.training_plan) for each in groups if each.training_plan)
    return [arn for arn in dict.fromkeys(arns) if PLACEHOLDER not in arn]


def _stack_cluster_name(wanted: PreflightRequest) -> str:
    """The name of the stack's HyperPod cluster, whose instances belong to the stack."""
    cluster = wanted.blueprint.hyperpod_cluster
    return str(cluster.name if cluster else wanted.blueprint.cluster_name)


def _plan_facts(arn: str, answer: Answer, of_own: Mapping[str, int] | None) -> TrainingPlanFacts:
    """The facts about a plan. Its type and zone are those of its reserved capacity, if all parts agree."""
    if answer.result is None:
        return TrainingPlanFacts(exists=False)
    plan = answer.result
    parts = plan.get("ReservedCapacitySummaries", [])
    types, zones = ({each.get(key) for each in parts} for key in ("InstanceType", "AvailabilityZone"))
    free = plan.get("AvailableInstanceCount")
    values = {
        "exists": True,
        "state": plan.get("Status"),
        "instanceType": types.pop() if len(types) == 1 else None,
        "zone": zones.pop() if len(zones) == 1 else None,
        "totalInstances": plan.get("TotalInstanceCount"),
        "availableInstances": None if free is None or of_own is None else free + of_own.get(arn, 0),
        "targets": plan.get("TargetResources"),
        "start": plan.get("StartTime"),
        "end": plan.get("EndTime"),
    }
    return parse_fact(TrainingPlanFacts, {key: value for key, value in values.items() if value is not None})


def _plan_text(plan: TrainingPlanFacts) -> str:
    if not plan.exists:
        return "does not exist in this account and Region"
    parts = (
        plan.state,
        f"{plan.total_instances} x {plan.instance_type}" if plan.total_instances and plan.instance_type else None,
        None if plan.available_instances is None else f"{plan.available_instances} free or in use by the stack",
        f"for {' and '.join(plan.targets)}" if plan.targets else None,
        plan.zone,
        f"from {plan.start:%Y-%m-%d %H:%M} UTC" if plan.start else None,
        f"until {plan.end:%Y-%m-%d %H:%M} UTC" if plan.end else None,
    )
    return ", ".join(str(part) for part in parts if part)


TRAINING_PLANS = Topic(
    "training plans",
    "SageMaker training plans of instance groups.",
    _inquire_plans,
    frozenset({"trainingPlans"}),
    dict.fromkeys(("sagemaker:DescribeCluster", "sagemaker:DescribeTrainingPlan"), "*"),
)
