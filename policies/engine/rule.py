"""What a rule is: a fact sheet and a predicate over one judged thing."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from types import UnionType
from typing import Any, Self

from muster.finding import Finding, Level, NotEvaluated
from muster.fleet.resources import Fleet, Place
from policies.engine.options import NoOptions, Options
from policies.sources import url_of


class Severity(StrEnum):
    """The severity of a violation, with the policy engine's names."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


Verdict = Finding | NotEvaluated
Predicate = Callable[[Any, Fleet, "Rule"], Iterator[Verdict]]
"""Judges one thing; the rule that it gets is the configured one."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One documented rule: its sheet and its predicate. `policies/rules/index.json` is generated from the sheets."""

    id: str
    title: str
    level: Level
    severity: Severity
    judges: type | UnionType
    """The type of resource that it judges, one at a time; a union of several."""
    backends: tuple[str, ...]
    """The backends for which its fact is true; it judges no other cluster."""
    why: str
    source: str
    remedy: str
    """The general advice; a finding gives the particular one."""
    facts: tuple[str, ...]
    """The documented facts that it judges, by their anchors in ``docs/facts``: ``rules.md#24``, ``hardware.md#R12``."""
    topic: str
    """The folder that it is in."""
    predicate: Predicate
    load_options: Callable[[], type[Options]] = lambda: NoOptions
    """Gives the options that a configuration may set."""
    settings: Options | None = None
    """The options as they are set; the default of each without it."""
    leaves_to: tuple[str, ...] = ()
    """Rules that report the same fault for some of what it judges: one fault is reported once."""
    not_run: frozenset[str] = frozenset()
    """Those of `leaves_to` that this run does not evaluate."""

    @property
    def url(self) -> str | None:
        """The public address of the document that is its source."""
        return url_of(self.source)

    @property
    def options(self) -> type[Options]:
        """The options that a configuration may set."""
        return self.load_options()

    def configured(self, level: Level | None = None, settings: Options | None = None) -> Self:
        """The same rule at another level, or with other settings."""
        return replace(self, level=level or self.level, settings=settings or self.settings)

    def ask(self, thing: Any, fleet: Fleet) -> Iterator[Verdict]:
        """Judges one thing of one of its `kinds`."""
        return self.predicate(thing, fleet, self)

    def in_run_of(self, ids: frozenset[str]) -> Self:
        """The same rule in a run that evaluates these rules."""
        return replace(self, not_run=frozenset(self.leaves_to) - ids) if self.leaves_to else self

    def leaves(self, other: str) -> bool:
        """Whether another rule, which this run evaluates, reports the fault.

        Raises:
            ValueError: its sheet does not list that rule in `leaves_to`, which is a bug.
        """
        if other not in self.leaves_to:
            raise ValueError(f"{self.id} leaves nothing to {other}")
        return other not in self.not_run

    @property
    def kinds(self) -> tuple[type, ...]:
        """The types it judges."""
        return self.judges.__args__ if isinstance(self.judges, UnionType) else (self.judges,)

    def is_for(self, fleet: Fleet) -> bool:
        """Whether its fact is about such a cluster."""
        return not fleet.backends.isdisjoint(self.backends)

    def finding(self, place: Place, got: str, remedy: str, at: str = "") -> Finding:
        """A finding of this rule about a thing.

        Args:
            place: the thing's origin.
            got: what was found.
            remedy: what to do, about this very thing.
            at: the path below the thing, as in the description (``capacity.reservation.zone``).
        """
        return Finding(place.path(at), self.id, self.level, _of_part(place, got), remedy, place.resource)

    def unjudged(self, place: Place, missing: str) -> NotEvaluated:
        """The result for a thing that could not be judged, with the missing value."""
        return NotEvaluated(self.id, place.resource, _of_part(place, missing))


def _of_part(place: Place, words: str) -> str:
    """The text, with the name of the part of a resource that it is about: a URN does not name parts."""
    return f"{place.part}: {words}" if place.part else words


def rule(
    id: str,
    *,
    title: str,
    judges: type | UnionType,
    why: str,
    source: str,
    remedy: str,
    facts: tuple[str, ...],
    level: Level = Level.MANDATORY,
    severity: Severity = Severity.HIGH,
    backends: tuple[str, ...] = ("eks",),
    options: type[Options] = NoOptions,
    leaves_to: tuple[str, ...] = (),
) -> Callable[[Predicate], Rule]:
    """Makes a rule of a predicate `judge(thing, fleet, rule)`. The module's attribute becomes the rule itself."""

    def make(judge: Predicate) -> Rule:
        topic = judge.__module__.split(".")[-2]
        return Rule(
            id,
            title,
            level,
            severity,
            judges,
            backends,
            why,
            source,
            remedy,
            facts,
            topic,
            judge,
            lambda: options,
            leaves_to=leaves_to,
        )

    return make
