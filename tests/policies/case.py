"""A case: one whole fleet, exactly what is found in it, and exactly what could not be judged."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from muster.fleet.resources import Fleet
from policies.engine.catalogue import rule_of
from policies.engine.judgement import Judgement, judge


@dataclass(frozen=True)
class Case:
    """What is found is written ``rule @ place``, what was not evaluated ``rule @ resource``."""

    name: str
    fleet: Callable[[], Fleet]
    finds: frozenset[str]
    unjudged: frozenset[str]


_TOPICS = "tests.policies.cases"
"""Below it each topic is a module, or a package of several."""

_CASES: list[Case] = []


def case(*finds: str, unjudged: tuple[str, ...] = ()) -> Callable[[Callable[[], Fleet]], Callable[[], Fleet]]:
    """Makes a case of a function that builds a fleet. The function's name says what is special about it.

    The case is called by its topic and that name: ``addons.volcano_twice``, whichever file of a topic it is in.
    """

    def make(fleet: Callable[[], Fleet]) -> Callable[[], Fleet]:
        topic = fleet.__module__.removeprefix(f"{_TOPICS}.").partition(".")[0]
        _CASES.append(Case(f"{topic}.{fleet.__name__}", fleet, frozenset(finds), frozenset(unjudged)))
        return fleet

    return make


@cache
def cases() -> tuple[Case, ...]:
    """Every case of every module in `cases/` and its folders."""
    folder = Path(__file__).parent / "cases"
    for file in sorted(folder.rglob("*.py")):
        if file.stem != "__init__":
            import_module(".".join((_TOPICS, *file.relative_to(folder).with_suffix("").parts)))
    names = [each.name for each in _CASES]
    doubled = {name for name in names if names.count(name) > 1}
    assert not doubled, f"one function hides another: {doubled}"
    return tuple(_CASES)


def found(judgement: Judgement) -> set[str]:
    """Findings as a case writes them."""
    return {f"{each.rule} @ {each.where}" for each in judgement.findings}


def unjudged(judgement: Judgement) -> set[str]:
    """What was not evaluated, as a case writes it."""
    return {f"{each.rule} @ {each.resource}" for each in judgement.not_evaluated}


@cache
def judged(one: Case) -> Judgement:
    """The outcome of all rules on a case's fleet."""
    return judge(one.fleet())


def got_by(rule: str, fleet: Fleet) -> list[str]:
    """What one rule finds in a fleet, in its words."""
    return [each.got for each in judge(fleet, rules=[rule_of(rule)]).findings]
