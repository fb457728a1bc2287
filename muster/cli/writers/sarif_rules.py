"""The sheets of rules as SARIF's `reportingDescriptor`s (2.1.0, section 3.49)."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from muster.cli.no_rules import NO_RULES
from muster.cli.writers.escaping import markdown
from muster.fleet.finding import Level

if TYPE_CHECKING:
    from policies.rule import Rule

_LEVELS = {Level.MANDATORY: "error", Level.ADVISORY: "warning"}

_SECURITY = {"low": "2.0", "medium": "5.5", "high": "8.0", "critical": "9.5"}
"""The middle of GitHub's bands for `security-severity`: critical over 9.0, high from 7.0, medium from 4.0 (GitHub docs,
"SARIF support for code scanning", reportingDescriptor object)."""


def descriptors(names: Iterable[str]) -> list[dict[str, Any]]:
    """One for each name, sorted: with its sheet where it is a rule of ours, else with what is known, its name."""
    from policies.catalogue import rules

    known = {rule.id: rule for rule in rules()}
    return [_of_rule(known[name]) if name in known else _of_name(name) for name in sorted(set(names))]


def _of_name(name: str) -> dict[str, Any]:
    sheet = NO_RULES.get(name)
    made: dict[str, Any] = {"id": name, "name": name, "shortDescription": {"text": sheet.title if sheet else name}}
    if sheet:
        made["fullDescription"] = {"text": sheet.why}
    return made


def _of_rule(rule: "Rule") -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": rule.id,
        "name": rule.id,
        "shortDescription": {"text": f"{rule.title}."},
        "fullDescription": {"text": rule.why},
        "defaultConfiguration": {"level": _LEVELS[rule.level]},
        "help": {
            "text": f"Why: {rule.why}\nRemedy: {rule.remedy}\nSource: {rule.source}",
            "markdown": _help(rule),
        },
        "properties": _properties(rule),
    }
    if rule.url:
        made["helpUri"] = rule.url
    return made


def _help(rule: "Rule") -> str:
    source = f"[{markdown(rule.source)}]({rule.url})" if rule.url else markdown(rule.source)
    return f"**Why**: {markdown(rule.why)}\n\n**Remedy**: {markdown(rule.remedy)}\n\n**Source**: {source}\n"


def _properties(rule: "Rule") -> dict[str, Any]:
    """Severity as the sheet has it, and in the words of code scanning: a score where the rule is about security, which
    makes it a security alert there, and the problem's severity for any other."""
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
