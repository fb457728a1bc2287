"""A report as SARIF 2.1.0 (OASIS), for code scanning and other readers of findings.

By the specification (section numbers are its own):

- What was not evaluated is a result of kind ``open``, "insufficient information to decide whether a problem exists"
  (3.27.9), and no notification: notifications are for the developers of the tool (3.20.21), and a missing fact is for
  the user. Level ``none`` follows from that kind.
- A suppressed finding is a result with its suppression; every other result has an empty list of them (3.27.23 requires
  all or none). The kind is ``external``: a stack file is not source code of the judged thing (3.35.2).
- A finding that the baseline has is suppressed by that, and unchanged (3.27.24).
- A rule that raised, or two parts of Muster that disagree, are notifications of level ``error``: the run failed.
- Braces in a message are doubled (3.11.5).
- Nothing here depends on the machine or the hour (appendix F): no time stamps, no absolute root.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from muster import __version__
from muster.cli.exits import Exit
from muster.cli.findings import Report, ReportedFinding, StackReport, SuppressedFinding, Where, pseudo_rules
from muster.cli.writers.escaping import markdown
from muster.cli.writers.json import dump
from muster.finding import Level, NotEvaluated

if TYPE_CHECKING:
    from muster.policies.engine.rule import Rule

_LEVELS = {Level.MANDATORY: "error", Level.ADVISORY: "warning"}

_SECURITY = {"low": "2.0", "medium": "5.5", "high": "8.0", "critical": "9.5"}
"""The middle of GitHub's bands for `security-severity`: critical over 9.0, high from 7.0, medium from 4.0 (GitHub docs,
"SARIF support for code scanning", reportingDescriptor object)."""


def descriptors(names: Iterable[str]) -> list[dict[str, Any]]:
    """A descriptor for each rule name, sorted. A rule of Muster has the text of its sheet; any other has only its
    name."""
    from muster.policies.engine.catalogue import all_rules

    known = {rule.id: rule for rule in all_rules()}
    return [_of_rule(known[name]) if name in known else _of_name(name) for name in sorted(set(names))]


def _of_name(name: str) -> dict[str, Any]:
    sheet = pseudo_rules().get(name)
    made: dict[str, Any] = {"id": name, "name": name, "shortDescription": {"text": sheet.title if sheet else name}}
    if sheet:
        made["fullDescription"] = {"text": sheet.why}
    return made


def _of_rule(rule: "Rule") -> dict[str, Any]:
    return {
        "id": rule.id,
        "name": rule.id,
        "shortDescription": {"text": f"{rule.title}."},
        "fullDescription": {"text": rule.why},
        "defaultConfiguration": {"level": _LEVELS[rule.level]},
        "help": {
            "text": f"Why: {rule.why}\nRemedy: {rule.remedy}\nSource: {', '.join(rule.source)}",
            "markdown": _help(rule),
        },
        "helpUri": rule.page,
        "properties": _properties(rule),
    }


def _help(rule: "Rule") -> str:
    parts = (
        f"**Why**: {markdown(rule.why)}",
        f"**Remedy**: {markdown(rule.remedy)}",
        f"**Source**: {', '.join(f'<{each}>' for each in rule.source)}",
        f"[{rule.id}]({rule.page})",
    )
    return "\n\n".join(parts) + "\n"


def _properties(rule: "Rule") -> dict[str, Any]:
    """The severity of the sheet, and code scanning's own property: a score for a rule about security, which makes its
    findings security alerts, else a problem severity."""
    security = rule.topic == "security"
    made: dict[str, Any] = {
        "tags": [rule.topic, *rule.backends],
        "severity": rule.severity.value,
        "problem.severity": _LEVELS[rule.level],
        "facts": list(rule.facts),
    }
    if security:
        made["security-severity"] = _SECURITY[rule.severity.value]
    return made


SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "%SRCROOT%"
FINGERPRINT = "ruleAndPath/v1"
"""Rule and path in the description, or URN: lines move, these stay."""

_MEANING = {
    Exit.CLEAN: "no mandatory findings",
    Exit.FINDINGS: "mandatory findings",
    Exit.INPUT: "the input has schema errors: not every rule was evaluated",
    Exit.BUG: "a bug in Muster",
    Exit.UNJUDGED: "--strict, and a rule was not evaluated",
}


_KNOWN = {"kind": "external", "status": "accepted", "justification": "known from the baseline"}


def write(report: Report) -> str:
    """The whole report, as one document with one run."""
    return dump({"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(report)]})


def _run(report: Report) -> dict[str, Any]:
    results = list(_results(report))
    rules = descriptors({each["ruleId"] for each in results} | _judged_rules(report))
    index = {each["id"]: number for number, each in enumerate(rules)}
    return {
        "tool": {
            "driver": {
                "name": "Muster",
                "version": __version__,
                "semanticVersion": __version__,
                "shortDescription": {"text": "Checks distributed-training clusters on AWS against documented rules."},
                "rules": rules,
            }
        },
        "invocations": [_invocation(report)],
        "originalUriBaseIds": {ROOT: {"description": {"text": "The root of the checkout that holds the stack files."}}},
        "columnKind": "unicodeCodePoints",
        "results": [{**each, "ruleIndex": index[each["ruleId"]]} for each in results],
    }


def _judged_rules(report: Report) -> set[str]:
    return {rule for stack in report.stacks for rule in stack.judged}


def _invocation(report: Report) -> dict[str, Any]:
    code = report.exit()
    return {
        "exitCode": int(code),
        "exitCodeDescription": _MEANING[code],
        "executionSuccessful": code not in {Exit.INPUT, Exit.BUG},
        "toolExecutionNotifications": [{"level": "error", "message": _message(bug)} for bug in report.bugs],
    }


def _results(report: Report) -> Iterator[dict[str, Any]]:
    """Findings, what a suppression covers, and what could not be judged, stack by stack."""
    met: Counter[str] = Counter()
    for stack in report.stacks:
        for found in stack.findings:
            yield {**_finding(stack, found, met), "suppressions": []}
        for silenced in stack.suppressed:
            yield {**_finding(stack, silenced.found, met), "suppressions": [_suppression(silenced)]}
        for found in stack.known:
            yield {**_finding(stack, found, met), "baselineState": "unchanged", "suppressions": [_KNOWN]}
        for missing in stack.not_evaluated:
            yield _open(stack, missing, met)


def _finding(stack: StackReport, found: ReportedFinding, met: Counter[str]) -> dict[str, Any]:
    parts = [
        found.got or found.rule,
        f"fix: {found.remedy}" if found.remedy else "",
        f"({found.source})" if found.source else "",
    ]
    return {
        "ruleId": found.rule,
        "level": _LEVELS[found.level],
        "message": _message("\n".join(filter(None, parts))),
        "locations": [_location(found.where, stack.file, found.resource)],
        "partialFingerprints": {FINGERPRINT: _fingerprint(stack.stack, found.rule, found.where.path, met)},
        "properties": {"stack": stack.stack},
    }


def _open(stack: StackReport, missing: NotEvaluated, met: Counter[str]) -> dict[str, Any]:
    return {
        "ruleId": missing.rule,
        "kind": "open",
        "level": "none",
        "message": _message(f"not evaluated; missing: {missing.missing}"),
        "locations": [_location(Where(stack.file, 0, 0, missing.resource), stack.file, missing.resource)],
        "partialFingerprints": {FINGERPRINT: _fingerprint(stack.stack, missing.rule, missing.resource, met)},
        "suppressions": [],
        "properties": {"stack": stack.stack},
    }


def _suppression(silenced: SuppressedFinding) -> dict[str, Any]:
    return {
        "kind": "external",
        "status": "accepted",
        "justification": silenced.reason,
        "properties": {"until": silenced.until.isoformat()},
    }


def _message(text: str) -> dict[str, str]:
    return {"text": text.replace("{", "{{").replace("}", "}}") or "-"}


def _location(where: Where, judged: str, resource: str) -> dict[str, Any]:
    """The location of a result: a place in a file, and its path or URN. Code scanning refuses a result without a
    location, so a result without a place has the judged file."""
    location: dict[str, Any] = {}
    if file := where.file or judged:
        physical: dict[str, Any] = {"artifactLocation": _artifact(file)}
        if where.has_line:
            physical["region"] = {"startLine": where.line, "startColumn": where.column}
        location["physicalLocation"] = physical
    names = dict.fromkeys(filter(None, (where.path, resource)))
    if names:
        location["logicalLocations"] = [_logical(name) for name in names]
    return location


def _logical(name: str) -> dict[str, str]:
    """A URN, by its last part and its type; a path of a description."""
    if not name.startswith("urn:"):
        return {"fullyQualifiedName": name, "kind": "member"}
    return {"name": name.rpartition("::")[2], "fullyQualifiedName": name, "kind": "resource"}


def _artifact(file: str) -> dict[str, str]:
    path = PurePath(file)
    if path.is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote(path.as_posix(), errors="surrogateescape"), "uriBaseId": ROOT}


def _fingerprint(stack: str, rule: str, path: str, met: Counter[str]) -> str:
    """Rule and path; several of one rule at one path are distinguished by their order, which is sorted."""
    key = _hash((stack, rule, path))
    met[key] += 1
    return f"{key}:{met[key]}"


def _hash(parts: Iterable[str]) -> str:
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
