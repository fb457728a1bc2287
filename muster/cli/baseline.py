"""The baseline: findings that were there when it was written, so that a gate can begin with what is new.

An entry is a stack, a rule and a place, and how many findings there were; lines of files move, so none is in it. More
findings of a rule at a place than the baseline has are all told: which of them is the new one nobody knows.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, StrictInt
from pydantic import Field as PydanticField

from muster.cli.exits import WrongInput
from muster.cli.report import Found, StackReport
from muster.fleet.document import Position, read
from muster.fleet.shape import shape
from policies.suppressions import SUPPRESSION

Key = tuple[str, str, str]
"""Stack, rule, place."""


class Entry(BaseModel):
    """Findings of one rule at one place."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    stack: str
    rule: str
    at: str
    count: StrictInt = PydanticField(default=1, ge=1)


class Form(BaseModel):
    """The file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    baseline: Literal[1]
    known: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Baseline:
    """What was known."""

    file: Path
    known: Mapping[Key, int]

    def apply(self, report: StackReport) -> StackReport:
        """A report without the findings that are known, which are counted instead; with the entries of the rules that
        were asked that no finding is left of."""
        met = Counter(_key(report.stack, each) for each in report.findings)
        known = {key for key, count in met.items() if count <= self.known.get(key, 0)}
        gone = tuple(
            f"{rule} at {at}" if at else rule
            for (stack, rule, at), count in sorted(self.known.items())
            if report.readable and stack == report.stack and _asked(rule, report) and met[stack, rule, at] < count
        )
        return replace(
            report,
            findings=tuple(each for each in report.findings if _key(report.stack, each) not in known),
            known=tuple(each for each in report.findings if _key(report.stack, each) in known),
            gone=gone,
        )


def _key(stack: str, found: Found) -> Key:
    return stack, found.rule, found.where.path


def _asked(rule: str, report: StackReport) -> bool:
    return rule in report.judged or rule == SUPPRESSION


def load(file: Path) -> Baseline:
    """Reads a baseline.

    Raises:
        WrongInput: there is none, or it has another form; every fault with its place.
    """
    document = read(file)
    faults = [(position, finding) for _, position, finding in document.faults]
    form = None
    if document.values_at and not faults:
        form, shaped = shape(Form, document.data if isinstance(document.data, dict) else {})
        for path, finding in shaped:
            at = document.position(path, key=finding.got.startswith("unknown key"))
            faults.append((at or Position(1, 1), finding))
    if form is None:
        told = [f"{file}:{at.line}:{at.column}: {finding.got}" for at, finding in sorted(faults)]
        raise WrongInput("\n".join([*told, f"  {file} is no baseline of this form; write one with --write-baseline"]))
    known: Counter[Key] = Counter()
    for each in form.known:
        known[each.stack, each.rule, each.at] += each.count
    return Baseline(file, known)


def write(file: Path, reports: Iterable[StackReport]) -> int:
    """Writes what the reports have found, and keeps what the file knows of stacks and rules that were not judged now.

    Returns:
        How many findings are known of the stacks that were.

    Raises:
        WrongInput: a stack cannot be read, the file is something else, or it cannot be written.
    """
    every = tuple(reports)
    if unreadable := [each.stack for each in every if not each.readable]:
        raise WrongInput(f"no baseline is written: {', '.join(unreadable)} cannot be read; mend the faults first")
    of = {each.stack: each for each in every}
    met = Counter(_key(each.stack, found) for each in every for found in each.findings)
    kept = load(file).known if file.exists() else {}
    others = {key: count for key, count in kept.items() if key[0] not in of or not _asked(key[1], of[key[0]])}
    entries = [
        {"stack": stack, "rule": rule, "at": at, **({"count": count} if count > 1 else {})}
        for (stack, rule, at), count in sorted({**others, **met}.items())
    ]
    try:
        file.write_text(json.dumps({"baseline": 1, "known": entries}, indent=2) + "\n", encoding="utf-8")
    except OSError as fault:
        raise WrongInput(f"{file} cannot be written: {fault.strerror}") from None
    return met.total()
