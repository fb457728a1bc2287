"""Where a group's instances come from."""

from datetime import UTC, date, time
from enum import StrEnum
from typing import ClassVar, Self

from pydantic import StrictBool, StrictInt, model_validator

from muster.config.description.base import Change, Choice, Nothing, StrictModel, exactly_one, field
from muster.config.identifiers import OfferingId, ReservationArn, ReservationId, ResourceGroupArn, TrainingPlanArn
from muster.hardware.zones import ZoneName


class Provider(StrEnum):
    """Who created a capacity reservation; it decides the placement group.

    ``aws``: delivered by AWS (a p4/p5 arrangement). It comes with its own placement: one of ours makes launches fail
    with insufficient capacity (awsome-distributed-training, `2.aws-parallelcluster/README.md`).
    ``you``: created by you. Nodes are launched in a cluster placement group with a stated name.
    """

    AWS = "aws"
    YOU = "you"


NO_PLACEMENT_GROUP = "none"
"""What `placement-group` says of a reservation that was created outside any."""

BLOCKS_CHANGE_AT = time(11, 30, tzinfo=UTC)
"""Every Capacity Block begins and ends at this time of the day (EC2 user guide, "Capacity Blocks for ML")."""


class _OnDemandReservation(StrictModel):
    """What is known of On-Demand Capacity Reservations, one or a group of them."""

    zone: ZoneName = field(
        "The zone they live in, as their owner told you; it puts the group there too.", Change.REPLACES
    )
    count: StrictInt = field("How many instances they hold.", Change.NOTHING, ge=1, le=1000)
    provided_by: Provider = field("`aws` or `you`: who created it decides the placement group.", Change.DRAINS)
    placement_group: str | None = field(
        "The existing placement group the reservation was created in, or none (only `provided-by: you`); "
        "without it Muster creates one.",
        Change.DRAINS,
        default=None,
        min_length=1,
        max_length=255,
    )


class Reservation(_OnDemandReservation):
    """An On-Demand Capacity Reservation, by id, and what you know of it."""

    id: ReservationId = field("The reservation.", Change.DRAINS)


class ReservationGroup(_OnDemandReservation):
    """A resource group of On-Demand Capacity Reservations of one type, zone and Region."""

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        exactly_one(self, "arn", "create")
        return self

    arn: ResourceGroupArn | None = field("A resource group that exists.", Change.DRAINS, default=None)
    create: tuple[ReservationArn, ...] | None = field(
        "Muster makes the group, with these reservations in it, by ARN: one that is shared with you has its owner's "
        "account there.",
        Change.IN_PLACE,
        default=None,
    )


class Approval(StrictModel):
    """Somebody's word that one offering may be bought: for another it is worth nothing."""

    offering: OfferingId = field("The offering that was approved.", Change.IN_PLACE)
    by: str = field(
        "Who approves the purchase; the block carries the name as a tag.", Change.IN_PLACE, min_length=3, max_length=256
    )


class Purchase(StrictModel):
    """A Capacity Block to buy: paid at once and in full. `destroy` cannot undo it, nobody can."""

    offering: OfferingId = field(
        "The offering (`aws ec2 describe-capacity-block-offerings` lists them; each is good for minutes). Another "
        "offering is another purchase.",
        Change.BUYS,
    )
    approved: Approval | None = field(
        "Who approves it. Nothing is bought without, nor for another offering.", Change.IN_PLACE, default=None
    )


class CapacityBlock(StrictModel):
    """A Capacity Block for ML: instances for some days, paid in advance, in no placement group."""

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        exactly_one(self, "id", "buy")
        return self

    id: ReservationId | None = field("The block's reservation id.", Change.DRAINS, default=None)
    buy: Purchase | None = field("An offering to buy.", Change.BUYS, default=None)
    zone: ZoneName = field("The zone it is in; it puts the group there too.", Change.REPLACES)
    count: StrictInt = field("How many instances it holds: 64 at most.", Change.NOTHING, ge=1)
    starts: date = field('The day it starts, in quotes: "2026-12-01".', Change.NOTHING)
    ends: date = field(
        "The day it ends, at 11:30 UTC, in quotes. A self-managed group is scaled to 0 an hour before.", Change.IN_PLACE
    )
    active: StrictBool = field(
        "On EKS: whether the block has begun. Until it says true the group has 0 nodes, whatever `nodes` says. Not for "
        "ParallelCluster, which holds nodes back until it begins by itself.",
        Change.IN_PLACE,
        default=False,
    )


class Spot(StrictModel):
    """Spot instances: cheaper, and taken back with two minutes' notice."""

    interruptions_accepted: StrictBool = field(
        "Say true where a training group may lose nodes at any time: EFA jobs then end at once.",
        Change.NOTHING,
        default=False,
    )


class Capacity(Choice):
    """Exactly one kind of capacity."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"on-demand", "spot"})

    on_demand: Nothing | None = field("Ordinary on-demand instances.", Change.DRAINS, default=None)
    spot: Spot | None = field("Spot instances. Not for training, unless said aloud.", Change.REPLACES, default=None)
    reservation: Reservation | None = field("A capacity reservation, targeted by id.", Change.DRAINS, default=None)
    reservation_group: ReservationGroup | None = field(
        "A resource group of capacity reservations, targeted by ARN.", Change.DRAINS, default=None
    )
    capacity_block: CapacityBlock | None = field("A Capacity Block, targeted by id.", Change.REPLACES, default=None)

    @property
    def on_demand_reservation(self) -> Reservation | ReservationGroup | None:
        """The reservation, or the group of them."""
        return self.reservation or self.reservation_group

    @property
    def held(self) -> Reservation | ReservationGroup | CapacityBlock | None:
        """What holds instances of a stated number in a stated zone: everything but on-demand and spot."""
        return self.on_demand_reservation or self.capacity_block


class TrainingPlan(StrictModel):
    """A flexible training plan of SageMaker: instances of one type for some weeks, in one zone, for HyperPod."""

    arn: TrainingPlanArn = field("The plan; its target must be a HyperPod cluster.", Change.NEXT_LAUNCH)
    zone: ZoneName = field(
        "The zone its instances are in (`aws sagemaker describe-training-plan`: AvailabilityZone); it puts the group "
        "there too.",
        Change.REFUSED,
    )
    count: StrictInt = field("How many instances it holds.", Change.NOTHING, ge=1)


class HyperPodCapacity(Choice):
    """Exactly one kind of capacity that HyperPod has. Reservations and Capacity Blocks of EC2 are not for it."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"on-demand", "spot"})

    on_demand: Nothing | None = field("Ordinary on-demand instances.", Change.REFUSED, default=None)
    spot: Spot | None = field("Spot instances. Not for training, unless said aloud.", Change.REFUSED, default=None)
    training_plan: TrainingPlan | None = field("A training plan, by ARN.", Change.NEXT_LAUNCH, default=None)

    on_demand_reservation: ClassVar[None] = None
    capacity_block: ClassVar[None] = None

    @property
    def held(self) -> TrainingPlan | None:
        """What holds instances of a stated number in a stated zone."""
        return self.training_plan


AnyCapacity = Capacity | HyperPodCapacity
