"""`muster verify`: compares a running cluster with its description. It changes nothing."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muster import terminal
from muster.cli import tables
from muster.cli.findings import CONTRACT, StackReport
from muster.cli.options import AsOf, Json, Stack, Strict, day
from muster.cli.writers import text
from muster.cli.writers.json import dump, judgement
from muster.kubernetes_quantity import MIB, format_amount, is_bytes
from muster.message_text import count_noun, list_names

if TYPE_CHECKING:
    from muster.verify.expected import Expectations, ExpectedGroup
    from muster.verify.observed import ObservedCluster, ObservedNode
    from muster.verify.verification import Verification


def verify(
    stack: Stack,
    *,
    kubeconfig: Annotated[
        Path | None,
        typer.Option(
            "--kubeconfig",
            metavar="FILE",
            help="Kubeconfig. Default: $KUBECONFIG, else ~/.kube/config.",
        ),
    ] = None,
    context: Annotated[
        str | None,
        typer.Option("--context", metavar="NAME", help="Kubernetes context. Default: the current context."),
    ] = None,
    as_json: Json = False,
    strict: Strict = False,
    as_of: AsOf = None,
) -> None:
    """Compare a running cluster with its description: nodes, capacity, plugins, EFA, health. Read-only.

    The command lists nodes, pods, DaemonSets and Deployments. Each finding has a line of the description.
    """
    from muster.cli.stacks import judge_cluster, open_stacks, reported_finding, require_kubernetes
    from muster.verify.checks import CHECKS
    from muster.verify.expected import expected_cluster
    from muster.verify.verification import verify as compare

    judged = judge_cluster(open_stacks([stack])[0], day(as_of))
    if judged.blueprint is None:
        if as_json:
            terminal.write(dump(_form(judged.report, {})))
        else:
            terminal.write_lines(text.stack_lines(judged.report, terminal.style()))
        raise typer.Exit(judged.report.exit())
    expected = expected_cluster(require_kubernetes(judged.blueprint))
    seen = _observed(expected, kubeconfig, context)
    found = compare(expected, seen)
    report = StackReport(
        stack=judged.report.stack,
        findings=tuple(
            sorted(reported_finding(judged.opened.locate(each), CHECKS[each.rule].source) for each in found.findings)
        ),
        not_evaluated=found.not_evaluated,
    )
    if as_json:
        more = {
            "cluster": seen.cluster,
            "context": seen.context,
            "groups": groups(found),
            "nodes": nodes(seen, expected),
        }
        terminal.write(dump(_form(report, more)))
    else:
        title = f"{report.stack} on {seen.cluster} (context {seen.context})"
        terminal.write(tables.table(HEADS, rows(found), title) + "\n")
        if found.strangers:
            names = list_names(sorted(node.name for node in found.strangers))
            strangers = count_noun(len(found.strangers), "node")
            terminal.write_lines([f"{strangers} in no group of the description: {names}", ""])
        terminal.write_lines(text.verification_lines(report, terminal.style()))
    raise typer.Exit(report.exit(strict=strict))


def _observed(expected: "Expectations", file: Path | None, context: str | None) -> "ObservedCluster":
    from muster.verify.cluster_reader import load, read_cluster

    config = load(file, context)
    with terminal.progress(f"reading the cluster at {config.server}"):
        return read_cluster(config, expected)


def _form(report: StackReport, more: Mapping[str, Any]) -> dict[str, Any]:
    result = judgement(report)
    return {
        "contract": CONTRACT,
        "stack": report.stack,
        "cluster": None,
        "context": None,
        "groups": [],
        "nodes": [],
        **more,
        "findings": result["findings"],
        "notEvaluated": result["notEvaluated"],
    }


HEADS = ("group", "instance", "planned", "joined", "ready", "offers of each node, planned")


def groups(verification: "Verification") -> list[dict[str, Any]]:
    """Every group, as `muster verify --json` prints it."""
    return [
        {
            "group": state.group.name,
            "instance": state.group.instance,
            "planned": {"min": state.group.least, "start": state.group.start, "max": state.group.most},
            "joined": len(state.nodes),
            "ready": state.ready,
            **({"underDeepHealthChecks": state.checked} if state.group.hyperpod else {}),
            "offers": _written(_planned(state.group)),
        }
        for state in verification.groups
    ]


def nodes(seen: "ObservedCluster", expected: "Expectations") -> list[dict[str, Any]]:
    """Every node, in the same form."""
    return [
        {
            "name": node.name,
            "group": node.group,
            "instance": node.instance or None,
            "zone": node.zone or None,
            "kubelet": node.kubelet,
            "ready": node.ready,
            "cordoned": node.cordoned,
            "offers": _written(_offered(node, expected.group(node.group))),
            "allocatable": dict(node.allocatable),
        }
        for node in seen.nodes
    ]


def rows(verification: "Verification") -> list[tuple[str, ...]]:
    """Every group, for people."""
    return [
        (
            state.group.name,
            state.group.instance,
            _count(state.group),
            str(len(state.nodes)),
            f"{state.ready}, {state.checked} under deep health checks" if state.checked else str(state.ready),
            _amounts(_planned(state.group)),
        )
        for state in verification.groups
    ]


def _count(group: "ExpectedGroup") -> str:
    if group.waits:
        return "none until its Capacity Block begins"
    return str(group.least) if group.least == group.most else f"{group.least} to {group.most}"


def _planned(group: "ExpectedGroup") -> dict[str, int]:
    from muster.blueprint.node import HUGE_PAGES_RESOURCE

    mib = group.node.huge_pages.mib
    pages = {HUGE_PAGES_RESOURCE: mib * MIB} if mib else {}
    return {**group.offers, **pages}


def _offered(node: "ObservedNode", group: "ExpectedGroup | None") -> dict[str, int]:
    """The planned resources that a node offers; a node without a group has no plan."""
    return {resource: node.offers(resource) for resource in (_planned(group) if group else ())}


def _written(offers: Mapping[str, int]) -> dict[str, int | str]:
    """For programs: pages in mebibytes, as `muster plan --json` has them."""
    return {resource: f"{number // MIB}Mi" if is_bytes(resource) else number for resource, number in offers.items()}


def _amounts(offers: Mapping[str, int]) -> str:
    return ", ".join(f"{resource} {format_amount(resource, number)}" for resource, number in offers.items()) or "-"
