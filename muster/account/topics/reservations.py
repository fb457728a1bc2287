"""Capacity reservations and Capacity Blocks by id, and resource groups of them with their members."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from muster.account import held, own_nodes
from muster.account.answer import Answer
from muster.account.ask import Inquiry
from muster.account.named import ids
from muster.account.question import Question
from muster.account.told import told
from muster.account.topic import Learned, Said, Topic, Wanted
from muster.fleet.description.capacity import NO_PLACEMENT_GROUP
from muster.fleet.facts import Facts, ReservationFacts, ReservationGroupFacts
from muster.fleet.named import Kind
from muster.words import listed

MOST_MEMBERS = 100
"""Of one resource group. What a larger one holds is not asked: its members are then not known."""

MOST_INVITATIONS = 20
"""Of those that wait: each is asked what it shares."""

_PENDING = "PENDING"
_OF_GROUPS = ("GetGroupConfiguration", "ListGroupResources")


def _inquire(wanted: Wanted) -> Inquiry[Learned]:
    named = ids(wanted, Kind.RESERVATION, Kind.CAPACITY_BLOCK)
    groups = ids(wanted, Kind.RESERVATION_GROUP)
    if not named and not groups:
        return Learned()
    own, asked = own_nodes.questions(wanted), [held.reservation(each) for each in named]
    answers = yield [*own, *asked, *(held.of_group(each, arn) for arn in groups for each in _OF_GROUPS)]
    taken = own_nodes.in_reservations(answers[: len(own)])
    known = dict(zip(named, answers[len(own) :], strict=False))
    pairs = iter(answers[len(own) + len(asked) :])
    of_groups = dict(zip(groups, zip(pairs, pairs, strict=True), strict=True))
    members = {arn: _members(listing) for arn, (_, listing) in of_groups.items()}
    further = tuple(dict.fromkeys(each for inside in members.values() for each in inside or () if each not in known))
    if further:
        known |= dict(zip(further, (yield [held.reservation(each) for each in further]), strict=True))
    invitations: dict[str, str] = {}
    if any(_unknown(each) for each in known.values()):
        (listing,) = yield [Question("ram", "GetResourceShareInvitations", "invitations to shared resources")]
        waiting = _waiting(listing)
        invitations = dict(_shared_by(waiting, (yield [_shares(each) for each in waiting]) if waiting else ()))
    reservations = {
        each: facts for each, answer in known.items() if (facts := _facts(each, answer, taken, invitations.get(each)))
    }
    found = {arn: of_group for arn, both in of_groups.items() if (of_group := _group_facts(*both, members[arn]))}
    said = (
        *(Said(f"reservation {each}", _words(facts)) for each, facts in reservations.items()),
        *(Said(f"reservation group {held.group_name(arn)}", _group_words(facts)) for arn, facts in found.items()),
    )
    return Learned(Facts.model_validate({"reservations": reservations, "reservationGroups": found}), said)


def _unknown(answer: Answer) -> bool:
    """Whether AWS says that there is none: by an error, or by an answer without it."""
    return answer.absent or (answer.result or {}).get("CapacityReservations") == []


def _members(listing: Answer) -> tuple[str, ...] | None:
    """The reservations in a group; None where that is not known."""
    if listing.result is None or not held.tells_all(listing):
        return None
    found = tuple(held.members(listing))
    return found if len(found) <= MOST_MEMBERS else None


def _waiting(listing: Answer) -> list[str]:
    """The ARNs of invitations that nobody has answered."""
    invitations = listing.result.get("resourceShareInvitations", ()) if listing.result else ()
    pending = (each for each in invitations if each.get("status") == _PENDING)
    arns = [str(each["resourceShareInvitationArn"]) for each in pending if "resourceShareInvitationArn" in each]
    return arns[:MOST_INVITATIONS]


def _shares(invitation: str) -> Question:
    about = f"what invitation {invitation.rpartition('/')[2]} shares"
    return Question("ram", "ListPendingInvitationResources", about, {"resourceShareInvitationArn": invitation})


def _shared_by(waiting: Sequence[str], shared: Sequence[Answer]) -> Iterator[tuple[str, str]]:
    """Reservation -> the invitation that shares it."""
    for invitation, answer in zip(waiting, shared, strict=True):
        for each in answer.result.get("resources", ()) if answer.result else ():
            yield each.get("arn", "").rpartition("/")[2], invitation


def _facts(id_: str, answer: Answer, own: Mapping[str, int] | None, invitation: str | None) -> ReservationFacts | None:
    if _unknown(answer):
        return told(ReservationFacts, {"exists": False, "invitation": invitation})
    entries = (answer.result or {}).get("CapacityReservations")
    if not entries:
        return None
    one: Mapping[str, Any] = entries[0]
    free = one.get("AvailableInstanceCount")
    return as_facts(one, None if free is None or own is None else free + own.get(id_, 0))


def as_facts(one: Mapping[str, Any], available: int | None) -> ReservationFacts:
    """An entry of `DescribeCapacityReservations`.

    Args:
        one: the entry.
        available: how many of its instances are free to whoever asks.
    """
    return told(
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
            "unusedBilledTo": one.get("UnusedReservationBillingOwnerId"),
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


def _words(known: ReservationFacts) -> str:
    if known.exists is False:
        waits = f"; invitation {known.invitation} shares it, and waits to be accepted" if known.invitation else ""
        return f"AWS knows none of this id in this account and Region{waits}"
    words = (
        "Capacity Block" if known.reservation_type == "capacity-block" else "",
        known.state,
        known.instance_type,
        f"{known.available_instances} of {known.total_instances} free or the stack's own"
        if known.available_instances is not None
        else f"{known.total_instances} in all",
        f"{known.zone} ({known.zone_id})" if known.zone_id else known.zone,
        known.platform,
        f"{known.tenancy} tenancy" if known.tenancy else "",
        f"in placement group {known.placement_group}" if known.placement_group != NO_PLACEMENT_GROUP else "",
        f"from {known.start:%Y-%m-%d %H:%M %Z}" if known.start else "",
        f"until {known.end:%Y-%m-%d %H:%M %Z}" if known.end else "",
        f"of account {known.owner}" if known.owner else "",
    )
    return ", ".join(str(each) for each in words if each)


def _group_words(known: ReservationGroupFacts) -> str:
    if known.exists is False:
        return "AWS knows none of this name in this account and Region"
    return "its members are not known" if known.reservations is None else f"holds {listed(known.reservations)}"


RESERVATIONS = Topic(
    "reservations",
    _inquire,
    frozenset({"reservationGroups", "reservations"}),
    rights={
        "ec2:DescribeCapacityReservations": "*",
        "ec2:DescribeInstances": "*",
        "ram:GetResourceShareInvitations": "*",
        "ram:ListPendingInvitationResources": "*",
        "resource-groups:GetGroupConfiguration": "arn:*:resource-groups:*:*:group/*",
        **held.LISTING_GROUPS,
    },
    leads={
        "ec2.DescribeCapacityReservations": ("ram.GetResourceShareInvitations",),
        "ram.GetResourceShareInvitations": ("ram.ListPendingInvitationResources",),
        "resource-groups.ListGroupResources": ("ec2.DescribeCapacityReservations",),
    },
)
