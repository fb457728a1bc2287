"""EC2: launch templates, network interfaces, capacity, security groups, roles, and what is only counted."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Generic

from muster.fleet.resources.ref import (
    ADDRESS,
    EC2_NODE_CLASS,
    INTERNET_GATEWAY,
    NAT_GATEWAY,
    NODE_CLASS,
    VPC,
    Place,
    Ref,
    Reference,
)
from muster.hardware.ami import LINUX
from muster.hardware.interfaces import InterfaceType
from muster.unknown import NotKnown, Observed, U, UnknownType, all_of, any_of, if_known, stored


@dataclass(frozen=True, slots=True)
class NetworkInterface(Observed, Generic[U]):
    """One entry of `networkInterfaces`."""

    card: int | U
    device: int | U
    type: str | U
    """EC2's `InterfaceType`; ``interface`` where the template does not set it."""
    security_groups: tuple[Reference, ...] | U
    """Sorted. Unknown as soon as one of them is."""
    public_ip: bool | None | U = None
    """`AssociatePublicIpAddress`: True, False, or None for the subnet's own setting."""
    subnet: Reference | None | U = None
    named: tuple[Reference, ...] = field(default=(), compare=False)
    """Of groups that are not all known, those that are: what is wrong with one of them is wrong already."""
    listed: int = field(default=0, compare=False)
    """How many groups it lists, known or not; 0 if that is not known."""

    @property
    def is_efa(self) -> bool:
        """Whether it carries EFA traffic."""
        return self.type in (InterfaceType.EFA, InterfaceType.EFA_ONLY)

    @property
    def label(self) -> str:
        """``card 0 / device 1``."""
        return f"card {stored(self, 'card', '?')} / device {stored(self, 'device', '?')}"


@dataclass(frozen=True, slots=True)
class CapacityTarget(Observed, Generic[U]):
    """`capacityReservationSpecification`."""

    preference: str | None | U = None
    reservation: Reference | None | U = None
    """A reservation's id, or a Capacity Block that the program buys."""
    group: Reference | None | U = None
    """A reservation resource group, by its ARN where it is not the program's own."""

    @property
    def has_target(self) -> bool:
        """Whether anything is targeted, known or not."""
        return stored(self, "reservation") is not None or stored(self, "group") is not None


@dataclass(frozen=True, slots=True)
class LaunchTemplate(Observed, Generic[U]):
    """An EC2 launch template."""

    ref: Ref
    instance: str | None | U
    interfaces: tuple[NetworkInterface[U], ...] | U
    """Sorted by card and device. Empty where the template names none."""
    security_groups: tuple[Reference, ...] | U
    """The template's own (`vpcSecurityGroupIds`), beside or instead of the interfaces'."""
    target: CapacityTarget[U]
    market_type: str | None | U
    placement_group: Reference | None | U
    image: str | None | U
    settings: frozenset[str]
    """Names of the properties it sets, nested ones dotted (`marketOptions` as EC2 has them): docs/facts/rules.md#38."""
    place: Place = field(compare=False)
    http_tokens: str | None | U = None
    """``required`` for IMDSv2."""
    hop_limit: int | None | U = None
    """Of the instance metadata service."""
    user_data: str | None | UnknownType = None
    """In base64, as EC2 takes it. Unknown where it contains a value that only creation gives (its cluster's
    address)."""
    least_user_data: int = field(default=0, compare=False)
    """How many bytes its user data has at least, if it is not known."""
    max_pods: int | None | U = None
    """What its user data tells the kubelet; None where it leaves that to the image."""
    kubelet: Mapping[str, Any] | None | U = field(default=None, compare=False)
    """What a node class sets of the kubelet's configuration, beside its user data."""
    key_pair: str | None | U = None
    proxied: bool | U = False
    """Whether its user data give the kubelet and containerd a proxy."""
    devices: tuple[str, ...] | U = ()
    """The device names of the volumes that it lists, sorted."""
    joins_kubernetes: bool = False
    """Whether a tag of its instances states that they are nodes of a Kubernetes cluster."""
    depends_on: frozenset[Ref] = field(default=frozenset(), compare=False)
    """What its interfaces and security groups are made of: tells more than an unknown id does."""

    @property
    def of_karpenter(self) -> bool:
        """Whether it is an EC2NodeClass, or a NodeClass of EKS Auto Mode, of which Karpenter makes launch templates."""
        return self.ref.type in (EC2_NODE_CLASS, NODE_CLASS)

    @property
    def of_auto_mode(self) -> bool:
        """Whether it is a NodeClass of EKS Auto Mode: EKS decides about the image."""
        return self.ref.type == NODE_CLASS

    @property
    def efa_interfaces(self) -> tuple[NetworkInterface[U], ...]:
        """The interfaces known to carry EFA traffic."""
        return tuple(nic for nic in stored(self, "interfaces", ()) if if_known(lambda: nic.is_efa))


