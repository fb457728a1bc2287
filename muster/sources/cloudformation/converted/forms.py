"""From CloudFormation's form of a resource to Pulumi's: names in camelCase, tags as a map."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from muster.plain_data import as_list, scalar_text
from muster.unknown import UNKNOWN

Properties = Mapping[str, Any]
"""The evaluated properties of a resource, with CloudFormation's names. A missing value is `UNKNOWN`."""


@dataclass(frozen=True, slots=True)
class Converted:
    """One resource in Pulumi's form."""

    type: str
    inputs: Mapping[str, Any]
    part: str = ""
    """The rest of its name, if a resource of CloudFormation becomes several: ``SecurityGroupIngress``."""
    outputs: Mapping[str, Any] = field(default_factory=dict)


Convert = Callable[[Properties, str], Iterable[Converted]]
"""Properties and the resource's name, which is also the id that `Ref` returns -> the resources. The first has this
id."""

_LEADING = re.compile(r"\A(?:[A-Z]+(?![a-z])|[A-Z])")


def camel(name: str) -> str:
    """``VPCZoneIdentifier`` -> ``vpcZoneIdentifier``; ``SubnetIds`` -> ``subnetIds``."""
    return _LEADING.sub(lambda found: found[0].lower(), name, count=1)


_FREE = frozenset({"Labels", "Tags", "PolicyDocument", "AssumeRolePolicyDocument", "UserData", "ConfigurationValues"})
"""Properties with keys that the author chooses, or that have other rules."""


def camelized(value: Any, *, without: Iterable[str] = ()) -> Any:
    """Properties with Pulumi's names, without some of them."""
    if isinstance(value, Mapping):
        left = {key: each for key, each in value.items() if key not in frozenset(without)}
        return {camel(str(key)): each if key in _FREE else camelized(each) for key, each in left.items()}
    return [camelized(each) for each in value] if isinstance(value, list) else value


def block(properties: Any, *path: str) -> Any:
    """A block below some keys: an empty one if it is not set; `UNKNOWN` if it, or a block around it, is unknown."""
    value = properties
    for key in path:
        if value is UNKNOWN:
            return UNKNOWN
        value = value.get(key, {}) if isinstance(value, Mapping) else {}
    return value if isinstance(value, Mapping) or value is UNKNOWN else UNKNOWN


def entries(value: Any) -> list[Any]:
    """The entries of a list: each a mapping, or `UNKNOWN` for anything else. An unknown list has one unknown entry."""
    return [each if isinstance(each, Mapping) else UNKNOWN for each in as_list(value)]


def tags(value: Any) -> Any:
    """Tags as a map, from a list of `Key` and `Value`."""
    if isinstance(value, Mapping):
        return {str(key): each if each is UNKNOWN else scalar_text(each) for key, each in value.items()}
    listed = entries(value)
    if any(each is UNKNOWN for each in listed) or any(each.get("Key") is UNKNOWN for each in listed):
        return UNKNOWN
    return {str(each.get("Key")): each.get("Value", UNKNOWN) for each in listed}


def labels(value: Any) -> Any:
    """Labels of nodes. CloudFormation passes each value on as text."""
    return tags(value) if isinstance(value, Mapping) else UNKNOWN


def put(inputs: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Inputs with more of them, as far as these are set."""
    return {**inputs, **{key: value for key, value in more.items() if value is not None}}


def same(type_: str) -> Convert:
    """The conversion of a type that has the same properties in both forms, but for the case of their names."""

    def convert(properties: Properties, _: str) -> Iterable[Converted]:
        inputs = camelized(properties, without=("Tags",))
        yield Converted(type_, put(inputs, tags=tags(properties["Tags"]) if "Tags" in properties else None))

    return convert


def named(type_: str, name: str, **renamed: str) -> Convert:
    """The same, for a type with properties that have other names.

    Args:
        type_: Pulumi's type.
        name: the property with the resource's name; empty if it has none.
        renamed: CloudFormation's property -> Pulumi's.
    """
    other = {**renamed, **({name: "name"} if name else {})}

    def convert(properties: Properties, resource: str) -> Iterable[Converted]:
        plain = {key: value for key, value in properties.items() if key not in other}
        (made,) = same(type_)(plain, resource)
        given = {
            other[key]: value if key == "PolicyDocument" else camelized(value)
            for key, value in properties.items()
            if key in other
        }
        yield Converted(type_, {**made.inputs, **given})

    return convert
