"""Which rules are asked in one run: some alone, or all but some."""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from muster.fleet.near_miss import did_you_mean
from policies.catalogue import rules as all_rules
from policies.rule import Rule


class NothingSelected(ValueError):
    """A word that names no rule."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Words for rules: an id, a glob of ids, a topic (`capacity/*`, a glob over topic and id), a backend, or a
    documented fact (`rules.md#24`)."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def of(self, rules: Iterable[Rule]) -> tuple[Rule, ...]:
        """Those that are asked, in their order."""
        return tuple(
            each for each in rules if (not self.select or _any(self.select, each)) and not _any(self.ignore, each)
        )


def selection(select: Iterable[str], ignore: Iterable[str]) -> Selection:
    """A selection of words that each name a rule at least.

    Args:
        select: the rules that are asked alone; commas part several.
        ignore: those that are not asked.

    Raises:
        NothingSelected: words that name none, each with the nearest that does.
    """
    made = Selection(_words(select), _words(ignore))
    faults = []
    for option, words in (("--select", made.select), ("--ignore", made.ignore)):
        faults += [f"{option} {word}: {_unknown(word)}" for word in words if not _known(word)]
    if faults:
        raise NothingSelected("\n".join(faults))
    return made


def _words(given: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for each in given for part in each.split(",") if (word := part.strip()))


def _known(word: str) -> bool:
    return any(_names(word, each) for each in all_rules())


def _names(word: str, rule: Rule) -> bool:
    if fnmatchcase(rule.id, word) or fnmatchcase(f"{rule.topic}/{rule.id}", word):
        return True
    return word in rule.backends or word in rule.facts


def _any(words: Iterable[str], rule: Rule) -> bool:
    return any(_names(word, rule) for word in words)


def _unknown(word: str) -> str:
    every = all_rules()
    names = [each.id for each in every]
    names += sorted({f"{each.topic}/*" for each in every})
    names += sorted({name for each in every for name in (*each.backends, *each.facts)})
    return f"names no rule{did_you_mean(word, names)} (`muster explain --all` lists them; capacity/* is a topic)"
