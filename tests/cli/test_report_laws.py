"""Laws of every report format, on reports as no command makes them: all is said once, and no character is markup."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft4Validator
from markdown_it import MarkdownIt

from muster.cli.findings import Report, ReportedFinding, StackReport, SuppressedFinding
from muster.cli.writers import github, junit, markdown, sarif
from muster.finding import Level
from muster.terminal import visible
from tests.cli.printed_reports import REPORTS
from tests.cli.reports import SMALL, reports
from tests.cli.workflow_commands import parsed

SCHEMAS = Path(__file__).parent / "schemas"
SARIF = Draft4Validator(json.loads((SCHEMAS / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8")))


def findings(report: Report) -> Iterable[tuple[StackReport, ReportedFinding]]:
    return ((stack, found) for stack in report.stacks for found in stack.findings)


def counted(told: Iterable[Any]) -> Counter[Any]:
    return Counter(told)


def run_of(report: Report) -> dict[str, Any]:
    (run,) = json.loads(sarif.write(report))["runs"]
    return run


def said(found: ReportedFinding) -> str:
    parts = (found.got, f"fix: {found.remedy}" if found.remedy else "", f"({found.source})" if found.source else "")
    return "\n".join(filter(None, parts))


def plain(message: dict[str, str]) -> str:
    """A SARIF message as a reader shows it."""
    return message["text"].replace("{{", "{").replace("}}", "}")


@settings(max_examples=40)
@given(st.one_of(reports(), st.sampled_from(list(REPORTS.values()))))
def test_sarif_has_the_published_form(report: Report) -> None:
    """The schema of OASIS; and what its last version asks besides: a region has a line."""
    document = json.loads(sarif.write(report))
    assert [fault.message for fault in SARIF.iter_errors(document)] == []
    for result in document["runs"][0]["results"]:
        for location in result["locations"]:
            assert location.get("physicalLocation", {}).get("region", {"startLine": 1})["startLine"] > 0


@settings(max_examples=40)
@given(reports())
def test_sarif_says_everything_once(report: Report) -> None:
    """Findings as failures, suppressed ones with their suppression, what was not evaluated as open."""
    results = run_of(report)["results"]
    failing = [each for each in results if "kind" not in each and not each["suppressions"]]
    assert counted((each["ruleId"], each["level"], plain(each["message"])) for each in failing) == counted(
        (found.rule, "error" if found.level is Level.MANDATORY else "warning", said(found))
        for _, found in findings(report)
    )
    suppressed = [each for each in results if each["suppressions"]]
    assert counted((each["ruleId"], each["suppressions"][0]["justification"]) for each in suppressed) == counted(
        (each.found.rule, each.reason) for stack in report.stacks for each in stack.suppressed
    )
    unjudged = [each for each in results if each.get("kind") == "open"]
    assert counted((each["ruleId"], each["level"], plain(each["message"])) for each in unjudged) == counted(
        (each.rule, "none", f"not evaluated; missing: {each.missing}")
        for stack in report.stacks
        for each in stack.not_evaluated
    )
    assert len(results) == len(failing) + len(suppressed) + len(unjudged)


@settings(max_examples=40)
@given(reports())
def test_fingerprints_are_unique_and_survive_moved_lines(report: Report) -> None:
    """Rule and path make them: a line more above a finding changes none."""

    def moved(found: ReportedFinding) -> ReportedFinding:
        where = replace(found.where, line=found.where.line + 7) if found.where.line else found.where
        return replace(found, where=where)

    def below(stack: StackReport) -> StackReport:
        silenced = tuple(each._replace(found=moved(each.found)) for each in stack.suppressed)
        return replace(stack, findings=tuple(map(moved, stack.findings)), suppressed=silenced)

    def prints(told: Report) -> list[str]:
        return [each["partialFingerprints"][sarif.FINGERPRINT] for each in run_of(told)["results"]]

    before = prints(report)
    assert len(set(before)) == len(before)
    assert prints(replace(report, stacks=tuple(map(below, report.stacks)))) == before


@settings(max_examples=40)
@given(reports())
def test_junit_has_true_counts(report: Report) -> None:
    """The counts of a suite and of all are those of their cases."""
    document = junit.write(report).encode("utf-8", "backslashreplace").decode()
    root = ET.fromstring(document)
    for suite in (root, *root):
        cases = list(suite.iter("testcase"))
        assert int(suite.get("tests", "")) == len(cases)
        for outcome in ("failure", "error"):
            attribute = {"failure": "failures", "error": "errors"}[outcome]
            assert int(suite.get(attribute, "")) == sum(case.find(outcome) is not None for case in cases)
        assert all(len(case) <= 1 for case in cases), "readers show one outcome a case"
    assert all(int(suite.get("skipped", "")) == len(list(suite.iter("skipped"))) for suite in root)


@settings(max_examples=40)
@given(reports())
def test_junit_says_everything_once(report: Report) -> None:
    """A case for each finding, suppressed finding and open question; one for each other rule that was asked."""
    suites = {suite.get("name"): suite for suite in ET.fromstring(junit.write(report).encode("utf-8", "replace"))}
    for stack in report.stacks:
        suite = suites[visible(stack.stack)]
        outcome = "failure" if stack.readable else "error"
        told = [case.find(outcome) for case in suite.iter("testcase") if case.find(outcome) is not None]
        assert counted((each.get("type"), each.get("message")) for each in told if each is not None) == counted(
            (found.level.value, visible(found.got)) for found in stack.findings
        )
        skipped = counted((each.get("type"), each.get("message")) for each in suite.iter("skipped"))
        assert skipped == counted(
            ("suppressed", visible(f"suppressed until {each.until}: {each.reason}")) for each in stack.suppressed
        ) + counted(
            ("not-evaluated", visible(f"not evaluated; missing: {each.missing}")) for each in stack.not_evaluated
        )
        found = (*stack.findings, *(each.found for each in stack.suppressed))
        met = {each.rule for each in (*found, *stack.not_evaluated)}
        assert {case.get("name") for case in suite if not len(case)} == set(stack.judged) - met


@settings(max_examples=40)
@given(reports())
def test_annotations_are_commands_and_say_everything_once(report: Report) -> None:
    """Read as the runner reads them: what a user wrote ends no command, begins none, and adds no property."""
    lines = github.write(report).encode("utf-8", "backslashreplace").decode().splitlines()
    commands = [parsed(line) for line in lines]
    assert counted((each.name, each.properties.get("title"), each.data.split("\n")[0]) for each in commands) == (
        counted(
            (
                "error" if found.level is Level.MANDATORY else "warning",
                visible(f"{stack.stack}: {found.level.value} {found.rule}").rstrip(),
                visible(found.got),
            )
            for stack, found in findings(report)
        )
        + counted(
            (
                "notice",
                visible(f"{stack.stack}: suppressed {each.found.rule}"),
                visible(f"until {each.until}: {each.reason}"),
            )
            for stack in report.stacks
            for each in stack.suppressed
        )
        + counted(
            ("notice", visible(f"{stack.stack}: not evaluated {each.rule}"), visible(f"missing: {each.missing}"))
            for stack in report.stacks
            for each in stack.not_evaluated
        )
        + counted(("error", "bug in Muster", visible(bug)) for bug in report.bugs)
    )
    assert all(set(each.properties) <= {"file", "line", "col", "title"} for each in commands)
    order = ["error", "warning", "notice"]
    assert [each.name for each in commands] == sorted((each.name for each in commands), key=order.index)


def shown(document: str) -> list[str]:
    """The entries of a Markdown document as a reader shows them: the text of each item of its lists."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(document)
    items, inside = [], 0
    for token in tokens:
        inside += {"list_item_open": 1, "list_item_close": -1}.get(token.type, 0)
        if token.type == "inline" and inside:
            kept = (
                each.content for each in token.children or () if each.type in ("text", "code_inline", "text_special")
            )
            breaks = [each for each in token.children or () if each.type in ("softbreak", "hardbreak")]
            items.append(words("".join(kept)))
            assert len(breaks) <= 2, "a user's text breaks no line"
    return items


