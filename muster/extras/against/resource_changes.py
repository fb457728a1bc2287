"""What the engine does to each registered resource when its inputs change: create, update, replace, delete."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from muster.fleet.registration import Registration
from muster.unknown import UNKNOWN

KUBERNETES = "kubernetes:"
EVERY_OBJECT = "kubernetes:*"
"""The table's type for the inputs that replace any Kubernetes object."""


class ReplacesWhen(StrEnum):
    """The change of an input that replaces the resource."""

    CHANGED = "changed"
    LOWERED = "lowered"
    """A number, or a version as text, gets lower; a higher one is an update in place."""
    REMOVED = "removed"
    SET = "set"
    """From one value to another one. Without a value, AWS chooses one, and the provider keeps it (`Computed`)."""


@dataclass(frozen=True, slots=True)
class ReplacingInput:
    """One input of a type."""

    input: str
    """``launchTemplate.id``: dotted below the resource's inputs, as the engine names them."""
    when: ReplacesWhen
    source: str

    def by(self, before: Any, after: Any) -> bool:
        """Whether the change of the value replaces the resource. An unknown new value counts as changed."""
        if self.when is ReplacesWhen.REMOVED:
            return before is not None and after is None
        if self.when is ReplacesWhen.SET and None in (before, after):
            return False
        if self.when is ReplacesWhen.LOWERED:
            return _lowered(before, after)
        return after is UNKNOWN or before != after


def replacing_inputs(type_: str) -> tuple[ReplacingInput, ...]:
    """The inputs whose change replaces a resource of this type, including those that all Kubernetes objects have."""
    own = _table().get(type_, ())
    return (*_table()[EVERY_OBJECT], *own) if _is_object(type_) else own


def known_types() -> frozenset[str]:
    """The types in the table, including those that no input replaces."""
    return frozenset(_table())


def _is_object(type_: str) -> bool:
    """Whether the type is a Kubernetes object. Helm releases are not: they have a name, and no metadata."""
    return type_.startswith(KUBERNETES) and not type_.startswith("kubernetes:helm.sh/") and type_ != EVERY_OBJECT


@cache
def _table() -> Mapping[str, tuple[ReplacingInput, ...]]:
    text = (files("muster.extras.against") / "replacing_inputs.csv").read_text(encoding="utf-8")
    table: dict[str, list[ReplacingInput]] = {}
    for row in csv.DictReader(text.splitlines()):
        found = table.setdefault(row["type"], [])
        if row["input"]:
            found.append(ReplacingInput(row["input"], ReplacesWhen(row["when"]), row["source"]))
    return {type_: tuple(found) for type_, found in table.items()}


def _lowered(before: Any, after: Any) -> bool:
    """Whether a value may be lower than before. An unknown value may be; an absent one is not."""
    if before is None or after is None or before == after:
        return False
    if UNKNOWN in (before, after):
        return True
    low, high = (tuple(_numbers(value)) for value in (after, before))
    return low < high


def _numbers(value: Any) -> Iterator[float]:
    parts: Iterable[str] = str(value).split(".") if isinstance(value, str) else (str(value),)
    yield from (float(part) for part in parts)


LAUNCH_TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate"
NEWEST_VERSION: Mapping[str, str] = {
    "aws:eks/nodeGroup:NodeGroup": "launchTemplate.version",
    "aws:autoscaling/group:Group": "launchTemplate.version",
}
"""Type -> the input that has the version of a launch template. Every update of a template creates a new version."""


class Operation(StrEnum):
    """The engine's operations, by their names in Pulumi."""

    DELETE = "delete"
    REPLACE = "replace"
    UPDATE = "update"
    CREATE = "create"


