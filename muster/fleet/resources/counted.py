"""Resources of which rules only ask how many there are: an account may have so many."""

from dataclasses import dataclass, field
from typing import Generic

from muster.fleet.resources.place import ADDRESS, INTERNET_GATEWAY, NAT_GATEWAY, VPC, Place, Ref, Reference
from muster.fleet.unknown import U

COUNTED = (VPC, INTERNET_GATEWAY, ADDRESS, NAT_GATEWAY)
"""The types of such."""


@dataclass(frozen=True, slots=True)
class CountedResource(Generic[U]):
    """One of `COUNTED`."""

    ref: Ref
    place: Place = field(compare=False)
    subnet: Reference | None | U = None
    """Of a NAT gateway: they are counted by zone."""
