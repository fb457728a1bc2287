"""Terraform's attributes as Pulumi's inputs."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from muster.object_cache import cached_by_identity
from muster.sources.terraform.configuration import Block, Origin
from muster.sources.terraform.document import Instance
from muster.sources.terraform.types import Properties, Property, property_of
from muster.unknown import UNKNOWN, has_unknown

_ABSENT = object()

_ZERO_IS_SET = frozenset(
    {
        "automatic_backup_retention_days",
        "desired_capacity",
        "desired_size",
        "device_index",
        "from_port",
        "instance_count",
        "max_instance_count",
        "max_size",
        "min_instance_count",
        "min_size",
        "network_card_index",
        "on_demand_base_capacity",
        "on_demand_percentage_above_base_capacity",
        "to_port",
    }
)
"""Numbers of which 0 is a value. In a state, an attribute without a value is 0, an empty text or an empty list (the
provider's SDK has no null for them)."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """A resource's inputs."""

    values: Mapping[str, Any]
    """Pulumi's name -> value."""
    unknown: Mapping[str, Any]
    """Pulumi's name of an input with unknown parts -> its expressions; None if the plan does not have them."""


_ONLY_FOR_SOME_IMAGES = frozenset({"disk_size", "release_version", "version"})
"""Arguments of node groups that modules leave null in some cases, such as for a group with a launch template
(`eks-managed-node-group` of terraform-aws-eks). The provider then computes them, so a plan has them as unknown, like a
value that is set and not known yet. Rules judge whether they are set."""


def inputs_of(
    resource: Instance, properties: Properties, block: Block | None, origin: Callable[[Any], Origin]
) -> Inputs:
    """The inputs of a resource.

    Args:
        resource: the resource.
        properties: the properties of its type.
        block: its code; None if the file does not have it.
        origin: what expressions name. An unknown value whose expressions name no resource is null, and the provider
            computes it.
    """
    reader = _Reader(origin, exists=resource.is_known)
    unknown = resource.unknown if isinstance(resource.unknown, Mapping) else {}
    code = block.expressions if block else {}
    values: dict[str, Any] = {}
    partly: dict[str, Any] = {}
    for name in dict.fromkeys((*resource.values, *unknown, *code)):
        about = property_of(properties, name)
        if about is None:
            continue
        value = with_unknown(resource.values.get(name, _ABSENT), unknown.get(name))
        if value is None and name in code and name not in resource.values:
            value = UNKNOWN
        if value is UNKNOWN and block and name not in code and (about.computed or not about.below):
            continue  # it is not set: the provider computes it
        expressions = code.get(name)
        if value is UNKNOWN and about.computed and expressions is not None:
            named = origin(expressions).can_be_unknown
            if named is False or (named is None and name in _ONLY_FOR_SOME_IMAGES):
                continue
        if isinstance(expressions, Mapping) and about.below and "constant_value" in expressions:
            value = expressions["constant_value"]
        made = reader.value(name, about, value, expressions if block else None)
        if made is not None:
            values[about.name] = made
            if has_unknown(made):
                partly[about.name] = expressions
    return Inputs(values, partly)


def with_unknown(value: Any, unknown: Any) -> Any:
    """A value of a plan with `UNKNOWN` in the places that `after_unknown` marks; None for an absent one."""
    if unknown is True:
        return UNKNOWN
    if value is _ABSENT:
        value = None
    if isinstance(unknown, Mapping) and unknown and isinstance(value, Mapping):
        keys = dict.fromkeys((*value, *unknown))
        return {key: with_unknown(value.get(key, _ABSENT), unknown.get(key)) for key in keys}
    if isinstance(unknown, list) and unknown and isinstance(value, list):
        return [with_unknown(each, mark) for each, mark in zip_longest(value, unknown, fillvalue=None)]
    if isinstance(unknown, Mapping | list) and value is None and _has_mark(unknown):
        return UNKNOWN
    return value


def _has_mark(unknown: Any) -> bool:
    inside = unknown.values() if isinstance(unknown, Mapping) else unknown if isinstance(unknown, list) else ()
    return any(each is True or _has_mark(each) for each in inside)


class _Reader:
    """Reads the values of one resource."""

    def __init__(self, origin: Callable[[Any], Origin], *, exists: bool) -> None:
        self._origin, self._exists = origin, exists

    def value(self, name: str, about: Property, value: Any, expressions: Any) -> Any:
        """A value in Pulumi's form; None for one that is not set."""
        if value is UNKNOWN:
            return self._unknown(about, expressions)
        if value is None or value == "" or (value == 0 and self._is_no_zero(name, value)):
            return None
        if about.form == "map":
            return dict(value) if isinstance(value, Mapping) and value else None if value in ({}, []) else value
        if about.form == "list":
            listed = value if isinstance(value, list) else [value]
            return self._list(about, listed, expressions) or None
        if isinstance(value, list):
            if not value:
                return None
            value = {} if value[0] is None and about.below else value[0]
        return self._block(about, value, _blocks(expressions)) if about.below else value

    def _is_no_zero(self, name: str, value: Any) -> bool:
        return self._exists and not isinstance(value, bool) and name not in _ZERO_IS_SET

    def _unknown(self, about: Property, expressions: Any) -> Any:
        if about.form == "list" and not about.below and expressions is not None:
            return [UNKNOWN] * (self._origin(expressions).length or 0) or UNKNOWN
        return UNKNOWN

    def _list(self, about: Property, listed: Iterable[Any], expressions: Any) -> list[Any]:
        kept = (each for each in listed if each is not None)
        if not about.below:
            return list(kept)
        blocks = _blocks(expressions)
        return [self._block(about, each, blocks) for each in kept]

    def _block(self, about: Property, value: Any, blocks: Mapping[str, list[Any]] | None) -> Any:
        if not isinstance(value, Mapping):
            return value
        made: dict[str, Any] = {}
        for name, each in value.items():
            inner = property_of(about.below, name)
            if inner is None:
                continue
            here = None if blocks is None else blocks.get(name, [])
            if each is UNKNOWN and here == [] and not inner.below:
                continue  # it is not set: the provider computes it
            read = self.value(name, inner, each, here[0] if here and len(here) == 1 else here or None)
            if read is not None:
                made[inner.name] = read
        return made


@cached_by_identity(1024)
def _blocks(expressions: Any) -> dict[str, list[Any]] | None:
    """Argument -> its expressions in the blocks of one name; None if they are no blocks, but an expression."""
    listed = expressions if isinstance(expressions, list) else [expressions]
    found = [each for each in listed if isinstance(each, Mapping)]
    if not found or any("references" in each or "constant_value" in each for each in found):
        return None
    made: dict[str, list[Any]] = {}
    for each in found:
        for name, given in each.items():
            made.setdefault(name, []).append(given)
    return made
