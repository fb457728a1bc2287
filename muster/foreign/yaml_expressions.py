"""Expressions of Pulumi programs in YAML: `${...}` in texts, and functions (`fn::...`).

The language is that of pulumi-yaml 1.38 (https://www.pulumi.com/docs/iac/languages-sdks/yaml/yaml-language-reference/).
What a preview would not know is `UNKNOWN`, and so is what is made of it. A program that grows without end (variables of
variables, files in files) is refused: what it makes is counted.
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from muster import user_files
from muster.config.document import Document, Position
from muster.finding import KeyPath
from muster.fleet.unknown import UNKNOWN, has_unknown
from muster.foreign.project import CannotBeRead
from muster.message_text import closest_match
from muster.wire import SIGNATURE

PREFIX = "fn::"
_INVOKE = "fn::invoke"
_ASSET, _ARCHIVE = "c44067f5952c0a294b673a41bacd8c17", "0def7320c3a5731c473e5ecbe6d01bc7"
"""The engine's marks (pulumi `sdk/python/lib/pulumi/runtime/rpc.py`)."""

_MOST = 200_000
"""What a program may make in all: values, and each 32 characters of a text. A cluster makes some hundreds."""
_DEEPEST = 60
"""Values in each other, references written out."""
_TEXT_FILE = user_files.Limit(1024 * 1024, "take what the program needs into a file of its own")
_ANY_FILE = user_files.Limit(16 * 1024 * 1024, "take the value itself into the program")


@dataclass(frozen=True, slots=True)
class Reference:
    """What stands between `${` and `}`."""

    root: str
    steps: tuple[str | int, ...] = ()


@dataclass(frozen=True, slots=True)
class RegisteredResource:
    """A resource that the program has registered, or read."""

    urn: str
    type: str
    name: str
    id: Any
    outputs: Mapping[str, Any]
    providers: Mapping[str, str] = field(default_factory=dict)
    """Package -> the explicit provider that its children have, too."""


@dataclass(frozen=True, slots=True)
class NamedValue:
    """What a name stands for."""

    value: Any
    uses: frozenset[str] = frozenset()
    """The URNs of the resources that it is made of."""
    open: bool = False
    """Whether it comes from a provider, which may know more of it than stands there."""


@dataclass(frozen=True, slots=True)
class ProgramText:
    """The program's text."""

    document: Document

    def place(self, path: KeyPath, *, key: bool = False) -> str:
        """`file:line:column`."""
        at = self.document.position(path, key=key) or Position(1, 1)
        return f"{self.document.file}:{at.line}:{at.column}"

    def fault(self, path: KeyPath, got: str, remedy: str, *, key: bool = False) -> CannotBeRead:
        """A fault, with its place."""
        return CannotBeRead(f"{self.place(path, key=key)}: {got}; {remedy}")


class InvalidReference(ValueError):
    """A `${` that begins no reference."""


def split_text(text: str) -> Iterator[str | Reference]:
    """A text taken apart: `$$` is a `$`, and `${...}` a reference.

    Raises:
        NoReference: a reference does not end, or names nothing.
    """
    said: list[str] = []
    at = 0
    while at < len(text):
        dollar = text.find("$", at)
        said.append(text[at:] if dollar < 0 else text[at:dollar])
        if dollar < 0:
            break
        if text.startswith("${", dollar):
            if any(said):
                yield "".join(said)
            reference, at = _reference(text, dollar + 2)
            said = []
            yield reference
        else:
            said.append("$")
            at = dollar + (2 if text.startswith("$$", dollar) else 1)
    if any(said):
        yield "".join(said)


def _reference(text: str, at: int) -> tuple[Reference, int]:
    steps: list[str | int] = []
    while at < len(text):
        if text[at] == "}":
            if not steps or not isinstance(steps[0], str) or not steps[0]:
                raise InvalidReference("'${}' names nothing")
            return Reference(steps[0], tuple(steps[1:])), at + 1
        if text[at] == ".":
            at += 1
        elif text[at] == "[":
            step, at = _index(text, at + 1)
            steps.append(step)
        else:
            end = next((place for place in range(at, len(text)) if text[place] in ".[}"), len(text))
            steps.append(text[at:end])
            at = end
    raise InvalidReference("'${' is not closed")


