"""Addresses without what gives access to them."""

import operator
import re
from collections.abc import Iterable, Mapping
from typing import Any

from muster.unknown import SECRET_WORD

_ADDRESS = re.compile(r"(://(?:[^\s\"'<>|`\\?]|\\u[0-9A-Fa-f]{4})*)(\?(?:[^\s\"'<>|`\\]|\\u[0-9A-Fa-f]{4})+)?")
"""An address in any text, and its query. JSON in a text writes `&` as an escape (Go's `json.Marshal`)."""
_USER = re.compile(r"://[^/@]*@(?:[^/@]*@)*")
_NO_USER = "://***@"


def without_credentials(value: Any) -> Any:
    """Plain data with fixed words in place of the users, passwords and queries of addresses: the query of a presigned
    address is a secret. The same object if nothing is replaced."""
    if isinstance(value, str):
        return _ADDRESS.sub(_public, value) if "://" in value else value
    if isinstance(value, Mapping):
        made = {without_credentials(key): without_credentials(each) for key, each in value.items()}
        return value if _same(made, value) and _same(made.values(), value.values()) else made
    if isinstance(value, list | tuple):
        listed = [without_credentials(each) for each in value]
        return value if _same(listed, value) else listed
    return value


def _same(made: Iterable[Any], values: Iterable[Any]) -> bool:
    return all(map(operator.is_, made, values))


def _public(found: re.Match[str]) -> str:
    return _USER.sub(_NO_USER, found[1]) + (f"?{SECRET_WORD}" if found[2] else "")
