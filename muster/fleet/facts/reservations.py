"""Facts of reservations, Capacity Blocks, and groups of them."""

from enum import StrEnum
from typing import Literal

from pydantic import StrictBool, StrictInt

from muster.fleet.description.identifiers import AccountId, ReservationId
from muster.fleet.facts.fact import EXISTS, Fact, Moment, a_fact
from muster.fleet.zones import ZoneId, ZoneName


class ReservationState(StrEnum):
    """EC2's `CapacityReservationState`."""

    ACTIVE = "active"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    CANCELLING = "cancelling"
    PENDING = "pending"
    FAILED = "failed"
    SCHEDULED = "scheduled"
    PAYMENT_PENDING = "payment-pending"
    PAYMENT_FAILED = "payment-failed"
    ASSESSING = "assessing"
    DELAYED = "delayed"
    UNSUPPORTED = "unsupported"
    UNAVAILABLE = "unavailable"


class ReservationFacts(Fact):
    """What `DescribeCapacityReservations` says of one reservation. A key left out is a fact nobody gave."""

    exists: StrictBool | None = a_fact(EXISTS)
    instance_type: str | None = a_fact("InstanceType")
    zone: ZoneName | None = a_fact("AvailabilityZone")
    zone_id: ZoneId | None = a_fact("AvailabilityZoneId")
    total_instances: StrictInt | None = a_fact("TotalInstanceCount")
    available_instances: StrictInt | None = a_fact(
        "AvailableInstanceCount, and what this stack's own instances hold of it already (by the tag muster:stack)"
    )
    state: ReservationState | None = a_fact("State")
    reservation_type: Literal["default", "capacity-block"] | None = a_fact("ReservationType")
    platform: str | None = a_fact("InstancePlatform")
    tenancy: Literal["default", "dedicated"] | None = a_fact("Tenancy")
    start: Moment | None = a_fact("StartDate")
    end: Moment | None = a_fact("EndDate")
    end_type: Literal["limited", "unlimited"] | None = a_fact("EndDateType: a limited one ends at its end")
    placement_group: str | None = a_fact("The name in PlacementGroupArn; none where it was made outside any")
    owner: AccountId | None = a_fact("OwnerId: another account's is shared with this one")
    unused_billed_to: AccountId | None = a_fact(
        "UnusedReservationBillingOwnerId: the account that pays for what is unused; the owner without"
    )
    invitation: str | None = a_fact(
        "The ARN of the RAM invitation that shares it and waits to be accepted (`ListPendingInvitationResources`)"
    )


class ReservationGroupFacts(Fact):
    """What Resource Groups says of one group: `GetGroupConfiguration` and `ListGroupResources`."""

    exists: StrictBool | None = a_fact(EXISTS)
    configurations: tuple[str, ...] | None = a_fact("The types of its configuration entries")
    reservations: tuple[ReservationId, ...] | None = a_fact("The reservations in it")