def _index(text: str, at: int) -> tuple[str | int, int]:
    """What stands in brackets: a number, or a key in quotes."""
    if text.startswith('"', at):
        key: list[str] = []
        at += 1
        while at < len(text) and text[at] != '"':
            at += 1 if text.startswith('\\"', at) else 0
            key.append(text[at])
            at += 1
        if not text.startswith('"]', at):
            raise InvalidReference("'[\"' is not closed by '\"]'")
        return "".join(key), at + 2
    end = text.find("]", at)
    if end < 0:
        raise InvalidReference("'[' is not closed")
    number = text[at:end]
    if not (number.isascii() and number.isdecimal() and len(number) < _LONGEST_INDEX):
        raise InvalidReference(f"'[{number[:20]}]' is no index")
    return int(number), end + 1


_LONGEST_INDEX = 10


def function_of(value: Any) -> str | None:
    """The key of a block that calls a function; None of any other value."""
    if isinstance(value, Mapping) and len(value) == 1:
        key = str(next(iter(value)))
        return key if key.lower().startswith(PREFIX) else None
    return None


def is_invoke(value: Any) -> bool:
    """Whether it asks a provider."""
    key = function_of(value)
    return key is not None and (key.lower() == _INVOKE or _is_short_invoke(key))


def _is_short_invoke(key: str) -> bool:
    """`fn::aws:ec2:getAmi`, the short form of `fn::invoke`."""
    return key.lower() not in _FUNCTIONS and 1 <= key[len(PREFIX) :].count(":") <= 2 and "::" not in key[len(PREFIX) :]  # noqa: PLR2004


def token_of(value: Any) -> str:
    """The function that an invoke asks; empty where none is named."""
    key = function_of(value) or ""
    if key.lower() != _INVOKE:
        return key[len(PREFIX) :]
    below = lower_keys(value[key]) if isinstance(value[key], Mapping) else {}
    said = below.get("function", ("", ""))[1]
    return said if isinstance(said, str) else ""


def lower_keys(block: Mapping[str, Any]) -> dict[str, tuple[str, Any]]:
    """A block's keys in small letters, as the language compares them: each as it is written, and its value."""
    return {key.lower(): (key, value) for key, value in block.items()}


def references(
    source: ProgramText, value: Any, path: KeyPath, faults: list[CannotBeRead]
) -> Iterator[tuple[str, KeyPath]]:
    """The names that a value refers to, and where; what is no reference, or no function, is a fault."""
    if isinstance(value, str):
        try:
            yield from ((each.root, path) for each in split_text(value) if isinstance(each, Reference))
        except InvalidReference as fault:
            faults.append(source.fault(path, str(fault), "write ${name.property}, or $$ for a dollar sign"))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from references(source, each, (*path, at), faults)
    elif isinstance(value, Mapping):
        for key, each in value.items():
            if key.lower().startswith(PREFIX):
                faults += _wrong_function(source, key, value, path)
            else:
                yield from references(source, key, (*path, key), faults)
            yield from references(source, each, (*path, key), faults)


def _wrong_function(source: ProgramText, key: str, block: Mapping[str, Any], path: KeyPath) -> Iterator[CannotBeRead]:
    if len(block) > 1:
        yield source.fault((*path, key), f"'{key}' stands beside other keys", "give it a block of its own", key=True)
    elif key.lower() not in _FUNCTIONS and not _is_short_invoke(key):
        known = sorted(_WRITTEN)
        remedy = suggest_or(key, known, f"known are {', '.join(known)}")
        yield source.fault((*path, key), f"there is no function '{key}'", remedy, key=True)


@dataclass(frozen=True, slots=True)
class InvokeCall:
    """One question of a provider."""

    token: str
    arguments: Any
    options: Mapping[str, Any]
    path: KeyPath


