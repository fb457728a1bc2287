"""The values of Pulumi programs in YAML."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from muster.unknown import UNKNOWN


@dataclass(frozen=True, slots=True)
class RegisteredResource:
    """A resource that the program registered or read."""

    urn: str
    type: str
    name: str
    id: Any
    outputs: Mapping[str, Any]
    providers: Mapping[str, str] = field(default_factory=dict)
    """Package -> the explicit provider, which its children inherit."""


@dataclass(frozen=True, slots=True)
class NamedValue:
    """The value of a name."""

    value: Any
    uses: frozenset[str] = frozenset()
    """The URNs of the resources that it depends on."""
    open: bool = False
    """Whether it comes from a provider, so that a missing property is unknown."""


def size_and_depth(value: Any) -> tuple[int, int]:
    """The size and the depth of a value, with references replaced by their values."""
    if isinstance(value, str):
        return 1 + len(value) // 32, 0
    below = list(value.values()) if isinstance(value, Mapping) else value if isinstance(value, list) else []
    found = [size_and_depth(each) for each in below]
    return 1 + sum(each for each, _ in found), 1 + max((depth for _, depth in found), default=0) if found else 0


def type_noun(value: Any) -> str:
    """The kind of a value, in words."""
    if value is None:
        return "empty"
    if value is UNKNOWN:
        return "not known in a preview"
    if isinstance(value, RegisteredResource):
        return "a resource"
    words = {bool: "true or false", str: "a string", list: "a list", int: "a number"}
    return next((words[each] for each in type(value).__mro__ if each in words), None) or (
        "a block of keys" if isinstance(value, Mapping) else "a number"
    )


def plain_number(value: Any) -> Any:
    """The number in JSON's form: 3.0 becomes 3."""
    if not isinstance(value, float):
        return value
    return int(value) if value.is_integer() else float(value)


def as_json_value(value: Any) -> Any:
    """The value in JSON's form: a resource becomes its URN."""
    if isinstance(value, Mapping):
        return {key: as_json_value(each) for key, each in value.items()}
    if isinstance(value, list):
        return [as_json_value(each) for each in value]
    return value.urn if isinstance(value, RegisteredResource) else plain_number(value)
