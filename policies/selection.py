"""Which rules are asked in one run: some alone, or all but some."""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from muster.fleet.near_miss import did_you_mean
from policies.catalogue import beginning
from policies.catalogue import rules as all_rules
from policies.rule import Rule


class NothingSelected(ValueError):
    """Words that name no rule, or none at all."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Words for rules: an id, a glob of ids, a topic (`capacity/*`, a glob over topic and id), a backend, or a
    documented fact (`rules.md#24`).

    A backend that is selected names the rules that are for it, one that is ignored those that are for no other: what
    it shares with another, that one still wants to be judged by.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def of(self, rules: Iterable[Rule]) -> tuple[Rule, ...]:
        """Those that are asked, in their order."""
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
    """A selection of words that each name a rule at least.

    Args:
        select: the rules that are asked alone; commas part several.
        ignore: those that are not asked.

    Raises:
        NothingSelected: words that name none, each with the nearest that does; or an option without a word.
    """
    faults, chosen = [], []
    for option, given in (("--select", tuple(select)), ("--ignore", tuple(ignore))):
        words = _words(given)
        if given and not words:
            faults.append(f"{option} names no rule: write one after it, or leave it out")
        faults += [f"{option} {word}: {_unknown(word)}" for word in words if not _known(word)]
        chosen.append(words)
    if faults:
        raise NothingSelected("\n".join(faults))
    return Selection(*chosen)


def _words(given: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for each in given for part in each.split(",") if (word := part.strip()))


def _known(word: str) -> bool:
    return any(_names(word, each) for each in all_rules())


def _names(word: str, rule: Rule) -> bool:
    return _calls(word, rule) or word in rule.backends


def _calls(word: str, rule: Rule) -> bool:
    """Whether a word is the rule's own, of which there is one: id, topic, fact."""
    return fnmatchcase(rule.id, word) or fnmatchcase(f"{rule.topic}/{rule.id}", word) or word in rule.facts


def _unknown(word: str) -> str:
    every = all_rules()
    names = [each.id for each in every]
    names += sorted({f"{each.topic}/*" for each in every})
    names += sorted({name for each in every for name in (*each.backends, *each.facts)})
    start, ids = beginning(word)
    begun = f"; did you mean '{ids[0] if len(ids) == 1 else f'{start}-*'}'?" if ids else ""
    return (
        f"names no rule{did_you_mean(word, names) or begun} (`muster explain --all` lists them; capacity/* is a topic)"
    )
