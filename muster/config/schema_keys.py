"""The keys of a description's JSON schema: those of a block, and the place to which a key belongs that is no key of its
block."""

import types
from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel

from muster import backends
from muster.config.description.base import StrictModel, declared
from muster.config.description.of_backend import backends_of, declaration_of
from muster.config.description.written_blocks import block
from muster.finding import KeyPath, dotted_path
from muster.message_text import or_list


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


def place_of_key(schema: dict[str, Any], data: Any, path: KeyPath) -> KeyPath | None:
    """The block that has a key which is none of its own: one below it, one beside it that the document has, or one
    around it."""
    *own, key = path
    below = [(*own, name) for name in known_keys(schema, tuple(own))]
    beside = [(*own[:-1], name) for name in block(data, *own[:-1])] if own else []
    # Many blocks have a name: that of another is no place for it.
    around = [tuple(own[:end]) for end in reversed(range(len(own)))] if key != "name" else []
    return next((each for each in (*below, *beside, *around) if key in known_keys(schema, each)), None)


def key_of_another_backend(model: type[BaseModel], path: KeyPath) -> tuple[str, str, KeyPath | None] | None:
    """What is wrong with a key that its block has only on other backends, what to do, and the key that stands for it
    here."""
    *block, written = path
    for part in _blocks_at(model, tuple(block)):
        declaration = declaration_of(part)
        name = declaration.keys().get(str(written))
        if name is None or name in part.model_fields:
            continue
        having = [backends.RECORDS[each] for each in backends_of(declaration, written)]
        here = backends.RECORDS[part.on].title
        got = f"'{written}' applies only to {or_list([each.title for each in having])}, but this cluster is on {here}"
        keys = [tuple(each.split(".")) for each in declared(declaration, name).get("instead", ())]
        places = [place for key in keys for place in ((*block, *key), key)]
        schema = schema_of(model)
        place = next((each for each in places if each[-1] in known_keys(schema, each[:-1])), None)
        remedy = f"write {dotted_path(place).replace('*', 'NAME')}" if place else "remove it"
        other = f", or write backend: {or_list([each.name for each in having])}" if not block else ""
        return got, remedy + other, place
    return None


def _blocks_at(model: type[BaseModel], path: KeyPath) -> list[type[StrictModel]]:
    """The blocks of a description that may be at a path."""
    found: list[Any] = [model]
    for step in path:
        found = [below for each in found for below in _values_at(each, step)]
    return [each for one in found for each in _parts(one) if isinstance(each, type) and issubclass(each, StrictModel)]


def _values_at(annotation: Any, step: str | int) -> Iterator[Any]:
    """The types of the values at a key, or an index, of a value of a type."""
    for part in _parts(annotation):
        if isinstance(part, type) and issubclass(part, BaseModel):
            yield from (info.annotation for name, info in part.model_fields.items() if (info.alias or name) == step)
        elif get_origin(part) in (dict, tuple):
            yield get_args(part)[get_origin(part) is dict]


def _parts(annotation: Any) -> Iterator[Any]:
    """The types that a union or an annotated type consists of."""
    if get_origin(annotation) is Annotated:
        yield from _parts(get_args(annotation)[0])
    elif get_origin(annotation) in (Union, types.UnionType):
        for each in get_args(annotation):
            yield from _parts(each)
    else:
        yield annotation