def auto_mode_template(
    ref: Ref,
    security_groups: tuple[Reference, ...] | U,
    target: CapacityTarget[U],
    place: Place,
    *,
    placement_group: Reference | None | U = None,
    interfaces: tuple[NetworkInterface[U], ...] | U = (),
    depends_on: frozenset[Ref] = frozenset(),
) -> LaunchTemplate[U]:
    """A NodeClass of EKS Auto Mode as a launch template. EKS decides about the image and the boot, and the interfaces
    that the class does not list, encrypts volumes, and requires IMDSv2 with one hop (EKS user guide, auto-security)."""
    return LaunchTemplate(
        ref=ref,
        instance=None,
        interfaces=interfaces,
        security_groups=security_groups,
        target=target,
        market_type=None,
        placement_group=placement_group,
        image=None,
        settings=frozenset(),
        place=place,
        http_tokens="required",
        hop_limit=1,
        joins_kubernetes=True,
        depends_on=depends_on,
    )


@dataclass(frozen=True, slots=True)
class PlacementGroup(Observed, Generic[U]):
    """An EC2 placement group."""

    ref: Ref
    name: str | None | U
    strategy: str | None | U
    """``cluster``, ``spread`` or ``partition``."""
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class CapacityReservation(Observed, Generic[U]):
    """An On-Demand Capacity Reservation that the program itself makes."""

    ref: Ref
    instance: str | None | U
    zone: str | None | U
    count: int | None | U
    placement_group: Reference | None | U
    starts: str | None | U
    """A future-dated reservation's start, ISO 8601; None for one that begins at once."""
    place: Place = field(compare=False)
    platform: str | None | U = None
    tenancy: str | None | U = None
    """None for the default."""


@dataclass(frozen=True, slots=True)
class ReservationGroup(Observed, Generic[U]):
    """A resource group that launch templates can target: with both configuration entries, and reservations in it."""

    ref: Ref
    configurations: frozenset[str] | U
    """Types of its configuration entries: ``AWS::EC2::CapacityReservationPool``, ``AWS::ResourceGroups::Generic``."""
    allowed: frozenset[str] | U
    """Values of ``allowed-resource-types``."""
    members: tuple[Reference, ...] | U
    """Reservations, by ARN where they are not the program's own. Sorted."""
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class CapacityBlockPurchase(Observed, Generic[U]):
    """A Capacity Block that the program buys."""

    ref: Ref
    offering: str | U
    approved_by: str | None | U
    """Its tag `muster:approved-by`."""
    approved_offering: str | None | U
    """Its tag `muster:approved-offering`: an approval is for one offering."""
    place: Place = field(compare=False)
    platform: str | U = LINUX


APPROVAL_TAG = "muster:approved-by"
APPROVED_OFFERING_TAG = "muster:approved-offering"
POOL = "AWS::EC2::CapacityReservationPool"
GENERIC = "AWS::ResourceGroups::Generic"
ALLOWED_TYPES = "allowed-resource-types"
RESERVATION_TYPE = "AWS::EC2::CapacityReservation"


INGRESS: Final = "ingress"
EGRESS: Final = "egress"
EVERY_PROTOCOL: Final = "-1"
TCP: Final = "tcp"
EVERYWHERE: Final = "0.0.0.0/0"
HTTPS: Final = 443
_LAST_PORT = 65535


