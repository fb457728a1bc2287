"""The resources in a plan or a state, in the form that `terraform show -json` prints.

The form is documented in Terraform's "JSON Output Format" (its website's page `internals/json-format`). OpenTofu prints
the same one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from muster.finding import KeyPath, dotted_path
from muster.json_text import json_type_name
from muster.secret_texts import mark
from muster.sources.source import InputFile
from muster.whole_number import whole_number

MANAGED, DATA = "managed", "data"

_PLANNED, _VALUES, _CHANGES = "planned_values", "values", "resource_changes"
_SHOW_PLAN = "terraform plan -out plan.tfplan && terraform show -json plan.tfplan > plan.json"
_SHOW_STATE = "terraform show -json > state.json"
_MOST_MODULES = 60
"""Modules in each other. A file that `json_text.load` reads has no more."""

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
    depends_on: tuple[str, ...] = ()
    """In a state: the addresses, without keys, of everything that it depends on."""

    @property
    def is_known(self) -> bool:
        """Whether it exists: its attributes are those that AWS returned."""
        return isinstance(self.values.get("id"), str)


@dataclass(frozen=True, slots=True)
class Document:
    """A plan or a state."""

    is_plan: bool
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


def read_document(file: InputFile) -> Document:
    """Reads the file's resources.

    Raises:
        InvalidFile: it is no such file, or a part has another form.
    """
    top = file.documents[0] if file.documents else None
    if not isinstance(top, Mapping):
        raise file.fault((), "is not a plan or a state of Terraform", f"save a plan: `{_SHOW_PLAN}`")
    _refuse_others(file, top)
    if _PLANNED in top:
        changes = dict(_changes(file, top.get(_CHANGES)))
        root, at = _mapping(file, top, _PLANNED), (_PLANNED,)
        prior = _mapping(file, _mapping(file, top, "prior_state"), _VALUES, ("prior_state",))
        read = tuple(_instances(file, prior, ("prior_state", _VALUES), {}, DATA))
        unread = tuple(_instances(file, root, at, changes, DATA))
    else:
        changes, prior = {}, {}
        root, at = _mapping(file, top, _VALUES), (_VALUES,)
        read, unread = tuple(_instances(file, root, at, {}, DATA)), ()
    return Document(
        is_plan=_PLANNED in top,
        resources=tuple(_instances(file, root, at, changes, MANAGED)),
        unread=unread,
        read=read,
        configuration=_mapping(file, top, "configuration"),
        variables=_values_of(_mapping(file, top, "variables")),
        incomplete=_incomplete(top),
    )


def _refuse_others(file: InputFile, top: Mapping[str, Any]) -> None:
    version = top.get("format_version")
    if "lineage" in top or ("serial" in top and "resources" in top):
        got = "is a state file as Terraform stores it"
        raise file.fault((), got, f"check what Terraform prints of it: `{_SHOW_STATE}`")
    if _PLANNED not in top and _VALUES not in top:
        if _CHANGES in top:
            raise file.fault((), f"has no '{_PLANNED}'", f"save the whole plan: `{_SHOW_PLAN}`")
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


def _mapping(file: InputFile, around: Mapping[str, Any], name: str, at: KeyPath = ()) -> Mapping[str, Any]:
    """An object; an absent one, or null, is empty."""
    return _object(file, around.get(name), (*at, name))


def _object(file: InputFile, value: Any, path: KeyPath) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise file.fault(
            path,
            f"'{dotted_path(path)}' is {json_type_name(value)}, but must be an object",
            f"save it again: `{_SHOW_PLAN}`",
        )
    return value


def _list(file: InputFile, value: Any, path: KeyPath) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise file.fault(
            path,
            f"'{dotted_path(path)}' is {json_type_name(value)}, but must be a list",
            f"save it again: `{_SHOW_PLAN}`",
        )
    return value


def _values_of(variables: Mapping[str, Any]) -> dict[str, Any]:
    return {name: about.get("value") for name, about in variables.items() if isinstance(about, Mapping)}


def _changes(file: InputFile, changes: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The address and the change of each resource. A deposed object has the address of the object that replaces it."""
    for index, each in enumerate(_list(file, changes, (_CHANGES,))):
        about = _object(file, each, (_CHANGES, index))
        change, address = about.get("change"), about.get("address")
        if isinstance(address, str) and isinstance(change, Mapping) and "deposed" not in about:
            yield address, change


