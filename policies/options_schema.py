"""A rule's options as JSON Schema. Apart from a whole configuration's, so that who explains a rule reads no files."""

from collections.abc import Mapping
from typing import Any

from policies.options import Options


def options_of(options: type[Options]) -> dict[str, Any]:
    """A rule's options, by their names in the file; whole, without references."""
    made = options.model_json_schema(by_alias=True)
    properties = inlined(made.get("properties", {}), made.get("$defs", {}))
    return {name: untitled(each) for name, each in properties.items()}


def inlined(node: Any, shared: Mapping[str, Any]) -> Any:
    """A schema with what it refers to in the place of its references: the engine follows none."""
    if isinstance(node, list):
        return [inlined(each, shared) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return inlined(shared[node["$ref"].rpartition("/")[2]], shared)
    return {key: inlined(each, shared) for key, each in node.items()}


def untitled(node: Any) -> Any:
    """Without the titles that pydantic makes of names."""
    if isinstance(node, list):
        return [untitled(each) for each in node]
    if not isinstance(node, dict):
        return node
    return {key: untitled(each) for key, each in node.items() if not (key == "title" and isinstance(each, str))}
