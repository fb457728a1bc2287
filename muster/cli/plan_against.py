"""`muster plan STACK --against REF`: what changes since that ref, and what it costs, for people and as JSON."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

from muster.cli.exits import WrongInput

if TYPE_CHECKING:
    from muster.against.comparison import Comparison, Side
    from muster.cli.terminal import Style
    from muster.fleet.description import Change
    from muster.fleet.stack_file import StackFile
    from muster.offline.plan import Plan

GATES: Mapping[str, str] = {
    "next-launch": "at the next launch",
    "drains": "drains nodes",
    "fleet-stop": "needs the compute fleet stopped",
    "replaces": "replaces",
    "deletes": "deletes",
    "stays": "stays as it was",
    "refused": "AWS refuses it",
    "buys": "buys",
}
"""What `--fail-on` may name, from the cheapest to the dearest -> the cost."""

_MOST_INPUTS = 6
_WIDEST = 80


def compared(
    opened: "StackFile | None", outcome: "Plan | None", name: str, ref: str, was: str | None, as_of: date
) -> "Comparison":
    """Compares a stack of today's, or one that is gone, with what its files said at a ref.

    Args:
        opened: today's; None where there is no file any more.
        outcome: what today's program registers of it.
        name: its name.
        ref: a branch, a tag or a commit.
        was: its name then; today's without it.
        as_of: the day it is.

    Raises:
        WrongInput: there is no git, no such commit, or no such stack on either side.
    """
    from muster.against.comparison import Side, compare
    from muster.against.repository import NotAtHand, revision
    from muster.against.stack_then import stacks_then
    from muster.cli.judging import find_project

    now = Side(opened, outcome.blueprint, outcome.registrations) if opened and outcome else Side(opened)
    then_name = was or name
    try:
        with stacks_then(revision(find_project(), ref), then_name) as then:
            stack = then.stacks.get(then_name)
            if stack is None and (was or opened is None):
                raise WrongInput(_no_stack(then_name, ref, then.names))
            return compare(then, then_name, now, _side(stack, as_of))
    except NotAtHand as why:
        raise WrongInput(str(why)) from None


def _no_stack(name: str, ref: str, names: tuple[str, ...]) -> str:
    from muster.fleet.near_miss import did_you_mean

    there = f" (there were: {', '.join(names)})" if names else "; there was no stack at all"
    return f"no stack '{name}' at {ref}{did_you_mean(name, names)}{there}"


def _side(stack: "StackFile | None", as_of: date) -> "Side":
    """What today's program registers of files that may be none it takes."""
    from muster.against.comparison import Side
    from muster.offline.plan import record_stack

    if stack is None or stack.described is None or not stack.knows_cluster:
        return Side(stack)
    blueprint = stack.derive()
    return Side(stack, blueprint, record_stack(stack, blueprint, as_of).registrations)


def gate(asked: str | None) -> "Change | None":
    """The cost that `--fail-on` names.

    Raises:
        WrongInput: it names none.
    """
    from muster.fleet.description import Change
    from muster.fleet.near_miss import did_you_mean

    if asked is None:
        return None
    if asked not in GATES:
        raise WrongInput(f"--fail-on: '{asked}' is no cost{did_you_mean(asked, GATES)}; costs: {', '.join(GATES)}")
    return Change(GATES[asked])


def fails(found: "Comparison", at: "Change | None") -> bool:
    """Whether something costs as much as the gate names, or more."""
    from muster.fleet.change_costs import LEGEND

    order = list(LEGEND)
    return at is not None and order.index(found.dearest) >= order.index(at)


def described(found: "Comparison") -> dict[str, Any]:
    """The comparison, as `muster plan --json` prints it below `against`."""
    from muster.cli.plain import plain
    from muster.fleet.registered_changes import Operation

    return {
        "ref": found.ref,
        "commit": found.commit,
        "dearest": found.dearest.value,
        "changes": [
            {
                "path": each.where,
                "before": plain(each.before),
                "after": plain(each.after),
                "cost": each.cost.value,
                "where": {"file": str(each.file), "line": each.position.line, "column": each.position.column},
            }
            for each in found.said
        ],
        "resources": None
        if found.registered is None
        else [
            {
                "operation": each.operation.value,
                "type": each.type,
                "name": each.name,
                "urn": each.urn,
                "inputs": list(each.inputs),
                "replacing": list(each.replacing),
                "because": list(each.follows),
                "protected": each.kept,
                "retained": each.stays,
            }
            for each in found.registered
        ],
        "counts": {each.value: found.count(each) for each in Operation} if found.registered is not None else None,
        "consequences": [{"cost": each.cost.value, "says": each.says} for each in found.consequences],
        "notes": list(found.notes),
    }


