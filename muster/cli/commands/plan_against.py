"""`muster plan STACK --against REF`: two plans compared, resource by resource, with the cost of each changed key."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from muster.cli.exits import WrongInput

if TYPE_CHECKING:
    from datetime import date

    from muster.config.change_costs import DescribedChange
    from muster.config.stack_file import StackFile
    from muster.fleet.registration import Registration
    from muster.offline.plan import Plan
    from muster.terminal import Style

_MOST_INPUTS = 6
_WIDEST = 80
_OPERATIONS = {"delete": "Only in the earlier plan", "update": "Changed inputs", "create": "Only in this plan"}


@dataclass(frozen=True, slots=True)
class ResourceChange:
    """A resource that differs between two plans."""

    operation: str
    """``create``, ``update`` or ``delete``. Whether AWS replaces a resource, only `pulumi preview` shows."""
    type: str
    name: str
    urn: str
    inputs: tuple[str, ...] = ()
    """The top-level inputs that differ."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed since a commit."""

    ref: str
    commit: str
    fields: "tuple[tuple[DescribedChange, str], ...]"
    """The changed keys, each with its cost, the highest cost first."""
    resources: tuple[ResourceChange, ...]


def compare_with_ref(opened: "StackFile", outcome: "Plan", ref: str, as_of: "date") -> Comparison:
    """Compares the plan of a stack with the plan of its files at a ref. Today's program makes both.

    Raises:
        WrongInput: there is no git, no such commit, or its stack cannot be planned.
    """
    from muster.cli.git_stacks import NotInGit, revision, stack_at
    from muster.cli.stacks import project_of
    from muster.config.change_costs import cost_of, cost_rank, description_changes
    from muster.offline.plan import record_stack

    assert opened.described is not None, "only a stack without schema errors has a plan"
    now = _by_urn(outcome.registrations)
    try:
        at = revision(project_of(opened), ref)
        with stack_at(at, opened.stack) as then:
            if then is None:
                return Comparison(ref, at.commit, (), tuple(_resource_changes({}, now)))
            if then.described is None or not then.knows_cluster:
                raise WrongInput(f"the file of stack '{opened.stack}' at {ref} has schema errors; compare with another")
            before = then.described
            earlier = _by_urn(record_stack(then, then.derive(), as_of).registrations)
    except NotInGit as why:
        raise WrongInput(str(why)) from None
    changes = description_changes(before, opened.described)
    fields = [(each, cost_of(each, before, opened.described)) for each in changes]
    return Comparison(
        ref,
        at.commit,
        tuple(sorted(fields, key=lambda each: (-cost_rank(each[1]), each[0].where))),
        tuple(_resource_changes(earlier, now)),
    )


def _by_urn(registrations: "tuple[Registration, ...]") -> "Mapping[str, Registration]":
    return {each.urn: each for each in registrations}


def _resource_changes(
    before: "Mapping[str, Registration]", after: "Mapping[str, Registration]"
) -> Iterator[ResourceChange]:
    for urn, gone in before.items():
        if urn not in after:
            yield ResourceChange("delete", gone.type, gone.name, urn)
    for urn, each in after.items():
        if urn not in before:
            yield ResourceChange("create", each.type, each.name, urn)
            continue
        was, now = before[urn].inputs, each.inputs
        if differing := tuple(key for key in {**was, **now} if was.get(key) != now.get(key)):
            yield ResourceChange("update", each.type, each.name, urn, differing)


def described(found: Comparison) -> dict[str, Any]:
    """The comparison, as `muster plan --json` prints it below `against`."""
    return {
        "ref": found.ref,
        "commit": found.commit,
        "changes": [
            {"path": each.where, "before": each.before, "after": each.after, "cost": cost}
            for each, cost in found.fields
        ],
        "resources": [
            {
                "operation": each.operation,
                "type": each.type,
                "name": each.name,
                "urn": each.urn,
                "inputs": list(each.inputs),
            }
            for each in found.resources
        ],
    }


def lines(found: Comparison, opened: "StackFile", style: "Style") -> Iterator[str]:
    """The comparison as lines of text: changed keys, then changed resources."""
    from muster.cli.stacks import place_in_file
    from muster.config.change_costs import legend

    assert opened.described is not None, "only a stack without schema errors has a plan"
    yield style.strong(f"{opened.stack}: changes since {found.ref} ({found.commit[:12]})")
    meanings, stated = legend(opened.described), ""
    for each, cost in found.fields:
        if cost != stated:
            stated = cost
            yield ""
            yield f"{style.warn(cost)} ({meanings[cost]})"
        place = place_in_file(opened, each.where)
        yield f"  {place.file}:{place.line}:{place.column}: {each.where}: {_value(each.before)} -> {_value(each.after)}"
    for operation, title in _OPERATIONS.items():
        if listed := [each for each in found.resources if each.operation == operation]:
            yield ""
            yield style.strong(title)
            yield from (f"  {each.type} {each.name}{_inputs(each)}" for each in listed)
    yield ""
    yield (
        f"{opened.stack}: {len(found.fields)} changed keys, {len(found.resources)} changed resources; "
        "`pulumi preview` shows which ones AWS replaces"
    )


def _inputs(each: ResourceChange) -> str:
    more = f" and {len(each.inputs) - _MOST_INPUTS} more" if len(each.inputs) > _MOST_INPUTS else ""
    return f": {', '.join(each.inputs[:_MOST_INPUTS])}{more}" if each.inputs else ""


def _value(value: Any) -> str:
    """A value on one line, as YAML has it; a long one is shortened."""
    text = "not set" if value is None else _flow(value)
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 3]}..."


def _flow(value: Any) -> str:
    """A value as YAML on one line: ``{size: 300GiB}``."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {_flow(below)}' for key, below in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)
