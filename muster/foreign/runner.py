"""Runs in another team's interpreter, as a file: it may import pulumi and nothing of Muster's.

It sets up Pulumi's runtime as the engine's language host does (pulumi/pulumi
`sdk/python/cmd/pulumi-language-python-exec`, 3.260), with older SDKs in mind, runs the program, and writes down how
that ended. One argument: a JSON file that says what to run, and where to write to.
"""

import asyncio
import collections.abc
import contextlib
import inspect
import json
import logging
import os
import runpy
import sys
import traceback
from typing import Any, Dict


def main() -> None:
    """Runs the program that the request names."""
    with open(sys.argv[1], encoding="utf-8") as file:
        request = json.load(file)
    outcome: Dict[str, Any] = {"python": sys.version.split()[0], "pulumi": None}
    try:
        import pulumi
        import pulumi.runtime
    except ImportError as fault:
        _finish(request, {**outcome, "ended": "no-pulumi", "says": str(fault)})
        return
    outcome["pulumi"] = _version()
    _configure(pulumi, request)
    # With an SDK that is built differently a question without an answer ends the program, which says so.
    with contextlib.suppress(ImportError, AttributeError):
        _answer_by_type(pulumi)
    # The folder of this file is none of the program's.
    sys.path[:] = [each for each in sys.path if os.path.abspath(each) != os.path.dirname(os.path.abspath(__file__))]
    # The engine puts the program's folder there, too: modules beside it are found from everywhere.
    sys.path.insert(0, request["folder"])
    sys.argv = [request["program"], *request["arguments"]]
    os.chdir(request["folder"])
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)

    ended: Dict[str, Any]

    def program() -> None:
        runpy.run_path(request["program"], run_name="__main__")

    try:
        loop.run_until_complete(pulumi.runtime.run_in_stack(program))
        ended = {"ended": "done"}
    except SystemExit as left:
        ended = {"ended": "done"} if left.code in (None, 0) else {"ended": "left", "says": str(left.code)}
    except pulumi.RunError as fault:
        ended = {"ended": "refused", "says": str(fault), **_place(fault, request["root"])}
    except BaseException as fault:  # noqa: BLE001 - whatever their program raises is told in words
        ended = {
            "ended": "raised",
            "type": type(fault).__name__,
            "module": fault.name if isinstance(fault, ModuleNotFoundError) else None,
            "says": str(fault),
            "trace": traceback.format_exc(),
            **_place(fault, request["root"]),
        }
    _finish(request, {**outcome, **ended})


def _configure(pulumi: Any, request: Dict[str, Any]) -> None:
    """Configuration and addresses, as far as this SDK takes them."""
    if hasattr(pulumi.runtime, "set_all_config"):
        pulumi.runtime.set_all_config(request["config"], request["secrets"])
    else:
        for key, value in request["config"].items():
            pulumi.runtime.set_config(key, value)
    settings = {
        "monitor": request["address"],
        "engine": request["address"],
        "project": request["project"],
        "stack": request["stack"],
        "parallel": 16,
        "dry_run": True,
        "organization": request["organization"],
        "root_directory": request["root"],
    }
    known = inspect.signature(pulumi.runtime.Settings.__init__).parameters
    pulumi.runtime.configure(pulumi.runtime.Settings(**{key: each for key, each in settings.items() if key in known}))


_MARK = "unknown-to-muster"
"""What stands in a text for a part that is not known: whatever has it is sent as unknown."""
_DEEP = 4


class _UnknownText(str):
    __slots__ = ()


class _UnknownNumber(int):
    pass


class _UnknownFloat(float):
    pass


class _UnknownList(list):  # type: ignore[type-arg]
    """A list of unknown length: sent as unknown, with an element at each index."""

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice) or not self:
            return super().__getitem__(index)
        return super().__getitem__(index % len(self))


class _UnknownMapping(dict):  # type: ignore[type-arg]
    """A mapping of unknown keys: sent as unknown, with a value at each."""

    def __missing__(self, key: Any) -> Any:
        return _text(key)

    def get(self, key: Any, default: Any = None) -> Any:  # noqa: ARG002 - the signature of dict
        return self[key]


_UNKNOWNS = (_UnknownText, _UnknownNumber, _UnknownFloat, _UnknownList, _UnknownMapping)


def _text(name: Any) -> str:
    return _UnknownText(f"{_MARK}-{name}")


