"""Plans written by hand, in the form of Terraform's "JSON Output Format"."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from muster.policies.engine.judgement import Judgement, judge
from muster.policies.views import fleet_of
from muster.sources.source import InputFile, Source
from muster.sources.terraform.reader import read
from muster.unknown import UNKNOWN

_KEY = re.compile(r"\[(?:\"([^\"]*)\"|(\d+))\]")


@dataclass
class Resource:
    """One instance of a resource, and the code of the resource."""

    address: str
    values: dict[str, Any]
    refers: Mapping[str, Any] = field(default_factory=dict)
    """Argument -> its references, or the blocks with theirs. `dynamic` blocks are left out."""
    for_each: tuple[str, ...] = ()
    provider: str = "aws"
    dynamic: tuple[str, ...] = ()
    depends_on: tuple[str, ...] = ()


@dataclass
class Call:
    """The call of a module: ``eks`` or ``eks.node_group``."""

    path: str
    inputs: Mapping[str, list[str]] = field(default_factory=dict)
    outputs: Mapping[str, list[str]] = field(default_factory=dict)
    for_each: tuple[str, ...] = ()


def references(*names: str) -> dict[str, Any]:
    """An expression, with each reference followed by what it begins with, as Terraform writes it."""
    listed: list[str] = []
    for name in names:
        listed.append(name)
        parts = re.split(r"(?=[.\[])", name)
        listed += ["".join(parts[:n]) for n in range(len(parts) - 1, 1, -1)]
    return {"references": listed}


def plan(
    *resources: Resource,
    calls: tuple[Call, ...] = (),
    providers: Mapping[str, Any] | None = None,
    variables: Mapping[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """A plan that creates resources."""
    root: dict[str, Any] = {"resources": []}
    modules: dict[str, dict[str, Any]] = {"": root}
    code: dict[str, dict[str, Any]] = {"": {"resources": [], "module_calls": {}}}
    for call in calls:
        around, _, name = call.path.rpartition(".")
        made = {
            "resources": [],
            "module_calls": {},
            "outputs": {n: {"expression": references(*r)} for n, r in call.outputs.items()},
        }
        code[call.path] = made
        code[around]["module_calls"][name] = {
            "expressions": {n: references(*r) for n, r in call.inputs.items()},
            "module": made,
            **({"for_each_expression": references(*call.for_each)} if call.for_each else {}),
        }
    changes = []
    for each in resources:
        module, type_, name, key = _split(each.address)
        about = {
            "address": each.address,
            "mode": "managed",
            "type": type_,
            "name": name,
            **({} if key is None else {"index": key}),
            "provider_name": "registry.terraform.io/hashicorp/aws",
            "values": _known(each.values),
            "depends_on": list(each.depends_on),
        }
        if module not in modules:
            _add_module(modules, module)
        modules[module]["resources"].append(about)
        unknown = {**_marks(each.values), "id": True, "arn": True}
        change = {"actions": ["create"], "before": None, "after": about["values"], "after_unknown": unknown}
        changes.append({**{k: about[k] for k in ("address", "mode", "type", "name")}, "change": change})
        listed = code[re.sub(r"\[[^\]]*\]", "", module).removeprefix("module.").replace(".module.", ".")]["resources"]
        if not any(one["address"] == f"{type_}.{name}" for one in listed):
            listed.append(_code(each, type_, name))
    region = {"name": "aws", "expressions": {"region": {"constant_value": "us-west-2"}}}
    return {
        "format_version": "1.2",
        "terraform_version": "1.11.4",
        "variables": {name: {"value": value} for name, value in (variables or {}).items()},
        "planned_values": {"root_module": root},
        "resource_changes": changes,
        "configuration": {"provider_config": providers or {"aws": region}, "root_module": code[""]},
        **more,
    }


def _add_module(modules: dict[str, dict[str, Any]], address: str) -> None:
    steps = re.findall(r"module\.[^.\[]+(?:\[[^\]]*\])?", address)
    for length in range(1, len(steps) + 1):
        here = ".".join(steps[:length])
        if here not in modules:
            modules[here] = {"address": here, "resources": []}
            modules[".".join(steps[: length - 1])].setdefault("child_modules", []).append(modules[here])


def _split(address: str) -> tuple[str, str, str, Any]:
    *steps, last = re.split(r"\.(?=(?:module\.)?[a-z]+_[a-z0-9_]+\.[^.]+$)", address)
    type_, _, rest = last.partition(".")
    found = _KEY.search(rest)
    key = None if found is None else found[1] if found[1] is not None else int(found[2])
    return ".".join(steps), type_, _KEY.sub("", rest), key


def _code(each: Resource, type_: str, name: str) -> dict[str, Any]:
    unset = {key for key in each.values if key not in each.dynamic}
    expressions = {key: {} for key in unset if each.values[key] is not UNKNOWN}
    expressions |= {
        key: value if isinstance(value, list) and value and isinstance(value[0], dict) else references(*value)
        for key, value in each.refers.items()
    }
    return {
        "address": f"{type_}.{name}",
        "mode": "managed",
        "type": type_,
        "name": name,
        "provider_config_key": each.provider,
        "expressions": expressions,
        **({"for_each_expression": references(*each.for_each)} if each.for_each else {}),
        "depends_on": list(each.depends_on),
    }


def _known(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _known(each) for key, each in value.items() if each is not UNKNOWN}
    if isinstance(value, list):
        return [None if each is UNKNOWN else _known(each) for each in value]
    return value


def _marks(value: Any) -> Any:
    if value is UNKNOWN:
        return True
    if isinstance(value, dict):
        return {key: _marks(each) for key, each in value.items() if each is UNKNOWN or isinstance(each, dict | list)}
    return [_marks(each) for each in value] if isinstance(value, list) else False


def state(*resources: Resource, calls: tuple[Call, ...] = ()) -> dict[str, Any]:
    """A state that has the resources."""
    made = plan(*resources, calls=calls)
    return {"format_version": "1.0", "terraform_version": "1.11.4", "values": made["planned_values"]}


def source(document: Any) -> Source:
    """What the reader makes of a document."""
    text = json.dumps(document)
    return read(InputFile(Path("plan.json"), text, (json.loads(text),), is_json=True))


def judged(made: Source) -> Judgement:
    """What the rules say of it."""
    seen = fleet_of(made.registrations, region=made.region)
    assert not seen.unreadable
    return judge(replace(seen, terms=made.terms))


def found(made: Source) -> set[tuple[str, str]]:
    """Rule and address of each finding."""
    return {(each.rule, each.where.rpartition("::")[2]) for each in judged(made).findings}
