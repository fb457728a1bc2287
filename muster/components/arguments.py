"""The arguments of components: the description's own models, as the types that Pulumi infers a schema of.

The description defines the keys and their meaning; here are only the types that other languages have for them. Keys
have their spelling (``localStorage``), names are the user's. A choice is a block with one key. For a bare word of the
description (``create``), the block is ``{create: true}``.
"""

import types
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal, NotRequired, TypedDict, Union, get_args, get_origin

from pulumi.provider.experimental.util import camel_case
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from muster.config.description.base import Nothing, StrictModel, TextOrList
from muster.config.description.node_settings import Nodes
from muster.config.description.of_backend import declaration_of
from muster.whole_number import whole_number

FIXED = "fixed"
"""A number of nodes that stays: the description's single number."""

DOCUMENTED: dict[str, dict[str, str]] = {}
"""Type -> argument in its schema's spelling -> what it is."""


def arguments(name: str, model: type[BaseModel], without: frozenset[str] = frozenset(), **more: Any) -> Any:
    """The arguments of a component.

    Args:
        name: the type's.
        model: the description's model.
        without: keys that are no arguments.
        more: arguments beside the model's: name -> type and words.
    """
    kinds = _documented(name, {key: info for key, info in _keys(model).items() if key not in without})
    DOCUMENTED[name] |= {camel_case(key): doc for key, (_, doc) in more.items()}
    return _typed(name, kinds | {key: kind for key, (kind, _) in more.items()})


@cache
def block(model: type[BaseModel]) -> Any:
    """A block of the description as a type: ``ReservationArgs`` of `Reservation`."""
    name = f"{declaration_of(model).__name__}Args"
    kinds = _documented(name, _keys(model))
    if declaration_of(model) is Nodes:
        DOCUMENTED[name][FIXED] = "A fixed number of nodes, instead of the three numbers."
        every = {key: get_args(kind)[0] if get_origin(kind) is NotRequired else kind for key, kind in kinds.items()}
        kinds = {key: NotRequired[kind] for key, kind in {**every, FIXED: int}.items()}
    return _typed(name, kinds)


def _documented(name: str, fields: Mapping[str, FieldInfo]) -> dict[str, Any]:
    """The types of fields in Python's spelling; what they are is in `DOCUMENTED`."""
    DOCUMENTED[name] = {camel_case(_python(key)): info.description or "" for key, info in fields.items()}
    return {_python(key): _of_field(info) for key, info in fields.items()}


def _typed(name: str, kinds: Mapping[str, Any]) -> Any:
    made = TypedDict(name, dict(kinds))  # type: ignore[operator]  # noqa: UP013  (names are known when it runs)
    made.__module__, made.__doc__ = __name__, None
    return made


def _keys(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """The fields by the key that the description has for them. One with a single possible value is left out."""
    return {info.alias or name: info for name, info in model.model_fields.items() if not _only(info.annotation)}


def _only(annotation: Any) -> bool:
    return get_origin(annotation) is Literal and len(get_args(annotation)) == 1


def _python(key: str) -> str:
    """``local-storage`` as ``local_storage``, which the schema spells ``localStorage``."""
    return key.replace("-", "_")


def _of_field(info: FieldInfo) -> Any:
    kind = _kind(Annotated[(info.annotation, *info.metadata)] if info.metadata else info.annotation)
    return kind if info.is_required() else NotRequired[kind]


def _kind(annotation: Any) -> Any:  # noqa: PLR0911  (one answer for each form)
    """What Pulumi has for a type of the description: texts, numbers, lists, maps, blocks."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return Any if any(isinstance(each, TextOrList) for each in annotation.__metadata__) else _kind(inner[0])
    if origin in (Union, types.UnionType):
        (only,) = {_kind(each) for each in inner if each is not type(None)}
        return only
    if origin is Literal:
        return type(inner[0])
    if origin in (tuple, list):
        return list[_kind(inner[0])]
    if origin is dict:
        return dict[str, _kind(inner[1])]
    if annotation is Nothing:
        return bool
    if isinstance(annotation, type) and issubclass(annotation, StrictModel):
        return block(annotation)
    if annotation in (bool, int, float, Any):
        return annotation
    if isinstance(annotation, type) and issubclass(annotation, Enum) and not issubclass(annotation, str):
        raise TypeError(f"{annotation.__name__} is no text")
    return str


def described(given: Any, model: type[BaseModel]) -> tuple[Any, dict[str, str]]:
    """What arguments say, as the description writes it, and the argument of each place in it.

    Args:
        given: the arguments, keys in Python's spelling.
        model: the description's model.
    """
    places: dict[str, str] = {}
    return _described(given, model, "", "", places), places


def _described(given: Any, annotation: Any, path: str, argument: str, places: dict[str, str]) -> Any:
    places[path] = argument
    kind = _part(annotation)
    if isinstance(given, Mapping):
        if declaration_of(kind) is Nodes and set(given) == {FIXED}:
            return _whole(given[FIXED])
        keys = _keys(kind) if kind else {}
        inner = None if kind else _inner(annotation)
        made = {}
        for name, value in given.items():
            key = name.replace("_", "-") if kind else name
            shown = camel_case(name) if kind else name
            below = keys[key].annotation if key in keys else inner
            made[key] = _described(value, below, _below(path, key), _below(argument, shown), places)
        return made
    if isinstance(given, list | tuple):
        inner = _inner(annotation)
        return [
            _described(each, inner, f"{path}[{index}]", f"{argument}[{index}]", places)
            for index, each in enumerate(given)
        ]
    if kind is Nothing and given is True:
        return {}
    return _whole(given)


def _below(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _whole(value: Any) -> Any:
    """Converts a float without a fractional part to an integer, because the wire format has only floats."""
    number = whole_number(value) if isinstance(value, float) else None
    return value if number is None else number


def _part(annotation: Any) -> Any:
    """The model of the block that an annotation contains; None for any other annotation."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _part(inner[0])
    if origin in (Union, types.UnionType):
        return next((part for part in map(_part, inner) if part), None)
    return annotation if isinstance(annotation, type) and issubclass(annotation, BaseModel) else None


def _inner(annotation: Any) -> Any:
    """The annotation of the items of a list or a map; None for any other annotation."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _inner(inner[0])
    if origin in (Union, types.UnionType):
        return next((found for found in map(_inner, inner) if found is not None), None)
    return inner[1] if origin is dict else inner[0] if origin in (tuple, list) else None
