"""The baseline: the findings that existed when it was written, so that a gate reports only new ones.

An entry has a stack, a rule, a place, a level, and the number of findings. It has no line, because lines move. Where a
rule has more findings at a place than the baseline, all of them are reported: which one is new is unknown. A finding
that was advisory and is mandatory now is reported, too.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, StrictInt
from pydantic import Field as PydanticField

from muster import user_files
from muster.cli import atomic_files
from muster.cli.exits import WrongInput
from muster.cli.findings import ReportedFinding, StackReport
from muster.config.document import Position
from muster.config.project import PROJECT
from muster.config.validation import validate
from muster.finding import Level
from muster.json_text import NotJson, position_of_path
from muster.json_text import load as load_json
from policies.engine.suppressions import SUPPRESSION

Judged = tuple[str, str]
"""Project and stack. The project is empty for a stack of Muster's, whose places are paths of a description. A plan of
such a stack that is judged as a foreign program has its project, and URNs as places."""

Key = tuple[Judged, str, str]
"""Project and stack, rule, place."""

_MOST_TOLD = 20
"""Faults of one file."""

Counts = Mapping[tuple[Key, Level], int]


class Entry(BaseModel):
    """Findings of one rule at one place."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    project: str = ""
    stack: str
    rule: str
    at: str
    level: Level = Level.MANDATORY
    count: StrictInt = PydanticField(default=1, ge=1)

    @property
    def key(self) -> Key:
        """Where it belongs. An entry without a project has it in its URN, or is of a stack of Muster's."""
        _, _, of_urn = self.at.removeprefix("urn:pulumi:").partition("::")
        said = of_urn.partition("::")[0] if self.at.startswith("urn:pulumi:") else ""
        return (self.project or ("" if said == PROJECT else said), self.stack), self.rule, self.at


class Form(BaseModel):
    """The file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    baseline: Literal[1]
    known: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Baseline:
    """The findings of a baseline file."""

    file: Path
    known: Counts

    def of(self, reports: Iterable[StackReport]) -> tuple[StackReport, ...]:
        """The reports of a run, with known findings in `known` in place of `findings`, and with the baseline's entries
        that no finding matches any more, of evaluated rules only, in `gone`. Several reports may be of one stack, as of
        two plans of it: an entry is gone where none of them has it, and is in the first report."""
        every = tuple(reports)
        met = _counts(every)
        silent = {key for key, _ in met if self._covers(key, met)}
        left = [_parted(each, silent) for each in every]
        for of in dict.fromkeys(map(_judged, every)):
            same = [index for index, each in enumerate(every) if _judged(each) == of]
            if all(every[index].readable for index in same):
                gone = self._gone(of, [every[index] for index in same], met)
                left[same[0]] = replace(left[same[0]], gone=gone)
        return tuple(left)

    def _covers(self, key: Key, met: Counts) -> bool:
        more = _total(met, key) > _total(self.known, key)
        return not more and met.get((key, Level.MANDATORY), 0) <= self.known.get((key, Level.MANDATORY), 0)

    def _gone(self, of: Judged, reports: Sequence[StackReport], met: Counts) -> tuple[str, ...]:
        mine = sorted({key for key, _ in self.known if key[0] == of and _asked(key[1], reports)})
        return tuple(
            f"{rule} at {at}" if at else rule
            for _, rule, at in mine
            if _total(met, (of, rule, at)) < _total(self.known, (of, rule, at))
        )


def _parted(report: StackReport, silent: set[Key]) -> StackReport:
    """The report with the known findings in `known`."""
    return replace(
        report,
        findings=tuple(each for each in report.findings if _key(report, each) not in silent),
        known=tuple(each for each in report.findings if _key(report, each) in silent),
    )


def _counts(reports: Iterable[StackReport]) -> Counts:
    """The number of findings by key and level. Several reports of one stack repeat findings: the largest number
    counts."""
    most: Counter[tuple[Key, Level]] = Counter()
    for each in reports:
        most |= Counter((_key(each, found), found.level) for found in each.findings)
    return most


def _total(counts: Counts, key: Key) -> int:
    return sum(counts.get((key, level), 0) for level in Level)


def _key(report: StackReport, found: ReportedFinding) -> Key:
    return _judged(report), found.rule, found.where.path


def _judged(report: StackReport) -> Judged:
    return report.project, report.stack


def _asked(rule: str, reports: Sequence[StackReport]) -> bool:
    return rule == SUPPRESSION or any(rule in each.judged for each in reports)


def load(file: Path) -> Baseline:
    """Reads a baseline.

    Raises:
        WrongInput: the file is missing, or has another form; the message has every fault with its place.
    """
    try:
        text = user_files.read_text(file, user_files.BASELINE)
        data = load_json(text)
    except user_files.NoSuchFile:
        raise WrongInput(f"there is no baseline '{file}'; write one with --write-baseline '{file}'") from None
    except user_files.CannotRead as fault:
        raise WrongInput(f"{file}: {fault}") from None
    except NotJson as fault:
        raise _none(file, [(fault.position, fault.problem)]) from None
    form, shaped = validate(Form, data if isinstance(data, dict) else {})
    if form is None:
        raise _none(file, [(position_of_path(text, path), finding.got) for path, finding in shaped[:_MOST_TOLD]])
    known: Counter[tuple[Key, Level]] = Counter()
    for each in form.known:
        known[each.key, each.level] += each.count
    return Baseline(file, known)


def _none(file: Path, faults: Iterable[tuple[Position, str]]) -> WrongInput:
    told = [f"{file}:{at.line}:{at.column}: {got}" for at, got in sorted(faults)]
    return WrongInput("\n".join([*told, f"  {file} is no baseline of this form; write one with --write-baseline"]))


def write(file: Path, reports: Iterable[StackReport]) -> str:
    """Writes the findings of the reports, and keeps the file's entries for stacks and rules that this run did not
    judge.

    Returns:
        A text with the number of findings in the file, and how many of them were kept.

    Raises:
        WrongInput: a stack cannot be read, the file is something else, or it cannot be written.
    """
    every = tuple(reports)
    if unreadable := [each.stack for each in every if not each.readable]:
        raise WrongInput(f"no baseline is written: {', '.join(unreadable)} cannot be read; mend the faults first")
    met = _counts(every)
    kept = {
        (key, level): count
        for (key, level), count in (load(file).known if file.exists() else {}).items()
        if not _asked(key[1], [each for each in every if _judged(each) == key[0]])
        or key[0] not in set(map(_judged, every))
    }
    entries = [_entry(key, level, count) for (key, level), count in sorted({**kept, **met}.items())]
    try:
        atomic_files.write(file, json.dumps({"baseline": 1, "known": entries}, indent=2) + "\n")
    except OSError as fault:
        raise WrongInput(f"{file} cannot be written: {fault.strerror}") from None
    count, stayed = sum(met.values()), sum(kept.values())
    words = f"{count} {'finding is' if count == 1 else 'findings are'} known from now on"
    return f"{words}, beside {stayed} of what was not judged now" if stayed else words


def _entry(key: Key, level: Level, count: int) -> dict[str, str | int]:
    (project, stack), rule, at = key
    return {
        **({"project": project} if project else {}),
        "stack": stack,
        "rule": rule,
        "at": at,
        **({"level": level.value} if level is not Level.MANDATORY else {}),
        **({"count": count} if count > 1 else {}),
    }
