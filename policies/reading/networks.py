"""What rules read of networks that exist."""

from muster.fleet.named import Kind, Named
from muster.fleet.resources import Fleet, Subnet
from policies.reading.asked import was_asked


def vpc_of(fleet: Fleet) -> Named | None:
    """The VPC that the description names; None where it makes one, or there is no description."""
    return next((each for each in fleet.named if each.kind is Kind.VPC), None)


def subnet_was_asked(subnet: Subnet, fleet: Fleet) -> bool:
    """Whether AWS was to say something of a subnet: it exists, and is filled in."""
    there = not (subnet.created or fleet.gone(Kind.SUBNET, subnet.id))
    return there and was_asked(fleet) and not any(each.id == subnet.id and each.blank for each in fleet.named)