@dataclass(frozen=True, slots=True)
class ResourceChange:
    """One resource that is created, updated, replaced or deleted."""

    urn: str
    type: str
    name: str
    operation: Operation
    inputs: tuple[str, ...] = ()
    """Dotted paths of the inputs that change, for an update and a replacement."""
    replacing: tuple[str, ...] = ()
    """The inputs among them whose change replaces the resource."""
    follows: tuple[str, ...] = ()
    """URNs of replaced resources that its inputs depend on; their replacement also replaces it."""
    kept: bool = False
    """Whether it is protected: the engine refuses to delete or to replace it, before any other operation."""
    stays: bool = False
    """Whether it only leaves the stack, and AWS keeps it (`retainOnDelete`)."""


def resource_changes(before: Iterable[Registration], after: Iterable[Registration]) -> tuple[ResourceChange, ...]:
    """The resources that change between two sets of registrations, the most costly operations first.

    Stacks, components and references to other stacks are left out: they are not resources.
    """
    was, now = _resources(before), _resources(after)
    found = {
        **{urn: _only(each, Operation.DELETE) for urn, each in was.items() if urn not in now},
        **{urn: _only(each, Operation.CREATE) for urn, each in now.items() if urn not in was},
    }
    for urn in was.keys() & now.keys():
        if changed := _changed(was[urn], now[urn]):
            found[urn] = changed
    _follow(found, was, now)
    order = list(Operation)
    return tuple(sorted(found.values(), key=lambda each: (order.index(each.operation), each.urn)))


def _resources(registrations: Iterable[Registration]) -> dict[str, Registration]:
    """The registrations by URN without the stack's name, because the stack may have been renamed."""
    return {_nameless(each.urn): each for each in registrations if _is_resource(each)}


def _is_resource(each: Registration) -> bool:
    """Components are not resources, except those of Kubernetes' provider, which represent the objects they create."""
    return (each.custom or each.type.startswith(KUBERNETES)) and each.type not in _NO_RESOURCES


_NO_RESOURCES = frozenset({"pulumi:pulumi:Stack", "pulumi:pulumi:StackReference"})


def _nameless(urn: str) -> str:
    return "::".join(["urn:pulumi", *urn.split("::")[1:]])


def _only(each: Registration, operation: Operation) -> ResourceChange:
    gone = operation is Operation.DELETE
    return ResourceChange(
        each.urn, each.type, each.name, operation, kept=gone and _is_kept(each), stays=gone and _stays(each)
    )


def _is_kept(each: Registration) -> bool:
    return bool(each.options.get("protect"))


def _stays(each: Registration) -> bool:
    return bool(each.options.get("retainOnDelete"))


def _changed(was: Registration, now: Registration) -> ResourceChange | None:
    ignored = tuple(now.options.get("ignoreChanges", ()))
    inputs = tuple(path for path in _different(was.inputs, now.inputs, "") if not covered(path, ignored))
    if not inputs:
        return None
    # A program may also request it (`replaceOnChanges`).
    requested = [path for path in inputs if covered(path, tuple(now.options.get("replaceOnChanges", ())))]
    forced = sorted({*requested, *_forced(was, now, ignored)})
    return ResourceChange(
        now.urn,
        now.type,
        now.name,
        Operation.REPLACE if forced else Operation.UPDATE,
        inputs=inputs,
        replacing=tuple(forced),
        kept=bool(forced) and _is_kept(was),
        stays=bool(forced) and _stays(was),
    )


def _forced(was: Registration, now: Registration, ignored: tuple[str, ...]) -> Iterator[str]:
    for each in replacing_inputs(now.type):
        before, after = input_at(was.inputs, each.input), input_at(now.inputs, each.input)
        if not covered(each.input, ignored) and before != after and each.by(before, after):
            yield each.input


def covered(path: str, by: tuple[str, ...]) -> bool:
    """Whether a dotted path is one of these, or below one: ``subnetIds[0]`` is below ``subnetIds``."""
    return any(path == each or path.startswith((f"{each}.", f"{each}[")) for each in by)


