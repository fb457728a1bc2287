"""What a rule is: a sheet and a predicate over one judged thing. Importing this loads neither pydantic nor the types
that rules judge: `muster explain` reads only sheets."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Self, TypeVar

from muster.addresses import SITE
from muster.edits import PULUMI, Edit, Remedy, Terms, of_document, sentence
from muster.finding import Finding, Level, NotEvaluated
from muster.unknown import NotKnown

if TYPE_CHECKING:
    from muster.fleet.resources import Fleet, Place
    from muster.fleet.resources.fleet import Judged
    from muster.policies.engine.options import Options


class Severity(StrEnum):
    """The severity of a violation, with the policy engine's names."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


T = TypeVar("T")

OWN_PACKAGE = "rules_of_users_"
"""How the name of the package of a user's rules begins."""

Verdict = Finding | NotEvaluated
Predicate = Callable[[Any, "Fleet", "Rule"], Iterator[Verdict]]
"""Judges one thing. The rule that it receives is the configured one."""


@dataclass(frozen=True)
class Sheet:
    """The documentation of a rule: its entry in `rules.yaml` of its topic's folder."""

    id: str
    title: str
    level: Level
    severity: Severity
    judges: tuple[str, ...]
    """The types of `muster.fleet.resources` that it judges, one resource at a time."""
    backends: tuple[str, ...]
    """The backends that it is for; it judges no other cluster."""
    why: str
    source: tuple[str, ...]
    """The public addresses of the documents that it is from. A report has the first."""
    remedy: str
    """The general remedy; a finding gives the specific one."""
    facts: tuple[str, ...]
    """The documented facts that it checks, by their anchors in ``docs/facts``: ``rules.md#24``, ``hardware.md#R12``."""
    topic: str
    """The folder that it is in."""
    module: str
    """The module of its predicate, which is named like the rule, and of its options."""
    leaves_to: tuple[str, ...] = ()
    """Rules that report the same fault in some cases: one fault is reported once."""
    options_class: str = ""
    """The class of its options; empty if it has none."""

    @property
    def is_own(self) -> bool:
        """Whether it is a rule of the user's (`muster.policies.engine.packs`)."""
        return self.module.startswith(OWN_PACKAGE)

    @property
    def file(self) -> str:
        """The name of its module's file."""
        return f"{self.module.rpartition('.')[2]}.py"

    @property
    def page(self) -> str:
        """The address of its page on the documentation site; of a user's rule, its first source."""
        return self.source[0] if self.is_own else f"{SITE}/rules/{self.topic}/{self.id}.html"

    @property
    def kinds(self) -> tuple[type, ...]:
        """The types that it judges; their modules are imported."""
        return tuple(resolved(f"muster.fleet.resources:{each}") for each in self.judges)

    @property
    def options(self) -> "type[Options]":
        """The options that a configuration may set. Their module is imported."""
        from muster.policies.engine.options import NoOptions  # noqa: PLC0415  (it loads pydantic)

        return resolved(f"{self.module}:{self.options_class}") if self.options_class else NoOptions

    @property
    def documented_options(self) -> Mapping[str, Any]:
        """The default and the description of each option, by name."""
        if not self.options_class:
            return {}
        from muster.policies.engine.options import documented  # noqa: PLC0415  (it loads pydantic)

        return documented(self.options)


@cache
def resolved(place: str) -> Any:
    """The object at ``module:name``."""
    return resolve_name(place)


