"""The resources in a plan or a state, in the form that `terraform show -json` prints.

The form is documented in Terraform's "JSON Output Format" (its website's page `internals/json-format`). OpenTofu prints
the same one.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from muster.json_text import JsonModel, ListOf, MalformedJson, parse_model
from muster.secret_texts import mark
from muster.sources.source import InputFile
from muster.whole_number import whole_number

MANAGED, DATA = "managed", "data"

_SHOW_PLAN = "terraform plan -out plan.tfplan && terraform show -json plan.tfplan > plan.json"
_SHOW_STATE = "terraform show -json > state.json"

Key = str | int | None
"""The key of an instance: of `for_each`, the index of `count`, or None."""


@dataclass(frozen=True, slots=True)
class ModuleStep:
    """One call of a module in an address: ``module.eks["a"]``."""

    name: str
    key: Key = None


ModulePath = tuple[ModuleStep, ...]
"""The calls from the root module to a module instance; empty for the root module."""


@dataclass(frozen=True, slots=True)
class Instance:
    """One instance of a resource."""

    address: str
    """``module.eks["a"].aws_eks_node_group.this[0]``."""
    module: ModulePath
    type: str
    name: str
    key: Key
    values: Mapping[str, Any]
    """Its attributes. A plan leaves out those that are not known yet; those that are not set are null."""
    unknown: Any = field(default_factory=dict)
    """`after_unknown` of its change: true in the place of each value that is not known yet."""

    @property
    def is_known(self) -> bool:
        """Whether it exists: its attributes are those that AWS returned."""
        return isinstance(self.values.get("id"), str)


@dataclass(frozen=True, slots=True)
class Document:
    """A plan or a state."""

    resources: tuple[Instance, ...]
    unread: tuple[Instance, ...]
    """Data sources that Terraform reads only during apply: a plan has them among its planned values."""
    read: tuple[Instance, ...]
    """Data sources that were read."""
    configuration: Mapping[str, Any]
    """Empty for a state."""
    variables: Mapping[str, Any]
    """The values of the root module's variables."""
    incomplete: str = ""
    """Why the file may not have every resource."""


class _Form(JsonModel):
    """A part of the file, with Terraform's names."""

    model_config = ConfigDict(alias_generator=None)


Text = Annotated[str, Field(min_length=1)]
Values = dict[str, Any]


class _Resource(_Form):
    address: Text
    type: Text
    name: Text
    mode: Any = None
    index: Any = None
    values: Values | None = None
    sensitive_values: Any = None
    deposed_key: Any = None


class _Module(_Form):
    address: Any = None
    resources: ListOf[_Resource] | None = None
    child_modules: "ListOf[_Module] | None" = None


class _Values(_Form):
    root_module: _Module | None = None


class _State(_Form):
    values: _Values | None = None


class _Change(_Form):
    address: Any = None
    change: Any = None
    deposed: Any = None


class _File(_State):
    planned_values: _Values | None = None
    prior_state: _State | None = None
    resource_changes: ListOf[_Change] | None = None
    configuration: Values | None = None
    variables: Values | None = None


Changes = Mapping[str, Mapping[str, Any]]
"""Address -> change. A deposed object has the address of the object that replaces it, and no change here."""


def read_document(file: InputFile) -> Document:
    """Reads the file's resources.

    Raises:
        InvalidFile: it is no such file, or a part has another form.
    """
    top = file.documents[0] if file.documents else None
    if not isinstance(top, Mapping):
        raise file.fault((), "is not a plan or a state of Terraform", f"save a plan: `{_SHOW_PLAN}`")
    _refuse_others(file, top)
    try:
        whole = parse_model(_File, top)
    except MalformedJson as fault:
        raise file.fault(fault.path, str(fault), f"save it again: `{_SHOW_PLAN}`") from None
    now, before, changes = whole.values, None, {}
    if "planned_values" in top:
        now, before = whole.planned_values, whole.prior_state.values if whole.prior_state else None
        changes = {
            str(each.address): each.change
            for each in whole.resource_changes or ()
            if isinstance(each.change, Mapping) and each.deposed is None
        }
    data = tuple(_instances(file, now, changes, DATA))
    return Document(
        resources=tuple(_instances(file, now, changes, MANAGED)),
        unread=data if "planned_values" in top else (),
        read=tuple(_instances(file, before, {}, DATA)) if "planned_values" in top else data,
        configuration=whole.configuration or {},
        variables={
            name: about.get("value") for name, about in (whole.variables or {}).items() if isinstance(about, Mapping)
        },
        incomplete=_incomplete(top),
    )


