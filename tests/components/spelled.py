"""Descriptions as programs in other languages write them."""

from collections.abc import Mapping
from typing import Any

from pulumi.provider.experimental.util import camel_case

from muster.components.arguments import FIXED, _inner, _keys, _part
from muster.config.description.base import Choice
from muster.config.description.eks_cluster import EksCluster
from muster.config.description.node_settings import Nodes
from muster.config.description.of_backend import declaration_of


def spelled(said: Any, model: Any = EksCluster) -> Any:
    """The arguments that say the same: keys in camelCase, bare words as blocks."""
    part = _part(model)
    if declaration_of(part) is Nodes and isinstance(said, int):
        return {FIXED: said}
    if part and issubclass(part, Choice) and isinstance(said, str):
        return {_camel(said): True}
    if isinstance(said, Mapping):
        keys = _keys(part) if part else {}
        return {
            _camel(key) if part else key: spelled(value, keys[key].annotation if part else _inner(model))
            for key, value in said.items()
            if not part or key in keys
        }
    return [spelled(each, _inner(model)) for each in said] if isinstance(said, list) else said


def _camel(key: str) -> str:
    return camel_case(key.replace("-", "_"))
