"""Files that the Pulumi engine saved of any program: a plan, a state, a preview."""

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from muster.fleet.registration import Registration
from muster.json_text import JsonModel, ListOf, MalformedJson, MapOf, NotJson, load, parse_model
from muster.secret_texts import hidden, mark
from muster.sources.source import Gap, InputFile, Source, empty_file_gap
from muster.unknown import SECRET_WORD, UNKNOWN, UNKNOWN_WORD
from muster.whole_number import whole_number
from muster.wire import RESOURCE, SECRET, SIGNATURE, UNKNOWN_ON_THE_WIRE

_PARTS = 4
"""The parts of a URN: the stack, the project, the chain of types, the name."""


def _urn(text: str) -> str:
    if text and len(text.split("::", 3)) < _PARTS:
        raise ValueError("is not a URN (urn:pulumi:STACK::PROJECT::TYPE::NAME)")
    return text


Urn = Annotated[str, AfterValidator(_urn), Field(min_length=1)]
OptionalUrn = Annotated[str, AfterValidator(_urn)]
Values = dict[str, Any]


class Difference(JsonModel):
    """What a plan changes in the inputs of a resource."""

    adds: Values | None = None


class Frame(JsonModel):
    """A line of the program that leads to a resource."""

    source_position: str | None = None


class ResourceBase(JsonModel):
    """The keys that a resource has in every file format."""

    type: str
    custom: bool | None = None
    parent: OptionalUrn | None = None
    provider: str | None = None
    dependencies: ListOf[Urn] | None = None
    property_dependencies: MapOf[ListOf[Urn] | None] | None = None


class Goal(ResourceBase):
    """The state of a resource after the plan."""

    input_diff: Difference | None = None


class ResourcePlan(JsonModel):
    """What a plan does with a resource."""

    goal: Goal | None = None
    steps: ListOf[str] | None = None
    state: Values | None = None


class Plan(JsonModel):
    """A saved plan."""

    resource_plans: Annotated[dict[Urn, ResourcePlan], Field(fail_fast=True)]
    config: Values | None = None


class Resource(ResourceBase):
    """A resource in a state or a preview."""

    urn: Urn
    id: str | None = None
    inputs: Values | None = None
    outputs: Values | None = None
    delete: bool | None = None
    external: bool | None = None
    source_position: str | None = None
    stack_trace: ListOf[Frame] | None = None


class Deployment(JsonModel):
    """The resources of a state."""

    resources: ListOf[Resource] | None = None


class State(JsonModel):
    """A state."""

    version: int
    deployment: Deployment | None = None


class OldResource(JsonModel):
    """A resource before a step."""

    id: str | None = None
    outputs: Values | None = None


class Step(JsonModel):
    """One step of a preview."""

    op: str
    urn: str
    old_state: OldResource | None = None
    new_state: Resource | None = None


class Summary(JsonModel):
    """The number of resources that a preview does not change."""

    same: int | None = None


class Diagnostic(JsonModel):
    """A message of the engine."""

    severity: str | None = None
    message: str | None = None


class Preview(JsonModel):
    """A preview."""

    steps: ListOf[Step]
    change_summary: Summary | None = None
    config: Values | None = None
    diagnostics: ListOf[Diagnostic] | None = None


_OF_THE_ENGINE = frozenset({"__defaults", "__internal", "__pulumi_raw_state_delta", "__meta"})
"""Keys that providers use internally."""
_WORDS = frozenset({SECRET_WORD, UNKNOWN_WORD})
"""The text in place of a hidden value in `pulumi preview --json`."""


def plain_value(value: Any) -> Any:
    """A value as the program gave it."""
    if isinstance(value, str):
        return UNKNOWN if value in UNKNOWN_ON_THE_WIRE or value in _WORDS else value
    if isinstance(value, list):
        return [plain_value(each) for each in value]
    if isinstance(value, Mapping):
        return _object(value)
    if isinstance(value, float) and (whole := whole_number(value)) is not None:
        return whole
    return value


def _object(value: Mapping[str, Any]) -> Any:
    signature = value.get(SIGNATURE)
    if signature == SECRET:
        return mark(_opened(value))
    if signature == RESOURCE:
        return value.get("urn", UNKNOWN)
    return {key: plain_value(each) for key, each in value.items() if key not in _OF_THE_ENGINE}


def _opened(value: Mapping[str, Any]) -> Any:
    """The value of a secret: known if the file was saved with `--show-secrets`, else unknown."""
    if "plaintext" in value:
        try:
            return plain_value(load(value["plaintext"])) if isinstance(value["plaintext"], str) else UNKNOWN
        except NotJson:
            return UNKNOWN
    return plain_value(value["value"]) if "value" in value else UNKNOWN


ACCEPTED_FILES = (
    "a preview (`pulumi preview --json`), a saved plan (`pulumi preview --save-plan FILE`), or a state (`pulumi stack "
    "export`)"
)
_GONE = frozenset(
    {"delete", "delete-replaced", "discard", "discard-replaced", "read-discard", "remove-pending-replace"}
)
_KEEPING = frozenset({"same", "update"})
_MADE_ANEW = ["create"]
_WHOLE = frozenset({"pulumi:providers:aws", "pulumi:providers:aws-native"})
"""Providers whose Region Muster reads. The inputs of a provider are its outputs."""
_WITH_SAMES = "check the output of `pulumi preview --json --show-sames` instead"
_READ = frozenset({"read", "read-replacement", "refresh"})


