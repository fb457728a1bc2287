"""Instance types that do not stand in a launch template, but in the resource that launches instances from it."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.plain_data import as_list
from muster.unknown import UNKNOWN

_FROM = {
    "AWS::Batch::ComputeEnvironment": ("ComputeResources", "LaunchTemplate"),
    "AWS::EC2::Instance": ("LaunchTemplate",),
    "AWS::EC2::EC2Fleet": ("LaunchTemplateConfigs",),
    "AWS::EC2::SpotFleet": ("SpotFleetRequestConfigData", "LaunchTemplateConfigs"),
}
"""Type -> the property that names launch templates."""
_TYPES = {
    "AWS::Batch::ComputeEnvironment": ("ComputeResources", "InstanceTypes"),
    "AWS::EC2::Instance": ("InstanceType",),
}
"""Type -> the property with the instance types."""


def launches(type_: str) -> bool:
    """Whether a type launches instances, and no rule reads it."""
    return type_ in _FROM


def launched_types(type_: str, properties: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The launch templates that a resource names, each with the instance type that it launches: `UNKNOWN` for several
    types, or for a family."""
    types = [
        each.get("InstanceType", UNKNOWN) if isinstance(each, Mapping) else each
        for each in _at(properties, _TYPES.get(type_, ()))
    ]
    only = types[0] if len(types) == 1 and isinstance(types[0], str) and "." in types[0] else UNKNOWN
    for each in _at(properties, _FROM[type_]):
        block = each.get("LaunchTemplateSpecification", each) if isinstance(each, Mapping) else {}
        named = block.get("LaunchTemplateId", block.get("LaunchTemplateName"))
        if isinstance(named, str):
            yield str(named), only


def _at(value: Any, path: tuple[str, ...]) -> list[Any]:
    if not path:
        return []
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return as_list(value)
