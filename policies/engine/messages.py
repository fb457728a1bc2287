"""Writes the pack's messages about findings, and parses them: the engine passes on only a message.

Its events have no field for a rule's remedy or source, so the message has both (engine 3.260, `apitype.PolicyEvent`).
The engine prints a message as it is, so names in it are made visible here.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Self

from muster.terminal import visible

NOT_EVALUATED = "not-evaluated"
"""The name of the policy under which the engine shows what was not evaluated: it has no other place for it."""

_BUG = ". This is a bug of the pack."
_SUPPRESSED = re.compile(r"\d+ findings? suppressed")
_SILENCE = re.compile(r"(?P<rule>[a-z0-9-]+) at (?P<where>.*?) until (?P<until>\d{4}-\d\d-\d\d): (?P<why>.*)")
_COULD_NOT = " could not be judged: "
_FIX, _AT, _SOURCE = "\nfix: ", "\n   at ", "\n   ("


@dataclass(frozen=True, slots=True)
class SuppressedMessage:
    """A suppressed finding, as one line of a message."""

    rule: str
    where: str
    until: date
    reason: str

    def __str__(self) -> str:
        """The line of the message."""
        return visible(f"{self.rule} at {self.where} until {self.until}: {' '.join(self.reason.split())}")

    @classmethod
    def read(cls, line: str) -> Self | None:
        """The suppressed finding in a line of a message; None for any other line."""
        match = _SILENCE.match(line)
        try:
            return (
                cls(match["rule"], match["where"], date.fromisoformat(match["until"]), match["why"]) if match else None
            )
        except ValueError:  # no such day
            return None


def of_suppressed(each: Iterable[SuppressedMessage]) -> str:
    """The message about suppressed findings, with their number."""
    lines = [str(one) for one in each]
    return "\n".join([f"{len(lines)} finding{'s' if len(lines) > 1 else ''} suppressed", *lines])


def read_suppressed(message: str) -> tuple[SuppressedMessage, ...]:
    """The suppressed findings in a message; empty for any other message."""
    first, *lines = message.strip().splitlines() or [""]
    found = (SuppressedMessage.read(line.strip()) for line in lines if _SUPPRESSED.fullmatch(first))
    return tuple(each for each in found if each)


def of_bug(words: str) -> str:
    """The message about a bug in Muster."""
    return visible(f"{words}{_BUG}")


def read_bug(message: str) -> str:
    """The bug in a message; empty for any other message."""
    text = message.strip()
    return text.removesuffix(_BUG) if text.endswith(_BUG) else ""


def of_finding(got: str, remedy: str, source: str, place: str = "") -> str:
    """The message about a finding: what was found, the remedy, and where known the place in the stack file and the
    source."""
    lines = (got, f"fix: {remedy}", f"   at {place}" if place else "", f"   ({source})" if source else "")
    return "\n".join(visible(line) for line in lines if line)


def of_unjudged(rule: str, missing: str) -> str:
    """The message about a rule that was not evaluated, with the missing value."""
    return visible(f"{rule}{_COULD_NOT}{missing}")


def read_finding(message: str) -> tuple[str, str, str]:
    """What was found, the remedy and the source in a message; for any other message, the whole text and two empty
    texts."""
    got, remedy, _, source = _parts(message)
    return got, remedy, source


def read_place(message: str) -> str:
    """The place in a message: ``groups.workers, stacks/Pulumi.p5-odcr.yaml:14:9``; empty if it has none."""
    return _parts(message)[2]


def _parts(message: str) -> tuple[str, str, str, str]:
    """What was found, the remedy, the place and the source in a message; what it does not have is empty."""
    text = message.strip()
    got, fix, rest = text.rpartition(_FIX if _FIX in text else "\n-> ")
    if not fix:
        return text, "", "", ""
    remedy, _, source = rest.partition(_SOURCE) if rest.endswith(")") else (rest, "", "")
    remedy, _, place = remedy.partition(_AT)
    return got, remedy, place, source.removesuffix(")")


def read_unjudged(message: str) -> tuple[str, str]:
    """The rule, empty if the message has none, and the missing value."""
    rule, could_not, missing = message.strip().partition(_COULD_NOT)
    return (rule, missing) if could_not else ("", message.strip())