def lines(found: "Comparison", name: str, legend: Mapping[str, str], style: "Style") -> Iterator[str]:
    """The comparison for people: what it comes to, what is said otherwise, what becomes of resources, the totals."""
    yield style.strong(f"{name}: what changes since {found.ref} ({found.commit[:12]})")
    yield from (f"  note: {_line(note)}" for note in found.notes)
    for each in found.consequences:
        yield f"  {_painted(each.cost, style)}: {_line(each.says)}"
    yield from _said(found, legend, style)
    yield from _registered(found, style)
    yield ""
    yield f"{name}: {totals(found)}"


def _line(text: str) -> str:
    from muster.cli.terminal import one_line

    return one_line(text)


def _said(found: "Comparison", legend: Mapping[str, str], style: "Style") -> Iterator[str]:
    cost = None
    for each in found.said:
        if each.cost != cost:
            cost = each.cost
            yield ""
            yield f"{_painted(cost, style)} ({legend[cost]})"
        place = f"{each.file}:{each.position.line}:{each.position.column}"
        yield f"  {_line(place)}: {_line(each.where)}: {_value(each.before)} -> {_value(each.after)}"


def _registered(found: "Comparison", style: "Style") -> Iterator[str]:
    operation = None
    for each in found.registered or ():
        if each.operation is not operation:
            operation = each.operation
            yield ""
            yield style.strong(_OPERATIONS[operation.value])
        yield f"  {each.type} {_line(each.name)}{_why(each)}"


_OPERATIONS = {
    "delete": "Resources that are deleted",
    "replace": "Resources that are replaced: another is made, and this one deleted",
    "update": "Resources that are updated in place",
    "create": "Resources that are made",
}


def _why(each: Any) -> str:
    """Which inputs change, those that replace it first."""
    parts = []
    if each.replacing:
        parts.append(f"for {', '.join(each.replacing)}")
    others = [path for path in each.inputs if path not in each.replacing]
    if others:
        more = f" and {len(others) - _MOST_INPUTS} more" if len(others) > _MOST_INPUTS else ""
        parts.append(f"{'also ' if parts else ''}{', '.join(others[:_MOST_INPUTS])}{more}")
    if each.follows:
        parts.append(f"as {', '.join(urn.rpartition('::')[2] for urn in each.follows)} is replaced")
    if each.kept:
        parts.append("protected: `up` refuses")
    if each.stays:
        parts.append("stays in AWS")
    return f": {_line('; '.join(parts))}" if parts else ""


def _value(value: Any) -> str:
    """A value on one line, cut where it is long."""
    text = "not said" if value is None else _flow(value)
    return _line(text if len(text) <= _WIDEST else f"{text[: _WIDEST - 3]}...")


def _flow(value: Any) -> str:
    """As YAML has it on one line: ``{size: 300GiB}``."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {_flow(below)}' for key, below in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _painted(cost: "Change", style: "Style") -> str:
    from muster.fleet.change_costs import LEGEND
    from muster.fleet.description import Change

    order = list(LEGEND)
    if order.index(cost) >= order.index(Change.REPLACES):
        return style.bad(cost.value)
    return style.warn(cost.value) if order.index(cost) >= order.index(Change.NEXT_LAUNCH) else style.good(cost.value)


def totals(found: "Comparison") -> str:
    """Everything in one line."""
    from muster.fleet.registered_changes import Operation

    by_cost: dict[str, int] = {}
    for each in found.said:
        by_cost[each.cost.value] = by_cost.get(each.cost.value, 0) + 1
    said = f"{len(found.said)} {'change' if len(found.said) == 1 else 'changes'} in what is said"
    if by_cost:
        said += f" ({', '.join(f'{count} {cost}' for cost, count in by_cost.items())})"
    if found.registered is None:
        return f"{said}; of resources nobody can say"
    words = {
        Operation.REPLACE: "replaced",
        Operation.DELETE: "deleted",
        Operation.UPDATE: "updated in place",
        Operation.CREATE: "made",
    }
    counted = [f"{found.count(each)} {word}" for each, word in words.items() if found.count(each)]
    resources = f"resources: {', '.join(counted)}" if counted else "no resource changes"
    return f"{said}; {resources}" + (f"; the dearest: {found.dearest.value}" if found.said or counted else "")