def read(file: InputFile) -> Source:
    """The resources of a saved file.

    Raises:
        InvalidFile: it is not a complete file.
    """
    data = file.documents[0]
    _, form, reader = next(each for each in _READERS if each[0](data))
    try:
        return reader(parse_model(form, data), file)
    except MalformedJson as fault:
        raise file.fault(fault.path, str(fault), f"give {ACCEPTED_FILES}") from None


def _plan(data: Plan, file: InputFile) -> Source:
    """For a resource that exists, a plan contains only the inputs that change: too little to check it. Its outputs
    cannot replace the inputs (a provider may fill in both of two settings that exclude each other)."""
    found, gaps = [], []
    for urn, each in data.resource_plans.items():
        goal, steps = each.goal, each.steps or []
        if goal is None or (steps and set(steps) <= _GONE | _READ):
            continue
        # A replacement also has only the inputs that change, and no outputs that would complete them.
        if goal.custom and steps != _MADE_ANEW and goal.type not in _WHOLE:
            gaps.append(Gap(urn, f"the plan contains only those inputs of the resource that change; {_WITH_SAMES}"))
            continue
        inputs = plain_value((goal.input_diff.adds if goal.input_diff else None) or {})
        state = plain_value(each.state or {})
        found.append(_registration(urn, goal, inputs or state, state, UNKNOWN))
    return _source(file, found, gaps, _configured(data))


def _configured(data: Plan | Preview) -> str | None:
    """The Region in the stack's configuration: a preview does not contain default providers."""
    config = data.config or {}
    return next(
        (value for key in ("aws:region", "aws-native:region") if isinstance(value := config.get(key), str)), None
    )


def _state(data: State, file: InputFile) -> Source:
    listed = (data.deployment.resources if data.deployment else None) or []
    found = [
        _registration(each.urn, each, plain_value(each.inputs or {}), plain_value(each.outputs or {}), each.id or "")
        for each in listed
        if not each.delete and not each.external
    ]
    return _source(file, found, [])


def _preview(data: Preview, file: InputFile) -> Source:
    found, gaps = {}, []
    for step in data.steps:
        state = step.new_state
        if state is None or step.op in _GONE | _READ or state.external:
            continue
        inputs, outputs = plain_value(state.inputs or {}), plain_value(state.outputs or {})
        before = step.old_state if step.op in _KEEPING else None
        if before and not outputs:
            outputs = plain_value(before.outputs or {})
        id_ = state.id or (before and before.id) or UNKNOWN
        found[step.urn] = _registration(state.urn, state, inputs, {**inputs, **outputs}, id_)
    counted = (data.change_summary.same if data.change_summary else None) or 0
    missing = counted - sum(step.op == "same" for step in data.steps)
    if missing > 0:
        gaps.append(Gap(file.shown, f"the preview leaves out unchanged resources (count: {missing}); {_WITH_SAMES}"))
    for each in data.diagnostics or []:
        if each.severity == "error":
            message = " ".join((each.message or "").split())
            shown = hidden(message)[:160]
            gaps.append(Gap(file.shown, f"the preview ended with an error, so it may be incomplete: {shown}"))
            break
    return _source(file, list(found.values()), gaps, _configured(data))


_Data = Mapping[str, Any]
_READERS: tuple[tuple[Callable[[_Data], bool], type[JsonModel], Callable[[Any, InputFile], Source]], ...] = (
    (lambda data: isinstance(data.get("resourcePlans"), dict), Plan, _plan),
    (lambda data: "deployment" in data and isinstance(data.get("version"), int), State, _state),
    (lambda data: isinstance(data.get("steps"), list) and "changeSummary" in data, Preview, _preview),
)


def is_engine_file(data: Mapping[str, Any]) -> bool:
    """Whether a JSON document may be one of the accepted files."""
    return any(is_it(data) for is_it, _, _ in _READERS)


def _registration(
    urn: str, of: ResourceBase, inputs: Mapping[str, Any], outputs: Mapping[str, Any], id_: Any
) -> Registration:
    """A resource, from the keys that it has in every file format."""
    below = of.property_dependencies or {}
    return Registration(
        urn=urn,
        type=of.type,
        name=urn.split("::", 3)[3],
        inputs=inputs,
        parent=of.parent or "",
        custom=bool(of.custom),
        id=plain_value(id_),
        outputs=outputs,
        dependencies=tuple(sorted(of.dependencies or ())),
        property_dependencies={key: tuple(sorted(urns)) for key, urns in below.items() if urns},
        options={"provider": of.provider} if of.provider else {},
        source=_line_of_program(of) if isinstance(of, Resource) else None,
    )


_POSITION = re.compile(r"project:///(?P<file>[^#]+)#(?P<line>\d+)")
_LIBRARIES = ("..", "/", ".venv/", "venv/", "node_modules/")
"""How the paths of files begin that are not the program's own, in its folder."""


def _line_of_program(of: Resource) -> tuple[str, int] | None:
    """The innermost line of the program's code that leads to a resource: its file, from the folder of the project, and
    the line."""
    frames = [each.source_position or "" for each in of.stack_trace or ()]
    for text in frames or [of.source_position or ""]:
        found = _POSITION.match(text)
        if found and not found["file"].startswith(_LIBRARIES) and "site-packages" not in found["file"]:
            return found["file"], whole_number(found["line"]) or 0
    return None


def _source(file: InputFile, found: list[Registration], gaps: list[Gap], region: str | None = None) -> Source:
    listed = tuple(sorted(found, key=lambda each: each.urn))
    names = {each.urn.split("::")[0].removeprefix("urn:pulumi:") for each in listed}
    stack = min(names) if names else file.path.stem
    missing = tuple(sorted({*gaps, *empty_file_gap(listed)}))
    return Source(stack, listed, missing, region, label=lambda _: None)
