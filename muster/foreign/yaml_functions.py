"""The functions of Pulumi programs in YAML (`fn::join`), and invokes of providers."""

import base64
import binascii
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from muster import user_files
from muster.finding import KeyPath
from muster.foreign.yaml_syntax import lower_keys
from muster.foreign.yaml_values import RegisteredResource, as_json_value, plain_number, type_noun
from muster.plain_data import as_list
from muster.secret_texts import mark, mark_derived
from muster.unknown import UNKNOWN, has_unknown
from muster.wire import SIGNATURE

if TYPE_CHECKING:
    from muster.foreign.yaml_expressions import Evaluator

Function = Callable[["Evaluator", Any, KeyPath], Any]

_ASSET, _ARCHIVE = "c44067f5952c0a294b673a41bacd8c17", "0def7320c3a5731c473e5ecbe6d01bc7"
"""The engine's signatures (pulumi `sdk/python/lib/pulumi/runtime/rpc.py`)."""
_TEXT_FILE = user_files.Limit(1024 * 1024, "copy the part that the program needs into a smaller file")
_ANY_FILE = user_files.Limit(16 * 1024 * 1024, "write the value itself into the program")


@dataclass(frozen=True, slots=True)
class InvokeCall:
    """A call of a function of a provider."""

    token: str
    arguments: Any
    options: Mapping[str, Any]
    path: KeyPath


def _value(evaluator: "Evaluator", argument: Any, path: KeyPath) -> Any:
    return evaluator.value(argument, path)


def invoke(evaluator: "Evaluator", argument: Any, path: KeyPath, *, inline: bool = False) -> Any:
    """`fn::invoke`, or its short form (`inline`), whose arguments are directly below it."""
    if not isinstance(argument, Mapping):
        raise evaluator.source.fault(
            path, "fn::invoke is not a block of keys", "write function: and arguments: below it"
        )
    below = lower_keys(argument)
    token = below.get("function", ("", None))[1]
    if not isinstance(token, str):
        raise evaluator.source.fault(
            path, "fn::invoke does not name a function", "add function: with the name", key=True
        )
    if token.count(":") not in (1, 2) or not all(token.split(":")):
        got = f"'{token}' is not a valid name of a function"
        raise evaluator.source.fault(path, got, "write a name such as aws:ec2:getAmi", key=True)
    given_key, given = below.get("arguments", ("arguments", {}))
    given_path = path if inline else (*path, given_key)
    if not (given is None or isinstance(given, Mapping)):
        raise evaluator.source.fault(
            given_path, f"the arguments are {type_noun(given)}", "write a block of keys and values"
        )
    options_key, options = below.get("options", ("options", {}))
    if not (options is None or isinstance(options, Mapping)):
        raise evaluator.source.fault(
            (*path, options_key), f"the options are {type_noun(options)}", "write a block of keys and values"
        )
    arguments = evaluator.value(given or {}, given_path)
    chosen = evaluator.value(options or {}, (*path, options_key))
    evaluator.uses |= {each.urn for each in as_list(chosen.get("dependsOn")) if isinstance(each, RegisteredResource)}
    answer = UNKNOWN if has_unknown(arguments) else evaluator.call_provider(InvokeCall(token, arguments, chosen, path))
    evaluator.is_open = True
    wanted = below.get("return", ("", None))[1]
    if wanted is None or answer is UNKNOWN:
        return answer
    found = answer.get(wanted) if isinstance(answer, Mapping) else None
    return UNKNOWN if found is None else found


def _two(evaluator: "Evaluator", argument: Any, path: KeyPath, of: str) -> tuple[Any, Any]:
    if not isinstance(argument, list) or len(argument) != 2:  # noqa: PLR2004
        raise evaluator.source.fault(path, f"needs a list of two elements: {of}", "write [first, second]")
    return evaluator.value(argument[0], (*path, 0)), evaluator.value(argument[1], (*path, 1))


def _require(evaluator: "Evaluator", value: Any, wanted: type | tuple[type, ...], path: KeyPath, what: str) -> None:
    if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
        raise evaluator.source.fault(path, f"is {type_noun(value)}, not {what}", f"give {what}")


