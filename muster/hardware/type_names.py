"""What follows from the name of an instance type, and the known type that is nearest to a misspelt name."""

import re
from collections.abc import Iterable

from muster.message_text import LONGEST_NAME, closest_match

_SIZE = r"(nano|micro|small|medium|(\d+x|x)?large|metal(-\d+xl)?)"
_FORM = re.compile(rf"[a-z][a-z0-9]*(-[a-z0-9]+)*\.{_SIZE}")
_PARTS = re.compile(rf"(?P<series>[a-z]+)\d+(?P<attributes>[a-z]*)(-flex)?\.{_SIZE}")
_NO_LETTER_FOR_THE_PROCESSOR = frozenset({"a", "mac"})
"""Series whose names do not show that the processor is Arm."""


def is_type_name(instance: str) -> bool:
    """Whether a text looks like an EC2 instance type: ``c6i.8xlarge``, ``u-6tb1.metal``. The type need not exist."""
    return bool(_FORM.fullmatch(instance))


def architecture_of(instance: str) -> str | None:
    """``arm64`` or ``x86_64`` by the type's name; None where the name does not determine it."""
    match = _PARTS.fullmatch(instance)
    if match is None or match["series"] in _NO_LETTER_FOR_THE_PROCESSOR:
        return None
    return "arm64" if "g" in match["attributes"] else "x86_64"


_NUMBER = re.compile(r"\d+")
_SIZES = frozenset({"", *map(str, (2, 3, 4, 6, 8, 9, 10, 12, 16, 18, 24, 32, 36, 48, 56, 64, 96, 112, 224, 480))})
"""The numbers of EC2's sizes (`InstanceType` of its API, botocore 1.44.5)."""


def nearest_type(word: str, known: Iterable[str]) -> str | None:
    """The known type that this word misspells; None where the word may be another type.

    A type with other numbers is another machine at another price: `p5.4xlarge` is not offered as `p5.48xlarge`. Swapped
    digits count as a misspelling only where EC2 has no size with them.
    """
    if len(word) > LONGEST_NAME:
        return None
    series = word.lower()[:1]
    return closest_match(word, [each for each in known if each[:1] == series and _same_numbers(word, each)])


def _same_numbers(word: str, known: str) -> bool:
    mine, its = _NUMBER.findall(word), _NUMBER.findall(known)
    if "." not in word:
        return "".join(mine) == "".join(its)
    if mine == its:
        return True
    swapped = len(mine) == len(its) and [*map(sorted, mine)] == [*map(sorted, its)]
    return swapped and not (is_type_name(word) and mine[-1] in _SIZES)
