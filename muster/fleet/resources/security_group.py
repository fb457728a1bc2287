"""Security groups: what they let pass."""

from dataclasses import dataclass, field
from typing import Final, Generic

from muster.fleet.resources.place import Place, Ref, Reference
from muster.fleet.unknown import UNKNOWN, Derived, U, UnknownType

INGRESS: Final = "ingress"
EGRESS: Final = "egress"
EVERY_PROTOCOL: Final = "-1"
TCP: Final = "tcp"
EVERYWHERE: Final = "0.0.0.0/0"
HTTPS: Final = 443
_LAST_PORT = 65535


@dataclass(frozen=True, slots=True)
class Allowance(Generic[U]):
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

    def lets(self, port: int | None, peer: Reference) -> bool | UnknownType:
        """Whether it lets TCP on a port, or everything (None), pass; UNKNOWN where that is not to be told.

        A network but 0.0.0.0/0 may or may not hold the peer; it never counts for everything: EFA is not IP.
        """
        return _all(self._protocol(port), self._ports(port), self._peer(port, peer))

    def _protocol(self, port: int | None) -> bool | UnknownType:
        if self.protocol is UNKNOWN:
            return UNKNOWN
        return self.protocol == EVERY_PROTOCOL or (port is not None and self.protocol == TCP)

    def _ports(self, port: int | None) -> bool | UnknownType:
        if port is None or self.protocol == EVERY_PROTOCOL:
            return True
        if self.first is UNKNOWN or self.last is UNKNOWN:
            return UNKNOWN
        return (self.first or 0) <= port <= (_LAST_PORT if self.last is None else self.last)

    def _peer(self, port: int | None, peer: Reference) -> bool | UnknownType:
        if self.peer is UNKNOWN:
            return UNKNOWN
        if self.peer == peer:
            return True
        if isinstance(self.peer, Ref) or "/" not in self.peer or port is None:
            return False
        return True if self.peer == EVERYWHERE else UNKNOWN


def _all(*answers: bool | UnknownType) -> bool | UnknownType:
    if any(answer is False for answer in answers):
        return False
    return UNKNOWN if any(answer is UNKNOWN for answer in answers) else True


def everything(direction: str, peer: Reference) -> Allowance[Derived]:
    """Every protocol from or to a peer."""
    return Allowance(direction, EVERY_PROTOCOL, None, None, peer)


def tcp(direction: str, first: int, last: int, peer: Reference) -> Allowance[Derived]:
    """TCP on some ports from or to a peer."""
    return Allowance(direction, TCP, first, last, peer)


@dataclass(frozen=True, slots=True)
class AddedRule(Generic[U]):
    """A rule that the program adds to a security group of which it makes nothing: one that exists, or EKS's own."""

    ref: Ref
    place: Place = field(compare=False)
    allows: frozenset[Allowance[U]] = frozenset()
    """What it lets pass, one for each peer."""


@dataclass(frozen=True, slots=True)
class SecurityGroup(Generic[U]):
    """One security group of the program."""

    ref: Ref
    self_ingress: bool | U
    """Whether every protocol is allowed in from the group itself. A CIDR rule does not count: EFA is not IP."""
    self_egress: bool | U
    """Whether every protocol is allowed out to the group itself; 0.0.0.0/0 does not cover EFA either."""
    place: Place = field(compare=False)
    peers: frozenset[Reference] = field(default=frozenset(), compare=False)
    """Other groups that a rule of the program lets it talk with, whichever of the two carries the rule."""
    allows: frozenset[Allowance[U]] = frozenset()
    """Its rules, one for each peer. One of which the owner is not known has an unknown peer."""

    def lets(self, direction: str, port: int | None, peer: Reference) -> bool | UnknownType:
        """Whether it lets TCP on a port, or everything (None), in from or out to a peer."""
        answers = {each.lets(port, peer) for each in self.allows if each.direction == direction}
        return True if True in answers else UNKNOWN if UNKNOWN in answers else False
