"""The network a cluster stands in."""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import AfterValidator, Field, StrictBool, model_validator

from muster.config.description.base import Change, Choice, StrictModel, field, unique_items
from muster.config.identifiers import SubnetId, VpcCidr, VpcId
from muster.hardware.subnet_plan import MAX_ZONES
from muster.hardware.zones import ZoneId, ZoneName

_ZONE_IDS = (
    "Zone name -> zone id in this account (`aws ec2 describe-availability-zones`). Needed in Regions where EKS refuses "
    "control planes in one zone, and to know whether a zone offers an instance type."
)


class ExistingNetwork(StrictModel):
    """A VPC that exists, with its subnets by zone."""

    @model_validator(mode="after")
    def _each_subnet_once(self) -> Self:
        given = [*self.private.values(), *self.public.values()]
        for subnet in given:
            if given.count(subnet) > 1:
                raise ValueError(f"{subnet} is given twice; a subnet is in one zone, and private or public")
        return self

    vpc: VpcId = field("The VPC.", Change.REPLACES)
    private: dict[ZoneName, SubnetId] = field(
        "Private subnets by zone name: the control plane's and the nodes'. Two zones at least (EKS).",
        Change.REPLACES,
        min_length=1,
    )
    public: dict[ZoneName, SubnetId] = field(
        "Public subnets by zone name, for load balancers, and for groups that say `subnets: public`.",
        Change.REPLACES,
        default={},
    )
    zone_ids: dict[ZoneName, ZoneId] = field(_ZONE_IDS, Change.NOTHING, default={})


class Nat(StrEnum):
    """NAT gateways: how private subnets get out."""

    ONE = "one"
    """One for all zones: cheaper; its zone's failure cuts off every node, and traffic from other zones is billed."""
    PER_ZONE = "per-zone"


class CreatedNetwork(StrictModel):
    """A VPC that Muster makes: a private and a public subnet in each zone, NAT, endpoints for S3 and ECR."""

    cidr: VpcCidr = field("The VPC's addresses, /16 to /22.", Change.REPLACES, default="10.0.0.0/16")
    zones: Annotated[tuple[ZoneName, ...], AfterValidator(unique_items), Field(min_length=1, max_length=MAX_ZONES)] = (
        field(
            "The zones, by name; two at least (EKS). A new one goes to the end, for groups that name it: the "
            "control plane keeps to the first two, and a zone's place decides its addresses.",
            Change.REPLACES,
        )
    )
    nat: Nat = field("NAT gateways: `one` (in the first zone), or `per-zone`.", Change.IN_PLACE, default=Nat.ONE)
    registry_endpoints: StrictBool = field(
        "Interface endpoints for ECR, so that images come from there without NAT. S3 always has its own.",
        Change.IN_PLACE,
        default=True,
    )
    zone_ids: dict[ZoneName, ZoneId] = field(_ZONE_IDS, Change.NOTHING, default={})


class Network(Choice):
    """Where the network comes from."""

    existing: ExistingNetwork | None = field("Use a VPC that exists.", Change.REPLACES, default=None)
    create: CreatedNetwork | None = field("Make a VPC for this cluster.", Change.REPLACES, default=None)

    @property
    def zone_ids(self) -> dict[ZoneName, ZoneId]:
        """Zone name -> zone id, as far as the description says."""
        return self.existing.zone_ids if self.existing else self.create.zone_ids if self.create else {}
