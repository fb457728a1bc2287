"""Judges a fleet by rules: what was judged, what was found, what could not be judged, what was suppressed."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from muster.fleet.description.cluster import Suppression
from muster.fleet.finding import Finding, Level, NotEvaluated
from muster.fleet.near_miss import did_you_mean
from muster.fleet.resources import Fleet
from muster.fleet.resources.fleet import Judged
from policies.catalogue import rules as all_rules
from policies.rule import Rule


class RuleCrashed(Exception):
    """A rule raised: our bug, never the user's fault. Carries the rule's id."""

    def __init__(self, rule: str, thing: str, cause: Exception) -> None:
        super().__init__(f"rule {rule} crashed on {thing}: {type(cause).__name__}: {cause}")
        self.rule = rule


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that the user took the blame for."""

    finding: Finding
    reason: str
    until: date


@dataclass(frozen=True, slots=True)
class Judgement:
    """The whole outcome, sorted."""

    judged: Mapping[str, int]
    """Rule -> how many things it was asked about. A rule asked about nothing counts 0: that too is worth seeing. A rule
    that is not for the fleet's backend is not here."""
    findings: tuple[Finding, ...]
    not_evaluated: tuple[NotEvaluated, ...]
    suppressed: tuple[Suppressed, ...]


def judge(
    fleet: Fleet,
    suppressions: Iterable[Suppression] = (),
    rules: Iterable[Rule] | None = None,
    suppressions_of_others: Iterable[Suppression] = (),
) -> Judgement:
    """Asks every rule that is for the fleet's backend about everything it judges.

    Args:
        fleet: what there is.
        suppressions: the stack's own.
        rules: every rule without it.
        suppressions_of_others: those of the other stacks of a cluster. They count; what is wrong with them is said
            where they stand.

    Raises:
        RuleCrashed: a predicate raised.
    """
    judged: Counter[str] = Counter()
    findings: set[Finding] = set()
    unjudged: set[NotEvaluated] = set()
    for each in all_rules() if rules is None else rules:
        if not each.is_for(fleet):
            continue
        things: list[Judged] = [thing for thing in fleet.objects if isinstance(thing, each.kinds)]
        judged[each.id] = len(things)
        for thing in things:
            try:
                verdicts = list(each.ask(thing, fleet))
            except Exception as cause:
                raise RuleCrashed(each.id, thing.place.resource or str(thing.ref), cause) from cause
            findings |= {verdict for verdict in verdicts if isinstance(verdict, Finding)}
            unjudged |= {verdict for verdict in verdicts if isinstance(verdict, NotEvaluated)}
    kept, suppressed, about = _suppress(findings, tuple(suppressions), fleet.as_of)
    kept, theirs, _ = _suppress(kept, tuple(suppressions_of_others), fleet.as_of)
    suppressed = (*suppressed, *theirs)
    return Judgement(dict(sorted(judged.items())), tuple(sorted(kept | about)), tuple(sorted(unjudged)), suppressed)


SUPPRESSION = "suppression"
"""The name findings about suppressions themselves go by."""


def _suppress(
    findings: set[Finding], suppressions: tuple[Suppression, ...], as_of: date
) -> tuple[set[Finding], tuple[Suppressed, ...], set[Finding]]:
    """Findings left, findings suppressed, and findings about suppressions that no longer hold."""
    about: set[Finding] = set()
    suppressed: list[Suppressed] = []
    left = set(findings)
    known = {each.id for each in all_rules()}
    for index, given in enumerate(suppressions):
        place = f"suppress[{index}]"
        if given.rule not in known:
            got = f"no rule '{given.rule}'{did_you_mean(given.rule, known)}"
            about.add(_about(f"{place}.rule", got, "name a rule that `muster explain --all` lists"))
            continue
        met = {each for each in left if each.rule == given.rule and _covers(given.at, each.where)}
        if given.until < as_of:
            got = f"ended on {given.until}"
            about.add(_about(f"{place}.until", got, "mend what it covered, or look at it again and set a later date"))
        elif not met:
            got = f"suppresses nothing: '{given.rule}' finds nothing at '{given.at}'"
            elsewhere = sorted(each.where for each in left if each.rule == given.rule)
            remedy = f"write at: {elsewhere[0]}" if elsewhere else "remove it"
            about.add(_about(place, got, remedy, Level.ADVISORY))
        else:
            suppressed += [Suppressed(each, given.reason, given.until) for each in sorted(met)]
            left -= met
    return left, tuple(suppressed), about


def _covers(at: str, where: str) -> bool:
    return where == at or where.startswith((f"{at}.", f"{at}["))


def _about(where: str, got: str, remedy: str, level: Level = Level.MANDATORY) -> Finding:
    return Finding(where, SUPPRESSION, level, got, remedy, "suppress")