def words(told: str) -> str:
    """Without white space, which a reader draws together and drops at the end of a line."""
    return "".join(told.split())


def entry(found: ReportedFinding) -> str:
    place = str(found.where)
    path = f" ({found.where.path})" if found.where.path and found.where.path not in place else ""
    at = f" at {place}" if place else ""
    remedy = f"→ {found.remedy}" if found.remedy else ""
    return f"{visible(found.rule + at + path)}: {visible(found.got)}{visible(remedy)}{visible(found.source)}"


@settings(max_examples=40)
@given(reports())
def test_markdown_says_everything_once_and_reads_none_of_it_as_markup(report: Report) -> None:
    """What a user wrote stands there as it was written, in lists of the report's own."""

    def silenced(each: SuppressedFinding) -> str:
        at = f" at {each.found.where}" if str(each.found.where) else ""
        return visible(f"{each.found.rule}{at}: {each.found.got}suppressed until {each.until}: {each.reason}")

    expected = [entry(found) for _, found in findings(report)]
    for stack in report.stacks:
        expected += [silenced(each) for each in stack.suppressed]
        expected += [
            visible(f"{each.rule}{f' at {each.resource}' if each.resource else ''}, missing: {each.missing}")
            for each in stack.not_evaluated
        ]
    document = markdown.write(report).encode("utf-8", "backslashreplace").decode()
    assert counted(shown(document)) == counted(map(words, expected))
    lines = document.splitlines()
    assert sum(line.startswith("<details") for line in lines) == lines.count("</details>")


def test_a_comment_holds_as_much_as_github_takes_and_says_what_it_leaves_out() -> None:
    """65,536 characters are all that a comment takes; what is mandatory comes first."""
    (stack, *_) = SMALL.stacks
    many = tuple(replace(stack.findings[0], got=f"finding {number} {'x' * 400}") for number in range(400))
    document = markdown.write(Report((replace(stack, findings=many),)))
    assert len(document) < 65_536
    listed = document.count("- [`reservation-zone-matches-subnet`](")
    assert 50 < listed < 400
    left = 400 - listed + len(stack.not_evaluated) + len(stack.suppressed)
    assert document.endswith(f"\n\nand {left} more entries do not fit into a comment; see the other reports.\n")
    assert document.startswith("### Muster: 400 findings (400 mandatory, 0 advisory) in `p5-odcr`\n")
