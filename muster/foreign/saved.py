"""What the engine saved of a program in any language: a plan, a state, a preview; and what `muster plan` printed.

Formats are told apart by what is in the file (pulumi/pulumi `sdk/go/common/apitype/{plan,deployments,events}.go`,
3.260).
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from muster.fleet.document import parse, place_in_json
from muster.fleet.dotted import Path_, dotted
from muster.fleet.registration import Registration
from muster.fleet.unknown import UNKNOWN
from muster.foreign.values import saved
from muster.foreign.words import CannotBeRead
from muster.offline.gaps import Gap, nothing_in
from muster.offline.outputs import computed

TAKEN = (
    "a saved plan (`pulumi preview --save-plan FILE`), a state (`pulumi stack export`), a preview (`pulumi preview "
    "--json`), or a plan of Muster's (`muster plan STACK --json`)"
)
_STDIN = "-"
_STATE_VERSION = 3
_PARTS = 4
"""Of a URN: the stack, the project, the chain of types, the name."""
_GONE = frozenset(
    {"delete", "delete-replaced", "discard", "discard-replaced", "read-discard", "remove-pending-replace"}
)
_KEEPING = frozenset({"same", "update"})
_MADE_ANEW = ["create"]
_WHOLE = frozenset({"pulumi:providers:aws", "pulumi:providers:aws-native"})
"""Of these the Region is asked, and what a provider is told is what it answers."""
_WITH_SAMES = "judge `pulumi preview --json --show-sames`"
_READ = frozenset({"read", "read-replacement", "refresh"})


@dataclass(frozen=True, slots=True)
class Saved:
    """What a file holds."""

    stack: str
    """The stack's name, as its URNs have it."""
    registrations: tuple[Registration, ...]
    """Sorted by URN."""
    gaps: tuple[Gap, ...]
    region: str | None = None
    own: str | None = None
    """The stack of Muster's own that it is a plan of; there its facts are, too."""


def read(file: Path) -> Saved:
    """Reads a saved file; ``-`` is stdin.

    Raises:
        CannotBeRead: it cannot be read, is no JSON, or nothing that is taken here.
    """
    text, file = _text(file), named(file)
    try:
        data = json.loads(text)
    except json.JSONDecodeError as fault:
        at, lines = place_in_json(fault), text.splitlines()
        place = f"{file}:{at.line}:{at.column}"
        if fault.msg == "Extra data" and len(lines) > 1 and lines[0].startswith("{"):
            raise CannotBeRead(f"{place}: one JSON document a line, as events are; `muster report --events`") from None
        raise CannotBeRead(f"{place}: is not JSON, or not all of it: {fault.msg}; save it again, as {TAKEN}") from None
    except RecursionError:
        raise CannotBeRead(f"{file}:1:1: is nested too deeply to be read; give {TAKEN}") from None
    for is_it, fault_in, reader in _READERS:
        if isinstance(data, dict) and is_it(data):
            if wrong := next(fault_in(data), None):
                raise CannotBeRead(f"{_place(text, file, wrong.path)}: {wrong}; give {TAKEN}")
            return reader(data, file)
    found = f"has {_keys(data)}" if isinstance(data, dict) else f"is a {type(data).__name__}"
    raise CannotBeRead(f"{file}:1:1: {found}; give {TAKEN}")


def named(file: Path) -> Path:
    """What a file is called in words."""
    return Path("stdin") if str(file) == _STDIN else file


def _text(file: Path) -> str:
    try:
        data = sys.stdin.buffer.read() if str(file) == _STDIN else file.read_bytes()
        return data.decode()
    except UnicodeDecodeError as fault:
        raise CannotBeRead(f"{named(file)}: byte {fault.start} is not UTF-8; give {TAKEN}") from None
    except (OSError, ValueError) as fault:  # a name that no file can have, a stdin that is closed
        said = getattr(fault, "strerror", None) or fault
        raise CannotBeRead(f"{named(file)}: cannot be read: {said}; give {TAKEN}") from None


def _keys(data: Mapping[str, Any]) -> str:
    return ", ".join(f"'{key}'" for key in list(data)[:4]) or "nothing in it"


def _plan(data: Mapping[str, Any], file: Path) -> Saved:
    """A plan has of a resource that exists only what changes of its inputs: too little to judge it by. Its outputs are
    no inputs (a provider fills in both of two settings that exclude each other)."""
    found, gaps = [], []
    for urn, each in data["resourcePlans"].items():
        goal, steps = each.get("goal"), list(each.get("steps") or ())
        if goal is None or (steps and set(steps) <= _GONE | _READ):
            continue
        # A replacement is no creation here: its inputs are a difference, too, and there are no outputs to fill it up.
        if goal.get("custom", False) and steps != _MADE_ANEW and goal["type"] not in _WHOLE:
            gaps.append(Gap(urn, f"a plan has only what changes of it: {_WITH_SAMES}"))
            continue
        inputs = saved((goal.get("inputDiff") or {}).get("adds") or {})
        state = saved(each.get("state") or {})
        found.append(_registration({**goal, "urn": urn}, inputs or state, state, UNKNOWN))
    return _together(file, found, gaps, _configured(data))


