"""Cases: whole fleets, and which rules report what place of each, in `tests/golden/cases/TOPIC.txt`.

`make goldens` writes these files. A change of a rule shows there as a difference of exactly what it reports: the
findings with their places, what it could not evaluate, and the cases in which it reports nothing.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

from muster.fleet.resources import Fleet
from muster.policies.engine.catalogue import all_rules
from muster.policies.engine.judgement import Judgement, judge
from muster.policies.engine.rule import Rule
from tests.stack_files import ROOT

GOLDENS = Path("tests/golden/cases")
"""Below the root."""
_TOPICS = "tests.policies.cases"
"""Below it each topic is a module, or a package of several."""

MakeFleet = Callable[[], Fleet]


@dataclass(frozen=True, eq=False)
class Case:
    """A fleet by its topic and name, ``addons.volcano_twice``, whichever file of the topic it is in."""

    name: str
    fleet: MakeFleet
    rule: str = ""
    """The only rule that judges it; "" for all of them."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Options of that rule, as a configuration has them."""

    @property
    def topic(self) -> str:
        """The name of its golden file."""
        return self.name.partition(".")[0]


_CASES: list[Case] = []


def case(fleet: MakeFleet) -> MakeFleet:
    """Registers a function that builds a fleet as a case of its name. The name says what is special about it."""
    cases(**{fleet.__name__: fleet})
    return fleet


def cases(rule: str = "", settings: Mapping[str, Any] | None = None, /, **fleets: MakeFleet) -> None:
    """Registers the cases of a table, each a function of the module that calls this.

    Args:
        rule: the only rule that judges them; all rules do without it.
        settings: options of that rule.
        fleets: name of the case -> what builds its fleet.
    """
    for name, fleet in fleets.items():
        topic = fleet.__module__.removeprefix(f"{_TOPICS}.").partition(".")[0]
        _CASES.append(Case(f"{topic}.{name}", fleet, rule, settings or {}))


@cache
def all_cases() -> tuple[Case, ...]:
    """Every case of every module in `cases/` and its folders."""
    folder = Path(__file__).parent / "cases"
    for file in sorted(folder.rglob("*.py")):
        if file.stem != "__init__":
            import_module(".".join((_TOPICS, *file.relative_to(folder).with_suffix("").parts)))
    names = [each.name for each in _CASES]
    doubled = {name for name in names if names.count(name) > 1}
    assert not doubled, f"two cases have one name: {doubled}"
    return tuple(_CASES)


def rule_of(id: str) -> Rule:
    """The rule of that id."""
    return next(each for each in all_rules() if each.id == id)


@cache
def judged(one: Case) -> Judgement:
    """What its rule, or every rule, reports on a case's fleet."""
    if not one.rule:
        return judge(one.fleet())
    rule = rule_of(one.rule)
    return judge(one.fleet(), rules=[rule.configured(settings=rule.options.model_validate(one.settings))])


def report(judgement: Judgement) -> str:
    """Findings and what was not evaluated, as a golden file has them."""
    lines: list[str] = []
    for each in judgement.findings:
        about = f" ({each.resource})" if each.resource != each.where else ""
        lines.append(f"  {each.rule} {each.level} @ {each.where}{about}")
    lines += [f"  {miss.rule} not evaluated @ {miss.resource}" for miss in judgement.not_evaluated]
    return "\n".join(lines)


def pages() -> Iterator[tuple[Path, str]]:
    """Each topic's golden file, below the root, and its text."""
    in_order = sorted(all_cases(), key=lambda one: (one.topic, one.name))
    for topic, of_topic in groupby(in_order, key=lambda one: one.topic):
        blocks = (f"{one.name}\n{report(judged(one)) or '  nothing'}\n" for one in of_topic)
        yield GOLDENS / f"{topic}.txt", "\n".join(blocks)


def golden(topic: str) -> dict[str, str]:
    """The name of each case of a topic, and what its golden file has of it; of none before `make goldens` ran."""
    text = (ROOT / GOLDENS / f"{topic}.txt").read_text(encoding="utf-8")
    blocks = (block.partition("\n") for block in text.rstrip("\n").split("\n\n"))
    return {name: "" if text == "  nothing" else text for name, _, text in blocks}


def found(judgement: Judgement) -> set[str]:
    """Findings as ``rule @ place``."""
    return {f"{each.rule} @ {each.where}" for each in judgement.findings}


def unjudged(judgement: Judgement) -> set[str]:
    """What was not evaluated as ``rule @ resource``."""
    return {f"{each.rule} @ {each.resource}" for each in judgement.not_evaluated}


def got_by(rule: str, fleet: Fleet) -> list[str]:
    """What one rule finds in a fleet, in its words."""
    return [each.got for each in judge(fleet, rules=[rule_of(rule)]).findings]
