"""The base class of every block of the description, the `key` function that declares each key, and the models of one
backend that are made from these declarations."""

import re
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Any, ClassVar, Self, TypeVar, Union, get_args, get_origin

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    model_validator,
)
from pydantic_core import CoreSchema, PydanticCustomError, PydanticKnownError
from pydantic_core.core_schema import (
    no_info_after_validator_function,
    no_info_wrap_validator_function,
    plain_serializer_function_ser_schema,
)

from muster.message_text import or_list


class Change(StrEnum):
    """What changing a field costs on a live cluster."""

    IN_PLACE = "in place"
    NEXT_LAUNCH = "at the next launch"
    """Nodes that run stay as they are. In a self-managed group, a change that elsewhere drains nodes has this cost."""
    DRAINS = "drains nodes"
    REPLACES = "replaces"
    DELETES = "deletes"
    """No field has this cost. It is the cost of removing a group, a file system or the like from the description."""
    STAYS = "stays as it was"
    """The provider reports an update but sends no request to AWS. An existing resource keeps the value it was created
    with."""
    REFUSED = "AWS refuses it"
    """The service does not change it on an existing resource, or no document of AWS states that it does. A preview
    cannot show this; `up` fails. On HyperPod, give the group another name. With Slurm, the cluster stays as it was, and
    restoring the old description is enough; for the new value, create another cluster in another stack."""
    LOGIN_STOP = "needs the login nodes stopped"
    """ParallelCluster refuses it while login nodes of the pool run. `nodes: 0` of the pool stops them."""
    FLEET_STOP = "needs the compute fleet stopped"
    """ParallelCluster refuses it while compute nodes run or may start. `pcluster update-compute-fleet` stops them,
    including their jobs, and starts them again."""
    WITH_ANOTHER = "with the next other change"
    """If nothing else changes, ParallelCluster sees no change and silently does nothing."""
    BUYS = "buys"
    """The purchase is immediate and cannot be undone."""
    NOTHING = "nothing"
    """The field only informs Muster; no resource has it."""


EKS, HYPERPOD, HYPERPOD_SLURM, PARALLELCLUSTER, PCS = "eks", "hyperpod", "hyperpod-slurm", "parallelcluster", "pcs"
"""The values of `backend`."""


T = TypeVar("T")


def everywhere(one: T) -> dict[str, T]:
    """One cost, or another fact, on every backend, for a key with which some backends differ."""
    return dict.fromkeys((EKS, HYPERPOD, HYPERPOD_SLURM, PARALLELCLUSTER, PCS), one)


FOR_GOOD = everywhere(Change.REPLACES) | {PARALLELCLUSTER: Change.REFUSED}
"""What changes cost of the network and of file systems. ParallelCluster cannot change the network of the head node
(`HeadNodeNetworkingSchema` of 3.16.1). A file system that is replaced has another id, but ParallelCluster does not
change the id below a mount name: another file system needs another name."""


INSTANCE_GROUP = "sagemaker.CreateCluster.InstanceGroups[]"

Members = str | tuple[str, ...]
"""Members of requests to AWS: ``eks.CreateNodegroup.labels.key``."""


@dataclass(frozen=True, slots=True)
class Sent:
    """The members of requests that a text, or the keys of a map, become; by backend where they differ."""

    values: Members | Mapping[str, Members]
    keys: Members | Mapping[str, Members]

    def members(self, backend: str, *, of_keys: bool) -> tuple[str, ...]:
        """The members on a backend."""
        chosen = self.keys if of_keys else self.values
        found = chosen.get(backend, ()) if isinstance(chosen, Mapping) else chosen
        return (found,) if isinstance(found, str) else found


