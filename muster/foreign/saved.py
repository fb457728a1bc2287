"""What the engine saved of a program in any language: a plan, a state, a preview; and what `muster plan` printed.

Formats are told apart by what is in the file (pulumi/pulumi `sdk/go/common/apitype/{plan,deployments,events}.go`,
3.260).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from muster import user_files
from muster.fleet.form import Form, Malformed, formed
from muster.fleet.json_text import NotJson, load, place
from muster.fleet.registration import Registration
from muster.fleet.unknown import UNKNOWN
from muster.foreign.forms import Kin, MusterPlan, Plan, Preview, State
from muster.foreign.values import saved
from muster.foreign.words import CannotBeRead
from muster.offline.gaps import Gap, nothing_in
from muster.offline.outputs import computed

TAKEN = (
    "a saved plan (`pulumi preview --save-plan FILE`), a state (`pulumi stack export`), a preview (`pulumi preview "
    "--json`), or a plan of Muster's (`muster plan STACK --json`)"
)
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
    shown = named(file)
    try:
        text = user_files.read_text(file, user_files.SAVED)
        data = load(text)
    except user_files.CannotRead as fault:
        raise CannotBeRead(f"{shown}: {fault.got}; {fault.remedy}; give {TAKEN}") from None
    except NotJson as fault:
        where = f"{shown}:{fault.position.line}:{fault.position.column}"
        lines = text.split("\n", 1)
        if fault.problem.endswith("Extra data") and len(lines) > 1 and lines[0].startswith("{"):
            raise CannotBeRead(f"{where}: one JSON document a line, as events are; `muster report --events`") from None
        raise CannotBeRead(f"{where}: {fault.problem}; save it again, as {TAKEN}") from None
    for is_it, form, reader in _READERS:
        if isinstance(data, dict) and is_it(data):
            try:
                return reader(formed(form, data), shown)
            except Malformed as fault:
                at = place(text, fault.path)
                raise CannotBeRead(f"{shown}:{at.line}:{at.column}: {fault}; give {TAKEN}") from None
    found = _wrong_keys(data) if isinstance(data, dict) else f"is a {type(data).__name__}"
    raise CannotBeRead(f"{shown}:1:1: {found}; give {TAKEN}")


def named(file: Path) -> Path:
    """What a file is called in words."""
    return Path("stdin") if str(file) == user_files.STDIN else file


def _wrong_keys(data: Mapping[str, Any]) -> str:
    """What is wrong with the keys of a file that is of no form: some are of none, or those that tell it are missing."""
    known = {info.alias or name for _, form, _ in _READERS for name, info in form.model_fields.items()}
    wrong = [f"'{key}'" for key in data if key not in known | {"manifest", "changeSummary", "contract", "backend"}]
    if wrong:
        return f"{', '.join(wrong[:4])} {'is not a key' if len(wrong) == 1 else 'are not keys'} of a saved file"
    there = ", ".join(f"'{key}'" for key in list(data)[:4])
    return f"has {there}, and lacks the keys that go with it" if there else "has nothing in it"


def _plan(data: Plan, file: Path) -> Saved:
    """A plan has of a resource that exists only what changes of its inputs: too little to judge it by. Its outputs are
    no inputs (a provider fills in both of two settings that exclude each other)."""
    found, gaps = [], []
    for urn, each in data.resource_plans.items():
        goal, steps = each.goal, each.steps or []
        if goal is None or (steps and set(steps) <= _GONE | _READ):
            continue
        # A replacement is no creation here: its inputs are a difference, too, and there are no outputs to fill it up.
        if goal.custom and steps != _MADE_ANEW and goal.type not in _WHOLE:
            gaps.append(Gap(urn, f"a plan has only what changes of it: {_WITH_SAMES}"))
            continue
        inputs = saved((goal.input_diff.adds if goal.input_diff else None) or {})
        state = saved(each.state or {})
        found.append(_registration(urn, goal, inputs or state, state, UNKNOWN))
    return _together(file, found, gaps, _configured(data))


def _configured(data: Plan | Preview) -> str | None:
    """The Region that the stack's configuration names: of default providers a preview shows nothing."""
    said = data.config or {}
    return next((value for key in ("aws:region", "aws-native:region") if isinstance(value := said.get(key), str)), None)


