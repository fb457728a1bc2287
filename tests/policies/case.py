"""A case: one whole fleet, exactly what is found in it, and exactly what could not be judged."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from muster.fleet.resources import Fleet
from policies.judgement import Judgement, judge


@dataclass(frozen=True)
class Case:
    """What is found is written ``rule @ place``, what was not evaluated ``rule @ resource``."""

    name: str
    fleet: Callable[[], Fleet]
    finds: frozenset[str]
    unjudged: frozenset[str]


_CASES: list[Case] = []


def case(*finds: str, unjudged: tuple[str, ...] = ()) -> Callable[[Callable[[], Fleet]], Callable[[], Fleet]]:
    """Makes a case of a function that builds a fleet. The function's name says what is special about it."""

    def make(fleet: Callable[[], Fleet]) -> Callable[[], Fleet]:
        module = fleet.__module__.rpartition(".")[2]
        _CASES.append(Case(f"{module}.{fleet.__name__}", fleet, frozenset(finds), frozenset(unjudged)))
        return fleet

    return make


@cache
def cases() -> tuple[Case, ...]:
    """Every case of every module in `cases/`."""
    for file in sorted((Path(__file__).parent / "cases").glob("*.py")):
        if file.stem != "__init__":
            import_module(f"tests.policies.cases.{file.stem}")
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


def judged(one: Case) -> Judgement:
    """The outcome of all rules on a case's fleet."""
    return judge(one.fleet())
