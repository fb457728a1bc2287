"""The network of a cluster."""

from enum import StrEnum
from ipaddress import IPv4Network
from typing import Annotated, Self

from pydantic import AfterValidator, Field, StrictBool, model_validator

from muster.config.description.base import (
    EKS,
    FOR_GOOD,
    HYPERPOD,
    Change,
    Choice,
    StrictModel,
    fault_at,
    key,
    optional,
    unique_items,
)
from muster.config.identifiers import SubnetId, SubnetIds, VpcCidr, VpcId
from muster.hardware.subnet_plan import MAX_ZONES
from muster.hardware.zones import ZoneId, ZoneName

_ZONE_IDS = (
    "Map of zone name to zone id in this account (`aws ec2 describe-availability-zones`). Muster needs it in "
    "Regions where EKS refuses control planes in one of the zones, and to know whether a zone offers an instance "
    "type. Default: none."
)


VPC_CNI, CUSTOM_NETWORKING = "vpc-cni", "AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG"
DEFAULT_CIDR = "10.0.0.0/16"
_PODS = (
    "It turns on custom networking of the VPC CNI: the first interface of a node then has no pods, so that a node has "
    "fewer of them."
)


class ExistingNetwork(StrictModel):
    """An existing VPC, with its subnets by zone."""

    @model_validator(mode="after")
    def _each_subnet_once(self) -> Self:
        given = [each for tier in (self.private, self.public) for ids in tier.values() for each in ids]
        for subnet in given:
            if given.count(subnet) > 1:
                raise ValueError(
                    f"{subnet} is listed twice, but a subnet is in one zone, and either private or public; keep one "
                    "entry"
                )
        return self

    vpc: VpcId = key("Id of the VPC.", FOR_GOOD)
    private: dict[ZoneName, SubnetIds] = key(
        "Private subnets for the control plane and the nodes, by zone name: an id, or a list. Of a list, all use the "
        "first one, except groups that name others in `subnets`. EKS needs at least two zones.",
        FOR_GOOD,
        min_length=1,
    )
    public: dict[ZoneName, SubnetIds] = key(
        "Public subnets by zone name, each an id or a list, for load balancers and for groups with `subnets: public`. "
        "Default: none.",
        FOR_GOOD,
        default={},
    )
    control_plane: dict[ZoneName, SubnetIds] = key(
        "Subnets of the control plane, by zone name. EKS changes them only within the zones that it has. Default: "
        "private subnets of the first two zones.",
        {EKS: Change.IN_PLACE, HYPERPOD: Change.IN_PLACE},
        default={},
    )
    pods: dict[ZoneName, SubnetId] = key(
        f"Subnets of the pods by zone name, usually of a secondary CIDR block of the VPC. {_PODS} Default: pods have "
        "addresses of the subnets of their nodes.",
        {EKS: Change.DRAINS},
        default={},
    )
    zone_ids: dict[ZoneName, ZoneId] = key(_ZONE_IDS, Change.NOTHING, default={})


class Nat(StrEnum):
    """How many NAT gateways route traffic from private subnets to the internet."""

    ONE = "one"
    """One for all zones. It is cheaper, but if its zone fails, no node reaches the internet, and AWS bills traffic from
    the other zones."""
    PER_ZONE = "per-zone"


_VPC_RANGES = tuple(map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")))
_NEVER_SECONDARY = tuple(map(IPv4Network, ("172.31.0.0/16", "198.19.0.0/16")))


class CreatedNetwork(StrictModel):
    """A VPC that Muster creates: a private and a public subnet in each zone, NAT gateways, endpoints for S3 and ECR."""

    @model_validator(mode="after")
    def _pods_beside(self) -> Self:
        """Raises what EC2 refuses (Amazon VPC user guide, "IPv4 CIDR block association restrictions")."""
        if not self.pods:
            return self
        first, second = IPv4Network(self.cidr), IPv4Network(self.pods)
        if first.overlaps(second):
            why = f"overlaps with {first}, the addresses of the VPC"
        elif any(map(second.overlaps, _NEVER_SECONDARY)):
            why = "is reserved: EC2 refuses it as a secondary CIDR block"
        elif any(second.subnet_of(each) and not first.subnet_of(each) for each in _VPC_RANGES):
            why = f"is private, but not in the range of {first}: EC2 refuses it beside that"
        else:
            return self
        raise fault_at("pods", f"{second} {why}", "write another network, like 100.64.0.0/16")

    cidr: VpcCidr = key(
        f"IPv4 CIDR block of the VPC, /16 to /22. Default: {DEFAULT_CIDR}.", FOR_GOOD, default=DEFAULT_CIDR
    )
    pods: VpcCidr | None = optional(
        f"Secondary CIDR block of the VPC for pods, /16 to /22, as in 100.64.0.0/16: a subnet in each zone. {_PODS} "
        "Default: pods have addresses of the subnets of their nodes.",
        {EKS: Change.REPLACES},
    )
    zones: Annotated[tuple[ZoneName, ...], AfterValidator(unique_items), Field(min_length=1, max_length=MAX_ZONES)] = (
        key(
            "Zones of the VPC, by name; EKS needs at least two. Append a new zone at the end, and set it as `zone` "
            "of the groups that use it: the control plane stays in the first two zones, and the position of a zone "
            "decides its addresses.",
            FOR_GOOD,
        )
    )
    nat: Nat = key(
        "Number of NAT gateways: `one` (in the first zone) or `per-zone`. Default: one.",
        Change.IN_PLACE,
        default=Nat.ONE,
    )
    registry_endpoints: StrictBool = key(
        "Whether the VPC has interface endpoints for ECR, so that nodes pull images without NAT. The VPC always has "
        "an endpoint for S3. Default: true.",
        Change.IN_PLACE,
        default=True,
    )
    zone_ids: dict[ZoneName, ZoneId] = key(_ZONE_IDS, Change.NOTHING, default={})


class Network(Choice):
    """The network: an existing VPC, or one that Muster creates."""

    existing: ExistingNetwork | None = optional("Use an existing VPC.", FOR_GOOD)
    create: CreatedNetwork | None = optional("Create a VPC for this cluster.", FOR_GOOD)

    @property
    def zone_ids(self) -> dict[ZoneName, ZoneId]:
        """Map of zone name to zone id, as far as the description sets it."""
        return self.existing.zone_ids if self.existing else self.create.zone_ids if self.create else {}
