"""The sources of capacity for a group's instances."""

from datetime import UTC, date, time
from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field, StrictBool, StrictInt

from muster.config.description.base import (
    EKS,
    HYPERPOD,
    HYPERPOD_SLURM,
    PARALLELCLUSTER,
    PCS,
    Change,
    Choice,
    Exclusive,
    Nothing,
    StrictModel,
    key,
    optional,
)
from muster.config.identifiers import OfferingId, ReservationArn, ReservationId, ResourceGroupArn, TrainingPlanArn
from muster.hardware.ultraservers import known_ultraserver, ultraservers
from muster.hardware.zones import ZoneName


class Provider(StrEnum):
    """Who created a capacity reservation; it decides the placement group.

    ``aws``: AWS delivered it (a p4/p5 arrangement). It has its own placement: with another placement group,
    launches fail with insufficient capacity (awsome-distributed-training, `2.aws-parallelcluster/README.md`).
    ``you``: you created it. Nodes are launched in a cluster placement group with a stated name.
    """

    AWS = "aws"
    YOU = "you"


NO_PLACEMENT_GROUP = "none"
"""The value of `placement-group` for a reservation that was created outside any placement group."""

BLOCKS_CHANGE_AT = time(11, 30, tzinfo=UTC)
"""Every Capacity Block begins and ends at this time of the day (EC2 user guide, "Capacity Blocks for ML")."""


_LAUNCHED = {EKS: Change.DRAINS, PARALLELCLUSTER: Change.DRAINS, PCS: Change.NEXT_LAUNCH}
_PLACED = {EKS: Change.DRAINS, PARALLELCLUSTER: Change.FLEET_STOP, PCS: Change.NEXT_LAUNCH}
_MOVED = {EKS: Change.REPLACES, PARALLELCLUSTER: Change.DRAINS, PCS: Change.NEXT_LAUNCH}
"""What changes cost of what an instance is launched into, of its placement, and of its zone or market. ParallelCluster:
update policies of 3.16.1 (`SlurmQueueSchema.capacity_type`, `CapacityReservationTargetSchema`, `PlacementGroupSchema`).
On PCS, a group's launch template, subnets and purchase option change in place, and new nodes have the new values (PCS
user guide, "Updating an AWS PCS compute node group")."""


UltraServerType = Annotated[
    str, AfterValidator(known_ultraserver), Field(json_schema_extra={"enum": list(ultraservers())})
]


class _OnDemandReservation(StrictModel):
    """What you know of an On-Demand Capacity Reservation, or of a group of them."""

    zone: ZoneName = key(
        "Zone of the capacity, as its owner reports it. Nodes of the group launch in this zone.", _MOVED
    )
    count: StrictInt = key("Number of instances that the capacity holds, 1 to 1000.", Change.NOTHING, ge=1, le=1000)
    provided_by: Provider = key("Who created the reservation: `aws` or `you`. It decides the placement group.", _PLACED)
    placement_group: str | None = optional(
        "Name of the existing placement group in which the reservation was created, or none. Only with "
        "`provided-by: you`. Default: a placement group that Muster creates.",
        _PLACED,
        min_length=1,
        max_length=255,
    )


class Reservation(_OnDemandReservation):
    """An On-Demand Capacity Reservation: its id, and what you know of it."""

    id: ReservationId = key("Id of the reservation, as in cr-0123456789abcdef0.", _LAUNCHED)


class ReservationGroup(_OnDemandReservation, Exclusive):
    """A resource group of On-Demand Capacity Reservations of one type, zone and Region."""

    one_of: ClassVar = ("arn", "create")

    arn: ResourceGroupArn | None = optional("ARN of an existing resource group.", _LAUNCHED)
    create: tuple[ReservationArn, ...] | None = optional(
        "ARNs of the reservations for a resource group that Muster creates. The ARN of a shared reservation "
        "contains the account of its owner.",
        Change.IN_PLACE,
    )


class Approval(StrictModel):
    """The approval to buy one offering. It does not apply to any other offering."""

    offering: OfferingId = key("Id of the approved offering.", Change.IN_PLACE)
    by: str = key(
        "Who approves the purchase. The Capacity Block has this name as a tag.",
        Change.IN_PLACE,
        min_length=3,
        max_length=256,
    )


class Purchase(StrictModel):
    """A Capacity Block to buy, paid in full at once. The purchase cannot be undone, not even by `destroy`."""

    offering: OfferingId = key(
        "Id of the offering, from `aws ec2 describe-capacity-block-offerings`. An offering stays valid for minutes. "
        "Another offering is another purchase.",
        Change.BUYS,
    )
    approved: Approval | None = optional(
        "Who approves the purchase. Without an approval of exactly this offering, Muster buys nothing.", Change.IN_PLACE
    )


