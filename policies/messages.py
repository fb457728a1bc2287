"""What the pack says of a finding, and how that is read again: the engine hands on nothing but a message.

Its events have neither remedy nor source of a rule, so both stand in the words (engine 3.260, `apitype.PolicyEvent`).
"""

import re

NOT_EVALUATED = "not-evaluated"
"""The name under which the engine shows what could not be judged: it shows nothing else of the kind."""

_COULD_NOT = " could not be judged: "
_FINDING = re.compile(r"(?P<got>.*)\n-> (?P<remedy>.*)\n   \((?P<source>.*)\)", re.DOTALL)


def of_finding(got: str, remedy: str, source: str) -> str:
    """What was found, what to do, who says so."""
    return f"{got}\n-> {remedy}\n   ({source})"


def of_unjudged(rule: str, missing: str) -> str:
    """Which rule could not judge, and what was missing."""
    return f"{rule}{_COULD_NOT}{missing}"


def read_finding(message: str) -> tuple[str, str, str]:
    """What was found, the remedy and the source; of other words all of them, and nothing."""
    found = _FINDING.fullmatch(message.strip())
    return (found["got"], found["remedy"], found["source"]) if found else (message.strip(), "", "")


def read_unjudged(message: str) -> tuple[str, str]:
    """The rule, empty where none is named, and what was missing."""
    rule, could_not, missing = message.strip().partition(_COULD_NOT)
    return (rule, missing) if could_not else ("", message.strip())
