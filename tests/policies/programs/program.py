"""A program of a shape of resources, sound and broken."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from muster.fleet.facts import Facts
from muster.fleet.registration import Registration
from muster.fleet.resources import Fleet
from muster.offline.recording import record
from muster.policies.views import fleet_of
from tests.factories import AS_OF, REGION

_Run = Callable[[bool], object]


@dataclass(frozen=True)
class Program:
    """A whole program, and what is known of its account."""

    name: str
    run: _Run
    """Takes whether it is broken."""
    faults: frozenset[tuple[str, str]]
    """What is found of it when it is broken: rule and logical name. Sound it is judged by these rules, too."""
    facts: Facts | None

    def fleet(self, *, broken: bool, preview: bool = False) -> Fleet:
        """What the views see of it."""
        made = registered(self.name, broken=broken, preview=preview)
        return fleet_of(made, facts=self.facts, region=REGION, as_of=AS_OF)


_PROGRAMS: dict[str, Program] = {}


def shape(faults: Mapping[str, str], *, facts: Facts | None = None) -> Callable[[_Run], _Run]:
    """A program, and the rules that it breaks: each at one or more resources, by their logical names."""

    def register(run: _Run) -> _Run:
        found = frozenset((rule, name) for rule, names in faults.items() for name in names.split())
        name = getattr(run, "__name__")  # noqa: B009
        _PROGRAMS[name] = Program(name, run, found, facts)
        return run

    return register


@cache
def programs() -> Mapping[str, Program]:
    """Every program by its name."""
    for file in sorted(Path(__file__).parent.glob("*.py")):
        import_module(f"{__package__}.{file.stem}")
    return _PROGRAMS


@cache
def registered(name: str, *, broken: bool = False, preview: bool = False) -> tuple[Registration, ...]:
    """What a program registers on the offline monitor; ids are known but in a preview."""
    run = programs()[name].run
    return tuple(
        record(lambda: run(broken), project="theirs", stack="dev", region=REGION, preview=preview).registrations
    )
