"""Why a text that should be JSON is not: the shell variables, comments and spaces that tutorials leave in it."""

import re

from muster import json_text

_VARIABLE = re.compile(r"\$\{?[A-Za-z_]\w*\}?|<[^<>\n]+>|\{\{[^{}\n]*\}\}")


def explain(text: str, fault: json_text.NotJson) -> tuple[str, str]:
    """What is wrong, and what to do."""
    rest = _from(text, fault)
    if text.startswith('{"@level"'):
        return "is the log of `terraform plan -json`, not a plan", "use the output of `terraform show -json PLAN`"
    if found := _VARIABLE.match(rest):
        return f"has the placeholder {found[0]} without quotes, so it is not JSON", "write its value"
    if rest.startswith(("//", "/*", "#")):
        return "has a comment, which JSON does not allow", "remove the comment"
    if rest[:1].isspace() and rest[:1] not in " \t\r\n":
        return f"has the character U+{ord(rest[0]):04X} where JSON allows only spaces", "replace it with a space"
    return fault.problem, "fix the syntax there"


def _from(text: str, fault: json_text.NotJson) -> str:
    """The text that begins at the fault."""
    lines = text.split("\n")
    line = lines[fault.position.line - 1] if 0 < fault.position.line <= len(lines) else ""
    return line[max(fault.position.column - 1, 0) :]
