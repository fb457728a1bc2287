"""The options of a rule that a configuration may set, and their JSON Schema."""

from collections.abc import Mapping
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, model_validator


def _kebab(name: str) -> str:
    return name.replace("_", "-")


class Options(BaseModel):
    """The base of a rule's options. Every option has a default, a type and a description.

    Keys are in kebab-case, as in a description. A rule reads its options as ``Notice.of(rule.settings).days``.
    """

    model_config = ConfigDict(
        defer_build=True,
        strict=True,
        frozen=True,
        extra="forbid",
        alias_generator=_kebab,
        validate_by_name=True,
        validate_by_alias=True,
    )

    @classmethod
    def of(cls, settings: "Options | None") -> Self:
        """A rule's settings as an instance of its options; the defaults if none are set.

        Raises:
            TypeError: the settings are another rule's, which is a bug.
        """
        if settings is None:
            return cls()
        if not isinstance(settings, cls):
            raise TypeError(f"expected {cls.__name__}, got {type(settings).__name__}")
        return settings

    @model_validator(mode="before")
    @classmethod
    def _lists(cls, value: Any) -> Any:
        """Converts lists to tuples: a document has only lists, which strict options would refuse."""
        return {key: _frozen(each) for key, each in value.items()} if isinstance(value, dict) else value


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


class NoOptions(Options):
    """The options of a rule that has none."""


def options_of(options: type[Options]) -> dict[str, Any]:
    """The schemas of a rule's options, by their names in the file, without references. The engine fills in the
    defaults, and refuses a value of another type."""
    made = options.model_json_schema(by_alias=True)
    properties = inlined(made.get("properties", {}), made.get("$defs", {}))
    return {name: untitled(each) for name, each in properties.items()}


def documented(options: type[Options]) -> dict[str, Any]:
    """The default and the description of each option, by name."""
    return {
        name: {"default": schema["default"], "description": schema["description"]}
        for name, schema in options_of(options).items()
    }


def inlined(node: Any, shared: Mapping[str, Any]) -> Any:
    """A schema with its references replaced by what they refer to: the engine does not follow references."""
    if isinstance(node, list):
        return [inlined(each, shared) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return inlined(shared[node["$ref"].rpartition("/")[2]], shared)
    return {key: inlined(each, shared) for key, each in node.items()}


def untitled(node: Any) -> Any:
    """The schema without the titles that pydantic derives from names."""
    if isinstance(node, list):
        return [untitled(each) for each in node]
    if not isinstance(node, dict):
        return node
    return {key: untitled(each) for key, each in node.items() if not (key == "title" and isinstance(each, str))}
