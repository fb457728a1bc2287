"""`muster verify`: compares a running cluster with its description. It changes nothing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muster.cli.exits import WrongInput
from muster.cli.options import AsOf, Json, Stack, Strict, day
from muster.message_text import count_noun

if TYPE_CHECKING:
    from muster.cli.findings import StackReport
    from muster.cli.stacks import JudgedStack
    from muster.extras.verify.efa import Condition
    from muster.extras.verify.expected import Expectations
    from muster.extras.verify.observed import ObservedCluster
    from muster.extras.verify.verification import Verification
    from muster.terminal import Style


def verify(
    stack: Stack,
    *,
    kubeconfig: Annotated[
        Path | None,
        typer.Option(
            "--kubeconfig",
            metavar="FILE",
            help="Kubeconfig. Default: $KUBECONFIG, else ~/.kube/config.",
            show_default=False,
        ),
    ] = None,
    context: Annotated[
        str | None,
        typer.Option(
            "--context", metavar="NAME", help="Kubernetes context. Default: the current context.", show_default=False
        ),
    ] = None,
    planned: Annotated[
        bool,
        typer.Option(
            "--planned", help="Print only the expected EFA-ready list, from the description. Needs no cluster."
        ),
    ] = False,
    as_json: Json = False,
    strict: Strict = False,
    as_of: AsOf = None,
) -> None:
    """Compare a running cluster with its description: nodes, capacity, plugins, EFA, health. Read-only.

    The command lists nodes, pods, DaemonSets and Deployments. Each finding has a line of the description.
    """
    from muster import terminal
    from muster.cli.stacks import judge_cluster, open_stacks, require_kubernetes

    if planned and (kubeconfig or context):
        raise WrongInput("--planned does not connect to a cluster; leave out --kubeconfig and --context")
    judged = judge_cluster(open_stacks([stack])[0], day(as_of))
    if judged.blueprint is None:
        _unreadable(judged.report, as_json=as_json)
    require_kubernetes(judged.blueprint, lambda slurm: slurm.inspect)
    outcome = _planned(judged) if planned else _live(judged, kubeconfig, context)
    if as_json:
        from muster.cli.writers.json import dump

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
    efa_ready: "Mapping[str, tuple[Condition, ...]]"
    seen: "ObservedCluster | None" = None
    verification: "Verification | None" = None


def _planned(judged: "JudgedStack") -> _Outcome:
    """The expectations of a stack, with the rules' findings about EFA and the conditions that follow from them."""
    from dataclasses import replace

    from muster.cli.stacks import require_kubernetes
    from muster.extras.verify.efa import SHEETS, planned_conditions
    from muster.extras.verify.expected import expected_cluster
    from muster.finding import Finding
    from muster.policies.engine.catalogue import all_rules as catalogue

    expected, report = expected_cluster(require_kubernetes(judged.blueprint)), judged.report
    rules = {rule for sheet in SHEETS.values() for rule in sheet.rules}
    about = tuple(each for each in report.findings if each.rule in rules)
    unjudged = tuple(each for each in report.not_evaluated if each.rule in rules)
    findings = [Finding(each.where.path, each.rule, each.level, each.got, each.remedy, each.resource) for each in about]
    # A suppression does not make EFA work: if the suppressed rule finds that EFA is off, it counts as off.
    levels = {rule.id: rule.level for rule in catalogue()}
    findings += [
        Finding(
            each.resource,
            each.rule,
            levels[each.rule],
            f"suppressed until {each.until}: {each.reason}",
            "",
            each.resource,
        )
        for each in report.suppressed
        if each.rule in rules
    ]
    lists = planned_conditions(expected, findings, unjudged)
    judged_by = {rule: count for rule, count in report.judged.items() if rule in rules}
    return _Outcome(replace(report, judged=judged_by, findings=about, not_evaluated=unjudged), expected, lists)


