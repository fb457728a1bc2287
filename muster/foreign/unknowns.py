"""Placeholders for unknown values, created in the interpreter of another team's program, beside `runner.py`.

Each has the type that the SDK declares, so that the program can continue with it, and is sent as unknown, also if it is
part of a text. Python's Booleans, lengths and numbers cannot be unknown: a program reads them as one value.
"""

import base64
import collections.abc
import json
import re
import sys
from typing import Any, Callable, Dict

_MARK = "unknown-to-muster"
"""Marks an unknown part of a text. A text with this mark is sent as unknown."""
_BARE = _MARK.replace("-", "")
"""The same mark for programs that read a text letter by letter."""
_ADDRESSES = "240.7.0.0/16"
"""The placeholder of a CIDR block, because programs divide these. No network uses it: 240.0.0.0/4 is reserved (RFC
1112, section 4)."""
_DEEP = 4
_FEW = 2
"""The elements of a list of unknown length."""


def _in_base64(text: str) -> "list[str]":
    """A text within base64, for each position at which it can begin: the letters that do not depend on adjacent
    text."""
    places = ((before, base64.b64encode(b"\0" * before + text.encode()).decode()) for before in range(3))
    return [re.escape(encoded[-(-before * 4 // 3) : len(text.encode()) * 4 // 3 - 1]) for before, encoded in places]


_MARKED = re.compile(
    "|".join([r"(?i:unknown[-_. ]?to[-_. ]?muster)", r"\b240\.7\.\d{1,3}\.\d{1,3}\b", *_in_base64(_MARK)])
)


def is_unknown(value: Any) -> bool:
    """Whether a value is a placeholder, or a text that contains one."""
    return isinstance(value, _UNKNOWNS) or (isinstance(value, str) and _MARKED.search(value) is not None)


class _UnknownText(str):
    """An unknown text. Its parts are also unknown, however the program splits it."""

    __slots__ = ()

    def __getitem__(self, _index: Any) -> str:
        return _UnknownText(self)

    def __iter__(self) -> Any:
        return iter([_UnknownText(_BARE)] * _FEW)

    def get(self, _key: Any, _default: Any = None) -> str:
        """A JSON text is read as a mapping."""
        return _UnknownText(self)

    def _split(self, parts: Any) -> Any:
        texts = [_UnknownText(each if is_unknown(each) else self) for each in parts]
        return _UnknownList(lambda at: texts[at] if at < len(texts) else _UnknownText(self), max(len(texts), _FEW))

    def split(self, *how: Any, **more: Any) -> Any:
        return self._split(str.split(self, *how, **more))

    def rsplit(self, *how: Any, **more: Any) -> Any:
        return self._split(str.rsplit(self, *how, **more))

    def splitlines(self, *how: Any, **more: Any) -> Any:
        return self._split(str.splitlines(self, *how, **more))

    def partition(self, sep: str) -> Any:
        return (_UnknownText(self), sep, _UnknownText(self))

    rpartition = partition


class _Number:
    """Prints as an unknown text."""

    def __repr__(self) -> str:
        return _MARK

    def __format__(self, _how: str) -> str:
        return _MARK

    __str__ = __repr__


class _UnknownNumber(_Number, int):
    pass


class _UnknownFloat(_Number, float):
    pass


class _UnknownFlag(_UnknownNumber):
    """An unknown Boolean. It counts as false: the SDKs accept nothing but `True` and `False`."""


_ARITHMETIC = [
    *(f"__{way}{name}__" for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow") for way in ("", "r")),
    *(f"__{name}__" for name in ("neg", "pos", "abs", "round", "ceil", "floor", "trunc")),
]


def _computed(kind: Any, name: str) -> Callable[..., Any]:
    def compute(self: Any, *others: Any) -> Any:
        result = getattr(kind, name)(self, *others)
        if result is NotImplemented and others and isinstance(others[0], float):
            result = getattr(float, name)(float(self), *others)
        if isinstance(result, int):
            return _UnknownNumber(result)
        return _UnknownFloat(result) if isinstance(result, float) else result

    return compute


for _of, _kind in ((_UnknownNumber, int), (_UnknownFloat, float)):
    for _name in _ARITHMETIC:
        if hasattr(_kind, _name):
            setattr(_of, _name, _computed(_kind, _name))


class _UnknownList(list):  # type: ignore[type-arg]
    """A list of unknown length, with a different element at each index."""

    def __init__(self, make: Callable[[int], Any], count: int = _FEW) -> None:
        super().__init__(make(at) for at in range(count))
        self._make = make

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            first, step = index.start or 0, index.step or 1
            count = len(range(first, index.stop, step)) if index.stop is not None and step > 0 else _FEW
            return _UnknownList(lambda at: self[first + at * step], count)
        return list.__getitem__(self, index) if -len(self) <= index < len(self) else self._make(abs(index))


class _UnknownMapping(dict):  # type: ignore[type-arg]
    """A mapping with unknown keys, which has a value for every key, also as an attribute."""

    def __missing__(self, key: Any) -> Any:
        return _text(key)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def get(self, key: Any, default: Any = None) -> Any:  # noqa: ARG002 - the signature of dict
        return self[key]


class _PartlyKnown(dict):  # type: ignore[type-arg]
    """A mapping that has unknown values for all other keys."""

    def __missing__(self, key: Any) -> Any:
        return _text(key)


_UNKNOWNS = (_UnknownText, _UnknownNumber, _UnknownFloat, _UnknownList, _UnknownMapping)


def _text(name: Any) -> str:
    """A placeholder that depends on the property's name: programs split ARNs and CIDR blocks."""
    if "cidr" in str(name) and "ipv6" not in str(name):
        return _ADDRESSES
    if re.search(r"(^|_)arns?(-\d+)?$", str(name)):
        return _UnknownText(f"arn:aws:{_MARK}:{_MARK}:{_MARK}:{_MARK}/{_MARK}-{name}")
    return _UnknownText(f"{_MARK}-{name}")


def answer_by_type(pulumi: Any) -> None:
    """Completes answers that are missing, fully or in part, by unknown values of the types that the SDK declares."""
    from pulumi import _types
    from pulumi.runtime import rpc

    serialize, ask = rpc.serialize_property, pulumi.runtime.invoke
    ask_output: Any = getattr(pulumi.runtime, "invoke_output", None)  # older SDKs have none

    async def serialize_property(value: Any, *more: Any, **named: Any) -> Any:
        if is_unknown(value) or (isinstance(value, str) and rpc.UNKNOWN in value):
            return rpc.UNKNOWN
        return await serialize(value, *more, **named)

    def invoke(tok: str, props: Any, opts: Any = None, typ: Any = None, *more: Any, **named: Any) -> Any:
        result = ask(tok, props, opts, typ, *more, **named)
        _teach_yaml()
        if typ is None:
            result.value = _answered(result.value)
        else:
            result.value = _filled(_types, typ, result.value, props)
        return result

    def invoke_output(tok: str, props: Any, opts: Any = None, typ: Any = None, *more: Any, **named: Any) -> Any:
        out = ask_output(tok, props, opts, typ, *more, **named)
        _teach_yaml()
        return out if typ is None else out.apply(lambda value: _filled(_types, typ, value, props))

    rpc.serialize_property = serialize_property
    pulumi.runtime.invoke = invoke
    ask.__globals__["invoke"] = invoke  # `invoke_single` of the SDK calls it
    if ask_output is not None:
        pulumi.runtime.invoke_output = invoke_output
        ask.__globals__["invoke_output"] = invoke_output
    _teach_json()


def _teach_json() -> None:
    """Makes JSON functions read an unknown text as an unknown mapping, and write an unknown number as unknown, not
    1."""
    loads, dumps, decode = json.loads, json.dumps, base64.b64decode

    def read(text: Any, *how: Any, **more: Any) -> Any:
        try:
            return loads(text, *how, **more)
        except ValueError:
            if not is_unknown(text):
                raise
            return _UnknownMapping()

    def write(value: Any, *how: Any, **more: Any) -> str:
        return dumps(_worded(value), *how, **more)

    def decoded(text: Any, *how: Any, **more: Any) -> bytes:
        return f"{_MARK}:{_MARK}".encode() if is_unknown(text) else decode(text, *how, **more)

    for module, name, taught in ((json, "loads", read), (json, "dumps", write), (base64, "b64decode", decoded)):
        setattr(module, name, taught)


def _worded(value: Any) -> Any:
    """Plain data in which unknown numbers, lists and mappings are replaced by the text that marks unknowns."""
    if isinstance(value, (_Number, _UnknownList, _UnknownMapping)):
        return _MARK
    if type(value) is dict:
        return {key: _worded(each) for key, each in value.items()}
    return [_worded(each) for each in value] if type(value) in (list, tuple) else value


def _teach_yaml() -> None:
    """Registers the unknown values with PyYAML, which cannot write them otherwise."""
    yaml: Any = sys.modules.get("yaml")
    for name in ("Dumper", "SafeDumper", "CDumper", "CSafeDumper"):
        if hasattr(yaml, name):
            for each in (*_UNKNOWNS, _UnknownFlag):
                getattr(yaml, name).add_representer(each, _represented)


def _represented(dumper: Any, value: Any) -> Any:
    return dumper.represent_str(str(value) if isinstance(value, str) else _MARK)


def _answered(value: Any) -> Any:
    """A result without a declared type."""
    if value is None:
        return _UnknownMapping(value=_text("value"))
    return _PartlyKnown(value) if type(value) is dict else value


def _filled(types: Any, typ: Any, value: Any, props: Any) -> Any:
    """A result with placeholders for missing values. Arguments are repeated in it, as providers do."""
    fields = {}
    for name, (python, of) in _fields(types, typ).items():
        found = None if value is None else types.get(value, python)
        argument = props.get(name) if isinstance(props, dict) else None
        if found is None and isinstance(argument, (str, int, float, bool)):
            found = argument
        fields[python] = _unknown(types, of, python, 0) if found is None else found
    return typ(**fields)


def _fields(types: Any, typ: Any) -> Dict[str, Any]:
    """Pulumi name -> Python name and type."""
    kinds = types.output_type_types(typ)
    return {name: (python, kinds.get(name)) for python, name, _ in types._py_properties(typ)}  # noqa: SLF001 - only it has both names


def _unknown(types: Any, typ: Any, name: str, depth: int) -> Any:
    """A placeholder of a type; a text if the type is unknown."""
    typ = types.unwrap_type(typ) if typ is not None else None
    origin = getattr(typ, "__origin__", None)
    below = getattr(typ, "__args__", None) or (None,)
    if origin in (list, collections.abc.Sequence):
        return _UnknownList(lambda at: _unknown(types, below[0], f"{name}-{at}", depth + 1))
    if origin in (dict, collections.abc.Mapping):
        return _UnknownMapping()
    simple: Dict[Any, Any] = {
        bool: lambda: _UnknownFlag(0),
        int: lambda: _UnknownNumber(1),
        float: lambda: _UnknownFloat(1),
    }
    if typ in simple:
        return simple[typ]()
    if isinstance(typ, type) and types.is_output_type(typ):
        if depth >= _DEEP:  # some types contain themselves
            return _UnknownMapping()
        each = _fields(types, typ).values()
        return typ(**{python: _unknown(types, of, f"{name}-{python}", depth + 1) for python, of in each})
    return _text(name)
