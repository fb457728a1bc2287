"""Whether an answer has what it is asked for: AWS's models call nearly every member optional. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.account.answer import Answer, Reason, Unanswered
from muster.words import listed


def whole(answer: Answer, key: str, *members: str) -> Answer:
    """The answer; one that was not given where it leaves out what is to be chosen by.

    A list that is left out is not an empty one, and what is not said of a thing speaks neither for it nor against it.

    Args:
        answer: to a question that lists.
        key: of the list: ``Subnets``.
        members: what each of its entries is to have; that of a list inside as ``Associations.Main``.
    """
    if answer.result is None:
        return answer
    lacking = sorted(set(_lacking(answer.result, [key]))) or sorted(
        {each for entry in answer.result[key] for path in members for each in _lacking(entry, path.split("."))}
    )
    if not lacking:
        return answer
    return Answer(
        answer.question,
        unanswered=Unanswered(Reason.INCOMPLETE, f"AWS leaves out {listed(lacking)}"),
        calls=answer.calls,
    )


def _lacking(entry: Mapping[str, Any], path: list[str]) -> Iterator[str]:
    """The first key of a path that something on it lacks."""
    first, *rest = path
    if first not in entry:
        yield first
    elif rest:
        for each in entry[first]:
            yield from _lacking(each, rest)
