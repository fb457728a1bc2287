"""Which addresses networks cover together."""

from collections.abc import Iterable
from ipaddress import collapse_addresses, ip_network


def cover_every_address(networks: Iterable[str]) -> bool:
    """Whether networks cover every address of IPv4 or of IPv6, alone or together: 0.0.0.0/1 and 128.0.0.0/1 do.

    Invalid networks are ignored.
    """
    valid = []
    for each in networks:
        try:
            valid.append(ip_network(each, strict=False))
        except ValueError:
            continue
    by_version = [[each for each in valid if each.version == version] for version in (4, 6)]
    return any(each.prefixlen == 0 for alike in by_version for each in collapse_addresses(alike))  # type: ignore[type-var]
