"""`muster verify`: compares a running cluster with its description. It changes nothing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muster import terminal
from muster.cli import tables
from muster.cli.exits import WrongInput
from muster.cli.findings import CONTRACT, StackReport
from muster.cli.options import AsOf, Json, Stack, Strict, day
from muster.cli.writers import text
from muster.cli.writers.json import dump, judgement
from muster.kubernetes_quantity import MIB, format_amount, is_bytes
from muster.message_text import count_noun, list_names

if TYPE_CHECKING:
    from muster.cli.stacks import JudgedStack
    from muster.terminal import Style
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
    from muster.cli.stacks import judge_cluster, open_stacks, require_kubernetes

    judged = judge_cluster(open_stacks([stack])[0], day(as_of))
    if judged.blueprint is None:
        _unreadable(judged.report, as_json=as_json)
    require_kubernetes(judged.blueprint, lambda slurm: slurm.inspect)
    outcome = _verified(judged, kubeconfig, context)
    if as_json:
        terminal.write(dump(_described(outcome)))
    else:
        for part in _readable(outcome, terminal.style()):
            terminal.write(part)
    raise typer.Exit(outcome.report.exit(strict=strict))


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The result of a verification."""

    report: "StackReport"
    expected: "Expectations"
    seen: "ObservedCluster"
    verification: "Verification"


def _verified(judged: "JudgedStack", file: Path | None, context: str | None) -> _Outcome:
    from muster.cli.stacks import reported_finding, require_kubernetes
    from muster.verify.checks import CHECKS
    from muster.verify.cluster_reader import NoAccess, load
    from muster.verify.expected import expected_cluster
    from muster.verify.verification import verify

    expected = expected_cluster(require_kubernetes(judged.blueprint))
    try:
        config = load(file, context)
        with terminal.progress(f"reading the cluster at {config.server}"):
            from muster.verify.cluster_reader import read_cluster

            seen = read_cluster(config, expected)
    except NoAccess as fault:
        raise WrongInput(str(fault)) from None
    verification = verify(expected, seen)
    report = StackReport(
        stack=judged.report.stack,
        findings=tuple(
            sorted(
                reported_finding(judged.opened.locate(each), CHECKS[each.rule].source) for each in verification.findings
            )
        ),
        not_evaluated=verification.not_evaluated,
    )
    return _Outcome(report, expected, seen, verification)


def _unreadable(report: "StackReport", *, as_json: bool) -> None:
    """Prints the errors of a stack without a valid description, in the format of a verification."""
    if as_json:
        terminal.write(dump(_form(report, {})))
    else:
        terminal.write_lines(text.stack_lines(report, terminal.style()))
    raise typer.Exit(report.exit())


def _form(report: "StackReport", more: Mapping[str, Any]) -> dict[str, Any]:
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


def _described(outcome: _Outcome) -> dict[str, Any]:

    more = {
        "cluster": outcome.seen.cluster,
        "context": outcome.seen.context,
        "groups": groups(outcome.verification),
        "nodes": nodes(outcome.seen, outcome.expected),
    }
    return _form(outcome.report, more)


def _readable(outcome: _Outcome, style: "Style") -> Iterator[str]:
    seen, strangers = outcome.seen, outcome.verification.strangers
    title = f"{outcome.report.stack} on {seen.cluster} (context {seen.context})"
    yield tables.table(HEADS, rows(outcome.verification), title) + "\n"
    if strangers:
        names = list_names(sorted(node.name for node in strangers))
        yield terminal.text_of([f"{count_noun(len(strangers), 'node')} in no group of the description: {names}", ""])
    yield terminal.text_of(text.verification_lines(outcome.report, style))


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

    pages = {HUGE_PAGES_RESOURCE: group.huge_pages_mib * MIB} if group.huge_pages_mib else {}
    return {**group.offers, **pages}


def _offered(node: "ObservedNode", group: "ExpectedGroup | None") -> dict[str, int]:
    """The planned resources that a node offers; a node without a group has no plan."""
    return {resource: node.offers(resource) for resource in (_planned(group) if group else ())}


def _written(offers: Mapping[str, int]) -> dict[str, int | str]:
    """For programs: pages in mebibytes, as `muster plan --json` has them."""
    return {resource: f"{number // MIB}Mi" if is_bytes(resource) else number for resource, number in offers.items()}


def _amounts(offers: Mapping[str, int]) -> str:
    return ", ".join(f"{resource} {format_amount(resource, number)}" for resource, number in offers.items()) or "-"
