"""Texts that no message has: those of values that a file or a program marks as secret, which only rules read, and what
gives access to addresses.

One registry for the process: a value reaches messages on many ways, and each message is a text at last.
"""

import json
import operator
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from string import digits
from typing import Any

from muster.plain_data import with_scalars
from muster.unknown import SECRET_WORD, UNKNOWN

HIDDEN = "(secret)"
_MARK = "\0"
"""Stands for it during the search: no marked text is found inside the fixed word."""
_SHORTEST = 4
"""Shorter texts are in every message: hiding them would leave no message readable."""
_MOST = 2_000
"""Each text is searched in each message. If a file marks more, its messages are hidden whole."""
_LONGEST = 20_000
"""Of a longer message, the rest is left out before the search; readers see less of it anyway."""
_WORD = re.compile(r"[^\s\"'`,;=:(){}\[\]<>|\\]{12,}")
"""A password inside a longer text, such as a template or a script that is secret as a whole."""

_texts: set[str] = set()
_longest_first: list[str] = []


def mark(value: Any) -> Any:
    """Hides the texts and numbers of a value in all messages from now on. The keys of maps are names, and stay.

    Returns:
        The value itself.
    """
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Mapping):
            waiting += each.values()
        elif isinstance(each, list | tuple):
            waiting += each
        elif isinstance(each, str):
            _add(each)
        elif isinstance(each, int | float) and not isinstance(each, bool):
            _add(str(each))
            _add(f"{each:,}")
    return value


def mark_derived(given: Any, made: Any) -> Any:
    """Hides what a function made of a value with a marked text, if it looks different: base64, or parts.

    Returns:
        What was made.
    """
    return mark(made) if is_marked(given) else made


def hidden(text: str) -> str:
    """A text with a fixed word in place of each marked text."""
    if not _texts:
        return text
    if len(_texts) > _MOST:
        return HIDDEN
    if len(_longest_first) != len(_texts):
        _longest_first[:] = sorted(_texts, key=lambda each: (-len(each), each))
    cut = len(text) > _LONGEST
    text = text[:_LONGEST]
    for each in _longest_first:
        text = text.replace(each, _MARK)
    text = text.replace(_MARK, HIDDEN)
    # At the cut, a marked text may have lost its end.
    return f"{text[: _LONGEST // 2]} ..." if cut else text


def is_marked(value: Any) -> bool:
    """Whether a scalar has a marked text."""
    return isinstance(value, str | int | float) and hidden(str(value)) != str(value)


def without_marked(value: Any) -> Any:
    """Plain data with `UNKNOWN` in place of what has a marked text, for files that Muster writes."""
    return with_scalars(value, lambda each: UNKNOWN if is_marked(each) else each)


def forget() -> None:
    """Removes all marks: a test begins like a process."""
    _texts.clear()
    _longest_first.clear()


def _add(text: str) -> None:
    if len(_texts) > _MOST or len(text) < _SHORTEST or text in _texts:
        return
    escaped = json.dumps(text)[1:-1], repr(text)[1:-1], text.strip()
    words = (each for each in _WORD.findall(text) if not each.isalpha() and not set(digits).isdisjoint(each))
    for each in (text, *escaped, b64encode(text.encode(errors="replace")).decode(), *words):
        if len(each) >= _SHORTEST and len(_texts) <= _MOST:
            _texts.add(each)


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
    if "@" in rest and (":" in where or "/" not in where):
        where = _HIDDEN
    elif at and (":" in before or "/" not in before):
        where = f"{_HIDDEN}@{host}"
    open_ = not rest[1:] or _GIT_REF.fullmatch(rest) or _LINE.fullmatch(rest)
    return f"{found[1]}{where}" + (rest if open_ else f"{rest[0]}{SECRET_WORD}")
