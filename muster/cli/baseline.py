"""The baseline: the findings that existed when it was written, so that a gate reports only new ones.

An entry has a stack, a rule, a place, a level, and the number of findings. It has no line, because lines move. If a
rule has more findings at a place than the baseline, all of them are reported, because it is unknown which one is new. A
finding that was advisory and is now mandatory is also reported.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, StrictInt
from pydantic import Field as PydanticField

from muster import user_files, written_files
from muster.cli.findings import ReportedFinding, StackReport
from muster.config.validation import validate
from muster.finding import Level, WrongInput
from muster.json_text import NotJson, position_of_path
from muster.json_text import load as load_json
from muster.message_text import count_noun
from muster.policies.engine.suppressions import SUPPRESSION
from muster.position import Position

Judged = tuple[str, str]
"""Project and stack. The project is empty for a stack of Muster."""

Key = tuple[Judged, str, str]
"""Project and stack, rule, place."""

_MOST_TOLD = 20
"""The maximum number of errors of one file in a message."""

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
        """Its key."""
        return (self.project, self.stack), self.rule, self.at


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
        """The reports of a run. Known findings move from `findings` to `known`. Baseline entries of evaluated rules
        that no finding matches any more are in `gone`. Several reports may have the same stack, for example two plans
        of it: an entry is gone if none of them has it, and is then in the first report."""
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
        mine = sorted({key for key, _ in self.known if key[0] == of and _was_evaluated(key[1], reports)})
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


def _was_evaluated(rule: str, reports: Sequence[StackReport]) -> bool:
    return rule == SUPPRESSION or any(rule in each.judged for each in reports)


def load(file: Path) -> Baseline:
    """Reads a baseline.

    Raises:
        WrongInput: the file is missing, or is not a baseline; the message has every error with its place.
    """
    try:
        text = user_files.read_text(file, user_files.BASELINE)
        data = load_json(text)
    except user_files.NoSuchFile:
        raise WrongInput(f"the baseline '{file}' does not exist; create it with --write-baseline '{file}'") from None
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
    lines = [f"{file}:{at.line}:{at.column}: {got}" for at, got in sorted(faults)]
    return WrongInput(*lines, f"  {file} is not a valid baseline; create one with --write-baseline")


def write(file: Path, reports: Iterable[StackReport]) -> str:
    """Writes the findings of the reports, and keeps the file's entries for stacks and rules that this run did not
    evaluate.

    Returns:
        A text with the number of findings in the file, and how many of them were kept.

    Raises:
        WrongInput: a stack cannot be read, the file is something else, or it cannot be written.
    """
    every = tuple(reports)
    if unreadable := [each.stack for each in every if not each.readable]:
        raise WrongInput(f"the baseline is not written, because {', '.join(unreadable)} cannot be read; fix the errors")
    met = _counts(every)
    kept = {
        (key, level): count
        for (key, level), count in (load(file).known if file.exists() else {}).items()
        if not _was_evaluated(key[1], [each for each in every if _judged(each) == key[0]])
        or key[0] not in set(map(_judged, every))
    }
    entries = [_entry(key, level, count) for (key, level), count in sorted({**kept, **met}.items())]
    try:
        written_files.write(file, json.dumps({"baseline": 1, "known": entries}, indent=2) + "\n")
    except OSError as fault:
        raise WrongInput(f"{file} cannot be written: {fault.strerror}") from None
    count, stayed = sum(met.values()), sum(kept.values())
    words = f"the baseline now has {count_noun(count, 'finding')} of this run"
    earlier = count_noun(stayed, "earlier finding")
    return f"{words}, and {earlier} of stacks and rules that this run did not evaluate" if stayed else words


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