@dataclass(frozen=True, slots=True)
class SecurityGroupRule(Observed, Generic[U]):
    """One rule of a security group: what it lets in from, or out to, one peer."""

    direction: str
    """``ingress`` or ``egress``."""
    protocol: str | U
    """``-1`` for every protocol, ``tcp``, or another."""
    first: int | None | U
    last: int | None | U
    """Ports; None where the protocol has none, or all are meant."""
    peer: Reference | U
    """A security group, or a network in CIDR form."""

    def lets(self: "SecurityGroupRule", port: int | None, peers: frozenset[Reference]) -> bool:
        """Whether it lets TCP on a port, or everything (None), pass for one of the peers.

        Raises:
            NotKnown: that depends on an unknown value, or on whether a network holds a peer. A network but 0.0.0.0/0
                may or may not; it never counts for everything: EFA is not IP.
        """
        return all_of(lambda: self._is_for(port), lambda: self._has(port), lambda: self._reaches(port, peers))

    def _is_for(self: "SecurityGroupRule", port: int | None) -> bool:
        return self.protocol == EVERY_PROTOCOL or (port is not None and self.protocol == TCP)

    def _has(self: "SecurityGroupRule", port: int | None) -> bool:
        return port is None or any_of(
            lambda: self.protocol == EVERY_PROTOCOL,
            lambda: (self.first or 0) <= port <= (_LAST_PORT if self.last is None else self.last),
        )

    def _reaches(self: "SecurityGroupRule", port: int | None, peers: frozenset[Reference]) -> bool:
        if self.peer in peers or isinstance(self.peer, Ref) or "/" not in self.peer or port is None:
            return self.peer in peers
        if self.peer != EVERYWHERE:
            raise NotKnown(f"which security groups are on the addresses of {self.peer}")
        return True


def all_traffic(direction: str, peer: Reference) -> SecurityGroupRule:
    """Every protocol from or to a peer."""
    return SecurityGroupRule(direction, EVERY_PROTOCOL, None, None, peer)


def tcp(direction: str, first: int, last: int, peer: Reference) -> SecurityGroupRule:
    """TCP on some ports from or to a peer."""
    return SecurityGroupRule(direction, TCP, first, last, peer)


@dataclass(frozen=True, slots=True)
class SecurityGroup(Observed, Generic[U]):
    """One security group of the program."""

    ref: Ref
    place: Place = field(compare=False)
    peers: frozenset[Reference] = field(default=frozenset(), compare=False)
    """Other groups that a rule of the program lets it talk with, whichever of the two carries the rule."""
    allows: frozenset[SecurityGroupRule[U]] = frozenset()
    """Its rules, one for each peer. One of which the owner is not known has an unknown peer."""

    def lets(self: "SecurityGroup", direction: str, port: int | None, peers: frozenset[Reference]) -> bool:
        """Whether it lets TCP on a port, or everything (None), in from or out to one of the peers.

        Raises:
            NotKnown: no rule surely does, and one may.
        """
        return any_of(*(partial(each.lets, port, peers) for each in self.allows if each.direction == direction))


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a policy that allows something."""

    actions: frozenset[str]
    """As written: ``s3:GetObject``, ``*``. Of a `NotAction` ``*``: it also allows actions that do not exist yet."""
    resources: frozenset[str]


@dataclass(frozen=True, slots=True)
class NodeRole(Observed, Generic[U]):
    """An IAM role that machines act as: nodes, instances of HyperPod, whatever EC2 launches with it."""

    ref: Ref
    place: Place = field(compare=False)
    policies: frozenset[str] | U = frozenset()
    """The ARNs of managed policies, as far as they are known, but of those that the program writes itself."""
    statements: tuple[Statement, ...] | U = ()
    """What its inline policies allow, and those that the program writes, as far as it is known."""
    more_policies: bool = False
    """Whether it has managed policies that are not known yet beside them."""
    boundary: str | None | U = None
    """The ARN of its permissions boundary."""
    more_statements: bool = False
    """Whether policies allow something that is not known yet beside them."""


COUNTED = (VPC, INTERNET_GATEWAY, ADDRESS, NAT_GATEWAY)
"""The types of such."""


@dataclass(frozen=True, slots=True)
class CountedResource(Observed, Generic[U]):
    """One of `COUNTED`."""

    ref: Ref
    place: Place = field(compare=False)
    subnet: Reference | None | U = None
    """Of a NAT gateway: they are counted by zone."""
    cidr: str | None | U = None
    """Of a VPC: its addresses."""
