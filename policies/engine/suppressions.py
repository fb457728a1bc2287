"""Findings that somebody has taken the blame for: which they are, and which suppressions no longer hold.

A suppression says why, and until when. One that is over, or runs for more than a year, covers nothing: somebody looks
again once a year. What is meant for ever is a level in the configuration, where everybody sees it.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from muster.config.description.cluster import Suppression
from muster.finding import Finding, Level
from muster.message_text import did_you_mean

SUPPRESSION = "suppression"
"""The name findings about suppressions themselves go by."""

LONGEST = timedelta(days=366)
"""How far ahead one may end: a year, whichever it is."""


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that the user took the blame for."""

    finding: Finding
    by: Suppression

    @property
    def reason(self) -> str:
        """Why."""
        return self.by.reason

    @property
    def until(self) -> date:
        """Until when."""
        return self.by.until


def holds(given: Suppression, as_of: date) -> bool:
    """Whether it covers anything on that day."""
    return as_of <= given.until <= as_of + LONGEST


def split(
    findings: Collection[Finding], given: Iterable[Suppression], as_of: date
) -> tuple[set[Finding], tuple[Suppressed, ...]]:
    """The findings that are left, and those that are suppressed."""
    left = set(findings)
    suppressed: list[Suppressed] = []
    for each in given:
        met = sorted(found for found in left if holds(each, as_of) and covers(each, found))
        suppressed += [Suppressed(found, each) for found in met]
        left.difference_update(met)
    return left, tuple(suppressed)


def covers(given: Suppression, finding: Finding) -> bool:
    """Whether a finding is at the place that a suppression names, or below it.

    A place of a description is a path: ``groups.workers`` covers ``groups.workers.nodes``. One of a program is a URN,
    or its end, ``TYPE::NAME``; a URN that ends earlier, at a step, covers what is below: a type that of its children.
    """
    if given.rule != finding.rule:
        return False
    where, at = finding.where, given.at
    if where.startswith("urn:"):
        return where == at or of_urn(where) == at or where.startswith((f"{at}::", f"{at}$"))
    return where == at or where.startswith((f"{at}.", f"{at}["))


def of_urn(urn: str) -> str:
    """``TYPE::NAME``, how a resource goes by within its program."""
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
    asked: Collection[str],
) -> Iterator[Finding]:
    """What is wrong with suppressions themselves.

    Args:
        given: the suppressions, in their order in the document.
        used: those that covered a finding.
        left: the findings that none covers.
        as_of: the day it is.
        at: where they stand.
        known: every rule.
        asked: the rules that were asked: of one for another rule nothing can be said.
    """
    for index, each in enumerate(given):
        place = f"{at}[{index}]"
        if each.rule not in known:
            got = f"no rule '{each.rule}'{did_you_mean(each.rule, known)}"
            yield _about(f"{place}.rule", got, "name a rule that `muster explain --all` lists")
        elif each.rule not in asked:
            continue
        elif each.until < as_of:
            remedy = "mend what it covered, or look at it again and set a later date"
            yield _about(f"{place}.until", f"ended on {each.until}", remedy)
        elif not holds(each, as_of):
            got = f"ends on {each.until}, in more than a year"
            remedy = f'write until: "{as_of + LONGEST}" at the latest, or another level for the rule in muster:policies'
            yield _about(f"{place}.until", got, remedy)
        elif each not in used:
            got = f"suppresses nothing: '{each.rule}' finds nothing at '{each.at}'"
            elsewhere = sorted(found.where for found in left if found.rule == each.rule)
            remedy = f"write at: {elsewhere[0]}" if elsewhere else "remove it"
            yield _about(place, got, remedy, Level.ADVISORY)


def _about(where: str, got: str, remedy: str, level: Level = Level.MANDATORY) -> Finding:
    return Finding(where, SUPPRESSION, level, got, remedy, "suppress")
