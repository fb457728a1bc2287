"""How the addresses of a VPC that Muster makes are cut into subnets.

An eighth of the VPC for the private subnet of each zone; the last eighth is cut into eight public ones. So a /16 gives
each zone a private /19 (8,187 addresses: eksctl's sizes) and a public /22. A zone's place in the list alone decides
its addresses: a zone that is added at the end moves nothing.
"""

from ipaddress import IPv4Network
from typing import NamedTuple

MAX_ZONES = 7
"""One eighth of the addresses is the public subnets'."""

RESERVED_ADDRESSES = 5
"""AWS keeps the first four addresses of every subnet and the last one (VPC user guide, "Subnet sizing")."""

_EIGHTH = 3


class SubnetPlan(NamedTuple):
    """One zone's two subnets, in CIDR notation."""

    private: str
    public: str


def plan_subnets(vpc: str, zones: tuple[str, ...]) -> dict[str, SubnetPlan]:
    """Zone -> its subnets.

    Args:
        vpc: the VPC's range, /16 to /22.
        zones: zone names, `MOST_ZONES` at most.
    """
    eighths = list(IPv4Network(vpc).subnets(_EIGHTH))
    public = list(eighths[-1].subnets(_EIGHTH))
    return {zone: SubnetPlan(str(eighths[index]), str(public[index])) for index, zone in enumerate(zones)}


def usable_addresses(cidr: str) -> int:
    """Addresses of a subnet that instances and pods can have."""
    return IPv4Network(cidr).num_addresses - RESERVED_ADDRESSES
