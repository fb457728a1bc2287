"""Which of the things that a stack names an account is asked about. Pure."""

from collections.abc import Mapping
from typing import Any

from muster.account.answer import Answer
from muster.account.topic import Wanted
from muster.fleet.named import Kind
from muster.fleet.naming import named


def ids(wanted: Wanted, *kinds: Kind) -> tuple[str, ...]:
    """The ids of a kind that the stack names, without those that are still to be filled in."""
    every = named(wanted.blueprint.described)
    return tuple(each.id for each in every if each.kind in kinds and not each.blank)


MOST_VALUES = 200
"""Of one filter (EC2 API, Filter)."""


def by_id(name: str, values: tuple[str, ...]) -> list[dict[str, object]]:
    """EC2's `Filters`: with them an id that AWS does not know is left out of the answer, where a list of ids makes the
    whole call fail."""
    return [{"Name": name, "Values": list(values)}]


def listed(answer: Answer, key: str, id_: str) -> dict[str, Mapping[str, Any]] | None:
    """What AWS lists, by its ids. None where it does not answer, or leaves out the list or an id in it, as its models
    allow: what is not in such a list may be there all the same.

    Args:
        answer: to a question that lists.
        key: of the list, as in Subnets.
        id_: the key of an entry's id, as in SubnetId.
    """
    entries = None if answer.result is None else answer.result.get(key)
    if entries is None or not all(id_ in each for each in entries):
        return None
    return {str(each[id_]): each for each in entries}
