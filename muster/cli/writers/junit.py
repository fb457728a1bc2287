"""A report as JUnit XML by Jenkins' schema (xunit-plugin, `junit-10.xsd`), for test reports.

A stack is a suite. A rule without findings is one case. For any other rule each finding, each suppressed finding and
each thing that was not evaluated is a case, because readers show one failure for each case. A finding is a failure of
the type of its level, a schema error is an error, and suppressed or not evaluated results are skipped, with the
reason. There are no times, so that two runs on one stack give equal files.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from muster.cli.findings import Report, ReportedFinding, StackReport
from muster.cli.writers.escaping import xml


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
    found = (*stack.findings, *(each.found for each in stack.suppressed), *stack.known)
    reported = {each.rule for each in found} | {each.rule for each in stack.not_evaluated}
    outcome = "failure" if stack.readable else "error"
    for each in stack.findings:
        yield _Case(_named(each), outcome, each.level.value, each.got, (_placed(each), *each.details))
    for silenced in stack.suppressed:
        words = f"suppressed until {silenced.until}: {silenced.reason}"
        yield _Case(_named(silenced.found), "skipped", "suppressed", words, (_placed(silenced.found),))
    for each in stack.known:
        yield _Case(_named(each), "skipped", "known", f"known from the baseline: {each.got}", (str(each.where),))
    for missing in stack.not_evaluated:
        name = ": ".join(filter(None, (missing.rule, missing.resource)))
        yield _Case(name, "skipped", "not-evaluated", f"not evaluated; missing: {missing.missing}")
    yield from (_Case(rule) for rule in sorted(stack.judged) if rule not in reported)


def _named(found: ReportedFinding) -> str:
    return ": ".join(filter(None, (found.rule, found.where.path)))


def _placed(found: ReportedFinding) -> str:
    return ": ".join(filter(None, (str(found.where), found.got)))