def key(
    doc: str,
    on: Change | Mapping[str, Change],
    *,
    instead: str | tuple[str, ...] = (),
    sent: Members | Mapping[str, Members] = (),
    keys_sent: Members | Mapping[str, Members] = (),
    **more: Any,
) -> Any:
    """A key of the description, declared once for all backends.

    Args:
        doc: its documentation.
        on: what changing it costs on each backend that has it; one cost for all backends.
        instead: the keys that stand for it on backends without it, from its block or from the root: ``groups.*.zone``.
            The first that a backend has is advised.
        sent: the members of requests to AWS that its text becomes, by backend where they differ, if AWS's limits are
            narrower than its type. Then run `python -m tools.request_limits`.
        keys_sent: those that the keys of a map become.
        more: pydantic's own settings; `here`, settings by backend where they differ there (`doc`, `form` for the type,
            and pydantic's); and `elsewhere`, what the attribute is on a backend without the key (default: its default).
            A block is a default by `model_construct`, which builds no validators when the module is imported.
    """
    ours: dict[str, Any] = {name: more.pop(name) for name in ("here", "elsewhere") if name in more}
    extra: dict[str, Any] = {"x-change": on.value} if isinstance(on, Change) else {"on": dict(on)}
    extra |= {"instead": (instead,) if isinstance(instead, str) else instead} if instead else {}
    made = Field(description=doc, json_schema_extra={**extra, **ours, **more.pop("json_schema_extra", {})}, **more)
    if sent or keys_sent:
        made.metadata.append(Sent(sent, keys_sent))
    return made


def optional(doc: str, on: Change | Mapping[str, Change], **more: Any) -> Any:
    """A key that is None where the description leaves it out; arguments as of `key`."""
    return key(doc, on, default=None, **more)


def change_cost(part: "type[StrictModel]", name: str) -> Change | None:
    """The cost of changing a field; None if the field does not state one (a test checks that each does)."""
    extra = declared(part, name)
    return Change(str(extra["x-change"])) if "x-change" in extra else None


