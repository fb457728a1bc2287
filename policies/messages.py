"""What the pack says of a finding, and how that is read again: the engine hands on nothing but a message.

Its events have neither remedy nor source of a rule, so both stand in the words (engine 3.260, `apitype.PolicyEvent`).
"""

import re

NOT_EVALUATED = "not-evaluated"
"""The name under which the engine shows what could not be judged: it shows nothing else of the kind."""

_COULD_NOT = " could not be judged: "
_FINDING = re.compile(
    r"(?P<got>.*)\n-> (?P<remedy>.*?)(\n   at (?P<place>[^\n]*))?(\n   \((?P<source>.*)\))?", re.DOTALL
)


def of_finding(got: str, remedy: str, source: str, place: str = "") -> str:
    """What was found, what to do, where it stands in a stack's file, who says so: the last two where they are known."""
    lines = (f"{got}\n-> {remedy}", f"   at {place}" if place else "", f"   ({source})" if source else "")
    return "\n".join(filter(None, lines))


def of_unjudged(rule: str, missing: str) -> str:
    """Which rule could not judge, and what was missing."""
    return f"{rule}{_COULD_NOT}{missing}"


def read_finding(message: str) -> tuple[str, str, str]:
    """What was found, the remedy and the source; of other words all of them, and nothing."""
    found = _FINDING.fullmatch(message.strip())
    return (found["got"], found["remedy"], found["source"] or "") if found else (message.strip(), "", "")


def read_place(message: str) -> str:
    """Where it stands: ``groups.workers, stacks/Pulumi.p5-odcr.yaml:14:9``; empty where the message does not say."""
    found = _FINDING.fullmatch(message.strip())
    return (found["place"] or "") if found else ""


def read_unjudged(message: str) -> tuple[str, str]:
    """The rule, empty where none is named, and what was missing."""
    rule, could_not, missing = message.strip().partition(_COULD_NOT)
    return (rule, missing) if could_not else ("", message.strip())
