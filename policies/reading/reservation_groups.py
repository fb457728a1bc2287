"""Resource groups of reservations: which are meant, and what is known of those that exist."""

from muster.fleet.facts import ReservationGroupFacts
from muster.fleet.named import Kind as Named
from muster.fleet.resources import CapacityTarget, Fleet, LaunchTemplate, Ref, ReservationGroup
from muster.fleet.resources.capacity import POOL, RESERVATION_TYPE
from muster.fleet.resources.fleet import Ec2Group
from muster.fleet.unknown import UNKNOWN
from policies.reading.targets import Kind, Target, target_of


def for_reservations(group: ReservationGroup, fleet: Fleet) -> bool:
    """Whether a resource group is for capacity reservations; those of dedicated hosts have entries of their own."""
    says = group.configurations is not UNKNOWN and POOL in group.configurations
    allows = group.allowed is not UNKNOWN and RESERVATION_TYPE in group.allowed
    named = [*(each.target for each in fleet.of(LaunchTemplate)), *(each.target for each in fleet.ec2_groups)]
    return says or allows or any(isinstance(each, CapacityTarget) and each.group == group.ref for each in named)


def existing_group(group: Ec2Group, fleet: Fleet) -> tuple[Target | None, ReservationGroupFacts | None]:
    """The resource group that a node group targets and no resource of the program makes, and what AWS says of it.

    One that AWS does not know is none: `named-things-exist` says so.
    """
    target, _ = target_of(group, fleet)
    if target is None or target.kind is not Kind.GROUP or isinstance(target.ref, Ref):
        return None, None
    if fleet.gone(Named.RESERVATION_GROUP, target.ref):
        return None, None
    return target, fleet.facts.reservation_groups.get(target.ref) if fleet.facts else None
