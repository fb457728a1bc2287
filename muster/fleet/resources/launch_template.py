"""EC2 launch templates of nodes."""

from dataclasses import dataclass, field

from muster.fleet.interfaces import InterfaceType
from muster.fleet.resources.place import Place, Ref, Reference
from muster.fleet.unknown import UNKNOWN, UnknownType


@dataclass(frozen=True, slots=True)
class NetworkInterface:
    """One entry of `networkInterfaces`."""

    card: int | UnknownType
    device: int | UnknownType
    type: str | UnknownType
    """EC2's `InterfaceType`; ``interface`` where the template says nothing."""
    security_groups: tuple[Reference, ...] | UnknownType
    """Sorted. Unknown as soon as one of them is."""
    public_ip: bool | None | UnknownType = None
    """`AssociatePublicIpAddress`: True, False, or None for the subnet's own setting."""
    addresses: bool = False
    """Whether it asks for IP addresses or prefixes (a private address, a count, a prefix)."""
    subnet: Reference | None | UnknownType = None
    named: tuple[Reference, ...] = field(default=(), compare=False)
    """Of groups that are not all known, those that are: what is wrong with one of them is wrong already."""

    @property
    def is_efa(self) -> bool | UnknownType:
        """Whether it carries EFA traffic."""
        if self.type is UNKNOWN:
            return UNKNOWN
        return self.type in (InterfaceType.EFA, InterfaceType.EFA_ONLY)

    @property
    def label(self) -> str:
        """``card 0 / device 1``."""
        return f"card {_plain(self.card)} / device {_plain(self.device)}"


def _plain(index: int | UnknownType) -> str:
    return "?" if index is UNKNOWN else str(index)


@dataclass(frozen=True, slots=True)
class CapacityTarget:
    """`capacityReservationSpecification`."""

    preference: str | None | UnknownType = None
    reservation: Reference | None | UnknownType = None
    """A reservation's id, or a Capacity Block that the program buys."""
    group: Reference | None | UnknownType = None
    """A reservation resource group, by its ARN where it is not the program's own."""

    @property
    def has_target(self) -> bool:
        """Whether anything is targeted, known or not."""
        return self.reservation is not None or self.group is not None


@dataclass(frozen=True, slots=True)
class LaunchTemplate:
    """An EC2 launch template."""

    ref: Ref
    instance: str | None | UnknownType
    interfaces: tuple[NetworkInterface, ...] | UnknownType
    """Sorted by card and device. Empty where the template names none."""
    security_groups: tuple[Reference, ...] | UnknownType
    """The template's own (`vpcSecurityGroupIds`), beside or instead of the interfaces'."""
    target: CapacityTarget
    market_type: str | None | UnknownType
    placement_group: Reference | None | UnknownType
    image: str | None | UnknownType
    settings: frozenset[str]
    """Names of the properties it sets, nested ones dotted (`marketOptions` as EC2 has them): docs/facts/rules.md#38."""
    place: Place = field(compare=False)
    http_tokens: str | None | UnknownType = None
    """``required`` for IMDSv2."""
    hop_limit: int | None | UnknownType = None
    """Of the instance metadata service."""
    root_encrypted: bool | None | UnknownType = None
    """Whether every volume that the template describes is encrypted; None where all are, and the root's is none of
    them: that one is as the account has it."""
    user_data: str | None | UnknownType = None
    """In base64, as EC2 takes it. Unknown where it tells the node what only creation brings (its cluster's address)."""
    max_pods: int | None | UnknownType = None
    """What its user data tells the kubelet; None where it leaves that to the image."""
    key_pair: str | None | UnknownType = None
    depends_on: frozenset[Ref] = field(default=frozenset(), compare=False)
    """What its interfaces and security groups are made of: tells more than an unknown id does."""

    @property
    def efa_interfaces(self) -> tuple[NetworkInterface, ...]:
        """The interfaces known to carry EFA traffic."""
        if self.interfaces is UNKNOWN:
            return ()
        return tuple(nic for nic in self.interfaces if nic.is_efa is True)