@dataclass(frozen=True)
class Rule(Sheet):
    """One documented rule, as a run evaluates it."""

    settings: "Options | None" = None
    """The options that a configuration sets. Default: the default of each option."""
    terms: Terms = PULUMI
    """How the judged document names properties."""
    not_run: frozenset[str] = frozenset()
    """The rules of `leaves_to` that this run does not evaluate."""

    def configured(self, level: Level | None = None, settings: "Options | None" = None) -> Self:
        """The same rule at another level, or with other settings."""
        return replace(self, level=level or self.level, settings=settings or self.settings)

    @property
    def advice(self) -> Self:
        """The same rule as advice. For a value that is missing in a list which grows (versions, types, parameters): it
        may be newer than the list."""
        return self.configured(Level.ADVISORY)

    def ask(self, thing: Any, fleet: "Fleet") -> Iterator[Verdict]:
        """Judges one thing of one of its `kinds`."""
        predicate: Predicate = resolved(f"{self.module}:{self.id.replace('-', '_')}")
        return predicate(thing, fleet, self)

    def in_run_of(self, ids: frozenset[str], terms: Terms = PULUMI) -> Self:
        """The same rule in a run that evaluates these rules, on a document with these terms."""
        not_run = frozenset(self.leaves_to) - ids
        return self if (self.not_run, self.terms) == (not_run, terms) else replace(self, not_run=not_run, terms=terms)

    def leaves(self, other: str) -> bool:
        """Whether another rule, which this run evaluates, reports the fault.

        Raises:
            ValueError: its sheet does not list that rule in `leaves_to`, which is a bug.
        """
        if other not in self.leaves_to:
            raise ValueError(f"{self.id} does not list {other} in leaves_to")
        return other not in self.not_run

    def is_for(self, fleet: "Fleet") -> bool:
        """Whether it is a rule for the backend of this fleet."""
        return not fleet.backends.isdisjoint(self.backends)

    def finding(
        self,
        thing: "Judged | Place",
        at: str = "",
        *,
        got: str,
        change: Remedy | tuple[Remedy, ...],
        place: "Place | None" = None,
    ) -> Finding:
        """A finding of this rule about a thing.

        Args:
            thing: the thing that it is about.
            at: the field at fault, as in the description: ``capacity.reservation.zone``; empty for the whole thing. Of
                what no description has, the property: ``metadataOptions.httpTokens``.
            got: what is wrong: the value that was found, and what it conflicts with. `key` gives names of fields.
            change: what to do: edits of fields, and sentences about what is no field of the document, as alternatives.
                A field of another thing of a description has its path from the root: ``/addons.cert-manager``.
            place: the place of the finding, where it is not the thing's own.
        """
        place = place or place_of(thing)
        several = [
            replace(each, at=each.at or at) if isinstance(each, Edit) else each
            for each in (change if isinstance(change, tuple) else (change,))
        ]
        told = [(each, each) if isinstance(each, str) else self._told(each, thing, place) for each in several]
        return Finding(
            place.path("" if _of_programs(at) else at),
            self.id,
            self.level,
            _of_part(place, got),
            ", or ".join(words for _, words in told),
            place.resource,
            inside=place.inside,
            property="" if place.described else property_of(thing, at or _first(several)),
            changes=tuple(made for made, _ in told),
        )

    def _told(self, edit: Edit, thing: "Judged | Place", place: "Place") -> tuple[Remedy, str]:
        """An edit as its document has it, and its sentence."""
        if place.described and not _of_programs(edit.at):
            path = _path(place, edit.at)
            also = [self._told(each, thing, place) for each in edit.also]
            made = replace(edit, at=path, also=tuple(each for each, _ in also if isinstance(each, Edit)))
            words = sentence(edit, edit.at.removeprefix("/") or path)
            return made, " and ".join((words, *(each for _, each in also)))
        return of_document(edit, property_of(thing, edit.at) or _name(thing), self.terms)

    def key(self, thing: "Judged | Place", at: str) -> str:
        """A field as the thing's document names it: ``nodes.max`` is ``ScalingConfig.MaxSize`` in CloudFormation."""
        return at if place_of(thing).described else self.terms.key(property_of(thing, at))

    def each(self, parts: Iterable[T], judge: Callable[[T], Iterator[Verdict]], place: "Place") -> Iterator[Verdict]:
        """Judges several parts of a thing, each for itself: an unknown value of one leaves the others judged.

        Args:
            parts: the parts.
            judge: judges one of them.
            place: the thing's origin.
        """
        for part in parts:
            try:
                yield from judge(part)
            except NotKnown as missing:
                yield self.not_evaluated(place, missing.on(part, self.terms.later))

    def not_evaluated(self, place: "Place", missing: str) -> NotEvaluated:
        """The result for a thing that could not be judged, with the missing value. A rule raises `NotKnown` instead;
        the engine makes this of it."""
        return NotEvaluated(self.id, place.resource, _of_part(place, missing))


def place_of(thing: "Judged | Place") -> "Place":
    """Where a thing comes from."""
    place: Place = getattr(thing, "place", None) or thing  # type: ignore[assignment]  # without a place it is one
    return place


def _path(place: "Place", at: str) -> str:
    return at[1:] if at.startswith("/") else place.path(at)


def _name(thing: "Judged | Place") -> str:
    ref = getattr(thing, "ref", None)
    return ref.name if ref else "it"


def property_of(thing: "Judged | Place", at: str) -> str:
    """The property of a resource that has a field of the description."""
    from muster.fleet.property_paths import property_path  # noqa: PLC0415  (it loads the types of resources)

    return property_path(thing, at)


def _first(changes: list[Remedy]) -> str:
    """The field of the first edit, for a finding about a whole thing."""
    return next((each.at for each in changes if isinstance(each, Edit)), "")


def _of_programs(at: str) -> bool:
    """Whether it is a property, which no description has: its keys have no capitals."""
    return any(map(str.isupper, at.partition(".")[0]))


def _of_part(place: "Place", words: str) -> str:
    """The text, prefixed with the part of the resource that it is about: a URN does not name parts."""
    return f"{place.part}: {words}" if place.part else words