def _different(before: Any, after: Any, at_: str) -> Iterator[str]:
    """The dotted paths where two values differ, each as deep as both values have it."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in sorted(before.keys() | after.keys()):
            yield from _different(before.get(key), after.get(key), f"{at_}.{key}" if at_ else str(key))
    elif isinstance(before, list | tuple) and isinstance(after, list | tuple) and len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _different(one, other, f"{at_}[{index}]")
    elif before is not after and before != after:
        yield at_


def input_at(inputs: Mapping[str, Any], path: str) -> Any:
    """The value at a dotted path of inputs; None if there is none."""
    value: Any = inputs
    for step in path.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def _follow(found: dict[str, ResourceChange], was: Mapping[str, Registration], now: Mapping[str, Registration]) -> None:
    """Adds the changes that follow from other resources' changes. A resource that depends on a replaced one has changed
    inputs, though the simulated ids of both recordings are equal; a resource that uses a launch template's newest
    version gets the next version."""
    waiting = True
    while waiting:
        waiting = False
        for urn in was.keys() & now.keys():
            changed = _following(found.get(urn), now[urn], found)
            if changed is not None and changed != found.get(urn):
                found[urn], waiting = changed, True
                if changed.operation is Operation.REPLACE:
                    found[urn] = replace(changed, kept=_is_kept(was[urn]), stays=_stays(was[urn]))


def _following(
    own: ResourceChange | None, now: Registration, found: Mapping[str, ResourceChange]
) -> ResourceChange | None:
    """The change of a resource that follows from those of others; None if there is none."""
    replaced = {urn for urn, each in found.items() if each.operation is Operation.REPLACE}
    updated = {urn for urn, each in found.items() if each.operation is Operation.UPDATE}
    made_of = {
        name: {_nameless(urn) for urn in urns}
        for name, urns in now.property_dependencies.items()
        if not covered(name, tuple(now.options.get("ignoreChanges", ())))
    }
    following = [name for name, urns in made_of.items() if urns & replaced]
    newest = NEWEST_VERSION.get(now.type)
    if newest and any(_is_template(urn, found) for urn in made_of.get(newest.partition(".")[0], set()) & updated):
        following.append(newest)
    provider = _nameless(str(now.options.get("provider", "")).rpartition("::")[0])
    tops = _tops(following, newest)
    forced = [
        each.input
        for each in replacing_inputs(now.type)
        if each.input.partition(".")[0] in tops and _has_input(now.inputs, each.input)
    ]
    follows = sorted({urn for name in following for urn in made_of.get(name, set()) & replaced if forced})
    if provider in replaced:
        follows.append(provider)
    if not following and not follows:
        return None
    base = own or ResourceChange(now.urn, now.type, now.name, Operation.UPDATE)
    operation = Operation.REPLACE if forced or provider in replaced else base.operation
    return replace(
        base,
        operation=operation,
        inputs=tuple(sorted({*base.inputs, *(name for name in following if not _has_change_below(name, base.inputs))})),
        replacing=tuple(sorted({*base.replacing, *forced})),
        follows=tuple(found[urn].urn for urn in dict.fromkeys(follows)),
    )


def _has_change_below(name: str, inputs: tuple[str, ...]) -> bool:
    return any(covered(each, (name,)) for each in inputs)


def _has_input(inputs: Mapping[str, Any], path: str) -> bool:
    """Whether the program sets an input: a group sets either `launchTemplate.id` or `launchTemplate.name`. A value that
    is not a mapping counts as having every input below it."""
    value: Any = inputs
    for step in path.split("."):
        if not isinstance(value, Mapping):
            break
        value = value.get(step)
    return value is not None


def _tops(following: list[str], newest: str | None) -> set[str]:
    """The top-level inputs that another resource's replacement changes, without the launch template's version."""
    return {name for name in following if name != newest}


def _is_template(urn: str, found: Mapping[str, ResourceChange]) -> bool:
    return found[urn].type == LAUNCH_TEMPLATE
