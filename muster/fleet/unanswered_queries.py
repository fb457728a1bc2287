"""Queries that AWS did not answer in this run, and which of them a missing fact depends on. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from muster.config.identifiers import is_placeholder
from muster.message_text import list_names

_DIGITS = frozenset("0123456789")
_NAME = re.compile(r"[\w./:-]+")
_SHORTEST = 4
"""The shortest id, type or zone; shorter words are numbers."""


@dataclass(frozen=True, slots=True)
class UnansweredQuery:
    """A query without an answer."""

    words: str
    """What was queried, and why there is no answer: ``reservation cr-0123456789abcdef0 (denied)``."""
    asked: str = ""
    """All that it requested, with every id."""


def explain_missing(missing: str, unanswered: Sequence[UnansweredQuery]) -> str:
    """The queries that could not determine a fact: those about the resources in its text; without any, all unanswered
    queries, which may be unrelated.

    Args:
        missing: what is not known, in words: ``the zones of subnets subnet-0123456789abcdef0``.
        unanswered: the queries without an answer.
    """
    wanted = set(_names(missing))
    if fitting := [each for each in unanswered if wanted & {*_names(each.words), *_names(each.asked)}]:
        return f"AWS did not answer: {_words(fitting)}"
    if unanswered:
        return f"AWS's responses do not contain it; AWS did not answer: {_words(unanswered)}"
    return "no query to AWS returns it; `muster schema facts` prints the format of facts"


def _words(unanswered: Sequence[UnansweredQuery]) -> str:
    return list_names(dict.fromkeys(each.words for each in unanswered))


def placeholders_in(words: str) -> tuple[str, ...]:
    """The placeholders in a text, each once: AWS is not queried for those."""
    return tuple(dict.fromkeys(each for each in _tokens(words) if is_placeholder(each)))


def _tokens(words: str) -> Iterator[str]:
    return (each.rstrip(".:,") for each in _NAME.findall(words))


def _names(words: str) -> Iterator[str]:
    return (each for each in _tokens(words) if len(each) >= _SHORTEST and not _DIGITS.isdisjoint(each))