def _live(judged: "JudgedStack", file: Path | None, context: str | None) -> _Outcome:
    from muster import terminal
    from muster.cli.findings import StackReport
    from muster.cli.stacks import reported_finding, require_kubernetes
    from muster.extras.verify.checks import CHECKS
    from muster.extras.verify.expected import expected_cluster
    from muster.extras.verify.kubeconfig import NoAccess, load
    from muster.extras.verify.verification import verify

    expected = expected_cluster(require_kubernetes(judged.blueprint))
    try:
        config = load(file, context)
        with terminal.progress(f"reading the cluster at {config.server}"):
            from muster.extras.verify.cluster_reader import read_cluster

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
    return _Outcome(report, expected, verification.efa_ready, seen, verification)


def _unreadable(report: "StackReport", *, as_json: bool) -> None:
    """Prints the errors of a stack without a valid description, in the format of a verification."""
    from muster import terminal
    from muster.cli.writers import text
    from muster.cli.writers.json import dump

    if as_json:
        terminal.write(dump(_form(report, {})))
    else:
        terminal.write_lines(text.stack_lines(report, terminal.style()))
    raise typer.Exit(report.exit())


def _form(report: "StackReport", more: Mapping[str, Any]) -> dict[str, Any]:
    from muster.cli.findings import CONTRACT
    from muster.cli.writers.json import judgement

    result = judgement(report)
    return {
        "contract": CONTRACT,
        "stack": report.stack,
        "cluster": None,
        "context": None,
        "groups": [],
        "nodes": [],
        "efaReady": [],
        **more,
        "findings": result["findings"],
        "notEvaluated": result["notEvaluated"],
    }


def _described(outcome: _Outcome) -> dict[str, Any]:
    from muster.cli.writers import verify_nodes

    seen, verification = outcome.seen, outcome.verification
    more: dict[str, Any] = {
        "efaReady": [
            {
                "group": group,
                "conditions": [
                    {"id": each.id, "title": each.title, "verdict": each.verdict.value, "said": each.text}
                    for each in conditions
                ],
            }
            for group, conditions in outcome.efa_ready.items()
        ]
    }
    if seen and verification:
        more |= {
            "cluster": seen.cluster,
            "context": seen.context,
            "groups": verify_nodes.groups(verification),
            "nodes": verify_nodes.nodes(seen, outcome.expected),
        }
    return _form(outcome.report, more)


def _readable(outcome: _Outcome, style: "Style") -> Iterator[str]:
    from muster import terminal
    from muster.cli.writers import text

    seen, verification = outcome.seen, outcome.verification
    if seen and verification:
        from muster.cli import tables
        from muster.cli.writers import verify_nodes

        title = f"{outcome.report.stack} on {seen.cluster} (context {seen.context})"
        yield tables.table(verify_nodes.HEADS, verify_nodes.rows(verification), title) + "\n"
        if verification.strangers:
            from muster.extras.verify.checks import list_names

            names = list_names([node.name for node in verification.strangers])
            count = count_noun(len(verification.strangers), "node")
            yield terminal.text_of([f"{count} in no group of the description: {names}", ""])
    for group, conditions in outcome.efa_ready.items():
        yield terminal.text_of(_list(group, conditions, style))
    yield terminal.text_of(text.verification_lines(outcome.report, style))


def _list(group: str, conditions: "tuple[Condition, ...]", style: "Style") -> Iterator[str]:
    from muster.extras.verify.efa import Verdict

    paints = {Verdict.MET: style.good, Verdict.BROKEN: style.bad, Verdict.NOT_EVALUATED: style.warn}
    width = max(len(each.verdict) for each in conditions)
    yield style.strong(f"EFA of group {group}: conditions that can disable it without an error message")
    for each in conditions:
        yield f"  {paints[each.verdict](each.verdict.value)}{' ' * (width - len(each.verdict))}  {each.title}"
        yield style.dim(f"  {' ' * width}  {each.text}")
    yield ""
