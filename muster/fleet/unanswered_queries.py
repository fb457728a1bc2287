"""Queries that AWS did not answer in this run, and which of them a missing fact depends on. Pure."""

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
    """What was queried, and why there is no answer: ``reservation cr-0123456789abcdef0 (denied)``."""
    asked: str = ""
    """All that it requested, with every id."""


def explain_missing(missing: str, unanswered: Sequence[UnansweredQuery]) -> str:
    """Which questions left a fact open: those about what it names; without such, all there are, which may be others'.

    Args:
        missing: what is not known, in words: ``the zones of subnets subnet-0123456789abcdef0``.
        unanswered: the queries without an answer.
    """
    wanted = set(_names(missing))
    if fitting := [each for each in unanswered if wanted & {*_names(each.words), *_names(each.asked)}]:
        return f"AWS did not answer: {_words(fitting)}"
    if unanswered:
        return f"AWS's answers do not say; not answered: {_words(unanswered)}"
    return "AWS was asked for nothing that says; `muster schema facts` shows the form"


def _words(unanswered: Sequence[UnansweredQuery]) -> str:
    return list_names(dict.fromkeys(each.words for each in unanswered))


def placeholders_in(words: str) -> tuple[str, ...]:
    """The placeholders in a text, each once: AWS is not queried for those."""
    return tuple(dict.fromkeys(each for each in _tokens(words) if is_placeholder(each)))


def _tokens(words: str) -> Iterator[str]:
    return (each.rstrip(".:,") for each in _NAME.findall(words))


def _names(words: str) -> Iterator[str]:
    return (each for each in _tokens(words) if len(each) >= _SHORTEST and any(map(str.isdigit, each)))