def _join(evaluator: "Evaluator", argument: Any, path: KeyPath) -> Any:
    by, listed = _two(evaluator, argument, path, "a separator, and a list of strings")
    if by is UNKNOWN or has_unknown(listed):
        return UNKNOWN
    _require(evaluator, "" if by is None else by, str, (*path, 0), "a string")
    _require(evaluator, listed, list, (*path, 1), "a list")
    for at, each in enumerate(listed):
        _require(evaluator, each, str, (*path, 1, at), "a string")
    evaluator.charge(len(by or "") * len(listed) // 32, path)
    return (by or "").join(listed)


def _split(evaluator: "Evaluator", argument: Any, path: KeyPath) -> Any:
    by, text = _two(evaluator, argument, path, "a separator, and a string")
    if by is UNKNOWN or text is UNKNOWN:
        return UNKNOWN
    _require(evaluator, by, str, (*path, 0), "a string")
    _require(evaluator, text, str, (*path, 1), "a string")
    return mark_derived(text, text.split(by) if by else list(text))


def _select(evaluator: "Evaluator", argument: Any, path: KeyPath) -> Any:
    at, listed = _two(evaluator, argument, path, "an index, and a list")
    if at is UNKNOWN or listed is UNKNOWN:
        return UNKNOWN
    _require(evaluator, at, (int, float), (*path, 0), "a whole number")
    _require(evaluator, listed, list, (*path, 1), "a list")
    index = plain_number(at)
    if not isinstance(index, int) or not 0 <= index < len(listed):
        got = f"index {index} is outside the list; number of elements: {len(listed)}"
        raise evaluator.source.fault((*path, 0), got, "count from 0")
    return listed[index]


def _to_json(evaluator: "Evaluator", argument: Any, path: KeyPath) -> Any:
    value = evaluator.value(argument, path)
    if has_unknown(value):
        return UNKNOWN
    return json.dumps(as_json_value(value), separators=(",", ":"), sort_keys=True, ensure_ascii=False)


def _of_text(evaluator: "Evaluator", argument: Any, path: KeyPath, make: Callable[[str], Any]) -> Any:
    value = evaluator.value(argument, path)
    if value is UNKNOWN:
        return UNKNOWN
    _require(evaluator, value, str, path, "a string")
    return make(value)


def _to_base64(evaluator: "Evaluator", argument: Any, path: KeyPath) -> Any:
    return _of_text(
        evaluator, argument, path, lambda text: mark_derived(text, base64.b64encode(text.encode()).decode())
    )


def _from_base64(evaluator: "Evaluator", argument: Any, path: KeyPath) -> Any:
    def decoded(text: str) -> str:
        try:
            return base64.b64decode(text.encode(), validate=True).decode()
        except (binascii.Error, ValueError):
            raise evaluator.source.fault(
                path, "is not base64 of a UTF-8 text", "give a text that is encoded in base64"
            ) from None

    return _of_text(evaluator, argument, path, decoded)


def _sha1(evaluator: "Evaluator", argument: Any, path: KeyPath) -> Any:
    return _of_text(
        evaluator, argument, path, lambda text: hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
    )


def _length(evaluator: "Evaluator", argument: Any, path: KeyPath) -> Any:
    value = evaluator.value(argument, path)
    if value is UNKNOWN:
        return UNKNOWN
    _require(evaluator, value, (str, list, dict), path, "a string, a list or a block of keys")
    return len(value)


def _single_or_none(evaluator: "Evaluator", argument: Any, path: KeyPath) -> Any:
    value = evaluator.value(argument, path)
    if value is UNKNOWN:
        return UNKNOWN
    _require(evaluator, value, list, path, "a list")
    if len(value) > 1:
        raise evaluator.source.fault(
            path, f"the list has {len(value)} elements", "give a list with at most one element"
        )
    return value[0] if value else None


def _resource(evaluator: "Evaluator", argument: Any, path: KeyPath) -> RegisteredResource:
    value = evaluator.value(argument, path)
    if not isinstance(value, RegisteredResource):
        raise evaluator.source.fault(path, f"is {type_noun(value)}, not a resource", "refer to a resource")
    return value


def _stack_output(evaluator: "Evaluator", argument: Any, path: KeyPath) -> Any:
    name, output = _two(evaluator, argument, path, "a stack, and the name of one of its outputs")
    _require(evaluator, name, str, (*path, 0), "a string")
    found = evaluator.stack_outputs(name)
    evaluator.is_open = True
    return found.get(output, UNKNOWN) if isinstance(found, Mapping) else UNKNOWN


def _file(evaluator: "Evaluator", argument: Any, path: KeyPath, limit: user_files.Limit) -> Any:
    """The bytes of a file in the project."""
    named = evaluator.value(argument, path)
    if named is UNKNOWN:
        return UNKNOWN
    _require(evaluator, named, str, path, "the name of a file")
    try:
        file = (evaluator.folder / named).resolve()
        if not user_files.is_inside(file, evaluator.root):
            remedy = f"move the file into {evaluator.root}"
            raise evaluator.source.fault(path, f"{named} is outside the project, so Muster does not read it", remedy)
        data = user_files.read_bytes(file, limit)
    except user_files.CannotRead as fault:
        raise evaluator.source.fault(path, f"{named}: {fault.got}", fault.remedy) from None
    except (OSError, ValueError, RuntimeError):  # no file can have this name, or links form a cycle
        raise evaluator.source.fault(path, "is not a valid path", "give the path of a file in the project") from None
    evaluator.charge(len(data) // 1024, path)
    return data


def _read_file(evaluator: "Evaluator", argument: Any, path: KeyPath) -> Any:
    data = _file(evaluator, argument, path, _TEXT_FILE)
    try:
        return data if data is UNKNOWN else data.decode()
    except UnicodeDecodeError:
        raise evaluator.source.fault(path, "the file is not UTF-8 text", "read it with fn::fileBase64") from None


def _file_base64(evaluator: "Evaluator", argument: Any, path: KeyPath) -> Any:
    data = _file(evaluator, argument, path, _TEXT_FILE)
    return data if data is UNKNOWN else base64.b64encode(data).decode()


def _file_sha256(evaluator: "Evaluator", argument: Any, path: KeyPath) -> Any:
    data = _file(evaluator, argument, path, _ANY_FILE)
    return data if data is UNKNOWN else base64.b64encode(hashlib.sha256(data).digest()).decode()


def _archive(evaluator: "Evaluator", argument: Any, path: KeyPath) -> Any:
    value = evaluator.value(argument, path)
    if value is UNKNOWN:
        return UNKNOWN
    _require(evaluator, value, dict, path, "a block of assets")
    return {SIGNATURE: _ARCHIVE, "assets": value}


def _asset(signature: str, by: str) -> Function:
    """A file, given by its name or address, as the engine takes it. Muster does not read it."""

    def make(evaluator: "Evaluator", argument: Any, path: KeyPath) -> Any:
        return _of_text(evaluator, argument, path, lambda name: {SIGNATURE: signature, by: name})

    return make


FUNCTIONS: Mapping[str, Function] = {
    "fn::invoke": invoke,
    "fn::join": _join,
    "fn::split": _split,
    "fn::select": _select,
    "fn::toJSON": _to_json,
    "fn::toBase64": _to_base64,
    "fn::fromBase64": _from_base64,
    "fn::sha1": _sha1,
    "fn::length": _length,
    "fn::singleOrNone": _single_or_none,
    "fn::secret": lambda evaluator, argument, path: mark(evaluator.value(argument, path)),
    "fn::unsecret": _value,
    "fn::readFile": _read_file,
    "fn::fileBase64": _file_base64,
    "fn::fileBase64Sha256": _file_sha256,
    "fn::stringAsset": _asset(_ASSET, "text"),
    "fn::fileAsset": _asset(_ASSET, "path"),
    "fn::remoteAsset": _asset(_ASSET, "uri"),
    "fn::fileArchive": _asset(_ARCHIVE, "path"),
    "fn::remoteArchive": _asset(_ARCHIVE, "uri"),
    "fn::assetArchive": _archive,
    "fn::stackReference": _stack_output,
    "fn::pulumiResourceName": lambda evaluator, argument, path: _resource(evaluator, argument, path).name,
    "fn::pulumiResourceType": lambda evaluator, argument, path: _resource(evaluator, argument, path).type,
}
"""Name -> function. Each function gets its argument as written in the document, and the argument's place."""

BY_LOWER_NAME = {name.lower(): function for name, function in FUNCTIONS.items()}
