"""Property values as the engine sends them: plain Python data, with the engine's own signs for what is not plain.

Unknown values stay the sentinel string `UNKNOWN`; secrets, assets and resource references stay dicts that carry a
signature under `SIGNATURE`. Whole numbers become `int`: the wire only has floats.
"""

from collections.abc import Mapping
from typing import Any

from google.protobuf import struct_pb2
from pulumi.runtime import rpc

from muster.wire import SECRET, SIGNATURE

UNKNOWN: str = rpc.UNKNOWN

Properties = dict[str, Any]


def unpack(struct: struct_pb2.Struct) -> Properties:
    """The plain data in a protobuf struct."""
    return {key: _value(value) for key, value in struct.fields.items()}


def _value(value: struct_pb2.Value) -> Any:
    match value.WhichOneof("kind"):
        case "struct_value":
            return unpack(value.struct_value)
        case "list_value":
            return [_value(item) for item in value.list_value.values]
        case "number_value":
            number = value.number_value
            return int(number) if number.is_integer() else number
        case "string_value":
            return value.string_value
        case "bool_value":
            return value.bool_value
        case _:
            return None


def pack(properties: Mapping[str, Any]) -> struct_pb2.Struct:
    """The protobuf struct of plain data; keys whose value is None are left out, as the engine does."""
    struct = struct_pb2.Struct()
    struct.update({key: _clean(value) for key, value in properties.items() if value is not None})
    return struct


def _clean(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _clean(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple | set | frozenset):
        return [_clean(item) for item in value]
    return value


def has_unknown(value: Any) -> bool:
    """True if the value is unknown or holds an unknown anywhere inside."""
    if value == UNKNOWN:
        return True
    if isinstance(value, Mapping):
        return any(has_unknown(item) for item in value.values())
    return isinstance(value, list) and any(has_unknown(item) for item in value)


def plain(value: Any) -> Any:
    """The value with every secret opened."""
    if isinstance(value, Mapping):
        if value.get(SIGNATURE) == SECRET:
            return plain(value.get("value"))
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value
