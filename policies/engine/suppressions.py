"""Suppressed findings, and findings about suppressions that are no longer valid.

A suppression has a reason and an end date. One that has ended, or ends in more than a year, covers nothing, so that
each is reviewed at least once a year. A permanent exception is a level in the configuration.
"""

from collections.abc import Collection, Iterable, Iterator
from datetime import date, timedelta
from typing import NamedTuple

from muster.config.description.suppression import Suppression
from muster.finding import Finding, Level
from muster.message_text import did_you_mean

SUPPRESSION = "suppression"
"""The rule name of findings about suppressions."""

LONGEST = timedelta(days=366)
"""The longest time until the end of a suppression: a year, leap years included."""


class Suppressed(NamedTuple):
    """A finding, and the suppression that covers it."""

    finding: Finding
    by: Suppression

    @property
    def reason(self) -> str:
        """The suppression's reason."""
        return self.by.reason

    @property
    def until(self) -> date:
        """The suppression's end date, the last day on which it is valid."""
        return self.by.until


def holds(given: Suppression, as_of: date) -> bool:
    """Whether a suppression is valid on a day."""
    return as_of <= given.until <= as_of + LONGEST


def split(
    findings: Collection[Finding], given: Iterable[Suppression], as_of: date
) -> tuple[set[Finding], tuple[Suppressed, ...]]:
    """The findings that no suppression covers, and the suppressed ones. The first suppression covers a finding."""
    by_place: dict[tuple[str, str], Suppression] = {}
    for each in given:
        if holds(each, as_of):
            by_place.setdefault((each.rule, each.at), each)
    if not by_place:
        return set(findings), ()
    order = {id(each): number for number, each in enumerate(by_place.values())}
    lengths = {len(each.at) for each in by_place.values()}
    left: set[Finding] = set()
    suppressed: list[Suppressed] = []
    for found in findings:
        by = [by_place[found.rule, at] for at in _places(found.where, lengths) if (found.rule, at) in by_place]
        if by:
            suppressed.append(Suppressed(found, min(by, key=lambda each: order[id(each)])))
        else:
            left.add(found)
    return left, tuple(sorted(suppressed, key=lambda each: (order[id(each.by)], each.finding)))


def _places(where: str, lengths: Iterable[int]) -> Iterator[str]:
    """The places of these lengths that a suppression can name to cover a finding: that of the finding, and those around
    it. No other is built: a place can be long.

    A place in a description is a path: ``groups.workers`` covers ``groups.workers.nodes``. A place in a program is a
    URN, or the end of one, ``TYPE::NAME``. The start of a URN, up to a ``::`` or ``$``, covers every URN that continues
    it; one that ends in a type covers the children of resources of that type.
    """
    yield where
    is_urn = where.startswith("urn:")
    if is_urn and "::" in where:
        yield of_urn(where)
    steps = ("::", "$") if is_urn else (".", "[")
    yield from (where[:each] for each in lengths if where.startswith(steps, each))


def of_urn(urn: str) -> str:
    """``TYPE::NAME``, which identifies a resource within its program."""
    *_, qualified, name = urn.split("::", 3)
    return f"{qualified.rpartition('$')[2]}::{name}"


def about(
    given: Iterable[Suppression],
    used: Collection[Suppression],
    left: Collection[Finding],
    as_of: date,
    *,
    at: str = "suppress",
    known: Collection[str],
    evaluated: Collection[str],
) -> Iterator[Finding]:
    """The findings about suppressions.

    Args:
        given: the suppressions, in their order in the document.
        used: those that covered a finding.
        left: the findings that none covers.
        as_of: the date that the rules use.
        at: the path of the list of suppressions in its document.
        known: the ids of all rules.
        evaluated: the ids of the rules that were evaluated. A suppression of another rule may still cover a finding.
    """
    first: dict[str, str] = {}
    for found in left:
        first[found.rule] = min(found.where, first.get(found.rule, found.where))
    for index, each in enumerate(given):
        place = f"{at}[{index}]"
        if each.rule not in known:
            got = f"no rule '{each.rule}'{did_you_mean(each.rule, known)}"
            yield _about(f"{place}.rule", got, "use a rule id that `muster explain --all` lists")
        elif each.rule not in evaluated:
            continue
        elif each.until < as_of:
            remedy = "fix the finding that it covers, or review it and set a later date"
            yield _about(f"{place}.until", f"the suppression ended on {each.until}", remedy)
        elif not holds(each, as_of):
            got = f"the suppression ends on {each.until}, which is more than a year away"
            remedy = (
                f'set until: "{as_of + LONGEST}" at the latest, or set another level for the rule in muster:policies'
            )
            yield _about(f"{place}.until", got, remedy)
        elif each not in used:
            got = f"suppresses nothing: '{each.rule}' has no finding at '{each.at}'"
            remedy = f"set at: {first[each.rule]}" if each.rule in first else "remove it"
            yield _about(place, got, remedy, Level.ADVISORY)


def _about(where: str, got: str, remedy: str, level: Level = Level.MANDATORY) -> Finding:
    return Finding(where, SUPPRESSION, level, got, remedy, "suppress")
