"""The placeholders that may stand for ids, addresses and networks until `pulumi up`."""

import re
from ipaddress import IPv4Network

PLACEHOLDER = "fill-me-in"
"""What follows the dash in a placeholder id: ``subnet-fill-me-in-private-a``."""

_PLAIN_ID = re.compile(r"[a-z][a-z0-9-]*")
"""The format of ids."""

_DOCUMENTATION_ADDRESS = re.compile(r"((https|oci)://)?([a-z0-9-]+\.)*example\.(com|net|org)(:\d+)?(/.*)?")
"""RFC 2606: domains for documentation, with or without scheme and path, as in addresses of charts and images."""

DOCUMENTATION_ACCOUNTS = ("111122223333", "123456789012", "444455556666")
"""Account numbers that AWS's documentation uses; an ARN with one of them was copied, not filled in."""

_ECR = re.compile(r"(?:oci://)?(\d{12})\.dkr\.ecr\.")
"""A registry, with its account."""

DOCUMENTATION_NETWORK = "203.0.113.0/24"
"""A placeholder for a network, one of those below."""

_DOCUMENTATION_NETWORKS = tuple(IPv4Network(net) for net in ("192.0.2.0/24", "198.51.100.0/24", DOCUMENTATION_NETWORK))
"""RFC 5737: addresses for documentation, which no real network has."""


def is_placeholder(value: str) -> bool:
    """Whether a value was copied from documentation or marked to be filled in; AWS must never see it."""
    return bool(placeholder_reason(value))


def placeholder_reason(value: str) -> str:
    """Why a value counts as a placeholder; empty for one that does not."""
    # A real bucket with that name may belong to another account.
    if value.startswith(f"s3://{PLACEHOLDER}") or (f"-{PLACEHOLDER}" in value and _PLAIN_ID.fullmatch(value)):
        return f"contains {PLACEHOLDER}"
    if _DOCUMENTATION_ADDRESS.fullmatch(value):
        return "example domain, RFC 2606"
    registry = _ECR.match(value)
    for account in DOCUMENTATION_ACCOUNTS:
        if (value.startswith("arn:") and f":{account}:" in value) or (registry and registry[1] == account):
            return "example account of AWS's documentation"
    try:
        network = IPv4Network(value)
    except ValueError:
        return ""
    return "documentation range, RFC 5737" if is_documentation(network) else ""


def is_documentation(network: IPv4Network) -> bool:
    """Whether a network is one of those for documentation."""
    return any(network.subnet_of(each) for each in _DOCUMENTATION_NETWORKS)
