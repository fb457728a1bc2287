"""Every rule, and which of them one run evaluates.

A rule's module is imported when the rule judges a first thing, or when its options are set.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache

from muster.finding import WrongInput
from muster.policies.engine.rule import Rule, Sheet
from muster.policies.engine.rule_index import nearest, sheets


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, sorted by id."""
    return tuple(Rule(**vars(each)) for each in sheets())


@cache
def rules_about(topic: str) -> tuple[Rule, ...]:
    """The rules of one topic, which is a folder."""
    return tuple(each for each in all_rules() if each.topic == topic)


class NothingSelected(WrongInput):
    """A selector that matches no rule, or an option without a selector."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Selectors of rules: an id, a glob of ids, a topic (`capacity/*`, a glob over topic and id), a backend, or a
    documented fact (`rules.md#24`).

    `--select BACKEND` takes the rules for that backend. `--ignore BACKEND` drops the rules for no other backend.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def of(self, rules: Iterable[Rule]) -> tuple[Rule, ...]:
        """The rules that the run evaluates, in their order."""
        return tuple(
            each
            for each in rules
            if (not self.select or any(_names(word, each) for word in self.select)) and not self._ignores(each)
        )

    def _ignores(self, rule: Rule) -> bool:
        if any(_calls(word, rule) for word in self.ignore):
            return True
        return bool(rule.backends) and set(rule.backends) <= set(self.ignore)


def selection(select: Iterable[str], ignore: Iterable[str]) -> Selection:
    """The selection of rules by selectors, each of which must match at least one rule.

    Args:
        select: selectors of the only rules to evaluate; commas separate several.
        ignore: selectors of rules to leave out.

    Raises:
        NothingSelected: selectors match no rule; the message has the closest match of each. Or an option has none.
    """
    faults, chosen = [], []
    for option, given in (("--select", tuple(select)), ("--ignore", tuple(ignore))):
        words = _words(given)
        if given and not words:
            faults.append(f"{option} has no value; give the id of a rule, or leave it out")
        faults += [f"{option}: {_unknown(word)}" for word in words if not _known(word)]
        chosen.append(words)
    if faults:
        raise NothingSelected(*faults)
    return Selection(*chosen)


def _words(given: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for each in given for part in each.split(",") if (word := part.strip()))


def _known(word: str) -> bool:
    return any(_names(word, each) for each in sheets())


def _names(word: str, rule: Sheet) -> bool:
    return _calls(word, rule) or word in rule.backends


def _calls(word: str, rule: Sheet) -> bool:
    """Whether a selector matches a rule's id, topic or documented fact; backends are not compared."""
    return fnmatchcase(rule.id, word) or fnmatchcase(f"{rule.topic}/{rule.id}", word) or word in rule.facts


def _unknown(word: str) -> str:
    every = sheets()
    names = [*sorted({f"{each.topic}/*" for each in every}), *(each.id for each in every)]
    names += sorted({name for each in every for name in (*each.backends, *each.facts)})
    return f"there is no rule '{word}'{nearest(word, names)} (`muster explain --all` lists them; capacity/* is a topic)"
