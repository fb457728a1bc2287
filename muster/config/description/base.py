"""The base of every block of the description, and what a field must state about itself."""

from enum import StrEnum
from typing import Any, ClassVar, TypeVar, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError, PydanticKnownError

from muster.message_text import closest_match


class Change(StrEnum):
    """What changing a field costs on a live cluster."""

    IN_PLACE = "in place"
    NEXT_LAUNCH = "at the next launch"
    """Nobody touches the nodes that run. What drains elsewhere costs this in a self-managed group."""
    DRAINS = "drains nodes"
    REPLACES = "replaces"
    DELETES = "deletes"
    """No field costs this: it is what taking a group, a file system or the like out of the description costs."""
    STAYS = "stays as it was"
    """The provider reports an update and asks AWS for nothing. What exists keeps what it had when it was made."""
    REFUSED = "AWS refuses it"
    """The service does not change it in what exists, or no document of AWS says that it does. No preview knows; `up`
    fails. A group of HyperPod needs another name; with Slurm the cluster is as it was, and the old description put back
    is in order again: what is wanted otherwise takes another cluster, in a stack of its own."""
    FLEET_STOP = "needs the compute fleet stopped"
    """ParallelCluster refuses it while compute nodes run or may start: `pcluster update-compute-fleet` stops them,
    jobs and all, and starts them again."""
    WITH_ANOTHER = "with the next other change"
    """ParallelCluster sees no change in it alone, and does nothing, without a word."""
    BUYS = "buys"
    """Money is spent at once and for good: nothing undoes it."""
    NOTHING = "nothing"
    """The field only tells Muster about the world; no resource carries it."""


def field(doc: str, change: Change, **more: Any) -> Any:
    """A field of the description: what it is, what changing it costs, and pydantic's own settings."""
    extra = {"x-change": change.value, **more.pop("json_schema_extra", {})}
    return Field(description=doc, json_schema_extra=extra, **more)


def change_cost(part: "type[StrictModel]", name: str) -> Change | None:
    """What changing a field costs, None where the field does not say (a test forbids that)."""
    extra = part.model_fields[name].json_schema_extra
    return Change(str(extra["x-change"])) if isinstance(extra, dict) and "x-change" in extra else None


def _no_flag(value: Any) -> Any:
    if isinstance(value, bool | float):
        raise PydanticKnownError("int_type")
    return value


NO_BOOL_OR_FLOAT = BeforeValidator(_no_flag)
"""For a choice among numbers: `StrictInt` is for all others. To pydantic, as to Python, `true` is 1 and so is 1.0."""


class StrictModel(BaseModel):
    """A block of the description: keys in kebab-case, nothing unknown, nothing guessed, nothing changed later.

    Numbers and booleans are `StrictInt` and `StrictBool` field by field (a test sees to it): strict as a whole would
    refuse the text form of enums and dates.
    """

    model_config = ConfigDict(
        defer_build=True,  # most blocks are not in a file
        frozen=True,
        extra="forbid",
        alias_generator=lambda name: name.replace("_", "-"),
        validate_by_alias=True,
        validate_by_name=False,
        serialize_by_alias=True,
    )

    def is_refused_below(self, name: str) -> bool:  # noqa: ARG002  (of no field, here)
        """Whether AWS refuses every change in the value of a field, whatever the keys in it cost elsewhere."""
        return False


class Nothing(StrictModel):
    """A choice that has no settings: ``create`` and ``create: {}`` say the same."""


