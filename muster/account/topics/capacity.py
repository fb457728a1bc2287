"""Capacity Reservations, Capacity Blocks, resource groups of them, and SageMaker's training plans."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import jmespath

from muster.account import capacity_queries
from muster.account.query import Answer, Inquiry, Query
from muster.account.topic import PreflightRequest, Topic, id_filter, read_fact, referenced_ids
from muster.config.description.capacity import NO_PLACEMENT_GROUP
from muster.config.placeholders import PLACEHOLDER
from muster.fleet.facts import Facts, ReservationFacts, ReservationGroupFacts, TrainingPlanFacts
from muster.fleet.resource_references import ResourceKind
from muster.hardware.hyperpod_types import ML
from muster.hardware.zones import ZONE_NAME

MAX_GROUP_MEMBERS = 100
"""The maximum number of members of a resource group. Members of a larger group are not queried, and are unknown."""

MAX_INVITATIONS = 20
"""The maximum number of pending invitations whose resources are queried."""


def _inquire_reservations(wanted: PreflightRequest) -> Inquiry[Facts]:
    named = referenced_ids(wanted, ResourceKind.RESERVATION, ResourceKind.CAPACITY_BLOCK)
    groups = referenced_ids(wanted, ResourceKind.RESERVATION_GROUP)
    if not named and not groups:
        return Facts()
    instances, *answers = yield [
        capacity_queries.query_instances(wanted),
        *map(capacity_queries.query_reservation, named),
        *map(capacity_queries.query_group_configuration, groups),
        *map(capacity_queries.query_group_members, groups),
    ]
    known = dict(zip(named, answers, strict=False))
    configurations = dict(zip(groups, answers[len(named) :], strict=False))
    listings = dict(zip(groups, answers[len(named) + len(groups) :], strict=True))
    further = {each for listing in listings.values() for each in _members(listing) or ()} - known.keys()
    if further:
        queries = [capacity_queries.query_reservation(each) for each in sorted(further)]
        known |= dict(zip(sorted(further), (yield queries), strict=True))
    invitations: dict[str, str] = {}
    if any(map(_is_gone, known.values())):
        invitations = yield from _invitations()
    taken = capacity_queries.instances_by_reservation(instances)
    reservations = {id_: _reservation(id_, each, taken, invitations.get(id_)) for id_, each in known.items()}
    of_groups = {arn: _group(configurations[arn], listings[arn]) for arn in groups}
    return Facts(
        reservations={id_: each for id_, each in reservations.items() if each},
        reservationGroups={arn: each for arn, each in of_groups.items() if each},
    )


def _is_gone(answer: Answer) -> bool:
    """Whether the reservation does not exist: AWS returned an error, or an empty list."""
    return answer.absent or (answer.result is not None and not answer.result["CapacityReservations"])


def _members(listing: Answer) -> tuple[str, ...] | None:
    """The reservations in a group; None if they are unknown."""
    found = tuple(capacity_queries.group_members(listing))
    return found if listing.result is not None and len(found) <= MAX_GROUP_MEMBERS else None


def _invitations() -> Inquiry[dict[str, str]]:
    """Reservation -> the pending invitation that shares it."""
    (listing,) = yield [Query("ram", "GetResourceShareInvitations", "invitations to shared resources")]
    pending = "resourceShareInvitations[?status=='PENDING'].resourceShareInvitationArn"
    waiting = (jmespath.search(pending, listing.result) or [])[:MAX_INVITATIONS]
    shared: Sequence[Answer] = (yield [_shares(each) for each in waiting]) if waiting else ()
    return {
        arn.rpartition("/")[2]: invitation
        for invitation, answer in zip(waiting, shared, strict=True)
        for arn in jmespath.search("resources[].arn", answer.result) or ()
    }


def _shares(invitation: str) -> Query:
    about = f"the resources of invitation {invitation.rpartition('/')[2]}"
    return Query("ram", "ListPendingInvitationResources", about, {"resourceShareInvitationArn": invitation})


def _reservation(
    id_: str, answer: Answer, own: Mapping[str, int] | None, invitation: str | None
) -> ReservationFacts | None:
    if _is_gone(answer):
        return ReservationFacts.model_validate({"exists": False, "invitation": invitation})
    if answer.result is None:
        return None
    one = answer.result["CapacityReservations"][0]
    free = one.get("AvailableInstanceCount")
    return reservation_facts(one, None if free is None or own is None else free + own.get(id_, 0))


def reservation_facts(one: Mapping[str, Any], available: int | None) -> ReservationFacts:
    """An entry of `DescribeCapacityReservations`.

    Args:
        one: the entry.
        available: the number of its instances that are free for the stack.
    """
    group = one.get("PlacementGroupArn", NO_PLACEMENT_GROUP).rpartition("/")[2]
    own = {"availableInstances": available, "placementGroup": group}
    return read_fact(ReservationFacts, one, _RESERVATION, exists=True, **own)


_RESERVATION = {
    "instanceType": "InstanceType",
    "zone": "AvailabilityZone",
    "zoneId": "AvailabilityZoneId",
    "totalInstances": "TotalInstanceCount",
    "state": "State",
    "reservationType": "ReservationType",
    "platform": "InstancePlatform",
    "tenancy": "Tenancy",
    "start": "StartDate",
    "end": "EndDate",
    "endType": "EndDateType",
    "owner": "OwnerId",
}


def _group(configuration: Answer, listing: Answer) -> ReservationGroupFacts | None:
    if configuration.absent or listing.absent:
        return ReservationGroupFacts(exists=False)
    if configuration.result is None and listing.result is None:
        return None
    types = None
    if configuration.result is not None:  # a group without a configuration has no list
        types = jmespath.search("GroupConfiguration.Configuration[].Type", configuration.result) or ()
    return ReservationGroupFacts(exists=True, configurations=types, reservations=_members(listing))


RESERVATIONS = Topic(
    "reservations",
    "Capacity reservations and Capacity Blocks by id, and resource groups of reservations with their members.",
    _inquire_reservations,
    frozenset({"reservationGroups", "reservations"}),
)


def _inquire_plans(wanted: PreflightRequest) -> Inquiry[Facts]:
    arns = [*dict.fromkeys(_named_plans(wanted))]
    if not arns:
        return Facts()
    # The cluster's instances belong to the stack.
    cluster = wanted.blueprint.hyperpod_cluster
    name = str(cluster.name if cluster else wanted.blueprint.cluster_name)
    own, *answers = yield [
        capacity_queries.query_hyperpod_cluster(name),
        *map(capacity_queries.query_training_plan, arns),
    ]
    taken = capacity_queries.instances_by_plan(own)
    return Facts(
        trainingPlans={
            arn: _plan(arn, answer, taken) for arn, answer in zip(arns, answers, strict=True) if answer.answered
        }
    )


def _named_plans(wanted: PreflightRequest) -> Iterator[str]:
    """The ARNs of the stack's plans, without placeholders."""
    arns = (str(each.training_plan) for each in wanted.blueprint.hyperpod_groups if each.training_plan)
    return (arn for arn in arns if PLACEHOLDER not in arn)


