"""A report as JUnit XML by Jenkins' schema (xunit-plugin, `junit-10.xsd`), for test reports.

A stack is a suite. A rule without findings is one case. For any other rule each finding, each suppressed finding and
each thing that was not evaluated is a case, because readers show one failure for each case. A finding is a failure of
the type of its level, a schema error is an error, and suppressed or not evaluated results are skipped, with the
reason. There are no times, so that two runs on one stack give equal files.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from muster.cli.findings import Report, ReportedFinding, StackReport, SuppressedFinding
from muster.cli.writers.escaping import xml
from muster.finding import NotEvaluated


@dataclass(frozen=True, slots=True)
class _Case:
    """One test case, and what became of it: ``failure``, ``error``, ``skipped``, or empty for passed."""

    name: str
    outcome: str = ""
    type: str = ""
    message: str = ""
    text: tuple[str, ...] = ()


def write(report: Report) -> str:
    """The whole report, as one document."""
    suites = [(stack, list(_cases(stack))) for stack in report.stacks]
    own = [_Case("muster", "error", "bug", bug, ("This is a bug in Muster.",)) for bug in report.bugs]
    every = [case for _, cases in suites for case in cases] + own
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuites name="muster"{_counts(every)}>']
    for stack, cases in suites:
        lines += _suite(stack.stack, stack.file, cases)
    if own:
        lines += _suite("muster", "", own)
    return "\n".join([*lines, "</testsuites>", ""])


def _suite(name: str, file: str, cases: list[_Case]) -> Iterator[str]:
    skipped = sum(case.outcome == "skipped" for case in cases)
    place = f' file="{xml(file)}"' if file else ""
    yield f'  <testsuite name="{xml(name)}"{_counts(cases)} skipped="{skipped}"{place}>'
    for case in cases:
        opened = f'    <testcase name="{xml(case.name)}" classname="{xml(name)}"'
        if not case.outcome:
            yield f"{opened}/>"
            continue
        kind = f' type="{xml(case.type)}"' if case.type else ""
        yield f"{opened}>"
        lines = "\n".join(map(xml, case.text))
        yield f'      <{case.outcome}{kind} message="{xml(case.message)}">{lines}</{case.outcome}>'
        yield "    </testcase>"
    yield "  </testsuite>"


def _counts(cases: Iterable[_Case]) -> str:
    met = Counter(case.outcome for case in cases)
    return f' tests="{met.total()}" failures="{met["failure"]}" errors="{met["error"]}"'


def _cases(stack: StackReport) -> Iterator[_Case]:
    reported = {each.rule for each in stack.findings} | {each.rule for each in stack.not_evaluated}
    reported |= {each.rule for each in stack.suppressed} | {each.rule for each in stack.known}
    outcome = "failure" if stack.readable else "error"
    yield from (_of_finding(found, outcome) for found in stack.findings)
    yield from map(_of_suppressed, stack.suppressed)
    yield from map(_of_known, stack.known)
    yield from map(_of_unjudged, stack.not_evaluated)
    yield from (_Case(rule) for rule in sorted(stack.judged) if rule not in reported)


def _of_finding(found: ReportedFinding, outcome: str) -> _Case:
    parts = [
        ": ".join(filter(None, (str(found.where), found.got))),
        f"fix: {found.remedy}" if found.remedy else "",
        f"at {found.where.path}" if found.where.has_line and found.where.path else "",
        f"source: {found.source}" if found.source else "",
    ]
    text = tuple(filter(None, parts))
    return _Case(_named(found.rule, found.where.path), outcome, found.level.value, found.got, text)


def _of_suppressed(silenced: SuppressedFinding) -> _Case:
    found = silenced.found
    place, got = silenced.resource, ""
    if found:
        place, got = found.where.path, ": ".join(filter(None, (str(found.where), found.got)))
    words = f"suppressed until {silenced.until}: {silenced.reason}"
    return _Case(_named(silenced.rule, place), "skipped", "suppressed", words, (got,))


def _of_known(found: ReportedFinding) -> _Case:
    words = f"known from the baseline: {found.got}"
    return _Case(_named(found.rule, found.where.path), "skipped", "known", words, (str(found.where),))


def _of_unjudged(missing: NotEvaluated) -> _Case:
    words = f"not evaluated; missing: {missing.missing}"
    return _Case(_named(missing.rule, missing.resource), "skipped", "not-evaluated", words)


def _named(rule: str, place: str) -> str:
    return f"{rule}: {place}" if place else rule
