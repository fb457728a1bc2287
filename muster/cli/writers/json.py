"""A report as JSON, by the contract of `muster check --json`."""

import json
from typing import Any

from muster.cli.findings import CONTRACT, Report, ReportedFinding, StackReport, Where


def write(report: Report) -> str:
    """The whole report, as one document."""
    return dump({"contract": CONTRACT, "stacks": [stack(each) for each in report.stacks]})


def dump(data: Any) -> str:
    """Indented JSON with a stable order and a line end, as all output of Muster. What has no glyph is escaped, and the
    start of a runner's command."""
    lines = json.dumps(data, indent=2, ensure_ascii=False).replace("##", "#\\u0023").split("\n")
    return "".join(f"{line if line.isprintable() else ''.join(map(_escaped, line))}\n" for line in lines)


def _escaped(char: str) -> str:
    return char if char.isprintable() else json.dumps(char)[1:-1]


def stack(report: StackReport) -> dict[str, Any]:
    """One stack."""
    blanks = [{"where": place(each.where), "value": each.value, "reason": each.reason} for each in report.placeholders]
    return {"stack": report.stack, **judgement(report), "placeholders": blanks}


def judgement(report: StackReport) -> dict[str, Any]:
    """The rules' results for one stack."""
    return {
        "judged": dict(report.judged),
        "findings": [finding(each) for each in report.findings],
        "notEvaluated": [
            {"rule": each.rule, "resource": each.resource, "missing": each.missing} for each in report.not_evaluated
        ],
        "suppressed": [
            {
                "rule": each.found.rule,
                "resource": each.found.resource,
                "reason": each.reason,
                "until": each.until.isoformat(),
            }
            for each in report.suppressed
        ],
        **({"known": [finding(each) for each in report.known]} if report.known else {}),
        **({"gone": list(report.gone)} if report.gone else {}),
        **({"bugs": list(report.bugs)} if report.bugs else {}),
    }


def place(where: Where) -> dict[str, Any]:
    """A place in a file."""
    return {"file": where.file, "line": where.line, "column": where.column, "path": where.path}


def finding(found: ReportedFinding) -> dict[str, Any]:
    """One finding."""
    return {
        "rule": found.rule,
        "level": found.level.value,
        "resource": found.resource,
        "where": place(found.where),
        "got": found.got,
        "remedy": found.remedy,
        "source": found.source,
    }