_PLAN = {
    "state": "Status",
    "totalInstances": "TotalInstanceCount",
    "targets": "TargetResources",
    "start": "StartTime",
    "end": "EndTime",
}


def _plan(arn: str, answer: Answer, own: Mapping[str, int] | None) -> TrainingPlanFacts:
    if answer.result is None:
        return TrainingPlanFacts(exists=False)
    free = answer.result.get("AvailableInstanceCount")
    return plan_facts(answer.result, None if free is None or own is None else free + own.get(arn, 0))


def plan_facts(plan: Mapping[str, Any], available: int | None) -> TrainingPlanFacts:
    """An answer of `DescribeTrainingPlan`. Its type and zone are those of its reserved capacity, if all parts agree.

    Args:
        plan: the answer.
        available: the number of its instances that are free for the stack.
    """
    parts = plan.get("ReservedCapacitySummaries", ())
    types, zones = ({each.get(key) for each in parts} for key in ("InstanceType", "AvailabilityZone"))
    type_, zone = (each.pop() if len(each) == 1 else None for each in (types, zones))
    own = {"instanceType": type_, "zone": zone, "availableInstances": available}
    return read_fact(TrainingPlanFacts, plan, _PLAN, exists=True, **own)


TRAINING_PLANS = Topic(
    "training plans", "SageMaker training plans of instance groups.", _inquire_plans, frozenset({"trainingPlans"})
)


def _inquire(wanted: PreflightRequest) -> Inquiry[Facts]:
    types = tuple(sorted(set(_types(wanted))))
    zones, offerings = yield [
        Query(
            "ec2",
            "DescribeAvailabilityZones",
            "zones",
            {"Filters": id_filter("zone-type", ("availability-zone",))},
            needs=("AvailabilityZones[].ZoneName", "AvailabilityZones[].ZoneId"),
        ),
        Query(
            "ec2",
            "DescribeInstanceTypeOfferings",
            "offerings of instance types",
            {"LocationType": "availability-zone", "Filters": id_filter("instance-type", types)},
            needs=("InstanceTypeOfferings[].InstanceType", "InstanceTypeOfferings[].Location"),
        ),
    ]
    ids = {each["ZoneName"]: each["ZoneId"] for each in (zones.result or {}).get("AvailabilityZones", ())}
    if offerings.result is None:
        return Facts(zones=ids)
    offered = [(each["InstanceType"], each["Location"]) for each in offerings.result["InstanceTypeOfferings"]]
    # Without Wavelength Zones, which a stack cannot use.
    of_zones = sorted((type_, zone) for type_, zone in offered if ZONE_NAME.fullmatch(zone))
    in_ = {each: tuple(zone for type_, zone in of_zones if type_ == each) for each in types}
    return Facts(zones=ids, offerings=in_)


def _types(wanted: PreflightRequest) -> Iterator[str]:
    """The stack's instance types, by EC2's names for every backend, including those of the head node, of HyperPod's
    controller and of login nodes."""
    yield from (each for group in wanted.blueprint.groups for each in group.described.types)
    for group in wanted.blueprint.hyperpod_groups:
        yield from (each.removeprefix(ML) for each in group.instance_types)
    yield from wanted.blueprint.other_instances


OFFERINGS = Topic(
    "offerings",
    "The zones of the account, and which of them offer the stack's instance types.",
    _inquire,
    frozenset({"offerings", "zones"}),
)
