"""Questions that AWS was asked just now and did not answer, and which of them a missing fact is for want of. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from muster.config.identifiers import is_placeholder
from muster.message_text import list_names

_NAME = re.compile(r"[\w./:-]+")
_SHORTEST = 4
"""Of an id, a type, a zone: shorter ones are numbers."""


@dataclass(frozen=True, slots=True)
class UnansweredQuery:
    """One question without an answer."""

    words: str
    """What was asked, and why there is no answer: ``reservation cr-0123456789abcdef0 (denied)``."""
    asked: str = ""
    """All that it asked for, with every id."""


def explain_missing(missing: str, silences: Sequence[UnansweredQuery]) -> str:
    """Which questions left a fact open: those about what it names; without such, all there are, which may be others'.

    Args:
        missing: what is not known, in words: ``the zones of subnets subnet-0123456789abcdef0``.
        silences: what was not answered.
    """
    wanted = set(_names(missing))
    if fitting := [each for each in silences if wanted & {*_names(each.words), *_names(each.asked)}]:
        return f"AWS did not answer: {_words(fitting)}"
    if silences:
        return f"AWS's answers do not say; not answered: {_words(silences)}"
    return "AWS was asked for nothing that says; `muster schema facts` shows the form"


def _words(silences: Sequence[UnansweredQuery]) -> str:
    return list_names(dict.fromkeys(each.words for each in silences))


def placeholders_in(words: str) -> tuple[str, ...]:
    """The placeholders among words, each once: nobody asks AWS about those."""
    return tuple(dict.fromkeys(each for each in _tokens(words) if is_placeholder(each)))


def _tokens(words: str) -> Iterator[str]:
    return (each.rstrip(".:,") for each in _NAME.findall(words))


def _names(words: str) -> Iterator[str]:
    return (each for each in _tokens(words) if len(each) >= _SHORTEST and any(map(str.isdigit, each)))
