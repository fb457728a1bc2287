"""Addresses without what gives access to them."""

import operator
import re
from collections.abc import Iterable, Mapping
from typing import Any

from muster.unknown import SECRET_WORD

_ADDRESS = re.compile(r"(:(?:\\*/){2})((?:[^\s\"'<>|`\\]|\\+/|\\u[0-9A-Fa-f]{4})++)")
"""An address in any text, which ends at white space or a quote. JSON in a text writes `/` and `&` as escapes."""
_END = re.compile(r"[?#]")
_GIT_REF = re.compile(r"\?ref=[\w.+/-]{1,100}")
"""The revision in the address of a kustomization: no credential, and the version of an add-on."""
_LINE = re.compile(r"#\d{1,7}(?:,\d{1,7})?")
"""A line of a program, and its column, as the Pulumi engine writes them: no credential."""
_HIDDEN = "***"


def without_credentials(value: Any) -> Any:
    """Plain data with fixed words in place of the users, passwords, queries and fragments of addresses: the query of a
    presigned address is a secret. The same object if nothing is replaced."""
    if isinstance(value, str):
        return _ADDRESS.sub(_public, value) if ":" in value else value
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
    """The address without what may be secret. Clients do not agree where a password with `/`, `?` or `#` ends, so a
    text with a colon is hidden up to its last `@`."""
    end = _END.search(found[2])
    where, rest = (found[2][: end.start()], found[2][end.start() :]) if end else (found[2], "")
    before, at, host = where.rpartition("@")
    if at and (":" in before or "/" not in before):
        where = f"{_HIDDEN}@{host}"
    elif "@" in rest and "/" not in where:
        where = _HIDDEN
    open_ = not rest[1:] or _GIT_REF.fullmatch(rest) or _LINE.fullmatch(rest)
    return f"{found[1]}{where}" + (rest if open_ else f"{rest[0]}{SECRET_WORD}")