def _configured(data: Mapping[str, Any]) -> str | None:
    """The Region that the stack's configuration names: of default providers a preview shows nothing."""
    said = data.get("config") or {}
    return next((value for key in ("aws:region", "aws-native:region") if isinstance(value := said.get(key), str)), None)


def _state(data: Mapping[str, Any], file: Path) -> Saved:
    listed = (data.get("deployment") or {}).get("resources") or []
    found = [
        _registration(each, saved(each.get("inputs") or {}), saved(each.get("outputs") or {}), each.get("id", ""))
        for each in listed
        if not each.get("delete") and not each.get("external")
    ]
    return _together(file, found, [])


def _preview(data: Mapping[str, Any], file: Path) -> Saved:
    found, gaps = {}, []
    for step in data["steps"]:
        state = step.get("newState")
        if state is None or step["op"] in _GONE | _READ or state.get("external"):
            continue
        inputs, outputs = saved(state.get("inputs") or {}), saved(state.get("outputs") or {})
        before = step.get("oldState") or {}
        id_ = state.get("id") or (before.get("id") if step["op"] in _KEEPING else None) or UNKNOWN
        if step["op"] in _KEEPING and not outputs:
            outputs = saved(before.get("outputs") or {})
        found[step["urn"]] = _registration(state, inputs, {**inputs, **outputs}, id_)
    counted = (data.get("changeSummary") or {}).get("same", 0)
    missing = counted - sum(step["op"] == "same" for step in data["steps"])
    if missing > 0:
        gaps.append(Gap(str(file), f"{missing} resources that do not change are not in it: {_WITH_SAMES}"))
    for each in data.get("diagnostics") or []:
        if each.get("severity") == "error":
            said = " ".join(str(each.get("message", "")).split())
            gaps.append(Gap(str(file), f"the preview ended with an error, so more may be missing: {said[:160]}"))
            break
    return _together(file, list(found.values()), gaps, _configured(data))


def _muster_plan(data: Mapping[str, Any], file: Path) -> Saved:
    """What the offline monitor computed is computed again: it follows from the URN."""
    region = data.get("region")
    found = []
    for each in data["resources"]:
        inputs = saved(each["inputs"])
        known = computed(each["urn"], each["type"], each["name"], inputs, region or "us-east-1")
        found.append(_registration(each, inputs, {**inputs, **known}, each["id"]))
    return replace(_together(file, found, [], region), own=data["stack"])


_OPTIONAL = {
    "inputs": Mapping,
    "outputs": Mapping,
    "propertyDependencies": Mapping,
    "dependencies": list,
    "provider": str,
    "parent": str,
}
"""What is read of a resource where it is there, and what it is then."""
_IN_WORDS = {Mapping: "an object", list: "a list", str: "text", int: "a number"}


@dataclass(frozen=True, slots=True)
class _Fault:
    """Where a file has not the form that it begins with."""

    path: Path_
    said: str

    def __str__(self) -> str:
        return f"{dotted(self.path) or 'it'} {self.said}"


def _wrong(value: Any, path: Path_, wanted: Mapping[str, type], optional: Mapping[str, type]) -> Iterator[_Fault]:
    """What an object lacks, or has of another kind."""
    if not isinstance(value, Mapping):
        yield _Fault(path, f"is {_kind(value)}, where an object stands")
        return
    for key, kind in {**optional, **wanted}.items():
        given = value.get(key)
        if given is None and key in wanted:
            yield _Fault(path, f"has no '{key}'")
        elif given is not None and not isinstance(given, kind):
            yield _Fault((*path, key), f"is {_kind(given)}, where {_IN_WORDS[kind]} stands")


def _kind(value: Any) -> str:
    return next((words for kind, words in _IN_WORDS.items() if isinstance(value, kind)), json.dumps(value))


def _resource(value: Any, path: Path_, more: Mapping[str, type] | None = None) -> Iterator[_Fault]:
    yield from _wrong(value, path, {"urn": str, "type": str, **(more or {})}, _OPTIONAL)
    if isinstance(value, Mapping) and isinstance(urn := value.get("urn"), str) and len(urn.split("::", 3)) < _PARTS:
        yield _Fault((*path, "urn"), "is no URN: urn:pulumi:STACK::PROJECT::TYPE::NAME")
    below = value.get("propertyDependencies") if isinstance(value, Mapping) else None
    for key, urns in (below if isinstance(below, Mapping) else {}).items():
        if not isinstance(urns, list):
            yield _Fault((*path, "propertyDependencies", key), f"is {_kind(urns)}, where a list stands")


