"""Runs in the interpreter of another team's program, as a file. It may import pulumi, but nothing of Muster.

It sets up Pulumi's runtime as the engine's language host does (pulumi/pulumi
`sdk/python/cmd/pulumi-language-python-exec`, 3.260), also with older SDKs, runs the program, and writes the outcome to
a file. Its one argument is a JSON file with the request.
"""

import asyncio
import contextlib
import importlib.util
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
    # Muster writes its address once it listens. An empty line means that Muster has ended.
    request["address"] = sys.stdin.readline().strip()
    if not request["address"]:
        sys.exit("Muster has ended")
    _configure(pulumi, request)
    # With other SDK internals, the program ends at an invoke without an answer, and the SDK reports that.
    with contextlib.suppress(ImportError, AttributeError):
        _unknowns().answer_by_type(pulumi)
    # This file's folder must not be on the program's path.
    sys.path[:] = [each for each in sys.path if os.path.abspath(each) != os.path.dirname(os.path.abspath(__file__))]
    # The engine also puts the program's folder there, so that modules in it are found from everywhere.
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
    except BaseException as fault:  # noqa: BLE001 - whatever the program raises becomes its outcome
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
    """Sets the configuration and the addresses that this version of the SDK takes."""
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


def _unknowns() -> Any:
    """The module beside this file, loaded by its path: this folder is not on the program's path."""
    spec = importlib.util.spec_from_file_location(
        "_muster_unknowns", os.path.join(os.path.dirname(__file__), "unknowns.py")
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _version() -> Any:
    """The version of the SDK; None if its environment does not know it."""
    try:
        from importlib import metadata

        return metadata.version("pulumi")
    except Exception:  # noqa: BLE001 - the version is only for a message
        return None


def _place(fault: BaseException, root: str) -> Dict[str, Any]:
    """The innermost line of the project's code in an error's traceback; lines of the SDK and libraries do not count."""
    place: Dict[str, Any] = {}
    if isinstance(fault, SyntaxError) and fault.filename and fault.filename.startswith(root):
        return {"file": fault.filename, "line": fault.lineno}
    for frame in traceback.extract_tb(fault.__traceback__):
        name = os.path.abspath(frame.filename)
        if not frame.filename.startswith("<") and name.startswith(root + os.sep) and "site-packages" not in name:
            place = {"file": name, "line": frame.lineno}
    return place


def _finish(request: Dict[str, Any], outcome: Dict[str, Any]) -> None:
    """Writes the outcome, completely or not at all."""
    part = request["outcome"] + ".part"
    with open(part, "w", encoding="utf-8") as file:
        json.dump(outcome, file)
    os.replace(part, request["outcome"])
    sys.stdout.flush()
    sys.stderr.flush()
    # Threads of the program (a pool, gRPC's threads) must not delay Muster.
    os._exit(0)


if __name__ == "__main__":
    main()