class Evaluator:
    """Evaluates the expressions of one program, names in the order of what they need."""

    def __init__(
        self,
        source: ProgramText,
        root: Path,
        folder: Path,
        ask: Callable[[InvokeCall], Any],
        stack: Callable[[str], Any],
    ) -> None:
        """
        Args:
            source: the program.
            root: the project's folder: no file outside is read.
            folder: where the program is, from which it names files.
            ask: asks a provider.
            stack: the outputs of another stack.
        """
        self.names: dict[str, NamedValue] = {}
        self._source, self._root, self._folder, self._ask, self._stack = source, root, folder, ask, stack
        self._uses: set[str] = set()
        self._open = False
        self._made = 0

    def held(self, value: Any, path: KeyPath) -> NamedValue:
        """What a value of the document evaluates to."""
        self._uses, self._open = set(), False
        found = self.value(value, path)
        _, depth = size_and_depth(found)
        if depth > _DEEPEST:
            got = f"is nested too deeply: more than {_DEEPEST} blocks in each other"
            raise self._source.fault(path, got, "write it flatter")
        return NamedValue(found, frozenset(self._uses), self._open)

    def value(self, value: Any, path: KeyPath) -> Any:
        """The same, within another."""
        self._charge(1, path)
        if isinstance(value, str):
            return self._text(value, path)
        if isinstance(value, list):
            return [self.value(each, (*path, at)) for at, each in enumerate(value)]
        if isinstance(value, Mapping):
            key = function_of(value)
            return self._block(value, path) if key is None else self._function(key, value[key], (*path, key))
        return value

    def _charge(self, weight: int, path: KeyPath) -> None:
        self._made += weight
        if self._made > _MOST:
            got = f"the program makes more than {_MOST} values and pieces of text by here"
            raise self._source.fault(path, got, "refer to what is large in fewer places")

    def _block(self, block: Mapping[str, Any], path: KeyPath) -> Any:
        made: dict[str, Any] = {}
        unknown = False
        for key, each in block.items():
            name = self._text(key, (*path, key)) if "$" in key else key
            if name is UNKNOWN:
                unknown = True
            elif isinstance(name, str):
                made[name] = self.value(each, (*path, key))
            else:
                raise self._source.fault((*path, key), f"this key is {type_noun(name)}", "refer to a text", key=True)
        return UNKNOWN if unknown else made

    def _text(self, text: str, path: KeyPath) -> Any:
        self._charge(len(text) // 32, path)
        if "$" not in text:
            return text
        found = list(split_text(text))
        if len(found) == 1 and isinstance(found[0], Reference):
            return self._followed(found[0], path)
        said = [each if isinstance(each, str) else self._in_words(each, path) for each in found]
        return UNKNOWN if any(each is UNKNOWN for each in said) else "".join(said)

    def _in_words(self, reference: Reference, path: KeyPath) -> Any:
        """A value as it stands in a text."""
        value = self._followed(reference, path)
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, int | float):
            return str(_plain_number(value))
        if isinstance(value, str) or value is UNKNOWN:
            return value
        remedy = (
            "name one of its properties, such as .id" if isinstance(value, RegisteredResource) else "refer to a text"
        )
        raise self._source.fault(path, f"'{reference.root}' is {type_noun(value)} here, within a text", remedy)

    def _followed(self, reference: Reference, path: KeyPath) -> Any:
        held = self.names[reference.root]
        self._uses |= held.uses
        self._open |= held.open
        value, is_open = held.value, held.open
        for step in reference.steps:
            is_open = is_open or isinstance(value, RegisteredResource)
            value = self._step(value, step, reference, path, is_open=is_open)
            if value is UNKNOWN:
                break
        self._open |= is_open
        self._charge(size_and_depth(value)[0], path)
        return value

    def _step(self, value: Any, step: str | int, reference: Reference, path: KeyPath, *, is_open: bool) -> Any:
        """One property or element. Of what a provider answers all is unknown that is not there."""
        otherwise = UNKNOWN if is_open else None
        if isinstance(value, RegisteredResource):
            if step in ("id", "urn"):
                return value.id if step == "id" else value.urn
            value = value.outputs
        if isinstance(value, Mapping) and isinstance(step, str):
            found = value.get(step)
            return otherwise if found is None else found
        if isinstance(value, list) and isinstance(step, int) and step < len(value):
            return value[step]
        if is_open or value is UNKNOWN:
            return UNKNOWN
        has = (
            f"has {len(value)} elements"
            if isinstance(value, list) and isinstance(step, int)
            else f"is {type_noun(value)}"
        )
        wanted = f"element {step}" if isinstance(step, int) else f"'{step}'"
        raise self._source.fault(path, f"{wanted} is asked of what {has}, in '{reference.root}'", "name what is there")

    # Functions. Each takes its argument as it stands in the document, and where.

    def _function(self, key: str, argument: Any, path: KeyPath) -> Any:
        known = _FUNCTIONS.get(key.lower())
        if known is None:
            named = {
                "function": key[len(PREFIX) :],
                **({"arguments": argument} if isinstance(argument, Mapping) else {}),
            }
            return self._invoke(named, path, inline=True)
        made = known(self, argument, path)
        self._charge(size_and_depth(made)[0], path)
        return made

    def _invoke(self, argument: Any, path: KeyPath, *, inline: bool = False) -> Any:
        if not isinstance(argument, Mapping):
            raise self._source.fault(path, "fn::invoke takes a block", "write function: and arguments: below it")
        below = lower_keys(argument)
        token = below.get("function", ("", None))[1]
        if not isinstance(token, str):
            raise self._source.fault(path, "fn::invoke has no function", "write function: with its name", key=True)
        if token.count(":") not in (1, 2) or not all(token.split(":")):
            got = f"'{token}' is no name of a function"
            raise self._source.fault(path, got, "write one, such as aws:ec2:getAmi", key=True)
        given_key, given = below.get("arguments", ("arguments", {}))
        given_path = path if inline else (*path, given_key)
        if not (given is None or isinstance(given, Mapping)):
            raise self._source.fault(
                given_path, f"the arguments are {type_noun(given)}", "write a block of keys and values"
            )
        options_key, options = below.get("options", ("options", {}))
        if not (options is None or isinstance(options, Mapping)):
            raise self._source.fault(
                (*path, options_key), f"the options are {type_noun(options)}", "write a block of keys and values"
            )
        arguments = self.value(given or {}, given_path)
        said = self.value(options or {}, (*path, options_key))
        self._uses |= {each.urn for each in as_sequence(said.get("dependsOn")) if isinstance(each, RegisteredResource)}
        answer = UNKNOWN if has_unknown(arguments) else self._ask(InvokeCall(token, arguments, said, path))
        self._open = True
        wanted = below.get("return", ("", None))[1]
        if wanted is None or answer is UNKNOWN:
            return answer
        found = answer.get(wanted) if isinstance(answer, Mapping) else None
        return UNKNOWN if found is None else found

    def _two(self, argument: Any, path: KeyPath, of: str) -> tuple[Any, Any]:
        if not isinstance(argument, list) or len(argument) != 2:  # noqa: PLR2004
            raise self._source.fault(path, f"takes a list of two: {of}", "write [first, second]")
        return self.value(argument[0], (*path, 0)), self.value(argument[1], (*path, 1))

    def _kind(self, value: Any, wanted: type | tuple[type, ...], path: KeyPath, what: str) -> None:
        if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
            raise self._source.fault(path, f"is {type_noun(value)}, where {what} belongs", f"give {what}")

    def _join(self, argument: Any, path: KeyPath) -> Any:
        by, listed = self._two(argument, path, "what stands between, and a list of texts")
        if by is UNKNOWN or has_unknown(listed):
            return UNKNOWN
        self._kind("" if by is None else by, str, (*path, 0), "a text")
        self._kind(listed, list, (*path, 1), "a list")
        for at, each in enumerate(listed):
            self._kind(each, str, (*path, 1, at), "a text")
        self._charge(len(by or "") * len(listed) // 32, path)
        return (by or "").join(listed)

    def _split(self, argument: Any, path: KeyPath) -> Any:
        by, text = self._two(argument, path, "what stands between, and a text")
        if by is UNKNOWN or text is UNKNOWN:
            return UNKNOWN
        self._kind(by, str, (*path, 0), "a text")
        self._kind(text, str, (*path, 1), "a text")
        return text.split(by) if by else list(text)

    def _select(self, argument: Any, path: KeyPath) -> Any:
        at, listed = self._two(argument, path, "an index, and a list")
        if at is UNKNOWN or listed is UNKNOWN:
            return UNKNOWN
        self._kind(at, (int, float), (*path, 0), "a whole number")
        self._kind(listed, list, (*path, 1), "a list")
        index = _plain_number(at)
        if not isinstance(index, int) or not 0 <= index < len(listed):
            got = f"the index is {index}, and the list has {len(listed)} elements"
            raise self._source.fault((*path, 0), got, "count from 0")
        return listed[index]

    def _to_json(self, argument: Any, path: KeyPath) -> Any:
        value = self.value(argument, path)
        if has_unknown(value):
            return UNKNOWN
        return json.dumps(_plain(value), separators=(",", ":"), sort_keys=True, ensure_ascii=False)

    def _of_text(self, argument: Any, path: KeyPath, make: Callable[[str], Any]) -> Any:
        value = self.value(argument, path)
        if value is UNKNOWN:
            return UNKNOWN
        self._kind(value, str, path, "a text")
        return make(value)

    def _to_base64(self, argument: Any, path: KeyPath) -> Any:
        return self._of_text(argument, path, lambda text: base64.b64encode(text.encode()).decode())

    def _from_base64(self, argument: Any, path: KeyPath) -> Any:
        def decoded(text: str) -> str:
            try:
                return base64.b64decode(text.encode(), validate=True).decode()
            except (binascii.Error, ValueError):
                raise self._source.fault(path, "is no text in base64", "give one that is") from None

        return self._of_text(argument, path, decoded)

    def _sha1(self, argument: Any, path: KeyPath) -> Any:
        return self._of_text(
            argument, path, lambda text: hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
        )

    def _length(self, argument: Any, path: KeyPath) -> Any:
        value = self.value(argument, path)
        if value is UNKNOWN:
            return UNKNOWN
        self._kind(value, (str, list, dict), path, "a text, a list or a block")
        return len(value)

    def _single(self, argument: Any, path: KeyPath) -> Any:
        value = self.value(argument, path)
        if value is UNKNOWN:
            return UNKNOWN
        self._kind(value, list, path, "a list")
        if len(value) > 1:
            raise self._source.fault(path, f"the list has {len(value)} elements", "give one with one, or none")
        return value[0] if value else None

    def _resource(self, argument: Any, path: KeyPath) -> RegisteredResource:
        value = self.value(argument, path)
        if not isinstance(value, RegisteredResource):
            raise self._source.fault(path, f"is {type_noun(value)}, where a resource belongs", "refer to a resource")
        return value

    def _stack_output(self, argument: Any, path: KeyPath) -> Any:
        name, output = self._two(argument, path, "a stack, and the name of one of its outputs")
        self._kind(name, str, (*path, 0), "a text")
        found = self._stack(name)
        self._open = True
        return found.get(output, UNKNOWN) if isinstance(found, Mapping) else UNKNOWN

    def _file(self, argument: Any, path: KeyPath, limit: user_files.Limit) -> Any:
        """The bytes of a file of the project's."""
        named = self.value(argument, path)
        if named is UNKNOWN:
            return UNKNOWN
        self._kind(named, str, path, "a file's name")
        try:
            file = (self._folder / named).resolve()
            if not file.is_relative_to(self._root):
                remedy = f"keep the file below {self._root}"
                raise self._source.fault(path, f"{named} is outside of the project, and is not read", remedy)
            data = user_files.read_bytes(file, limit)
        except user_files.CannotRead as fault:
            raise self._source.fault(path, f"{named}: {fault.got}", fault.remedy) from None
        except (OSError, ValueError, RuntimeError):  # a name that no file can have, links that go in a circle
            raise self._source.fault(path, "is no name of a file", "name a file of the project") from None
        self._charge(len(data) // 1024, path)
        return data

    def _read_file(self, argument: Any, path: KeyPath) -> Any:
        data = self._file(argument, path, _TEXT_FILE)
        try:
            return data if data is UNKNOWN else data.decode()
        except UnicodeDecodeError:
            raise self._source.fault(path, "the file is no text in UTF-8", "read it by fn::fileBase64") from None

    def _file_base64(self, argument: Any, path: KeyPath) -> Any:
        data = self._file(argument, path, _TEXT_FILE)
        return data if data is UNKNOWN else base64.b64encode(data).decode()

    def _file_sha256(self, argument: Any, path: KeyPath) -> Any:
        data = self._file(argument, path, _ANY_FILE)
        return data if data is UNKNOWN else base64.b64encode(hashlib.sha256(data).digest()).decode()

    def _archive(self, argument: Any, path: KeyPath) -> Any:
        value = self.value(argument, path)
        if value is UNKNOWN:
            return UNKNOWN
        self._kind(value, dict, path, "a block of assets")
        return {SIGNATURE: _ARCHIVE, "assets": value}


def _asset(signature: str, by: str) -> Callable[[Evaluator, Any, KeyPath], Any]:
    """What stands for a file: its name is sent, and nobody reads it here."""

    def make(self: Evaluator, argument: Any, path: KeyPath) -> Any:
        return self._of_text(argument, path, lambda said: {SIGNATURE: signature, by: said})

    return make


_WRITTEN: Mapping[str, Callable[[Evaluator, Any, KeyPath], Any]] = {
    "fn::invoke": Evaluator._invoke,  # noqa: SLF001 - the table of its functions
    "fn::join": Evaluator._join,  # noqa: SLF001
    "fn::split": Evaluator._split,  # noqa: SLF001
    "fn::select": Evaluator._select,  # noqa: SLF001
    "fn::toJSON": Evaluator._to_json,  # noqa: SLF001
    "fn::toBase64": Evaluator._to_base64,  # noqa: SLF001
    "fn::fromBase64": Evaluator._from_base64,  # noqa: SLF001
    "fn::sha1": Evaluator._sha1,  # noqa: SLF001
    "fn::length": Evaluator._length,  # noqa: SLF001
    "fn::singleOrNone": Evaluator._single,  # noqa: SLF001
    "fn::secret": Evaluator.value,
    "fn::unsecret": Evaluator.value,
    "fn::readFile": Evaluator._read_file,  # noqa: SLF001
    "fn::fileBase64": Evaluator._file_base64,  # noqa: SLF001
    "fn::fileBase64Sha256": Evaluator._file_sha256,  # noqa: SLF001
    "fn::stringAsset": _asset(_ASSET, "text"),
    "fn::fileAsset": _asset(_ASSET, "path"),
    "fn::remoteAsset": _asset(_ASSET, "uri"),
    "fn::fileArchive": _asset(_ARCHIVE, "path"),
    "fn::remoteArchive": _asset(_ARCHIVE, "uri"),
    "fn::assetArchive": Evaluator._archive,  # noqa: SLF001
    "fn::stackReference": Evaluator._stack_output,  # noqa: SLF001
    "fn::pulumiResourceName": lambda self, argument, path: self._resource(argument, path).name,
    "fn::pulumiResourceType": lambda self, argument, path: self._resource(argument, path).type,
}
_FUNCTIONS = {name.lower(): function for name, function in _WRITTEN.items()}


def suggest_or(word: str, known: Iterable[str], otherwise: str) -> str:
    """What to do about a name that nobody knows."""
    near = closest_match(word, known)
    return f"did you mean '{near}'?" if near else otherwise


def as_sequence(value: Any) -> list[Any]:
    """One or several."""
    return value if isinstance(value, list) else [] if value is None else [value]


def size_and_depth(value: Any) -> tuple[int, int]:
    """How much a value is, references written out, and how deep."""
    if isinstance(value, str):
        return 1 + len(value) // 32, 0
    below = list(value.values()) if isinstance(value, Mapping) else value if isinstance(value, list) else []
    found = [size_and_depth(each) for each in below]
    return 1 + sum(each for each, _ in found), 1 + max((depth for _, depth in found), default=0) if found else 0


def type_noun(value: Any) -> str:
    """What a value is, in words."""
    if value is None:
        return "nothing"
    if value is UNKNOWN:
        return "not known yet"
    if isinstance(value, RegisteredResource):
        return "a resource"
    words = {bool: "true or false", str: "a text", list: "a list", int: "a number"}
    return next((words[each] for each in type(value).__mro__ if each in words), None) or (
        "a block of keys" if isinstance(value, Mapping) else "a number"
    )


def _plain_number(value: Any) -> Any:
    """A number as JSON has it: 3.0 is 3."""
    if not isinstance(value, float):
        return value
    return int(value) if value.is_integer() else float(value)


def _plain(value: Any) -> Any:
    """As JSON takes it. A resource stands there by its URN."""
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value.urn if isinstance(value, RegisteredResource) else _plain_number(value)
