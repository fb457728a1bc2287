"""`muster plan STACK --against REF`: what changes since that ref, and what it costs, for people and as JSON."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

from muster.cli.exits import WrongInput

if TYPE_CHECKING:
    from muster.cli.findings import ReportedFinding
    from muster.config.description.base import Change
    from muster.config.stack_file import StackFile
    from muster.extras.against.comparison import Comparison, Side
    from muster.extras.against.git_stacks import Revision
    from muster.extras.against.resource_changes import ResourceChange
    from muster.offline.plan import Plan
    from muster.terminal import Style

GATES: Mapping[str, str] = {
    "next-launch": "at the next launch",
    "drains": "drains nodes",
    "login-stop": "needs the login nodes stopped",
    "fleet-stop": "needs the compute fleet stopped",
    "replaces": "replaces",
    "deletes": "deletes",
    "stays": "stays as it was",
    "refused": "AWS refuses it",
    "buys": "buys",
}
"""Value of `--fail-on` -> change cost, in ascending order of cost."""

_MOST_INPUTS = 6
_WIDEST = 80


def revision_of(opened: "StackFile | None", ref: str) -> "Revision":
    """The commit of a ref, in the repository of a stack, or of the project if the stack's file has been removed.

    Raises:
        WrongInput: git is not installed, or there is no such commit.
    """
    from muster.cli.stacks import find_project, project_of
    from muster.extras.against.git_stacks import NotInGit, revision

    try:
        return revision(project_of(opened) if opened else find_project(), ref)
    except NotInGit as why:
        raise WrongInput(str(why)) from None


def compare_with_ref(
    opened: "StackFile | None", outcome: "Plan | None", name: str, at: "Revision", was: str | None, as_of: date
) -> "Comparison":
    """Compares a stack, or one whose file has been removed, with its files at a ref.

    Args:
        opened: the current stack; None where its file has been removed.
        outcome: the plan of the current stack.
        name: the stack's name.
        at: the commit.
        was: the stack's name at the ref; None is the current name.
        as_of: the date that the rules use.

    Raises:
        WrongInput: neither side has the stack, or git does not have its files.
    """
    from muster.extras.against.comparison import Side, compare
    from muster.extras.against.git_stacks import NotInGit, stacks_at

    now = Side(opened, outcome.blueprint, outcome.registrations) if opened and outcome else Side(opened)
    then_name = was or name
    try:
        with stacks_at(at, then_name) as then:
            stack = then.stacks.get(then_name)
            if stack is None and (was or opened is None):
                raise WrongInput(_no_stack(then_name, at.ref, then.names))
            return compare(then, then_name, now, _side(stack, as_of))
    except NotInGit as why:
        raise WrongInput(str(why)) from None


def _no_stack(name: str, ref: str, names: tuple[str, ...]) -> str:
    from muster.message_text import did_you_mean

    there = f" (its stacks: {', '.join(names)})" if names else "; it has no stacks"
    return f"no stack '{name}' at {ref}{did_you_mean(name, names) or there}"


def _side(stack: "StackFile | None", as_of: date) -> "Side":
    """A side of the comparison, registered by today's program. It has no registrations if the files have schema
    errors, or if the cluster is unknown."""
    from muster.extras.against.comparison import Side
    from muster.offline.plan import record_stack

    if stack is None or stack.described is None or not stack.knows_cluster:
        return Side(stack)
    blueprint = stack.derive()
    return Side(stack, blueprint, record_stack(stack, blueprint, as_of).registrations)


def parse_gate(gate: str | None) -> "Change | None":
    """The cost that `--fail-on` names.

    Raises:
        WrongInput: it is not one.
    """
    from muster.config.description.base import Change
    from muster.message_text import did_you_mean

    if gate is None:
        return None
    if gate not in GATES:
        raise WrongInput(
            f"--fail-on: '{gate}' is not a change cost{did_you_mean(gate, GATES)}; change costs: {', '.join(GATES)}"
        )
    return Change(GATES[gate])


def _reaches(cost: "Change", at: "Change | None") -> bool:
    from muster.config.change_costs import cost_rank

    return at is not None and cost_rank(cost) >= cost_rank(at)


def findings(found: "Comparison", file: str, at: "Change | None") -> "tuple[ReportedFinding, ...]":
    """The comparison as findings, for formats without a field for it: at changed lines, at resources that are replaced
    or deleted, and at the file. Findings whose cost is at least `at` are mandatory.

    Args:
        found: the comparison.
        file: the stack file, the place of findings without a line or resource.
        at: the cost of `--fail-on`; None makes every finding advisory.
    """
    from muster.cli.findings import CHANGE, ReportedFinding, Where
    from muster.extras.against.resource_changes import Operation
    from muster.finding import Level

    since = f"changes since {found.ref} ({found.commit[:12]})"
    whole = Where(file, 0, 0, "")

    def reported(where: Where, cost: "Change", got: str, resource: str = "") -> ReportedFinding:
        level = Level.MANDATORY if _reaches(cost, at) else Level.ADVISORY
        return ReportedFinding(where, CHANGE, level, resource, f"{cost.value}: {got}", "", since)

    made = [reported(whole, each.cost, each.text) for each in found.consequences]
    for each in found.fields:
        where = Where(str(each.file), each.position.line, each.position.column, each.where)
        made.append(reported(where, each.cost, f"{_value(each.before)} -> {_value(each.after)}"))
    for one in found.registered or ():
        if one.operation in (Operation.REPLACE, Operation.DELETE):
            got = f"{one.type} {one.name} {_BECOMES[_becomes(one)]}{_why(one)}"
            made.append(reported(Where("", 0, 0, one.urn), found.cost_of(one), got, one.urn))
    made += [ReportedFinding(whole, CHANGE, Level.ADVISORY, "", note, "", since) for note in found.notes]
    return tuple(sorted(made))


def described(found: "Comparison") -> dict[str, Any]:
    """The comparison, as `muster plan --json` prints it below `against`."""
    from muster.extras.against.resource_changes import Operation
    from muster.plain_data import to_plain

    return {
        "ref": found.ref,
        "commit": found.commit,
        "dearest": found.highest_cost.value,
        "changes": [
            {
                "path": each.where,
                "before": to_plain(each.before),
                "after": to_plain(each.after),
                "cost": each.cost.value,
                "where": {"file": str(each.file), "line": each.position.line, "column": each.position.column},
            }
            for each in found.fields
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
        "consequences": [{"cost": each.cost.value, "says": each.text} for each in found.consequences],
        "notes": list(found.notes),
    }


def lines(found: "Comparison", name: str, legend: Mapping[str, str], style: "Style") -> Iterator[str]:
    """The comparison as lines of text: consequences, changed fields, changed resources, totals."""
    yield style.strong(f"{name}: changes since {found.ref} ({found.commit[:12]})")
    yield from (f"  note: {note}" for note in found.notes)
    for each in found.consequences:
        yield f"  {_painted(each.cost, style)}: {each.text}"
    yield from _description_changes(found, legend, style)
    yield from _resource_changes(found, style)
    yield ""
    yield f"{name}: {totals(found)}"


def _description_changes(found: "Comparison", legend: Mapping[str, str], style: "Style") -> Iterator[str]:
    cost = None
    for each in found.fields:
        if each.cost != cost:
            cost = each.cost
            yield ""
            yield f"{_painted(cost, style)} ({legend[cost]})"
        place = f"{each.file}:{each.position.line}:{each.position.column}"
        yield f"  {place}: {each.where}: {_value(each.before)} -> {_value(each.after)}"


def _resource_changes(found: "Comparison", style: "Style") -> Iterator[str]:
    operation = None
    for each in sorted(found.registered or (), key=lambda each: list(_OPERATIONS).index(_becomes(each))):
        if _becomes(each) != operation:
            operation = _becomes(each)
            yield ""
            yield style.strong(_OPERATIONS[operation])
        yield f"  {each.type} {each.name}{_why(each)}"


def _becomes(change: "ResourceChange") -> str:
    """The operation on a resource, in the engine's terms; a separate one for resources that it only removes from its
    state."""
    from muster.extras.against.resource_changes import Operation

    return "forget" if change.operation is Operation.DELETE and change.stays else change.operation.value


_BECOMES = {"delete": "is deleted", "replace": "is replaced", "forget": "leaves the stack"}
_OPERATIONS = {
    "delete": "Resources that are deleted",
    "forget": "Resources that leave the stack, but continue to exist",
    "replace": "Resources that are replaced: Pulumi creates a new resource and deletes the old one",
    "update": "Resources that are updated in place",
    "create": "Resources that are created",
}


def _why(each: "ResourceChange") -> str:
    """Which inputs change, those that replace it first."""
    from muster.extras.against.resource_changes import KUBERNETES, covered

    parts = []
    if each.replacing:
        parts.append(f"because of {', '.join(each.replacing)}")
    others = [path for path in each.inputs if not covered(path, each.replacing)]
    if others:
        more = f" and {len(others) - _MOST_INPUTS} more" if len(others) > _MOST_INPUTS else ""
        parts.append(f"{'also ' if parts else ''}{', '.join(others[:_MOST_INPUTS])}{more}")
    if each.follows:
        parts.append(
            f"because {', '.join(urn.rpartition('::')[2] for urn in each.follows)} "
            f"{'is' if len(each.follows) == 1 else 'are'} replaced"
        )
    if each.kept:
        parts.append("protected: `pulumi up` fails")
    if each.stays:
        parts.append("stays on the cluster" if each.type.startswith(KUBERNETES) else "stays in AWS")
    return f": {'; '.join(parts)}" if parts else ""


def _value(value: Any) -> str:
    """A value on one line; a long one is shortened."""
    text = "not set" if value is None else _flow(value)
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 3]}..."


def _flow(value: Any) -> str:
    """A value as YAML on one line: ``{size: 300GiB}``."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {_flow(below)}' for key, below in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _painted(cost: "Change", style: "Style") -> str:
    from muster.config.description.base import Change

    if _reaches(cost, Change.REPLACES):
        return style.bad(cost.value)
    return style.warn(cost.value) if _reaches(cost, Change.NEXT_LAUNCH) else style.good(cost.value)


def totals(found: "Comparison") -> str:
    """Everything in one line."""
    by_cost: dict[str, int] = {}
    for each in found.fields:
        by_cost[each.cost.value] = by_cost.get(each.cost.value, 0) + 1
    summary = f"{len(found.fields)} {'change' if len(found.fields) == 1 else 'changes'} in the description"
    if by_cost:
        summary += f" ({', '.join(f'{count} {cost}' for cost, count in by_cost.items())})"
    if found.registered is None:
        return f"{summary}; the resource changes are unknown"
    words = {
        "replace": "replaced",
        "delete": "deleted",
        "forget": "removed from the stack only",
        "update": "updated in place",
        "create": "created",
    }
    counts = Counter(map(_becomes, found.registered))
    counted = [f"{counts[each]} {word}" for each, word in words.items() if counts[each]]
    resources = f"resources: {', '.join(counted)}" if counted else "no resource changes"
    return f"{summary}; {resources}" + (
        f"; highest change cost: {found.highest_cost.value}" if found.fields or counted else ""
    )
