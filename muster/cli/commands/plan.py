"""`muster plan`: runs the real Pulumi program without an engine, and shows what it registers."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muster import terminal
from muster.cli import tables
from muster.cli.findings import CONTRACT, Report, StackReport
from muster.cli.options import AsOf, Json, Stack, Strict, Verbose, day
from muster.cli.outputs import Output, OutputOption, outputs, write
from muster.cli.rule_selection import (
    BaselineFile,
    Config,
    Ignore,
    Pack,
    Select,
    WriteBaseline,
    select_rules,
)
from muster.cli.writers import json, text
from muster.cli.writers.json import dump, judgement
from muster.finding import OurBug
from muster.plain_data import to_plain
from muster.unknown import SECRET_WORD

if TYPE_CHECKING:
    from datetime import date

    from muster.addons.installation_order import Entry
    from muster.cli.commands.plan_against import Comparison
    from muster.cost.estimate import Cost
    from muster.offline.plan import Plan
    from muster.stack.stack_file import StackFile
    from muster.terminal import Style


Against = Annotated[
    str | None,
    typer.Option(
        "--against",
        metavar="REF",
        help="Show instead what changes since this Git commit (a branch, a tag, HEAD), and what each change costs.",
    ),
]


def plan(
    stack: Stack,
    *,
    output: OutputOption = None,
    as_json: Json = False,
    verbose: Verbose = False,
    strict: Strict = False,
    as_of: AsOf = None,
    config: Config = None,
    select: Select = None,
    ignore: Ignore = None,
    baseline: BaselineFile = None,
    write_baseline: WriteBaseline = None,
    pack: Pack = None,
    against: Against = None,
) -> None:
    """Show what `pulumi up` would create: resources, nodes, their capacity, findings. Needs no AWS account."""
    from muster.cli.commands import plan_against
    from muster.cli.stacks import crash_list, faulty_report, judgement_report, open_stacks, require_cluster

    wanted = outputs(output, as_json=as_json, verbose=verbose)
    how = select_rules(config, select, ignore, baseline, write_baseline, pack)
    (opened,) = open_stacks([stack])
    if opened.described is None:
        _unreadable(opened, faulty_report(opened, opened.faults), wanted)
    require_cluster(opened)
    crashes = crash_list()
    with terminal.progress(f"running the program of {opened.stack} offline"):
        from muster.offline.plan import plan_stack

        outcome = plan_stack(opened, day(as_of), configuration=how.configuration, crashes=crashes)
        changed = plan_against.compare_with_ref(opened, outcome, against, day(as_of)) if against is not None else None
    broken = f"the program does not register what the blueprint has: {'; '.join(outcome.broken_laws)}"
    laws = [broken] if outcome.broken_laws else []
    opened = replace(opened, sources=outcome.sources)
    stack_report = judgement_report(opened, outcome.judgement, outcome.objects, crashes, laws)
    whole = _in_one(how.report((stack_report,), day(as_of), strict=strict))
    (final,) = whole.stacks
    write(
        whole,
        wanted,
        table=lambda: (
            _changes(opened, changed, final, terminal.style(verbose=verbose))
            if changed
            else _readable(opened, outcome, final, terminal.style(verbose=verbose), day(as_of))
        ),
        json=lambda: [dump(_described(outcome, opened.region, final, changed))],
    )
    if whole.bugs:
        raise OurBug("; ".join(whole.bugs))
    raise typer.Exit(whole.exit())


def _in_one(report: Report) -> Report:
    """The report with the findings about the configuration's suppressions in the stack's own report. A plan is of one
    stack; `check` has those findings in a separate report."""
    first, *others = report.stacks
    found = (*first.findings, *(each for other in others for each in other.findings))
    return replace(report, stacks=(replace(first, findings=found),))


def _changes(opened: "StackFile", changed: "Comparison", stack_report: "StackReport", style: "Style") -> Iterator[str]:
    from muster.cli.commands import plan_against

    yield terminal.text_of(plan_against.lines(changed, opened, style))
    yield "\n"
    yield terminal.text_of(text.stack_lines(stack_report, style))


def _unreadable(opened: "StackFile", report: "StackReport", wanted: tuple[Output, ...]) -> None:
    """Writes the schema errors of a stack in the format of a plan: its program cannot run."""
    nothing: dict[str, Any] = {
        "resources": [],
        "nodes": [],
        "loginNodes": [],
        "removals": [],
        "outputs": {},
    }
    form = {
        "contract": CONTRACT,
        "stack": opened.stack,
        "backend": None,
        "region": None,
        **nothing,
        **json.judgement(report),
    }
    write(
        Report((report,)),
        wanted,
        table=lambda: [terminal.text_of(text.stack_lines(report, terminal.style()))],
        json=lambda: [dump(form)],
    )
    raise typer.Exit(report.exit())


def _described(outcome: "Plan", region: str, report: "StackReport", changed: "Comparison | None") -> dict[str, Any]:
    from muster.cli.commands import plan_against
    from muster.cli.writers import plan_tables

    return {
        "contract": CONTRACT,
        "stack": outcome.stack,
        "backend": outcome.backend,
        "region": region,
        "resources": [
            {
                "type": each.type,
                "name": each.name,
                "urn": each.urn,
                "parent": each.parent,
                "custom": each.custom,
                "id": to_plain(each.id),
                "inputs": to_plain(each.inputs),
                "dependencies": list(each.dependencies),
                "propertyDependencies": {name: list(urns) for name, urns in each.property_dependencies.items()},
            }
            for each in outcome.registrations
        ],
        "nodes": plan_tables.nodes_json(outcome.blueprint),
        "loginNodes": plan_tables.login_json(outcome.blueprint),
        "removals": [
            {"addon": each.name, "kept": each.kept, "loses": each.loses, "objects": list(each.deleted)}
            for each in _removals(outcome)
        ],
        "outputs": {
            name: SECRET_WORD if name in outcome.secret_outputs else to_plain(value)
            for name, value in outcome.outputs.items()
        },
        **judgement(report),
        **({"own": plan_against.changes_json(outcome.own)} if outcome.own else {}),
        **({"against": plan_against.described(changed)} if changed else {}),
    }


_OWN = {
    "create": "Added by the project's own program",
    "update": "Changed by the project's own program, with the changed inputs",
    "delete": "Left out by the project's own program",
}


def _removals(outcome: "Plan") -> "list[Entry]":
    """The add-ons of the stack whose removal deletes more than the add-on."""
    from muster.addons.installation_order import graph

    if not outcome.blueprint.on_kubernetes:
        return []
    own = (each for each in graph(outcome.blueprint) if each.name not in outcome.blueprint.elsewhere)
    return [each for each in own if each.loses]


def _readable(
    opened: "StackFile", outcome: "Plan", report: "StackReport", style: "Style", as_of: "date"
) -> Iterator[str]:
    from rich.text import Text

    from muster.cli.commands import plan_against
    from muster.cli.commands.cost import cost_line
    from muster.cli.writers import plan_tables
    from muster.config.description.kubernetes_cluster import AddonsOf

    table = partial(tables.table, piped=tables.REPORT)
    title = f"{outcome.stack} ({outcome.backend})"
    if isinstance(opened.described, AddonsOf):
        title = f"{outcome.stack} (add-ons of {opened.described.addons_of})"
    tree = plan_tables.resource_tree(title, outcome.registrations, whole=style.verbose)
    yield tables.rendered(tree, tables.REPORT)
    yield "\n" + table(
        plan_tables.node_heads(outcome.blueprint), plan_tables.node_rows(outcome.blueprint), "What each node offers"
    )
    if logins := [tuple(map(str, each.values())) for each in plan_tables.login_json(outcome.blueprint)]:
        yield "\n" + table(plan_tables.LOGIN_HEADS, logins, "Login nodes")
    counts = plan_tables.resource_counts(outcome.registrations)
    total = sum(int(count) for _, count in counts)  # number: a count
    if style.verbose:
        yield "\n" + table(("type", "count"), counts, f"Resources: {total}")
    else:
        yield f"\nResources: {total}; -v lists them by type\n"
    yield terminal.text_of(plan_against.resource_lines(outcome.own, _OWN, style))
    if removed := [(each.name, each.removal) for each in _removals(outcome)]:
        yield "\n" + table(("add-on", "what happens"), removed, "What happens when you remove an add-on")
    if outcome.blueprint.note:
        yield f"\n{outcome.blueprint.note}\n"
    if cost := _cost(outcome, as_of):
        yield "\n" + tables.rendered(Text(terminal.visible(cost_line(report.argument, cost))), tables.REPORT)
    yield "\n" + terminal.text_of(text.stack_lines(report, style))


def _cost(outcome: "Plan", as_of: "date") -> "Cost | None":
    """The cost of the stack by the price table; None where it has only add-ons for another stack's cluster."""
    from muster.cost.estimate import cost_of

    blueprint = outcome.blueprint
    if blueprint.on_kubernetes and blueprint.cluster_stack not in {"", outcome.stack}:
        return None
    return cost_of(blueprint, as_of)
