"""The shape of a resource type, read from the provider's Python SDK: what goes in, what comes out, what is computed.

The SDKs are generated from the providers' schemas, so they tell what the plugins themselves would: an output that is
no constructor argument is computed; an argument that may be left out, but whose output is never None, is
optional-computed, and unknown in a preview when it is left out.
"""

import importlib
import inspect
import typing
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, reduce
from operator import or_
from types import NoneType, UnionType
from typing import Any, Union

import pulumi
from pulumi.runtime import rpc

# Kubernetes SDK types are never Optional in outputs, although an object left without a field comes back without it.
_OUTPUTS_SAY_NOTHING_ABOUT_DEFAULTS = frozenset({"kubernetes"})


class UnknownTypeError(LookupError):
    """A type token that no installed SDK of its package knows."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One resource type; names are the wire's camelCase."""

    token: str
    inputs: Mapping[str, bool]  # name -> required
    outputs: Mapping[str, Any]  # name -> type of the output, Optional taken off
    optional: frozenset[str]  # outputs that may be None

    @property
    def computed(self) -> frozenset[str]:
        """Outputs that cannot be given."""
        return frozenset(self.outputs) - frozenset(self.inputs)

    @property
    def optional_computed(self) -> frozenset[str]:
        """Outputs that are chosen by the provider where they are not given."""
        if self.token.split(":")[0] in _OUTPUTS_SAY_NOTHING_ABOUT_DEFAULTS:
            return frozenset()
        return frozenset(
            name
            for name, required in self.inputs.items()
            if not required and name in self.outputs and name not in self.optional
        )


@cache
def roles_of(token: str) -> Shape:
    """The shape of a resource type.

    Raises UnknownTypeError for a token that the package's SDK does not have.
    """
    resource = _resource_class(token)
    module = importlib.import_module(resource.__module__)
    arguments = getattr(module, f"{resource.__name__}Args", None) or getattr(module, f"{resource.__name__}InitArgs")
    required = {
        name
        for name, parameter in inspect.signature(arguments.__init__).parameters.items()
        if parameter.default is inspect.Parameter.empty
    }
    outputs = {name: _inside_output(hint) for name, hint in types_of(resource).items()}
    return Shape(
        token=token,
        inputs={wire: name in required for name, wire in names_of(arguments).items()},
        outputs={name: without_none(hint) for name, hint in outputs.items()},
        optional=frozenset(name for name, hint in outputs.items() if allows_none(hint)),
    )


def names_of(cls: type) -> dict[str, str]:
    """Wire name by attribute, of each property of a generated SDK class."""
    getters = {name: member.fget for name, member in vars(cls).items() if isinstance(member, property)}
    return {
        name: vars(getter)["_pulumi_name"]
        for name, getter in getters.items()
        if getter and "_pulumi_name" in vars(getter)
    }


def types_of(cls: type) -> dict[str, Any]:
    """Type by wire name, of each property of a generated SDK class for outputs."""
    return {wire: typing.get_type_hints(vars(cls)[name].fget)["return"] for name, wire in names_of(cls).items()}


def allows_none(hint: Any) -> bool:
    """True for Optional[...]."""
    return typing.get_origin(hint) in (Union, UnionType) and NoneType in typing.get_args(hint)


def without_none(hint: Any) -> Any:
    """The T of an Optional[T]; any other type as it is."""
    if not allows_none(hint):
        return hint
    return reduce(or_, (part for part in typing.get_args(hint) if part is not NoneType))


def is_structure(hint: Any) -> bool:
    """True for the generated class of a nested object."""
    return isinstance(hint, type) and hasattr(hint, "_pulumi_output_type")


def _inside_output(hint: Any) -> Any:
    return typing.get_args(hint)[0] if typing.get_origin(hint) is pulumi.Output else hint


def _resource_class(token: str) -> type[pulumi.Resource]:
    package, module, _ = token.split(":")
    try:
        importlib.import_module(f"pulumi_{package.replace('-', '_')}")
    except ModuleNotFoundError as missing:
        raise UnknownTypeError(f"{token}: no Python SDK of the package {package!r} is installed") from missing
    for registered in rpc._RESOURCE_MODULES.get(f"{package}:{module}", []):
        info = vars(registered)["mod_info"]
        if name := info["classes"].get(token):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # of the type's neighbours in the same module
                found: type[pulumi.Resource] = getattr(importlib.import_module(info["fqn"]), name)
            return found
    raise UnknownTypeError(f"{token}: the Python SDK of {package!r} has no such resource")
