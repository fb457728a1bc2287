"""The programs of each rule: one that keeps it and one that breaks it."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TypeVar

from muster.fleet.facts import Facts
from muster.fleet.resources import Fleet
from muster.offline.recording import record
from muster.policies.views import fleet_of
from tests.factories import AS_OF, REGION

FOLDER = Path(__file__).parent
_Program = TypeVar("_Program", bound=Callable[[], object])


@dataclass(frozen=True)
class Program:
    """A whole program of another team, and what is known of its account."""

    rules: tuple[str, ...]
    """The rules that it keeps, or the one that it breaks."""
    run: Callable[[], object]
    at: frozenset[str] = frozenset()
    """The logical names of the resources at fault."""
    about: str = ""
    """What is wrong, in a sentence."""
    facts: Facts | None = None
    as_of: date = AS_OF
    region: str = REGION

    @property
    def module(self) -> str:
        """The name of its file."""
        return self.run.__module__.rpartition(".")[2]

    def fleet(self, *, preview: bool = False) -> Fleet:
        """What the views see of it on the offline monitor."""
        registered = record(self.run, project="theirs", stack="dev", region=self.region, preview=preview).registrations
        return fleet_of(registered, facts=self.facts, region=self.region, as_of=self.as_of)


_KEEPING: list[Program] = []
_BREAKING: list[Program] = []


def keeps(
    *rules: str, facts: Facts | None = None, as_of: date = AS_OF, region: str = REGION
) -> Callable[[_Program], _Program]:
    """A program that keeps these rules, and in which no rule finds anything."""

    def register(program: _Program) -> _Program:
        _KEEPING.append(Program(rules, program, facts=facts, as_of=as_of, region=region))
        return program

    return register


def breaks(
    rule: str,
    about: str,
    *,
    at: Collection[str],
    facts: Facts | None = None,
    as_of: date = AS_OF,
    region: str = REGION,
) -> Callable[[_Program], _Program]:
    """A program that breaks this rule alone, at these resources."""

    def register(program: _Program) -> _Program:
        _BREAKING.append(Program((rule,), program, frozenset(at), about, facts, as_of, region))
        return program

    return register


@cache
def keeping() -> tuple[Program, ...]:
    """Every program that keeps rules."""
    _load()
    return tuple(_KEEPING)


@cache
def breaking() -> tuple[Program, ...]:
    """Every program that breaks a rule."""
    _load()
    return tuple(_BREAKING)


@cache
def programs() -> dict[tuple[str, str], Program]:
    """Each program by a rule and ``passing`` or ``failing``."""
    kinds = (("passing", keeping()), ("failing", breaking()))
    listed = [((rule, kind), each) for kind, several in kinds for each in several for rule in each.rules]
    assert len({key for key, _ in listed}) == len(listed), "a rule has two programs of one kind"
    return dict(listed)


def modules() -> list[str]:
    """The name of each file of this folder."""
    return sorted(file.stem for file in FOLDER.glob("*.py"))


def _load() -> None:
    for module in modules():
        import_module(f"tests.policies.programs.{module}")
