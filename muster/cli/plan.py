"""`muster plan`: runs the real Pulumi program without an engine, and shows what it registers."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import typer

from muster.cli.asked import BaselineFile, Config, Ignore, Select, WriteBaseline
from muster.cli.exits import OurBug
from muster.cli.options import AsOf, Json, Stack, Strict, day
from muster.cli.outputs import Output, OutputOption, outputs, write
from muster.cli.report import Report

if TYPE_CHECKING:
    from addons.kept import Removal
    from muster.cli.report import StackReport
    from muster.cli.terminal import Style
    from muster.fleet.stack_file import StackFile
    from muster.offline.plan import Plan


def plan(
    stack: Stack,
    *,
    output: OutputOption = None,
    as_json: Json = False,
    strict: Strict = False,
    as_of: AsOf = None,
    config: Config = None,
    select: Select = None,
    ignore: Ignore = None,
    baseline: BaselineFile = None,
    write_baseline: WriteBaseline = None,
) -> None:
    """Show what `pulumi up` would create: resources, nodes and what they offer, findings. Needs no AWS account."""
    from muster.cli import terminal
    from muster.cli.asked import asked
    from muster.cli.judging import judge_cluster, open_stacks, report

    wanted = outputs(output, as_json=as_json)
    how = asked(config, select, ignore, baseline, write_baseline)
    opened = open_stacks([stack])[0]
    judged = judge_cluster(opened, day(as_of), how.configuration)
    if judged.blueprint is None:
        _unreadable(opened, judged.report, wanted)
    with terminal.progress(f"running the program of {opened.stack} offline"):
        from muster.offline.plan import plan_stack

        outcome = plan_stack(opened, day(as_of), configuration=how.configuration)
    (said,) = how.of((report(opened, outcome.judgement, outcome.objects),))
    bugs = _bugs(outcome)
    write(
        Report((said,), strict, bugs),
        wanted,
        table=lambda: _readable(opened, outcome, said, terminal.style_of(sys.stdout)),
        json=lambda: [_dumped(_described(outcome, said))],
    )
    if bugs:
        raise OurBug(bugs[0])
    raise typer.Exit(said.exit(strict=strict))


def _bugs(outcome: "Plan") -> tuple[str, ...]:
    if not outcome.broken_laws:
        return ()
    return (f"what the program registers is not what the blueprint says: {'; '.join(outcome.broken_laws)}",)


def _dumped(form: dict[str, Any]) -> str:
    from muster.cli.writers.json import dump

    return dump(form)


def _unreadable(opened: "StackFile", report: "StackReport", wanted: tuple[Output, ...]) -> None:
    """There is nothing to run: says why, in the same form."""
    from muster.cli import terminal
    from muster.cli.writers import json, text

    nothing: dict[str, Any] = {"resources": [], "nodes": [], "removals": [], "outputs": {}}
    form = {"contract": _contract(), "stack": opened.stack, "backend": None, **nothing, **json.judgement(report)}
    write(
        Report((report,)),
        wanted,
        table=lambda: (f"{line}\n" for line in text.stack_lines(report, terminal.style_of(sys.stdout))),
        json=lambda: [_dumped(form)],
    )
    raise typer.Exit(report.exit())


def _contract() -> int:
    from muster.cli.report import CONTRACT

    return CONTRACT


def _described(outcome: "Plan", report: "StackReport") -> dict[str, Any]:
    from muster.cli import plan_nodes
    from muster.cli.plain import SECRET_WORD, plain
    from muster.cli.writers.json import judgement

    return {
        "contract": _contract(),
        "stack": outcome.stack,
        "backend": outcome.backend,
        "resources": [
            {
                "type": each.type,
                "name": each.name,
                "urn": each.urn,
                "parent": each.parent,
                "custom": each.custom,
                "id": plain(each.id),
                "inputs": plain(each.inputs),
                "dependencies": list(each.dependencies),
                "propertyDependencies": {name: list(urns) for name, urns in each.property_dependencies.items()},
            }
            for each in outcome.registrations
        ],
        "nodes": plan_nodes.described(outcome.blueprint),
        "removals": [
            {"addon": each.name, "kept": each.kept, "loses": each.loses, "objects": list(each.objects)}
            for each in _removals(outcome)
        ],
        "outputs": {
            name: SECRET_WORD if name in outcome.secret_outputs else plain(value)
            for name, value in outcome.outputs.items()
        },
        **judgement(report),
    }


def _removals(outcome: "Plan") -> "tuple[Removal, ...]":
    from addons.kept import removals
    from addons.site import Site
    from muster.fleet.blueprint import Blueprint

    if not isinstance(outcome.blueprint, Blueprint):
        return ()
    return removals(Site.of_blueprint(outcome.blueprint))


def _readable(opened: "StackFile", outcome: "Plan", report: "StackReport", style: "Style") -> Iterator[str]:
    from muster.cli import change_costs, plan_nodes, plan_tree, tables
    from muster.cli.writers import text
    from muster.fleet.description import AddonsOf

    assert opened.described is not None
    title = f"{outcome.stack} ({outcome.backend})"
    if isinstance(opened.described, AddonsOf):
        title = f"{outcome.stack} (add-ons of {opened.described.addons_of})"
    yield tables.rendered(plan_tree.tree(title, outcome.registrations))
    yield "\n" + tables.table(
        plan_nodes.heads(outcome.blueprint), plan_nodes.rows(outcome.blueprint), "What each node will offer"
    )
    counts = plan_tree.counts(outcome.registrations)
    total = sum(int(count) for _, count in counts)
    yield "\n" + tables.table(("type", "count"), counts, f"Resources: {total}")
    costs = change_costs.by_cost(opened.described)
    legend = change_costs.legend(opened.described)
    rows = [(str(cost), legend[cost], ", ".join(paths)) for cost, paths in costs.items()]
    yield "\n" + tables.table(("cost", "what happens", "fields"), rows, "What changing it later costs")
    if removed := [(each.name, str(each)) for each in _removals(outcome)]:
        yield "\n" + tables.table(("add-on", "what happens"), removed, "What removing an add-on does")
    yield "\n" + "".join(f"{line}\n" for line in text.stack_lines(report, style))
