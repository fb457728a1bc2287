"""The keys of a description's JSON schema: those of a block, and the place to which a key belongs that is no key of its
block."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel

from muster import backends
from muster.backends.backend import Backend
from muster.finding import KeyPath
from muster.message_text import or_list
from muster.plain_data import value_at


@cache
def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """A model's JSON schema, which only the words of faults need. To make it costs more than to find the faults."""
    return model.model_json_schema()


def known_keys(schema: dict[str, Any], path: KeyPath) -> list[str]:
    """The keys that the schema has at a path, required ones first."""
    variants = [variant for node in schema_nodes(schema, path) for variant in variants_of(node, schema)]
    known = dict.fromkeys(key for variant in variants for key in variant.get("properties", {}))
    required = {key for variant in variants for key in variant.get("required", ())}
    return sorted(known, key=lambda key: key not in required)


def schema_nodes(schema: dict[str, Any], path: KeyPath) -> list[dict[str, Any]]:
    """The schema nodes at a path."""
    nodes = [schema]
    for step in path:
        nodes = [below for node in nodes for below in _below(variants_of(node, schema), step)]
    return nodes


def _below(variants: list[dict[str, Any]], step: str | int) -> Iterator[dict[str, Any]]:
    for variant in variants:
        named = variant.get("items") if isinstance(step, int) else variant.get("properties", {}).get(step)
        patterns = variant.get("patternProperties", {}).values()
        yield from (node for node in (named, variant.get("additionalProperties"), *patterns) if isinstance(node, dict))


def variants_of(node: dict[str, Any], root: dict[str, Any]) -> list[dict[str, Any]]:
    """A schema node with references followed and alternatives spread out."""
    if "$ref" in node:
        return variants_of(root["$defs"][node["$ref"].rpartition("/")[2]], root)
    if "anyOf" in node:
        return [variant for choice in node["anyOf"] for variant in variants_of(choice, root)]
    return [node]


def place_of_key(model: type[BaseModel], data: Any, path: KeyPath) -> tuple[str, str] | None:
    """What is wrong with a key that is none of its block, and what to do, if another block or backend has the key.

    A block beside its own is advised only if the document has it: another add-on is not the same setting elsewhere.
    """
    schema, block, key = schema_of(model), path[:-1], str(path[-1])
    if below := [name for name in known_keys(schema, block) if key in known_keys(schema, (*block, name))]:
        return f"'{key}' belongs below {_quoted(below)}", f"write {below[0]}: {{{key}: ...}}"
    beside = [name for name in known_keys(schema, block[:-1]) if key in known_keys(schema, (*block[:-1], name))]
    if block and beside:
        offered = [name for name in beside if name in _written(data, block[:-1])]
        if not offered and _is_choice(schema, block[:-1]):
            offered = beside
        got = f"'{key}' is not a key of '{block[-1]}', but of {_quoted(offered or beside)}"
        return got, f"write {offered[0]}: {{{key}: ...}}" if offered else "remove it"
    own = backends.described_by(model)
    around = [end for end in range(len(block)) if key != "name" and key in known_keys(schema, block[:end])]
    if own and around:
        name = f"'{block[around[-1] - 1]}'" if around[-1] else "the cluster"
        return f"'{key}' is not a key of '{block[-1]}', but of {name}", "move it there, or remove it"
    others = [each for each in backends.every() if own and each is not own and _has_key(each, path)]
    if own and others:
        got = f"'{key}' applies only to {or_list([each.title for each in others])}, but this cluster is on {own.title}"
        return got, f"remove it, or write backend: {or_list([each.name for each in others])}"
    return None


def _written(data: Any, path: KeyPath) -> Any:
    """The block that a document has at a path."""
    found = value_at(data, *map(str, path))
    return found if isinstance(found, Mapping) else {}


def _is_choice(schema: dict[str, Any], path: KeyPath) -> bool:
    """Whether a block has only one of its keys at a time: another key replaces the one that is written."""
    return any(
        each.get("maxProperties") == 1 for node in schema_nodes(schema, path) for each in variants_of(node, schema)
    )


def _quoted(names: list[str]) -> str:
    return or_list([f"'{name}'" for name in names])


def _has_key(record: Backend, path: KeyPath) -> bool:
    """Whether the description of a backend has a key at a path. Groups are in queues on some backends only."""
    schema, block = schema_of(record.description.load()), path[:-1]
    of_queue = block[2:] if block[:1] == ("queues",) else ("queues", "", *block)
    return any(path[-1] in known_keys(schema, each) for each in (block, of_queue))
