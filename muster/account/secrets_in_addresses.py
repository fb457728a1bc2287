"""Addresses as people may see them: a proxy's says who may use it, with the password. Pure."""

import re

_SCHEME = re.compile(r"https?://", re.IGNORECASE)

_USER = re.compile(r"(https?://)[^\s\"]*@", re.IGNORECASE)


def shown(address: str) -> str:
    """An address without what stands before its last ``@``, with a scheme or without: a password may have ``@`` and
    ``/`` in it, and no host has."""
    scheme = _SCHEME.match(address)
    before, _, host = address.rpartition("@")
    return f"{scheme[0] if scheme else ''}{host}" if before else address


def without_users(words: str) -> str:
    """Words, as botocore's of what it could not reach, each address in them as `shown`."""
    return _USER.sub(r"\1", words)
