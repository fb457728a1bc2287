"""Names that stand in reports where a rule's does, and are none: what each says, and what to do about it."""

from collections.abc import Mapping
from dataclasses import dataclass

from muster.cli.report import CHANGE
from muster.fleet.finding import NOT_MODELLED, SHAPE

ENGINE = "engine"
"""Errors of the engine's run."""


@dataclass(frozen=True, slots=True)
class NoRule:
    """What goes by a rule's name and is none."""

    title: str
    why: str
    """What it says, in a sentence or two."""
    remedy: str


NO_RULES: Mapping[str, NoRule] = {
    CHANGE: NoRule(
        "What changes since a commit",
        "What is said otherwise, what becomes of resources, and what that costs.",
        "Read `muster plan STACK --against REF`; --fail-on says which cost stops.",
    ),
    ENGINE: NoRule(
        "An error of the engine's run",
        "The engine's events end in an error, so rules were asked of less than the whole program.",
        "Mend the program, and run `pulumi preview` again to its end.",
    ),
    "muster": NoRule(
        "What the rules are told of the world",
        "It judges nothing: facts, Region and suppressions of a configuration go by it, and what the pack as a whole "
        "could not judge.",
        "Configure it as docs/policies.md says.",
    ),
    "not-evaluated": NoRule(
        "What the pack could not judge",
        "The engine has no other name for it: the message begins with the rule's own, and ends with what was missing.",
        "Give what is missing; `muster explain RULE` explains that rule.",
    ),
    NOT_MODELLED: NoRule(
        "What could not be seen",
        "A resource of a type that no rule reads, an answer that only the account has, an argument or a file that was "
        "not followed: no rule could be asked about it, so it did not pass either.",
        "Judge it by hand, or a saved preview or state, which has more (docs/foreign.md); --strict stops at it.",
    ),
    SHAPE: NoRule(
        "The form of a file",
        "A file has the form that its schema says: keys, types, syntax.",
        "Mend it at the place that is named; `muster schema` prints the forms. It cannot be suppressed: no rule is "
        "asked before.",
    ),
    "suppression": NoRule(
        "A suppression that holds",
        "A suppression names a rule that finds something, and has not ended. One that is over, or ends in more than a "
        "year, is a mandatory finding; one that covers nothing is an advisory one.",
        "Mend what it covers, write another end, or remove it (docs/policies.md).",
    ),
}
