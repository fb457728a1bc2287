"""Every rule, found by walking `policies.rules`: a new file is a new rule, nothing else to register."""

from functools import cache
from importlib import import_module
from pathlib import Path

from muster.fleet.near_miss import did_you_mean, nearest
from policies.rule import Rule

_FOLDER = Path(__file__).parent / "rules"


class UnknownRule(ValueError):
    """No rule of that id."""


@cache
def rules() -> tuple[Rule, ...]:
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
    by_id = {each.id: each for each in rules()}
    if id not in by_id:
        meant = did_you_mean(id, by_id) or _one_of(beginning(id)[1])
        raise UnknownRule(f"no rule '{id}'{meant} (`muster explain --all` lists them)")
    return by_id[id]


def beginning(word: str) -> tuple[str, tuple[str, ...]]:
    """What rules' ids begin with that is nearly the word, and those ids; empty where none does."""
    steps = word.count("-") + 1
    found: dict[str, tuple[str, ...]] = {}
    for each in rules():
        start = "-".join(each.id.split("-")[:steps])
        found[start] = (*found.get(start, ()), each.id)
    near = nearest(word, found)
    return (near, found[near]) if near else ("", ())


_MOST_NAMED = 4


def _one_of(ids: tuple[str, ...]) -> str:
    named = ", ".join(f"'{each}'" for each in ids[:_MOST_NAMED])
    more = f" or {len(ids) - _MOST_NAMED} more" if len(ids) > _MOST_NAMED else ""
    return f"; did you mean {'one of ' if len(ids) > 1 else ''}{named}{more}?" if ids else ""
