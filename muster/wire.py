"""The engine's wire values as plain data: secrets opened and marked, unknowns as `UNKNOWN`, whole numbers as int."""

from collections.abc import Mapping
from typing import Any

from google.protobuf.struct_pb2 import Struct, Value

from muster.plain_data import with_scalars
from muster.secret_texts import mark
from muster.unknown import UNKNOWN
from muster.whole_number import whole_number

SIGNATURE = "4dabf18193072939515e22adb298388d"
SECRET = "1b47061264138c4ac30d75fd1eb44270"  # noqa: S105 - the protocol's mark of a secret
_OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4"
RESOURCE = "5cf8f73096256a8f31e491e813e4eb8e"
UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
"""The sentinel of a string, and Python's for every type."""
UNKNOWN_ON_THE_WIRE = frozenset(
    {
        UNKNOWN_TEXT,
        "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",  # bool
        "3eeb2bf0-c639-47a8-9e75-3b44932eb421",  # number
        "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",  # array
        "030794c1-ac77-496b-92df-f27374a8bd58",  # asset
        "e48ece36-62e2-4504-bad9-02848725956a",  # archive
        "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",  # object
    }
)
"""The engine's sentinels (pulumi sdk/go/common/resource/plugin/rpc.go)."""


def plain(struct: Struct, *, marks: bool = True) -> dict[str, Any]:
    """A struct of the engine's as a dict.

    Args:
        struct: the struct.
        marks: whether messages hide the values of secrets. The values of Muster's program come from its description.
    """
    return {key: _value(value, marks=marks) for key, value in struct.fields.items()}


def _value(value: Value, *, marks: bool) -> Any:
    kind = value.WhichOneof("kind")
    if kind == "string_value":
        return UNKNOWN if value.string_value in UNKNOWN_ON_THE_WIRE else value.string_value
    if kind == "number_value":
        number = whole_number(value.number_value)
        return value.number_value if number is None else number
    if kind == "bool_value":
        return value.bool_value
    if kind == "list_value":
        return [_value(item, marks=marks) for item in value.list_value.values]
    if kind == "struct_value":
        return _object(value.struct_value, marks=marks)
    return None


def _object(struct: Struct, *, marks: bool) -> Any:
    signature = struct.fields[SIGNATURE].string_value if SIGNATURE in struct.fields else ""
    if signature in (SECRET, _OUTPUT):
        value = _value(struct.fields["value"], marks=marks) if "value" in struct.fields else UNKNOWN
        return mark(value) if marks and _is_secret(struct) else value
    if signature == RESOURCE:
        return struct.fields["urn"].string_value
    return plain(struct, marks=marks)


def has_secret(struct: Struct, key: str) -> bool:
    """Whether a property, or anything in it, is marked secret."""
    return key in struct.fields and _secret_below(struct.fields[key])


def _secret_below(value: Value) -> bool:
    kind = value.WhichOneof("kind")
    if kind == "list_value":
        return any(_secret_below(item) for item in value.list_value.values)
    if kind != "struct_value":
        return False
    return _is_secret(value.struct_value) or any(map(_secret_below, value.struct_value.fields.values()))


def _is_secret(struct: Struct) -> bool:
    fields = struct.fields
    signature = fields[SIGNATURE].string_value if SIGNATURE in fields else ""
    return signature == SECRET or (signature == _OUTPUT and "secret" in fields and fields["secret"].bool_value)


def to_wire(value: Any) -> Any:
    """Plain data as a struct takes it: `UNKNOWN` becomes the string sentinel."""
    return with_scalars(value, lambda each: UNKNOWN_TEXT if each is UNKNOWN else each)


def struct(values: Mapping[str, Any]) -> Struct:
    """Plain data as a struct of the engine's."""
    made = Struct()
    made.update(to_wire(dict(values)))
    return made


def secret(value: Any) -> dict[str, Any]:
    """A value marked as secret."""
    return {SIGNATURE: SECRET, "value": value}