class Choice(StrictModel):
    """A block of which exactly one key is given. A bare word stands for the key without settings."""

    bare_words: ClassVar[frozenset[str]] = frozenset()
    """The keys that may be written as a bare word."""

    @model_validator(mode="before")
    @classmethod
    def _one_of(cls, value: Any) -> Any:
        keys = [info.alias or name for name, info in cls.model_fields.items()]
        if isinstance(value, str):
            if value not in cls.bare_words:
                got, remedy = cls._no_bare_word(value, keys)
                raise PydanticCustomError("choice", "{got}; {remedy}", {"got": got, "remedy": remedy})
            return {value: {}}
        if isinstance(value, dict) and set(value) <= set(keys) and len(value) != 1:
            got, remedy = _not_one([key for key in keys if key in value], keys)
            raise PydanticCustomError("choice", "{got}; {remedy}", {"got": got, "remedy": remedy})
        return value

    @classmethod
    def _no_bare_word(cls, word: str, keys: list[str]) -> tuple[str, str]:
        """What is wrong with a word that cannot stand for a key, and what to write."""
        if word in keys:
            return f"'{word}' needs settings", f"write {cls._with_settings(word)}"
        close = closest_match(word, keys)
        got = f"'{word}' is not a choice here" + (f"; did you mean '{close}'?" if close else "")
        settled = close and close not in cls.bare_words
        return got, f"write {cls._with_settings(close)}" if close and settled else f"give {_any_of(keys)}"

    @classmethod
    def _with_settings(cls, key: str) -> str:
        """``existing: {name: ..., security-group: ...}``: a key with what it cannot do without."""
        (annotation,) = [info.annotation for name, info in cls.model_fields.items() if (info.alias or name) == key]
        plain = _plain(annotation)
        if isinstance(plain, type) and issubclass(plain, StrictModel):
            every = {info.alias or name: info.is_required() for name, info in plain.model_fields.items()}
            needed = [name for name, required in every.items() if required] or list(every)[:1]
            return f"{key}: {{{', '.join(f'{name}: ...' for name in needed)}}}"
        return f"{key}: {_STANDS_FOR.get(plain, '...')}"

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


def exactly_one(part: StrictModel, *names: str) -> None:
    """Refuses a block that gives several, or none, of keys that exclude each other.

    Raises:
        ValueError: names the keys.
    """
    keys = {type(part).model_fields[name].alias or name: getattr(part, name) is not None for name in names}
    given = [key for key, is_given in keys.items() if is_given]
    if len(given) != 1:
        raise ValueError("; ".join(_not_one(given, list(keys))))


def _not_one(given: list[str], keys: list[str]) -> tuple[str, str]:
    """The words for several, or none, of keys of which one belongs there."""
    match given, keys:
        case [], [one, other]:
            return f"neither {one} nor {other} is given", "add one"
        case [], _:
            return f"none of {_any_of(keys)} is given", "add one"
        case [one, other], _:
            return f"both {one} and {other} are given", "keep one"
        case _:
            return f"{', '.join(given[:-1])} and {given[-1]} are given", "keep one"


_STANDS_FOR: dict[Any, str] = {str: "NAME", int: "N", tuple: "[...]"}
"""How a value of a plain type is hinted at."""


def _plain(annotation: Any) -> Any:
    """The type below `| None` and `Annotated`."""
    while True:
        origin, inner = get_origin(annotation), [each for each in get_args(annotation) if each is not type(None)]
        if origin is tuple or not inner:
            return origin or annotation
        annotation = inner[0]


def _any_of(keys: list[str]) -> str:
    return keys[0] if len(keys) == 1 else f"{', '.join(keys[:-1])} or {keys[-1]}"


T = TypeVar("T")


def unique_items(values: tuple[T, ...]) -> tuple[T, ...]:
    """The values, each of them given once.

    Raises:
        ValueError: names the first that is given twice.
    """
    for value in values:
        if values.count(value) > 1:
            raise ValueError(f"{value} is given twice; keep one")
    return values


class OnDestroy(StrEnum):
    """What `destroy` does with what holds data."""

    KEEP = "keep"
    """It stops and names what it would have deleted. Its preview does so: with `--skip-preview` the engine deletes all
    else first (seen in engine 3.260)."""
    DELETE = "delete"
