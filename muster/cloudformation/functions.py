"""CloudFormation functions of known values."""

from base64 import b64encode
from ipaddress import ip_network
from typing import Any

from muster.whole_number import whole_number

_MOST_NETWORKS = 256
"""The limit of `Fn::Cidr` (CloudFormation template reference)."""


def cidr(block: Any, count: Any, bits: Any) -> list[str] | None:
    """`Fn::Cidr`: the first networks in a block, each with a number of host bits; None for malformed arguments."""
    try:
        network, many = ip_network(str(block), strict=False), whole_number(count)
        host_bits = 8 if bits is None else whole_number(bits)
        if many is None or host_bits is None:
            return None
        prefix = network.max_prefixlen - host_bits
        if not (1 <= many <= _MOST_NETWORKS and network.prefixlen <= prefix <= network.max_prefixlen):
            return None
        if many > 2 ** (prefix - network.prefixlen):
            return None
        below = network.subnets(new_prefix=prefix)
        return [str(next(below)) for _ in range(many)]
    except ValueError:
        return None


def base64(text: Any) -> str | None:
    """`Fn::Base64`."""
    return b64encode(text.encode(errors="replace")).decode() if isinstance(text, str) else None
