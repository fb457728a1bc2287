"""The network a cluster stands in."""

from muster.fleet.description.identifiers import SubnetId, VpcId
from muster.fleet.description.part import Change, Choice, Part, field
from muster.fleet.zones import ZoneId, ZoneName


class ExistingNetwork(Part):
    """A VPC that exists, with its subnets by zone."""

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
