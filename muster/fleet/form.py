"""Gives JSON that others wrote the form that its reader takes. Keys that the form does not name are dropped."""

import json
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from muster.fleet.dotted import Path_, dotted


class Form(BaseModel):
    """What is read of an object. Text is no number, whatever it looks like; `null` is as if nothing stood there."""

    model_config = ConfigDict(frozen=True, strict=True, alias_generator=to_camel)


F = TypeVar("F", bound=Form)
T = TypeVar("T")

Many = Annotated[list[T], Field(fail_fast=True)]
Named = Annotated[dict[str, T], Field(fail_fast=True)]
"""Lists and maps of which the first fault is enough: each fault takes a kilobyte, and there may be millions."""


class Malformed(ValueError):
    """A value of another form: where it stands, and what is wrong with it."""

    def __init__(self, path: Path_, words: str) -> None:
        self.path = path
        super().__init__(f"{dotted(path) or 'it'} {words}")


def formed(form: type[F], value: Any) -> F:
    """The value in that form.

    Raises:
        Malformed: it has another one; the first fault is told.
    """
    try:
        return form.model_validate(value)
    except ValidationError as faults:
        first = faults.errors(include_url=False)[0]
    path: Path_ = tuple(each for each in first["loc"] if each != "[key]")
    if first["type"] == "missing":
        raise Malformed(path[:-1], f"has no '{path[-1]}'")
    if first["type"] in _WANTED:
        raise Malformed(path, f"is {kind(first['input'])}, and must be {_WANTED[first['type']]}")
    raise Malformed(path, str(first.get("ctx", {}).get("error", first["msg"])))


_WANTED = {
    "model_type": "an object",
    "dict_type": "an object",
    "list_type": "a list",
    "string_type": "text",
    "int_type": "a whole number",
    "bool_type": "true or false",
}


def kind(value: Any) -> str:
    """The type of a value, in words."""
    known = {dict: "an object", list: "a list", str: "text", int: "a number", float: "a number"}
    return known.get(type(value)) or json.dumps(value)