def _state(data: State, file: Path) -> Saved:
    listed = (data.deployment.resources if data.deployment else None) or []
    found = [
        _registration(each.urn, each, saved(each.inputs or {}), saved(each.outputs or {}), each.id or "")
        for each in listed
        if not each.delete and not each.external
    ]
    return _together(file, found, [])


def _preview(data: Preview, file: Path) -> Saved:
    found, gaps = {}, []
    for step in data.steps:
        state = step.new_state
        if state is None or step.op in _GONE | _READ or state.external:
            continue
        inputs, outputs = saved(state.inputs or {}), saved(state.outputs or {})
        before = step.old_state if step.op in _KEEPING else None
        if before and not outputs:
            outputs = saved(before.outputs or {})
        id_ = state.id or (before and before.id) or UNKNOWN
        found[step.urn] = _registration(state.urn, state, inputs, {**inputs, **outputs}, id_)
    counted = (data.change_summary.same if data.change_summary else None) or 0
    missing = counted - sum(step.op == "same" for step in data.steps)
    if missing > 0:
        gaps.append(Gap(str(file), f"{missing} resources that do not change are not in it: {_WITH_SAMES}"))
    for each in data.diagnostics or []:
        if each.severity == "error":
            said = " ".join((each.message or "").split())
            gaps.append(Gap(str(file), f"the preview ended with an error, so more may be missing: {said[:160]}"))
            break
    return _together(file, list(found.values()), gaps, _configured(data))


def _muster_plan(data: MusterPlan, file: Path) -> Saved:
    """What the offline monitor computed is computed again: it follows from the URN."""
    found = []
    for each in data.resources:
        inputs = saved(each.inputs)
        known = computed(each.urn, each.type, each.name, inputs, data.region or "us-east-1")
        found.append(_registration(each.urn, each, inputs, {**inputs, **known}, each.id))
    return replace(_together(file, found, [], data.region), own=data.stack)


_Data = Mapping[str, Any]
_READERS: tuple[tuple[Callable[[_Data], bool], type[Form], Callable[[Any, Path], Saved]], ...] = (
    (lambda data: isinstance(data.get("resourcePlans"), dict), Plan, _plan),
    (lambda data: "deployment" in data and isinstance(data.get("version"), int), State, _state),
    (lambda data: isinstance(data.get("steps"), list) and "changeSummary" in data, Preview, _preview),
    (lambda data: {"contract", "backend", "resources", "nodes"} <= data.keys(), MusterPlan, _muster_plan),
)


def _registration(urn: str, of: Kin, inputs: Mapping[str, Any], outputs: Mapping[str, Any], id_: Any) -> Registration:
    """A resource, by the names that all of the engine's forms share."""
    below = of.property_dependencies or {}
    return Registration(
        urn=urn,
        type=of.type,
        name=urn.split("::", 3)[3],
        inputs=inputs,
        parent=of.parent or "",
        custom=bool(of.custom),
        id=saved(id_),
        outputs=outputs,
        dependencies=tuple(sorted(of.dependencies or ())),
        property_dependencies={key: tuple(sorted(urns)) for key, urns in below.items() if urns},
        options={"provider": of.provider} if of.provider else {},
    )


def _together(file: Path, found: list[Registration], gaps: list[Gap], region: str | None = None) -> Saved:
    listed = tuple(sorted(found, key=lambda each: each.urn))
    names = {each.urn.split("::")[0].removeprefix("urn:pulumi:") for each in listed}
    stack = min(names) if names else file.stem
    return Saved(stack, listed, tuple(sorted({*gaps, *nothing_in(listed)})), region)