def _answer_by_type(pulumi: Any) -> None:
    """Gives questions that have no answer, or a part of one, unknown values of the types that the SDK declares."""
    from pulumi import _types
    from pulumi.runtime import rpc

    serialize, ask = rpc.serialize_property, pulumi.runtime.invoke
    ask_output: Any = getattr(pulumi.runtime, "invoke_output", None)  # older SDKs have none

    async def serialize_property(value: Any, *more: Any, **named: Any) -> Any:
        if isinstance(value, _UNKNOWNS) or (isinstance(value, str) and _MARK in value):
            return rpc.UNKNOWN
        return await serialize(value, *more, **named)

    def invoke(tok: str, props: Any, opts: Any = None, typ: Any = None, *more: Any, **named: Any) -> Any:
        result = ask(tok, props, opts, typ, *more, **named)
        if typ is None:
            result.value = _UnknownMapping(value=_text("value")) if result.value is None else result.value
        else:
            result.value = _filled(_types, typ, result.value, props)
        return result

    def invoke_output(tok: str, props: Any, opts: Any = None, typ: Any = None, *more: Any, **named: Any) -> Any:
        out = ask_output(tok, props, opts, typ, *more, **named)
        return out if typ is None else out.apply(lambda value: _filled(_types, typ, value, props))

    rpc.serialize_property = serialize_property
    pulumi.runtime.invoke = invoke
    if ask_output is not None:
        pulumi.runtime.invoke_output = invoke_output


def _filled(types: Any, typ: Any, value: Any, props: Any) -> Any:
    """A result with unknown values where it has none; what was asked for is repeated, as providers do."""
    fields = {}
    for name, (python, of) in _fields(types, typ).items():
        found = None if value is None else types.get(value, python)
        asked = props.get(name) if isinstance(props, dict) else None
        if found is None and isinstance(asked, (str, int, float, bool)):
            found = asked
        fields[python] = _unknown(types, of, python, 0) if found is None else found
    return typ(**fields)


def _fields(types: Any, typ: Any) -> Dict[str, Any]:
    """Pulumi name -> Python name and type."""
    kinds = types.output_type_types(typ)
    return {name: (python, kinds.get(name)) for python, name, _ in types._py_properties(typ)}  # noqa: SLF001 - only it has both names


def _unknown(types: Any, typ: Any, name: str, depth: int) -> Any:
    """An unknown value of a type; None of one that no value can stand for."""
    typ = types.unwrap_type(typ) if typ is not None else None
    origin = getattr(typ, "__origin__", None)
    below = getattr(typ, "__args__", None) or (None,)
    if origin in (list, collections.abc.Sequence):
        return _UnknownList(_unknown(types, below[0], f"{name}-{at}", depth + 1) for at in range(2))
    if origin in (dict, collections.abc.Mapping):
        return _UnknownMapping()
    simple: Dict[Any, Any] = {str: lambda: _text(name), int: lambda: _UnknownNumber(1), float: lambda: _UnknownFloat(1)}
    if typ in simple:
        return simple[typ]()
    if isinstance(typ, type) and types.is_output_type(typ) and depth < _DEEP:
        each = _fields(types, typ).values()
        return typ(**{python: _unknown(types, of, f"{name}-{python}", depth + 1) for python, of in each})
    return None


def _version() -> Any:
    """The version of their SDK, where its environment says it."""
    try:
        from importlib import metadata

        return metadata.version("pulumi")
    except Exception:  # noqa: BLE001 - it is only told
        return None


def _place(fault: BaseException, root: str) -> Dict[str, Any]:
    """The last line of their own code on the way to an error: not the SDK's, nor a library's."""
    place: Dict[str, Any] = {}
    if isinstance(fault, SyntaxError) and fault.filename and fault.filename.startswith(root):
        return {"file": fault.filename, "line": fault.lineno}
    for frame in traceback.extract_tb(fault.__traceback__):
        name = os.path.abspath(frame.filename)
        if not frame.filename.startswith("<") and name.startswith(root + os.sep) and "site-packages" not in name:
            place = {"file": name, "line": frame.lineno}
    return place


def _finish(request: Dict[str, Any], outcome: Dict[str, Any]) -> None:
    """Writes how it ended, whole or not at all."""
    part = request["outcome"] + ".part"
    with open(part, "w", encoding="utf-8") as file:
        json.dump(outcome, file)
    os.replace(part, request["outcome"])
    sys.stdout.flush()
    sys.stderr.flush()
    # Threads of theirs (a pool, gRPC's) keep no judge waiting.
    os._exit(0)


if __name__ == "__main__":
    main()
