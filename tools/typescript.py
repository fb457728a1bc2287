"""The TypeScript types of the outputs of a stack, generated from their schema."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from muster.cli.writers import json_schema
from muster.contract import CONTRACT

HEAD = f"""\
// The outputs of a Muster stack. Generated from docs/schema/outputs.json, slurm-outputs.json,
// hyperpod-slurm-outputs.json and pcs-outputs.json. Copy this file. Do not edit it.

/** The version of the output contract. */
export const CONTRACT = {CONTRACT};
"""
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def contract() -> str:
    """The whole file."""
    blocks: dict[str, Any] = {}
    for name, schema in json_schema.OUTPUTS.items():
        blocks |= {**schema()["$defs"], name: schema()}
    return HEAD + "".join(_interface(name, block) for name, block in blocks.items())


def _interface(name: str, block: Mapping[str, Any]) -> str:
    return "\n".join(["", *_comment(block, ""), f"export interface {name} {{", *_members(block), "}", ""])


def _members(block: Mapping[str, Any]) -> Iterator[str]:
    for key, field in block["properties"].items():
        yield from _comment(field, "    ")
        plain = key if _PLAIN_KEY.fullmatch(key) else json.dumps(key)
        yield f"    readonly {plain}{'' if key in block['required'] else '?'}: {_type(field)};"


def _comment(schema: Mapping[str, Any], indent: str) -> Iterator[str]:
    if "description" in schema:
        yield f"{indent}/** {' '.join(schema['description'].split()).replace('*/', '* /')} */"


def _type(schema: Any) -> str:
    if schema is True:
        return "unknown"
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " | ".join(_type(each) for each in schema["anyOf"])
    if "const" in schema or "enum" in schema:
        return " | ".join(json.dumps(each) for each in schema.get("enum", [schema.get("const")]))
    if schema["type"] == "array":
        return f"ReadonlyArray<{_type(schema['items'])}>"
    if schema["type"] == "object":
        return f"Readonly<Record<string, {_type(schema['additionalProperties'])}>>"
    return {"string": "string", "integer": "number", "boolean": "boolean", "null": "null"}[schema["type"]]