def _instances(
    file: InputFile, values: Mapping[str, Any], at: KeyPath, changes: Mapping[str, Mapping[str, Any]], mode: str
) -> Iterator[Instance]:
    """The resources of one mode in the root module and its modules.

    Raises:
        InvalidFile: one has another form, or two have the same address.
    """
    seen: set[str] = set()
    waiting = [(_mapping(file, values, "root_module", at), (*at, "root_module"))]
    while waiting:
        module, path = waiting.pop()
        steps = _module_path(module.get("address"))
        for index, each in enumerate(_list(file, module.get("resources"), (*path, "resources"))):
            here = (*path, "resources", index)
            made = _instance(file, _object(file, each, here), here, steps, changes, mode)
            if made is None:
                continue
            if made.address in seen:
                got = f"two resources have the address {made.address[:200]}"
                raise file.fault(here, got, f"save it again: `{_SHOW_PLAN}`")
            seen.add(made.address)
            yield made
        below = _list(file, module.get("child_modules"), (*path, "child_modules"))
        for index, each in enumerate(below):
            here = (*path, "child_modules", index)
            if len(steps) < _MOST_MODULES:
                waiting.append((_object(file, each, here), here))


def _instance(
    file: InputFile,
    about: Mapping[str, Any],
    path: KeyPath,
    module: ModulePath,
    changes: Mapping[str, Mapping[str, Any]],
    mode: str,
) -> Instance | None:
    if about.get("mode") != mode or "deposed_key" in about:
        return None
    texts = [about.get(name) for name in ("address", "type", "name")]
    for name, value in zip(("address", "type", "name"), texts, strict=True):
        if not isinstance(value, str) or not value:
            raise file.fault((*path, name), f"a resource has no {name}", f"save it again: `{_SHOW_PLAN}`")
    address, type_, label = map(str, texts)
    key, change, values = about.get("index"), changes.get(address, {}), _mapping(file, about, "values", path)
    _mark(values, about.get("sensitive_values"))
    _mark(values, change.get("after_sensitive"))
    return Instance(
        address,
        module,
        type_,
        label,
        key if isinstance(key, str | int) else None,
        values,
        change.get("after_unknown", {}),
        tuple(each for each in about.get("depends_on") or () if isinstance(each, str)) if _lists(about) else (),
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


def _lists(about: Mapping[str, Any]) -> bool:
    return isinstance(about.get("depends_on"), list)


def _module_path(address: Any) -> ModulePath:
    """The calls in a module's address: ``module.eks["a"].module.node_group[0]``."""
    return tuple(split_module(address)[0]) if isinstance(address, str) else ()


def split_module(address: str) -> tuple[list[ModuleStep], str]:
    """The module calls that an address begins with, and the rest of it."""
    steps: list[ModuleStep] = []
    rest = address
    while rest.startswith("module."):
        name, key, after = split_name(rest[len("module.") :])
        steps.append(ModuleStep(name, key))
        rest = after.removeprefix(".")
    return steps, rest


def split_name(text: str) -> tuple[str, Key, str]:
    """A name, its key, and what is behind them: ``this["a.b"].id`` -> ("this", "a.b", ".id")."""
    end = next((index for index, letter in enumerate(text) if letter in ".["), len(text))
    name, rest = text[:end], text[end:]
    if not rest.startswith("["):
        return name, None, rest
    if rest.startswith('["'):
        close = _end_of_text(rest, 2)
        return name, _unescaped(rest[2:close]), rest[close + 2 :]
    close = rest.find("]")
    if close < 0:
        return name, None, ""
    inside = rest[1:close]
    return name, whole_number(inside, 0), rest[close + 1 :]


def _end_of_text(text: str, start: int) -> int:
    """The index of the quote that ends a text."""
    index = start
    while index < len(text) and text[index] != '"':
        index += 2 if text[index] == "\\" else 1
    return min(index, len(text))


def _unescaped(text: str) -> str:
    return text.replace('\\"', '"').replace("\\\\", "\\").replace("$${", "${").replace("%%{", "%{")