def declared(part: "type[StrictModel]", name: str) -> dict[str, Any]:
    """What `key` declares of a field beside pydantic's settings."""
    extra = part.model_fields[name].json_schema_extra
    return extra if isinstance(extra, dict) else {}


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a text: for the validator, the message and the JSON schema. Used as ``Annotated[str, Form(...)]``."""

    pattern: str
    """Of the whole text."""
    what: str
    """What a text of another form is not: ``a mount name``."""
    example: str
    """What to write, after "write one like"."""
    longest: int | None = None
    drawn: bool = True
    """Whether the schema has the pattern and the length."""

    def __call__(self, value: str) -> str:
        """The text.

        Raises:
            ValueError: it has another form.
        """
        if not self.fits(value):
            raise ValueError(f"'{value}' is not {self.what}; write one like {self.example}")
        return value

    def fits(self, value: str) -> bool:
        """Whether a text has this form."""
        found = re.fullmatch(self.pattern, value)  # pattern: of each form
        return found is not None and (self.longest is None or len(value) <= self.longest)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Checks what pydantic made of the text."""
        return no_info_after_validator_function(self, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """The pattern and the length, for editors."""
        drawn = handler(schema)
        drawn.update({"pattern": f"^{self.pattern}$"} if self.drawn else {})
        drawn.update({"maxLength": self.longest} if self.drawn and self.longest else {})
        return drawn


@dataclass(frozen=True, slots=True)
class TextOrList:
    """A text, or a list: ``Annotated[tuple[SubnetId, ...], TextOrList(...)]``. In a union, the list is last."""

    read: Callable[[str], Any]
    """Reads the text. Raises ValueError, or pydantic's error."""
    drawn: Mapping[str, Any]
    """The JSON schema of the text."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Reads a text by itself, so that a fault in it has its own place."""
        united = get_origin(source) in (Union, types.UnionType)
        return no_info_wrap_validator_function(
            lambda value, listed: self.read(value) if isinstance(value, str) else listed(value),
            handler.generate_schema(get_args(source)[-1]) if united else handler(source),
            serialization=plain_serializer_function_ser_schema(_as_written),
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Either of them, for editors."""
        return {"anyOf": [dict(self.drawn), handler(schema)]}


def _as_written(value: Any) -> Any:
    return value if isinstance(value, str) or len(value) > 1 else value[0]


def _no_flag(value: Any) -> Any:
    if isinstance(value, bool | float):
        raise PydanticKnownError("int_type")
    return value


NO_BOOL_OR_FLOAT = BeforeValidator(_no_flag)
"""For a choice among numbers; all other numbers use `StrictInt`. To pydantic, as to Python, `true` and 1.0 both equal
1."""


class StrictModel(BaseModel):
    """A block of the description: keys in kebab-case, no unknown keys, no guessed values, immutable.

    Numbers and booleans are `StrictInt` and `StrictBool` field by field (a test checks this). A strict model would
    refuse the text format of enums and dates.
    """

    model_config = ConfigDict(
        defer_build=True,  # a file contains few of the blocks
        frozen=True,
        extra="forbid",
        alias_generator=lambda name: name.replace("_", "-"),
        validate_by_alias=True,
        validate_by_name=False,
        serialize_by_alias=True,
    )

    on: ClassVar[str] = ""
    """The backend whose model it is; empty for a declaration, and for a block that is the same on all."""

    @classmethod
    def keys(cls) -> dict[str, str]:
        """The keys, as users write them -> the fields."""
        return {info.alias or name: name for name, info in cls.model_fields.items()}

    def is_refused_below(self, name: str) -> bool:  # noqa: ARG002  (of no field, here)
        """Whether AWS refuses every change of a field's value, whatever its keys cost in other places."""
        return False


class Nothing(StrictModel):
    """A choice without settings: ``create`` and ``create: {}`` are equivalent."""


class Choice(StrictModel):
    """A block in which exactly one key is set. A bare word means the key without settings."""

    bare_words: ClassVar[frozenset[str]] = frozenset()
    """The keys that may be written as a bare word, on backends that have them."""

    @model_validator(mode="before")
    @classmethod
    def _one_of(cls, value: Any) -> Any:
        keys = list(cls.keys())
        if isinstance(value, str) and value in cls.bare_words and value in keys:
            return {value: {}}
        if isinstance(value, dict) and set(value) <= set(keys) and len(value) != 1:
            got, remedy = _not_one([key for key in keys if key in value], keys)
            raise PydanticCustomError("choice", "{got}; {remedy}", {"got": got, "remedy": remedy})
        return value

    @property
    def chosen(self) -> str:
        """The key that is set, as the user writes it."""
        return next(key for key, name in self.keys().items() if getattr(self, name) is not None)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> Any:
        """Exactly one key, or one of the bare words, so that an editor reports the error."""
        drawn = handler.resolve_ref_schema(handler(schema))
        drawn.update(minProperties=1, maxProperties=1)
        if words := sorted(cls.bare_words & cls.keys().keys()):
            also_drawn(drawn, {"enum": words})
        return drawn


def also_drawn(drawn: dict[str, Any], other: dict[str, Any]) -> None:
    """Adds to the JSON schema of a block what may stand for it."""
    described: dict[str, Any] = {key: drawn.pop(key) for key in ("title", "description") if key in drawn}
    block = dict(drawn)
    drawn.clear()
    drawn.update(described, anyOf=[block, other])


class Exclusive(StrictModel):
    """A block with keys that exclude each other: exactly one of them is set."""

    one_of: ClassVar[tuple[str, ...]]

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        keys = {key: name for key, name in self.keys().items() if name in self.one_of}
        given = [key for key, name in keys.items() if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("; ".join(_not_one(given, list(keys))))
        return self


def in_order(**numbers: int) -> None:
    """Refuses a block in which a number is greater than a later one.

    Raises:
        ValueError: names both.
    """
    for (low, least), (high, most) in combinations(numbers.items(), 2):
        if least > most:
            raise ValueError(
                f"{low} is {least}, but {high} is {most}; raise {high} to {least}, or lower {low} to {most}"
            )


def _not_one(given: list[str], keys: list[str]) -> tuple[str, str]:
    """The message for several, or none, of the keys of which exactly one must be set."""
    which = f"{' and '.join(given)} are set" if given else f"none of {or_list(keys)} is set"
    return which, "set exactly one of them"


def fault_at(key: str, got: str, remedy: str) -> PydanticCustomError:
    """A fault at a key of a block, for its validators."""
    return PydanticCustomError("choice", "{got}; {remedy}", {"at": key, "got": got, "remedy": remedy})


def unique_items(values: tuple[T, ...]) -> tuple[T, ...]:
    """The values, after a check that each occurs once.

    Raises:
        ValueError: names the first value that is listed twice.
    """
    for value in values:
        if values.count(value) > 1:
            raise ValueError(f"{value} is listed twice; keep one")
    return values


class OnDestroy(StrEnum):
    """What `destroy` does with a resource that holds data."""

    KEEP = "keep"
    """`destroy` stops and names the resource that it would delete. The preview does this; with `--skip-preview`, the
    engine deletes all other resources first (seen in engine 3.260)."""
    DELETE = "delete"
