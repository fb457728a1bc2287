"""Security groups, as far as EFA cares."""

from dataclasses import dataclass, field

from muster.fleet.resources.place import Place, Ref, Reference
from muster.fleet.unknown import UnknownType


@dataclass(frozen=True, slots=True)
class SecurityGroup:
    """One security group of the program."""

    ref: Ref
    self_ingress: bool | UnknownType
    """Whether every protocol is allowed in from the group itself. A CIDR rule does not count: EFA is not IP."""
    self_egress: bool | UnknownType
    """Whether every protocol is allowed out to the group itself; 0.0.0.0/0 does not cover EFA either."""
    place: Place = field(compare=False)
    peers: frozenset[Reference] = field(default=frozenset(), compare=False)
    """Other groups that a rule of the program lets it talk with, whichever of the two carries the rule."""
