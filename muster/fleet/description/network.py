"""The network a cluster stands in."""

from typing import Self

from pydantic import model_validator

from muster.fleet.description.identifiers import SubnetId, VpcId
from muster.fleet.description.part import Change, Choice, Part, field
from muster.fleet.zones import ZoneId, ZoneName


class ExistingNetwork(Part):
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
    zone_ids: dict[ZoneName, ZoneId] = field(
        "Zone name -> zone id in this account (`aws ec2 describe-availability-zones`). Needed in Regions where EKS "
        "refuses control planes in one zone.",
        Change.NOTHING,
        default={},
    )


class Network(Choice):
    """Where the network comes from."""

    existing: ExistingNetwork | None = field("Use a VPC that exists.", Change.REPLACES, default=None)
