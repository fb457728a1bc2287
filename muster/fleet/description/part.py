"""The base of every block of the description, and what a field must state about itself."""

from enum import StrEnum
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError


class Change(StrEnum):
    """What changing a field costs on a live cluster."""

    IN_PLACE = "in place"
    DRAINS = "drains nodes"
    REPLACES = "replaces"
    BUYS = "buys"
    """Money is spent at once and for good: nothing undoes it."""
    NOTHING = "nothing"
    """The field only tells Muster about the world; no resource carries it."""


def field(doc: str, change: Change, **more: Any) -> Any:
    """A field of the description: what it is, what changing it costs, and pydantic's own settings."""
    extra = {"x-change": change.value, **more.pop("json_schema_extra", {})}
    return Field(description=doc, json_schema_extra=extra, **more)


def change_cost(part: "type[Part]", name: str) -> Change | None:
    """What changing a field costs, None where the field does not say (a test forbids that)."""
    extra = part.model_fields[name].json_schema_extra
    return Change(str(extra["x-change"])) if isinstance(extra, dict) and "x-change" in extra else None


class Part(BaseModel):
    """A block of the description: keys in kebab-case, nothing unknown, nothing guessed, nothing changed later.

    Numbers and booleans are `StrictInt` and `StrictBool` field by field (a test sees to it): strict as a whole would
    refuse the text form of enums and dates.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=lambda name: name.replace("_", "-"),
        validate_by_alias=True,
        validate_by_name=False,
        serialize_by_alias=True,
    )


class Nothing(Part):
    """A choice that has no settings: ``create`` and ``create: {}`` say the same."""


class Choice(Part):
    """A block of which exactly one key is given. A bare word stands for the key without settings."""

    bare_words: ClassVar[frozenset[str]] = frozenset()
    """The keys that may be written as a bare word."""

    @model_validator(mode="before")
    @classmethod
    def _one_of(cls, value: Any) -> Any:
        keys = [info.alias or name for name, info in cls.model_fields.items()]
        if isinstance(value, str):
            if value not in cls.bare_words:
                raise PydanticCustomError(
                    "choice",
                    "'{found}' is not a choice here; give {choices}",
                    {"found": value, "choices": _any_of(keys)},
                )
            return {value: {}}
        if isinstance(value, dict) and set(value) <= set(keys) and len(value) != 1:
            raise PydanticCustomError("choice", "give exactly one of {choices}", {"choices": _any_of(keys)})
        return value

    @property
    def chosen(self) -> str:
        """The key that was given, as the user writes it."""
        name = next(name for name in type(self).model_fields if getattr(self, name) is not None)
        return type(self).model_fields[name].alias or name

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> Any:
        """One key exactly, or one of the bare words: editors say so before Muster has to."""
        drawn = handler.resolve_ref_schema(handler(schema))
        drawn.update(minProperties=1, maxProperties=1)
        if not cls.bare_words:
            return drawn
        described = {key: drawn.pop(key) for key in ("title", "description") if key in drawn}
        block = dict(drawn)
        drawn.clear()
        drawn.update(described, anyOf=[block, {"enum": sorted(cls.bare_words)}])
        return drawn


def exactly_one(part: Part, *names: str) -> None:
    """Refuses a block that gives several, or none, of keys that exclude each other.

    Raises:
        ValueError: names the keys.
    """
    if sum(getattr(part, name) is not None for name in names) != 1:
        keys = [type(part).model_fields[name].alias or name for name in names]
        raise ValueError(f"give exactly one of {_any_of(keys)}; keep one, or add one")


def _any_of(keys: list[str]) -> str:
    return keys[0] if len(keys) == 1 else f"{', '.join(keys[:-1])} or {keys[-1]}"
