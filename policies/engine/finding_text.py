"""Lists, names and numbers as findings write them."""

from collections.abc import Iterable

from muster.fleet.resources import Ref, Reference
from muster.fleet.resources.ref import CLUSTER
from muster.message_text import in_words
from muster.unknown import UNKNOWN, UnknownType

MOST_LISTED = 40
"""Names in one text."""


def and_list(things: Iterable[object] | UnknownType) -> str:
    """``a``, ``a and b``, ``a, b and c``; ``none`` for nothing. Of more than 40 things, the first ones, and their
    number."""
    if things is UNKNOWN:
        return "not yet known"
    listed = sorted(str(thing) for thing in things)
    more = len(listed) - MOST_LISTED
    return in_words([*listed[:MOST_LISTED], f"{more} more"] if more > 0 else listed)


def card_list(numbers: Iterable[int]) -> str:
    """Network cards in ascending order, with ranges: ``card 0``, ``cards 0 to 7 and 9``."""
    runs: list[list[int]] = []
    for each in sorted(set(numbers)):
        if runs and each == runs[-1][-1] + 1:
            runs[-1].append(each)
        else:
            runs.append([each])
    words = [f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
    return f"card {words[0]}" if len(runs) == len(runs[0]) == 1 else f"cards {in_words(words)}"


def name_of(reference: Reference) -> str:
    """The logical name of a resource of the program, or the id of any other. EKS's own security group has the name of
    its cluster."""
    if not isinstance(reference, Ref):
        return reference
    return f"{reference.name} (created by EKS)" if reference.type == CLUSTER else reference.name


def name_list(references: Iterable[Reference] | UnknownType) -> str:
    """The names of resources: ``efa and sg-0123``."""
    return and_list(references if references is UNKNOWN else map(name_of, references))
