"""Offers the instance type that a misspelt one probably is."""

import re
from collections.abc import Iterable

from muster.fleet.hardware.plain_types import attributes_of, has_form
from muster.fleet.near_miss import nearest

_NUMBER = re.compile(r"\d+")
_SIZES = frozenset({"", *map(str, (2, 3, 4, 6, 8, 9, 10, 12, 16, 18, 24, 32, 36, 48, 56, 64, 96, 112, 224, 480))})
"""The numbers of EC2's sizes (`InstanceType` of its API, botocore 1.44.5)."""

_OTHER_FAMILIES = frozenset({"g4ad", "g5g", "gr6", "trn2u"})
"""Families of EC2 whose names are nearly those of catalogued ones."""


def nearest_type(word: str, known: Iterable[str]) -> str | None:
    """The known type that this word misspells; None where the word may be another type.

    A type with other numbers is another machine at another price: `p5.4xlarge` is not offered as `p5.48xlarge`. Swapped
    digits count as a misspelling only where EC2 has no size with them.
    """
    family = word.lower().partition(".")[0]
    if attributes_of(word) is not None or (has_form(word) and family in _OTHER_FAMILIES):
        return None
    return nearest(word, [each for each in known if each[:1] == family[:1] and _same_numbers(word, each)])


def _same_numbers(word: str, known: str) -> bool:
    mine, its = _NUMBER.findall(word), _NUMBER.findall(known)
    if "." not in word:
        return "".join(mine) == "".join(its)
    if mine == its:
        return True
    swapped = len(mine) == len(its) and [*map(sorted, mine)] == [*map(sorted, its)]
    return swapped and not (has_form(word) and mine[-1] in _SIZES)
