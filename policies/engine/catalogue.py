"""Every rule, found by walking `policies.rules`, and which of them one run evaluates."""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from pathlib import Path

from muster.message_text import closest_match, did_you_mean
from policies.engine.rule import Rule

_FOLDER = Path(__file__).parent.parent / "rules"


class UnknownRule(ValueError):
    """No rule of that id."""


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, sorted by id."""
    made = [rule for folder in _FOLDER.iterdir() for rule in rules_about(folder.name)]
    ids = [each.id for each in made]
    doubled = sorted({each for each in ids if ids.count(each) > 1})
    if doubled:
        raise RuntimeError(f"two rules are called {', '.join(doubled)}")
    return tuple(sorted(made, key=lambda each: each.id))


@cache
def rules_about(topic: str) -> tuple[Rule, ...]:
    """The rules of one topic, which is a folder."""
    modules = (file for file in (_FOLDER / topic).glob("*.py") if file.stem != "__init__")
    found = [import_module(f"policies.rules.{topic}.{file.stem}") for file in sorted(modules)]
    return tuple(value for module in found for value in vars(module).values() if isinstance(value, Rule))


def rule_of(id: str) -> Rule:
    """The rule of that id.

    Raises:
        UnknownRule: there is none; the message names the nearest.
    """
    by_id = {each.id: each for each in all_rules()}
    if id not in by_id:
        meant = did_you_mean(id, by_id) or _one_of(nearest_prefix(id)[1])
        raise UnknownRule(f"no rule '{id}'{meant} (`muster explain --all` lists them)")
    return by_id[id]


def nearest_prefix(word: str) -> tuple[str, tuple[str, ...]]:
    """What rules' ids begin with that is nearly the word, and those ids; empty where none does."""
    steps = word.count("-") + 1
    found: dict[str, tuple[str, ...]] = {}
    for each in all_rules():
        start = "-".join(each.id.split("-")[:steps])
        found[start] = (*found.get(start, ()), each.id)
    near = closest_match(word, found)
    return (near, found[near]) if near else ("", ())


_MOST_NAMED = 4


def _one_of(ids: tuple[str, ...]) -> str:
    named = ", ".join(f"'{each}'" for each in ids[:_MOST_NAMED])
    more = f" or {len(ids) - _MOST_NAMED} more" if len(ids) > _MOST_NAMED else ""
    return f"; did you mean {'one of ' if len(ids) > 1 else ''}{named}{more}?" if ids else ""


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
    start, ids = nearest_prefix(word)
    begun = f"; did you mean '{ids[0] if len(ids) == 1 else f'{start}-*'}'?" if ids else ""
    return (
        f"names no rule{did_you_mean(word, names) or begun} (`muster explain --all` lists them; capacity/* is a topic)"
    )
