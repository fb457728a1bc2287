"""The model of a block on one backend, made from the declaration that all backends share.

A block declares each key once, with the backends that have it (`base.key`). Its model on a backend is a subclass
without the keys of others: so pydantic itself refuses those, and the JSON Schema does not have them.
"""

import types
from collections.abc import Callable, Collection, Mapping
from functools import reduce
from operator import or_
from typing import Annotated, Any, ClassVar, TypeVar, Union, get_args, get_origin

from pydantic import Field
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from muster.config.description.base import (
    EKS,
    HYPERPOD,
    HYPERPOD_SLURM,
    PARALLELCLUSTER,
    PCS,
    StrictModel,
    declared,
)

M = TypeVar("M", bound=StrictModel)

_NAMES: Mapping[str, str] = {
    EKS: "",
    HYPERPOD: "HyperPod",
    HYPERPOD_SLURM: "HyperPodSlurm",
    PARALLELCLUSTER: "ParallelCluster",
    PCS: "Pcs",
}
"""How names of models begin that are made for a backend."""

_MODELS: dict[tuple[type[StrictModel], str], type[StrictModel]] = {}
_DECLARATIONS: dict[type[StrictModel], type[StrictModel]] = {}
"""The model of a backend -> the block that declares its keys."""


def model_on(backend: str) -> Callable[[type[M]], type[M]]:
    """Decorates a subclass that has what differs on a backend beside the keys: the backend's model of its base."""

    def made(own: type[M]) -> type[M]:
        block = own.__base__
        assert block is not None
        model = _made(own, backend, own.__name__)
        _MODELS[block, backend] = model
        _DECLARATIONS[model] = block
        return model

    return made


def on_backend(block: type[M], backend: str) -> type[M]:
    """The model of a block on a backend; the block itself, if it is the same on all."""
    if block in _DECLARATIONS:
        return block
    if (block, backend) not in _MODELS:
        differs = any(_differs(block, name, backend) for name in block.model_fields)
        model = _made(block, backend, f"{_NAMES[backend]}{block.__name__}") if differs else block
        _MODELS[block, backend] = model
        if differs:
            _DECLARATIONS[model] = block
    return _MODELS[block, backend]  # type: ignore[return-value]


def declaration_of(model: type[StrictModel]) -> type[StrictModel]:
    """The block that declares the keys of a backend's model."""
    return _DECLARATIONS.get(model, model)


def backends_of(block: type[StrictModel], written: object) -> Collection[str]:
    """The backends that have a key of a block, as users write it; none if the block does not declare it."""
    name = block.keys().get(str(written))
    return tuple(declared(block, name).get("on", _NAMES)) if name else ()


def _differs(block: type[StrictModel], name: str, backend: str) -> bool:
    annotation = block.model_fields[name].annotation
    return not declared(block, name).keys().isdisjoint(("on", "here")) or _of(annotation, backend) is not annotation


def _made(block: type[M], backend: str, name: str) -> type[M]:
    annotations: dict[str, Any] = {}
    values: dict[str, Any] = {
        "__module__": block.__module__,
        "__qualname__": name,
        "__doc__": block.__doc__,
        "on": backend,
    }
    for each, info in block.model_fields.items():
        ours = declared(block, each)
        if backend not in ours.get("on", (backend,)):
            annotations[each] = ClassVar[Any]
            values[each] = property(ours["elsewhere"]) if "elsewhere" in ours else _default(info.default, backend)
        elif _differs(block, each, backend):
            annotations[each], values[each] = _field(info, ours, backend)
    return types.new_class(name, (block,), {}, lambda body: body.update(values, __annotations__=annotations))


def _field(info: FieldInfo, ours: Mapping[str, Any], backend: str) -> tuple[Any, Any]:
    """The annotation and the settings of a field on a backend that has it."""
    here = dict(ours.get("here", {}).get(backend, {}))
    inner = _of(here.pop("form", info.annotation), backend)
    extra = {each: value for each, value in ours.items() if each not in ("on", "instead", "here", "elsewhere")}
    extra |= {"x-change": ours["on"][backend].value} if "on" in ours else {}
    default = _default(here.pop("default", info.default), backend)
    settings = {
        "description": here.pop("doc", info.description),
        "json_schema_extra": extra,
        **({"examples": info.examples} if info.examples else {}),
        **({"alias": info.alias} if info.alias_priority == _GIVEN else {}),
        **({} if default is PydanticUndefined else {"default": default}),
        **here,
    }
    metadata = [each for each in info.metadata if not any(hasattr(each, name) for name in here)]
    return Annotated[(inner, *metadata)] if metadata else inner, Field(**settings)


_GIVEN = 2
"""pydantic's `alias_priority` of an alias that is no generated one."""


def _of(annotation: Any, backend: str) -> Any:
    """A type with the backend's models for the blocks in it."""
    if isinstance(annotation, type) and not get_args(annotation):
        return on_backend(annotation, backend) if issubclass(annotation, StrictModel) else annotation
    origin, inner = get_origin(annotation), get_args(annotation)
    made = tuple(_of(each, backend) for each in inner)
    if all(new is old for new, old in zip(made, inner, strict=True)):
        return annotation
    if origin is Annotated:
        return Annotated[(made[0], *annotation.__metadata__)]
    return reduce(or_, made) if origin in (Union, types.UnionType) else origin[made]


def _default(value: Any, backend: str) -> Any:
    """A default value, of the backend's model."""
    if not isinstance(value, StrictModel) or (model := on_backend(type(value), backend)) is type(value):
        return value
    kept = {name: _default(getattr(value, name), backend) for name in value.model_fields_set}
    return model.model_construct(value.model_fields_set, **kept)