def _faults_of_plan(data: Mapping[str, Any]) -> Iterator[_Fault]:
    yield from _wrong(data, (), {}, {"config": Mapping})
    for urn, each in data["resourcePlans"].items():
        path: Path_ = ("resourcePlans", urn)
        yield from _wrong(each, path, {}, {"goal": Mapping, "steps": list, "state": Mapping})
        if isinstance(each, Mapping) and isinstance(goal := each.get("goal"), Mapping):
            yield from _resource({**goal, "urn": urn}, (*path, "goal"))
            yield from _wrong(goal, (*path, "goal"), {}, {"inputDiff": Mapping})
            if isinstance(made := goal.get("inputDiff"), Mapping):
                yield from _wrong(made, (*path, "goal", "inputDiff"), {}, {"adds": Mapping})


def _faults_of_state(data: Mapping[str, Any]) -> Iterator[_Fault]:
    if data["version"] < _STATE_VERSION:
        yield _Fault(("version",), f"is {data['version']}, which Pulumi of today does not write")
    yield from _wrong(data, (), {}, {"deployment": Mapping})
    if isinstance(deployment := data.get("deployment"), Mapping):
        yield from _wrong(deployment, ("deployment",), {}, {"resources": list})
        listed = deployment.get("resources")
        for index, each in enumerate(listed if isinstance(listed, list) else []):
            yield from _resource(each, ("deployment", "resources", index))


def _faults_of_preview(data: Mapping[str, Any]) -> Iterator[_Fault]:
    yield from _wrong(data, (), {}, {"changeSummary": Mapping, "config": Mapping, "diagnostics": list})
    for index, each in enumerate(data["steps"]):
        path: Path_ = ("steps", index)
        yield from _wrong(each, path, {"op": str, "urn": str}, {"oldState": Mapping, "newState": Mapping})
        if isinstance(each, Mapping) and each.get("newState") is not None:
            yield from _resource(each["newState"], (*path, "newState"))
    said = data.get("diagnostics")
    for index, each in enumerate(said if isinstance(said, list) else []):
        yield from _wrong(each, ("diagnostics", index), {}, {})


def _faults_of_muster_plan(data: Mapping[str, Any]) -> Iterator[_Fault]:
    yield from _wrong(data, (), {"stack": str, "resources": list}, {"region": str})
    listed = data["resources"]
    for index, each in enumerate(listed if isinstance(listed, list) else []):
        wanted: dict[str, Any] = {"name": str, "inputs": Mapping, "id": str}
        yield from _resource(each, ("resources", index), wanted)


def _place(text: str, file: Path, path: Path_) -> str:
    """A place in the file; read once more for it, by what remembers lines."""
    at = parse(text, file).position(path)
    return f"{file}:{at.line}:{at.column}" if at else str(file)


_Data = Mapping[str, Any]
_READERS: tuple[
    tuple[Callable[[_Data], bool], Callable[[_Data], Iterator[_Fault]], Callable[[_Data, Path], Saved]], ...
] = (
    (lambda data: isinstance(data.get("resourcePlans"), dict), _faults_of_plan, _plan),
    (lambda data: "deployment" in data and isinstance(data.get("version"), int), _faults_of_state, _state),
    (lambda data: isinstance(data.get("steps"), list) and "changeSummary" in data, _faults_of_preview, _preview),
    (lambda data: {"contract", "backend", "resources", "nodes"} <= data.keys(), _faults_of_muster_plan, _muster_plan),
)


def _registration(
    of: Mapping[str, Any], inputs: Mapping[str, Any], outputs: Mapping[str, Any], id_: Any
) -> Registration:
    """A resource, by the names that all of the engine's forms share."""
    urn = of["urn"]
    below = of.get("propertyDependencies") or {}
    provider = of.get("provider")
    return Registration(
        urn=urn,
        type=of["type"],
        name=urn.split("::", 3)[3],
        inputs=inputs,
        parent=of.get("parent") or "",
        custom=bool(of.get("custom", False)),
        id=saved(id_),
        outputs=outputs,
        dependencies=tuple(sorted(of.get("dependencies") or ())),
        property_dependencies={key: tuple(sorted(urns)) for key, urns in below.items() if urns},
        options={"provider": provider} if provider else {},
    )


def _together(file: Path, found: list[Registration], gaps: list[Gap], region: str | None = None) -> Saved:
    listed = tuple(sorted(found, key=lambda each: each.urn))
    names = {each.urn.split("::")[0].removeprefix("urn:pulumi:") for each in listed}
    stack = min(names) if names else file.stem
    return Saved(stack, listed, tuple(sorted({*gaps, *nothing_in(listed)})), region)
