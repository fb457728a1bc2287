"""Text of messages: lists, counts, and the word that a misspelt one probably means."""

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher, get_close_matches
from pathlib import Path
from traceback import extract_tb
from typing import Any

from muster.secret_texts import hidden, without_credentials
from muster.whole_number import whole_number

_MOST = 4


def list_names(names: Iterable[str]) -> str:
    """Some names, and how many more."""
    every = list(names)
    more = f" and {len(every) - _MOST} more" if len(every) > _MOST else ""
    return ", ".join(every[:_MOST]) + more


def or_list(things: Iterable[object]) -> str:
    """``a``, ``a or b``, ``a, b or c``, in the order given."""
    return in_words([str(thing) for thing in things], "or")


def in_words(words: Sequence[str], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``; ``none`` for nothing."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words) or "none"


def truncate(text: str, most: int = 40) -> str:
    """A text, or its beginning with ``...`` where it is long."""
    text = hidden(text)  # before the cut: no part of a secret is left
    return text if len(text) <= most else f"{text[:most]}..."


_LONGEST, _END = 1000, 200


def shorten(text: str) -> str:
    """A message without marked texts, and without the middle of what a file makes too long to read."""
    text = hidden(text)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - _END]} ... {text[-_END:]}"


_SHOWN_CHARACTERS = 60


def show_value(value: Any) -> str:
    """A value as the user would recognize it, cut short."""
    if isinstance(value, dict):
        return "a block of keys"
    if isinstance(value, list | tuple):
        return "a list"
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "true", False: "false"}[value]
    quote = "" if isinstance(value, int | float) else "'"
    text = f"{quote}{hidden(str(without_credentials(value)))}{quote}"
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[: _SHOWN_CHARACTERS - 3]}...{quote}"


def count_noun(number: int, noun: str, several: str = "") -> str:
    """``1 node``, ``4 nodes``; ``several`` where it is not the noun with an s."""
    return f"{number} {noun if number == 1 else several or noun + 's'}"


_CUTOFF = 0.75
"""`instanse` is nearer than this to `instance`; `efaEnabled` is not to `self-managed`, though both end alike."""

LONGEST_NAME = 200
"""Characters. No name in AWS or Kubernetes but an ARN or a label is longer; nothing is compared with a longer text."""

_SHORT = 4
"""Of words this short one letter is much: they begin with the same one (`none` is not `one`)."""


def closest_match(word: str, known: Iterable[str]) -> str | None:
    """The known word that is nearly this one, None where none is. Capitals, and dashes for underscores, are near, and
    so are the same letters in another order behind the first: of seven, two that are swapped leave too few in place.

    A number is near no other: 180 is not what 10 was meant to be. Nor is a text that is longer than any name.
    """
    if whole_number(word) is not None or len(word) > LONGEST_NAME:
        return None
    sought = _folded(word)
    folded = {_folded(each): each for each in known}
    possible = [each for each in folded if len(each) > _SHORT or each[:1] == sought[:1]]
    close = get_close_matches(sought, possible, n=1, cutoff=_CUTOFF)
    swapped = (each for each in possible if each[:1] == sought[:1] and sorted(each) == sorted(sought))
    found = close[0] if close else next(swapped, None)
    return folded[found] if found else None


def is_misspelled(word: str, known: Iterable[str]) -> bool:
    """Whether a name is nearly a known one, word by word: gpu-operator is another thing than mpi-operator."""
    meant = closest_match(word, known)
    if meant is None:
        return False
    words, others = _folded(word).split("-"), _folded(meant).split("-")
    same = zip(words, others, strict=False)
    return len(words) != len(others) or all(each == other or closest_match(each, [other]) for each, other in same)


def _folded(word: str) -> str:
    return word.lower().replace("_", "-")


_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_DIGIT = re.compile(r"[0-9]")
_EDITS, _FEW = 2, 6
"""Letters in which a misspelled name differs; one in a name of at most six letters."""
_OWN = 3
"""Letters of the shortest word that can be misspelled: the names of several things may differ in shorter ones."""


def is_misspelling(word: str, known: str) -> bool:
    """Whether a word is certainly meant as a known one, and no name of its own: it differs by a letter or two, or lacks
    the first of its words (`BackupRetentionDays` for `AutomaticBackupRetentionDays`).

    A word more (`AvailabilityZoneIds` beside `AvailabilityZones`), other digits (`Ipv6` beside `Ipv4`), other letters
    in one place (`minSize` beside `maxSize`) and another short word (`pool-a` beside `pool-b`) make names of their own.
    """
    ours, theirs = (_folded(each).replace("-", "") for each in (word, known))
    if ours == theirs or len(word) > LONGEST_NAME:
        return ours == theirs
    words, theirs_in_words = (list(map(str.lower, _WORDS.findall(each))) for each in (word, known))
    pairs = list(zip(words, theirs_in_words, strict=False))
    if len(words) == len(theirs_in_words) and all(max(map(len, pair)) < _OWN for pair in pairs if pair[0] != pair[1]):
        return False
    if len(words) > len(theirs_in_words) or _DIGIT.findall(ours) != _DIGIT.findall(theirs):
        return False
    if 1 < len(words) < len(theirs_in_words) and theirs_in_words[-len(words) :] == words:
        return True
    swapped = sorted(ours) == sorted(theirs)
    most = _EDITS if swapped or min(len(ours), len(theirs)) > _FEW else 1
    if abs(len(ours) - len(theirs)) > most:
        return False
    changes = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    edits = [(kind, max(end - start, upto - begin)) for kind, start, end, begin, upto in changes if kind != "equal"]
    return sum(size for _, size in edits) <= most and ("replace", _EDITS) not in edits


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``"; did you mean 'reservation'?"`` for a near miss, the empty string for anything further away."""
    close = closest_match(word, known)
    return f"; did you mean '{close}'?" if close else ""


def raised(fault: BaseException, file: str) -> str:
    """An exception, with the last line of a file that led to it: ``nodes.py:12: KeyError: 'x'``."""
    frames = [each for each in extract_tb(fault.__traceback__) if Path(each.filename).name == file]
    line = fault.lineno if isinstance(fault, SyntaxError) else frames[-1].lineno if frames else None
    return f"{file}{f':{line}' if line else ''}: {type(fault).__name__}: {fault}"
