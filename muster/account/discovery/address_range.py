"""Addresses for a VPC that is to be made. Pure."""

from collections.abc import Iterable
from ipaddress import IPv4Network

_PRIVATE = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")
"""RFC 1918."""

_TAKEN = "172.17.0.0/16"
"""Docker's bridge has it (VPC user guide, VPC CIDR blocks)."""

USUAL = "10.0.0.0/16"
"""Where none is free, or AWS did not say which are taken."""

_WIDEST = 16
"""The largest VPC that AWS makes (VPC user guide, VPC CIDR blocks)."""


def free_cidr(taken: Iterable[str]) -> str | None:
    """The first /16 of the private ranges that overlaps no network of `taken`, so that the two can be peered later.

    10.0.0.0/8 goes first, then 172.16.0.0/12 without Docker's own, then 192.168.0.0/16. None where all are taken.
    """
    others = [IPv4Network(each, strict=False) for each in (*taken, _TAKEN)]
    every = (each for private in _PRIVATE for each in IPv4Network(private).subnets(new_prefix=_WIDEST))
    return next((str(each) for each in every if not any(each.overlaps(other) for other in others)), None)
