"""The JSON Schemas of a configuration: of the whole file, for editors, and of each policy, for the engine."""

from collections.abc import Mapping
from typing import Any

from muster.config.description.cluster import Suppression
from muster.finding import Level
from muster.fleet.facts import Facts
from muster.hardware.zones import REGION
from policies.engine.catalogue import all_rules
from policies.engine.configuration import ALL, ENVIRONMENTS, LEVEL_KEY, LEVELS, MUSTER
from policies.engine.options import inlined, options_of, untitled
from policies.engine.rule import Rule

_REFERENCE = {"$ref": "#/$defs/level"}

DEFINITIONS: Mapping[str, Any] = {
    "level": {
        "enum": list(LEVELS),
        "description": "What a finding does: it stops, it is said; or the rule is not asked.",
    },
    "rule": {
        "anyOf": [
            _REFERENCE,
            {"type": "object", "properties": {LEVEL_KEY: _REFERENCE}, "additionalProperties": False},
        ]
    },
}
"""What the schemas refer to."""


def whole() -> dict[str, Any]:
    """The file, without its dialect and title."""
    shared = dict(DEFINITIONS)
    facts = Facts.model_json_schema(by_alias=True, ref_template="#/$defs/{model}")
    shared |= facts.pop("$defs")
    shared["Facts"] = facts
    return {
        "type": "object",
        "properties": {
            ALL: {**_entry({}), "description": "Every rule; what is said of one stands over it."},
            MUSTER: _of_muster({"anyOf": [{"type": "string"}, {"$ref": "#/$defs/Facts"}]}),
            ENVIRONMENTS: {
                "type": "array",
                "items": {"type": "string"},
                "description": "Environments of Pulumi ESC, which the engine opens.",
            },
            **_of_rules(),
        },
        "additionalProperties": False,
        "$defs": dict(sorted(shared.items())),
    }


def of_stacks() -> dict[str, Any]:
    """`muster:policies` of a stack file, which has `DEFINITIONS` among its own."""
    return {
        "type": "object",
        "description": "Levels and options of rules, for this stack (docs/policies.md).",
        "properties": {ALL: _entry({}), **_of_rules()},
        "additionalProperties": False,
    }


def _of_rules() -> dict[str, Any]:
    return {each.id: {**_entry(options_of(each.options)), "description": each.title} for each in all_rules()}


def _entry(options: Mapping[str, Any]) -> dict[str, Any]:
    """A level, or a block with one and options."""
    if not options:
        return {"$ref": "#/$defs/rule"}
    block = {"type": "object", "properties": {LEVEL_KEY: _REFERENCE, **options}, "additionalProperties": False}
    return {"anyOf": [_REFERENCE, block]}


def of_engine(rule: Rule) -> dict[str, Any]:
    """A rule's options as the engine takes them: it fills in the defaults, and refuses what has another type."""
    return options_of(rule.options)


def of_muster() -> dict[str, Any]:
    """What stands below `muster`, as the engine takes it. Facts have a form that the pack itself holds them to."""
    properties: dict[str, Any] = _of_muster({"type": ["string", "object"]})["properties"]
    return properties


def _of_muster(facts: Mapping[str, Any]) -> dict[str, Any]:
    one = Suppression.model_json_schema(by_alias=True)
    suppression = untitled(inlined(one, {}))
    for each in suppression["properties"].values():
        each.pop("x-change", None)
    at = "A URN, TYPE::NAME, or a path of a description."
    suppression["properties"]["at"]["description"] = at
    return {
        "type": "object",
        "description": "What the rules are told of the world. It judges nothing, and has no level.",
        "properties": {
            "facts": {
                **facts,
                "description": "Of the account of another team's program: a file of stacks/facts' form, or the facts.",
            },
            "region": {
                "type": "string",
                "pattern": f"^{REGION.pattern.strip('^$')}$",
                "description": "The Region of another team's program, where its stack has no aws:region.",
            },
            "security": {
                "type": "string",
                "enum": [each.value for each in Level],
                "description": "The highest level of rules about general security in another team's program; advisory "
                "by default.",
            },
            "suppress": {
                "type": "array",
                "items": suppression,
                "description": "Findings that somebody has taken the blame for.",
            },
        },
        "additionalProperties": False,
    }