class CapacityBlock(Exclusive):
    """A Capacity Block for ML: instances for fixed days, paid in advance, without a placement group."""

    one_of: ClassVar = ("id", "buy")

    id: ReservationId | None = optional("Reservation id of the block, as in cr-0123456789abcdef0.", _LAUNCHED)
    buy: Purchase | None = optional("An offering that Muster buys.", Change.BUYS)
    zone: ZoneName = key("Zone of the block. Nodes of the group launch in this zone.", _MOVED)
    count: StrictInt = key(
        "Number of instances in the block, at most 64. An UltraServer has its own block, with all its instances: 9 or "
        "18 for P6e-GB200, 4 for Trn2.",
        Change.NOTHING,
        ge=1,
    )
    starts: date = key('First day of the block, in quotes: "2026-12-01".', Change.NOTHING)
    ends: date = key(
        "Last day of the block, in quotes. It ends at 11:30 UTC. Muster scales a self-managed group to 0 an hour "
        "before, and a group of P6e-GB200 UltraServers 90 minutes before.",
        Change.IN_PLACE,
    )
    active: StrictBool = key(
        "Whether the block has begun (EKS). While it is false, the group has 0 nodes, whatever `nodes` sets. Not "
        "for ParallelCluster, which holds the nodes back until the block begins. Default: false.",
        {EKS: Change.IN_PLACE, PCS: Change.IN_PLACE},
        default=False,
    )


class Spot(StrictModel):
    """Spot instances: cheaper, but EC2 reclaims them with two minutes' notice."""

    interruptions_accepted: StrictBool = key(
        "Set true if a training group may lose nodes at any time. A job over EFA ends when it loses a node. "
        "Default: false.",
        Change.NOTHING,
        default=False,
    )


class TrainingPlan(StrictModel):
    """A flexible training plan of SageMaker: instances of one type in one zone, for some weeks, for HyperPod."""

    arn: TrainingPlanArn = key("ARN of the plan. Its target must be a HyperPod cluster.", Change.NEXT_LAUNCH)
    zone: ZoneName = key(
        "Zone of the instances in the plan (AvailabilityZone in `aws sagemaker describe-training-plan`). Nodes of "
        "the group launch in this zone.",
        Change.REFUSED,
    )
    count: StrictInt = key("Number of instances in the plan.", Change.NOTHING, ge=1)
    ultraserver: UltraServerType | None = optional(
        "Type of the UltraServers in the plan, as in u-p6e-gb200x72 (SageMaker's name without `ml.`). Default: the "
        "only UltraServer type of the instance type, if there is one.",
        Change.NOTHING,
    )


class Capacity(Choice):
    """Exactly one source of capacity."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"on-demand", "spot"})

    on_demand: Nothing | None = optional(
        "On-demand instances.", _LAUNCHED | {HYPERPOD: Change.REFUSED, HYPERPOD_SLURM: Change.REFUSED}
    )
    spot: Spot | None = optional(
        "Spot instances. A training group must also set `interruptions-accepted`.",
        _MOVED | {HYPERPOD: Change.REFUSED},
        instead="on-demand",
    )
    reservation: Reservation | None = optional(
        "An On-Demand Capacity Reservation, by id.", _LAUNCHED, instead="training-plan"
    )
    reservation_group: ReservationGroup | None = optional(
        "A resource group of On-Demand Capacity Reservations, by ARN.", _LAUNCHED, instead="training-plan"
    )
    capacity_block: CapacityBlock | None = optional("A Capacity Block for ML, by id.", _MOVED, instead="training-plan")
    training_plan: TrainingPlan | None = optional(
        "A SageMaker flexible training plan, by ARN.",
        {HYPERPOD: Change.NEXT_LAUNCH, HYPERPOD_SLURM: Change.NEXT_LAUNCH},
        instead="reservation",
    )

    @property
    def on_demand_reservation(self) -> Reservation | ReservationGroup | None:
        """The reservation, or the group of them."""
        return self.reservation or self.reservation_group

    @property
    def held(self) -> Reservation | ReservationGroup | CapacityBlock | TrainingPlan | None:
        """The capacity that holds a stated number of instances in a stated zone: all kinds except on-demand and
        spot."""
        return self.on_demand_reservation or self.capacity_block or self.training_plan
