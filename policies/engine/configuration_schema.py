"""The JSON Schemas of a configuration: of the whole file, for editors, and of each policy, for the engine."""

from collections.abc import Mapping
from typing import Any

from muster.config.description.suppression import Suppression
from muster.fleet.facts import Facts
from muster.hardware.zones import REGION
from muster.policies.engine.catalogue import all_rules
from muster.policies.engine.configuration import ALL, ENVIRONMENTS, LEVEL_KEY, LEVELS, MUSTER
from muster.policies.engine.options import inlined, options_of, untitled

_REFERENCE = {"$ref": "#/$defs/level"}

DEFINITIONS: Mapping[str, Any] = {
    "level": {
        "enum": list(LEVELS),
        "description": "Effect of a finding: `mandatory` stops the run, `advisory` only reports it. With `disabled` "
        "the rule is not evaluated.",
    },
    "rule": {
        "anyOf": [
            _REFERENCE,
            {"type": "object", "properties": {LEVEL_KEY: _REFERENCE}, "additionalProperties": False},
        ]
    },
}
"""The definitions that the schemas refer to."""


def whole() -> dict[str, Any]:
    """The schema of the file, without its dialect and title."""
    shared = dict(DEFINITIONS)
    facts = Facts.model_json_schema(by_alias=True, ref_template="#/$defs/{model}")
    shared |= facts.pop("$defs")
    shared["Facts"] = facts
    return {
        "type": "object",
        "properties": {
            ALL: {**_entry({}), "description": "Level of every rule. The entry of a single rule overrides it."},
            MUSTER: _of_muster({"anyOf": [{"type": "string"}, {"$ref": "#/$defs/Facts"}]}),
            ENVIRONMENTS: {
                "type": "array",
                "items": {"type": "string"},
                "description": "Names of Pulumi ESC environments that the engine opens.",
            },
            **_of_rules(),
        },
        "additionalProperties": False,
        "$defs": dict(sorted(shared.items())),
    }


def of_stacks() -> dict[str, Any]:
    """The schema of `muster:policies` in a stack file, whose own definitions include `DEFINITIONS`."""
    return {
        "type": "object",
        "description": "Levels and options of rules for this stack (docs/how-to/configure-rules.md).",
        "properties": {ALL: _entry({}), **_of_rules()},
        "additionalProperties": False,
    }


def _of_rules() -> dict[str, Any]:
    return {each.id: {**_entry(options_of(each.options)), "description": each.title} for each in all_rules()}


def _entry(options: Mapping[str, Any]) -> dict[str, Any]:
    """A level, or a block with a level and options."""
    if not options:
        return {"$ref": "#/$defs/rule"}
    block = {"type": "object", "properties": {LEVEL_KEY: _REFERENCE, **options}, "additionalProperties": False}
    return {"anyOf": [_REFERENCE, block]}


def of_muster() -> dict[str, Any]:
    """The block below `muster`, as the engine reads it. The pack itself validates the facts."""
    properties: dict[str, Any] = _of_muster({"type": ["string", "object"]})["properties"]
    return properties


def _of_muster(facts: Mapping[str, Any]) -> dict[str, Any]:
    one = Suppression.model_json_schema(by_alias=True)
    suppression = untitled(inlined(one, {}))
    for each in suppression["properties"].values():
        each.pop("x-change", None)
    at = "Place of the finding: a URN, TYPE::NAME, or a path in a description."
    suppression["properties"]["at"]["description"] = at
    return {
        "type": "object",
        "description": "Facts, Region and suppressions, which the rules read. It is not a rule and has no level.",
        "properties": {
            "facts": {
                **facts,
                "description": "Facts about the account of another team's program: the path of a file in the format of "
                "stacks/facts, or the facts themselves.",
            },
            "region": {
                "type": "string",
                "pattern": f"^{REGION.pattern.strip('^$')}$",
                "description": "Region of another team's program, used if its stack does not set aws:region.",
            },
            "suppress": {
                "type": "array",
                "items": suppression,
                "description": "Findings that you accept, each with a reason and an end date.",
            },
        },
        "additionalProperties": False,
    }