def _refuse_others(file: InputFile, top: Mapping[str, Any]) -> None:
    version = top.get("format_version")
    if "lineage" in top or ("serial" in top and "resources" in top):
        got = "is a state file as Terraform stores it"
        raise file.fault((), got, f"check what Terraform prints of it: `{_SHOW_STATE}`")
    if "planned_values" not in top and "values" not in top:
        got = "has no resources: neither 'planned_values' nor 'values'"
        raise file.fault((), got, f"save a plan (`{_SHOW_PLAN}`) or a state (`{_SHOW_STATE}`)")
    if isinstance(version, str) and version.partition(".")[0] not in ("0", "1"):
        got = f"has format version {version[:20]}, but Muster reads 0.x and 1.x"
        raise file.fault(("format_version",), got, "save it with a Terraform version that prints format 1.x")


def _incomplete(top: Mapping[str, Any]) -> str:
    if top.get("errored") is True:
        return "Terraform stopped with an error while it made this plan, so the plan may not have every resource"
    if top.get("complete") is False:
        return "Terraform deferred a part of this plan, so the plan does not have every resource"
    return ""


def _instances(file: InputFile, values: _Values | None, changes: Changes, mode: str) -> Iterator[Instance]:
    """The resources of one mode in the root module and its modules.

    Raises:
        InvalidFile: two have the same address.
    """
    seen: set[str] = set()
    waiting = [values.root_module] if values and values.root_module else []
    while waiting:
        module = waiting.pop()
        waiting += module.child_modules or []
        for each in module.resources or ():
            if each.mode != mode or each.deposed_key is not None:
                continue
            if each.address in seen:
                got = f"two resources have the address {each.address[:200]}"
                raise file.fault((), got, f"save it again: `{_SHOW_PLAN}`")
            seen.add(each.address)
            change = changes.get(each.address, {})
            for marks in (each.sensitive_values, change.get("after_sensitive")):
                _mark(each.values, marks)
            yield Instance(
                each.address,
                module_path(module.address),
                each.type,
                each.name,
                each.index if isinstance(each.index, str | int) else None,
                each.values or {},
                change.get("after_unknown", {}),
            )


def _mark(value: Any, marks: Any) -> None:
    """Hides the values in the places that `sensitive_values` marks."""
    if marks is True:
        mark(value)
    elif isinstance(value, Mapping) and isinstance(marks, Mapping):
        for key in marks.keys() & value.keys():
            _mark(value[key], marks[key])
    elif isinstance(value, list) and isinstance(marks, list):
        for each, below in zip(value, marks, strict=False):
            _mark(each, below)


def module_path(address: Any) -> ModulePath:
    """The calls in a module's address: ``module.eks["a"].module.node_group[0]``."""
    steps: list[ModuleStep] = []
    rest = address if isinstance(address, str) else ""
    while rest.startswith("module."):
        name, key, after = split_name(rest.removeprefix("module."))
        steps.append(ModuleStep(name, key))
        rest = after.removeprefix(".")
    return tuple(steps)


_NAME = re.compile(r'([^.\[]*)(?:\["((?:[^"\\]|\\.)*)"?\]?|\[([^\]]*)\])?', re.DOTALL)


def split_name(text: str) -> tuple[str, Key, str]:
    """A name, its key, and what is behind them: ``this["a.b"].id`` -> ("this", "a.b", ".id")."""
    found = _NAME.match(text)
    assert found
    (name, quoted, index), rest = found.groups(), text[found.end() :]
    if quoted is not None:
        key = quoted.replace('\\"', '"').replace("\\\\", "\\").replace("$${", "${").replace("%%{", "%{")
        return name, key, rest
    return name, None if index is None else whole_number(index, 0), rest
