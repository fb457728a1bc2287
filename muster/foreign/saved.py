"""What the engine saved of a program in any language: a plan, a state, a preview; and what `muster plan` printed.

Formats are told apart by what is in the file (pulumi/pulumi `sdk/go/common/apitype/{plan,deployments,events}.go`,
3.260).
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.unknown import UNKNOWN
from muster.foreign.values import saved
from muster.foreign.words import CannotBeRead
from muster.offline.gaps import Gap
from muster.offline.outputs import computed

TAKEN = (
    "a saved plan (`pulumi preview --save-plan FILE`), a state (`pulumi stack export`), a preview (`pulumi preview "
    "--json`), or a plan of Muster's (`muster plan STACK --json`)"
)
_STATE_VERSION = 3
_STACK = "pulumi:pulumi:Stack"
_GONE = frozenset(
    {"delete", "delete-replaced", "discard", "discard-replaced", "read-discard", "remove-pending-replace"}
)
_KEEPING = frozenset({"same", "update"})
_MAKING = frozenset({"create", "create-replacement"})
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


def read(file: Path) -> Saved:
    """Reads a saved file.

    Raises:
        CannotBeRead: it cannot be read, is no JSON, or nothing that is taken here.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as fault:
        raise CannotBeRead(f"{file}: cannot be read: {fault.strerror}; give {TAKEN}") from None
    except UnicodeDecodeError as fault:
        raise CannotBeRead(f"{file}: byte {fault.start} is not UTF-8; give {TAKEN}") from None
    try:
        data = json.loads(text)
    except json.JSONDecodeError as fault:
        place, lines = f"{file}:{fault.lineno}:{fault.colno}", text.splitlines()
        if fault.msg == "Extra data" and len(lines) > 1 and lines[0].startswith("{"):
            raise CannotBeRead(f"{place}: one JSON document a line, as events are; `muster report --events`") from None
        raise CannotBeRead(f"{place}: is not JSON, or not all of it: {fault.msg}; save it again, as {TAKEN}") from None
    except RecursionError:
        raise CannotBeRead(f"{file}:1:1: is nested too deeply to be read; give {TAKEN}") from None
    for is_it, reader in _READERS:
        if isinstance(data, dict) and is_it(data):
            try:
                return reader(data, file)
            except (KeyError, TypeError, AttributeError, ValueError) as fault:
                said = f"{type(fault).__name__}: {fault}"
                raise CannotBeRead(f"{file}: begins as one, and then has not its form ({said}); give {TAKEN}") from None
    found = f"has {_keys(data)}" if isinstance(data, dict) else f"is a {type(data).__name__}"
    raise CannotBeRead(f"{file}:1:1: {found}; give {TAKEN}")


def _keys(data: Mapping[str, Any]) -> str:
    return ", ".join(f"'{key}'" for key in list(data)[:4]) or "nothing in it"


def _plan(data: Mapping[str, Any], file: Path) -> Saved:
    """A plan has of a resource that exists only what changes of its inputs: too little to judge it by. Its outputs are
    no inputs (a provider fills in both of two settings that exclude each other)."""
    found, gaps = [], []
    for urn, each in data["resourcePlans"].items():
        goal, steps = each.get("goal"), set(each.get("steps") or ())
        if goal is None or (steps and steps <= _GONE | _READ):
            continue
        made = bool(steps & _MAKING)
        if goal.get("custom", False) and not made and goal["type"] not in _WHOLE:
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
    if data["version"] < _STATE_VERSION:
        raise ValueError(f"version {data['version']}, which Pulumi of today does not write")
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


_REGION = re.compile(r"\barn:aws[a-z-]*:[a-z0-9-]+:([a-z]{2}(?:-[a-z]+)+-\d):")


def _muster_plan(data: Mapping[str, Any], file: Path) -> Saved:
    """What the offline monitor computed is computed again: it follows from the URN."""
    told = _REGION.search(json.dumps(data["resources"]))
    region = told[1] if told else None
    found = []
    for each in data["resources"]:
        inputs = saved(each["inputs"])
        known = computed(each["urn"], each["type"], each["name"], inputs, region or "us-east-1")
        found.append(_registration(each, inputs, {**inputs, **known}, each["id"]))
    return _together(file, found, [], region)


_READERS: tuple[tuple[Callable[[Mapping[str, Any]], bool], Callable[[Mapping[str, Any], Path], Saved]], ...] = (
    (lambda data: isinstance(data.get("resourcePlans"), dict), _plan),
    (lambda data: "deployment" in data and isinstance(data.get("version"), int), _state),
    (lambda data: isinstance(data.get("steps"), list) and "changeSummary" in data, _preview),
    (lambda data: {"contract", "backend", "resources", "nodes"} <= data.keys(), _muster_plan),
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
    return Saved(stack, listed, tuple(sorted({*gaps, *_unseen(listed)})), region)


def _unseen(listed: tuple[Registration, ...]) -> Iterator[Gap]:
    """A file without resources is no pass."""
    if not any(each.type != _STACK for each in listed):
        yield Gap("resources", "there is none in it, so there is nothing to judge")
