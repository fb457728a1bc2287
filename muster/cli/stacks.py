"""Opens stacks by name, evaluates the rules on them, and builds the report of each."""

import os
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from muster import terminal
from muster.blueprint.account_references import placeholder_values
from muster.cli.exits import Exit
from muster.cli.findings import PlaceholderValue, ReportedFinding, StackReport, SuppressedFinding, Where
from muster.cli.writers import text
from muster.config.description.kubernetes_cluster import AddonsOf
from muster.config.document import LocatedFinding
from muster.config.placeholders import PLACEHOLDER, placeholder_reason
from muster.finding import NOT_MODELLED, Finding, Level, NotEvaluated, OurBug, WrongInput
from muster.message_text import or_list
from muster.stack import project
from muster.stack.own_program import own_program
from muster.stack.stack_file import StackFile

if TYPE_CHECKING:
    from muster.blueprint.cluster import Blueprint, ClusterBlueprint
    from muster.config.description.root import Description
    from muster.fleet.resources import Fleet
    from muster.policies.engine.configuration import Configuration
    from muster.policies.engine.judgement import Judgement, RuleCrashed


def open_stacks(names: Iterable[str]) -> list[StackFile]:
    """The stacks of these names or files, each once, in the given order.

    Raises:
        WrongInput: there is no project, or a stack is missing; the message has every unknown name.
    """
    opened: dict[Path, StackFile] = {}
    faults = []
    for name in names:
        try:
            stack = project.open_argument(name)
        except project.NoStack as fault:
            faults.append(f"{fault}{_or_check(name)}")
        except (OSError, ValueError) as fault:  # an invalid file name
            faults.append(f"no stack '{name}': {fault}")
        else:
            opened.setdefault(stack.document.file, _checked(stack))
    if faults:
        raise WrongInput(*faults)
    return list(opened.values())


def require_description(opened: StackFile) -> "Description":
    """The description of a stack.

    Raises:
        typer.Exit: the stack's files have schema errors; they are on stderr.
    """
    import typer

    if opened.described is not None:
        return opened.described
    report = faulty_report(opened, opened.faults)
    terminal.complain(*text.stack_lines(report, terminal.error_style()))
    raise typer.Exit(report.exit())


def without_faulty_facts(opened: StackFile) -> tuple[StackFile, tuple[LocatedFinding, ...]]:
    """If only the facts have errors: the stack without its facts, and the errors of the facts. Else the stack, and no
    errors. A preflight uses it, because it queries the facts again."""
    if not opened.faults or any(each.file != opened.facts_file for each in opened.faults):
        return opened, ()
    folder = opened.document.file.absolute().parent
    return _checked(project.open_in(folder, opened.stack, without_facts=True)), opened.faults


def _checked(opened: StackFile) -> StackFile:
    """The stack, with the errors of its `muster:policies`. A stack without that key does not load the rules."""
    if opened.policies is None:
        return opened
    from muster.policies.engine.configuration import checked

    return checked(opened)


def _or_check(name: str) -> str:
    """What to do with a file of another tool, for a name that exists as a file."""
    return f"; `muster check {name}` judges a file of another tool" if Path(name).is_file() else ""


def open_all() -> list[StackFile]:
    """All stacks of the project.

    Raises:
        WrongInput: it has none.
    """
    names = known_stacks()
    if not names:
        raise WrongInput(f"{project.root() / 'stacks'} has no stacks; add a file Pulumi.NAME.yaml there")
    return open_stacks(names)


def known_stacks() -> list[str]:
    """The names of all stacks of the project."""
    return project.stacks(project.root())


STACK_FORM = "the schema of a stack file (`muster schema stack` prints it)"
FACTS_FORM = "the schema of facts (`muster schema facts` prints it)"


def faulty_report(opened: StackFile, faults: Iterable[LocatedFinding]) -> StackReport:
    """The report of a stack whose files cannot be read."""
    reported = (reported_finding(each, FACTS_FORM if each.file.suffix == ".json" else STACK_FORM) for each in faults)
    return replace(_blank_report(opened), findings=tuple(reported), readable=False)


def crashed_report(opened: StackFile, bug: Exception) -> StackReport:
    """The report of a stack on which Muster fails because of a bug. No rule was evaluated."""
    return replace(_blank_report(opened), bugs=(f"{type(bug).__name__}: {bug}",))


def _blank_report(opened: StackFile) -> StackReport:
    file = opened.document.file
    elsewhere = "" if opened.project != file.absolute().parent else str(file.parent)
    return StackReport(opened.stack, file=str(file), project=elsewhere)


def judgement_report(
    opened: StackFile,
    judgement: "Judgement",
    objects: int,
    crashes: "Iterable[RuleCrashed] | None" = None,
    laws: Iterable[str] = (),
) -> StackReport:
    """The report of an evaluated stack. Its bugs are the rules that raised, and the violations of the law."""
    from muster.policies.engine.catalogue import all_rules

    sources = {rule.id: rule.source[0] for rule in all_rules()}

    def placed(finding: Finding) -> ReportedFinding:
        return reported_finding(opened.locate(finding), sources.get(finding.rule, ""))

    reported = map(placed, judgement.findings)
    return replace(
        _blank_report(opened),
        judged=judgement.judged,
        objects=objects,
        findings=tuple(sorted(reported)),
        not_evaluated=judgement.not_evaluated,
        placeholders=_placeholders(opened),
        example_facts=_example_facts(opened),
        suppressed=tuple(
            SuppressedFinding(placed(each.finding), each.reason, each.until, each.by.at)
            for each in judgement.suppressed
        ),
        bugs=(*map(str, crashes or ()), *laws),
    )


def _example_facts(opened: StackFile) -> str:
    """The facts file, if ids in it are placeholders, and so not those of an account."""
    document = opened.facts_document
    return str(opened.facts_file) if document and PLACEHOLDER in document.text else ""


def _placeholders(opened: StackFile) -> tuple[PlaceholderValue, ...]:
    """The placeholders in the description, in the order of the file."""
    if opened.described is None:
        return ()
    return tuple(
        sorted(
            PlaceholderValue(place_in_file(opened, path), value, placeholder_reason(value))
            for path, value in placeholder_values(opened.described)
        )
    )


def _where(located: LocatedFinding) -> Where:
    return Where(str(located.file), located.position.line, located.position.column, located.finding.where)


def place_in_file(opened: StackFile, path: str) -> Where:
    """The place in the stack file of a dotted path of the description: its value, or the nearest block around it."""
    return _where(opened.locate(Finding(path, "", Level.MANDATORY, "", "")))


def reported_finding(located: LocatedFinding, source: str) -> ReportedFinding:
    """A finding with its place in the file and its source."""
    finding = located.finding
    return ReportedFinding(
        _where(located),
        finding.rule,
        finding.level,
        finding.resource,
        finding.got,
        finding.remedy,
        source,
        () if located.elsewhere else finding.changes,
    )


def open_kubernetes(stack: str) -> "Blueprint":
    """The blueprint of a stack with a Kubernetes control plane. No rule is evaluated.

    Raises:
        typer.Exit: the stack's files have schema errors; they are on stderr.
        WrongInput: the cluster runs Slurm; or the stack has only add-ons for an unknown cluster.
    """
    opened = open_stacks([stack])[0]
    require_description(opened)
    require_cluster(opened)
    return require_kubernetes(opened.derive())


class JudgedStack(NamedTuple):
    """A stack, its blueprint and its report. The blueprint is None if the files have schema errors, or if the stack has
    add-ons for an unknown cluster."""

    opened: StackFile
    blueprint: "ClusterBlueprint | None"
    report: StackReport


def judge_stack(
    opened: StackFile,
    as_of: date,
    *,
    configuration: "Configuration | None" = None,
    unanswered: int | None = None,
) -> JudgedStack:
    """Derives the blueprint of a stack and evaluates the rules on it.

    Args:
        opened: the stack.
        as_of: the date that the rules use.
        configuration: the configuration of the rules. Default: their sheets and the stack's own `muster:policies`.
        unanswered: the number of queries that AWS did not answer, if a preflight has just run; else None.

    The exception of a rule becomes a bug in the report; with MUSTER_DEBUG it propagates.
    """
    if opened.described is None:
        return JudgedStack(opened, None, faulty_report(opened, opened.faults))
    from muster.policies.engine.described_fleet import described_fleet
    from muster.policies.engine.judgement import DEFAULT_CONFIGURATION, unevaluated_addons
    from muster.policies.engine.judgement import judge_stack as judge

    rules = configuration or DEFAULT_CONFIGURATION
    if not opened.knows_cluster:
        return JudgedStack(
            opened,
            None,
            judgement_report(
                opened,
                unevaluated_addons(opened, rules),
                len(opened.described.addons.chosen) if isinstance(opened.described, AddonsOf) else 0,
            ),
        )
    blueprint = opened.derive()
    fleet = replace(described_fleet(blueprint, as_of), unanswered=unanswered)
    crashes = crash_list()
    judgement = judge(opened, fleet, rules, crashes=crashes)
    if own := own_program(opened):
        why = f"the resources that the program adds and changes; `muster plan {opened.stack}` runs and judges it"
        gap = NotEvaluated(NOT_MODELLED, own.file.name, why)
        judgement = replace(judgement, not_evaluated=(*judgement.not_evaluated, gap))
    return JudgedStack(opened, blueprint, judgement_report(opened, judgement, len(fleet.objects), crashes))


def kubernetes_fleets(opened: Iterable[StackFile], as_of: date) -> "tuple[Fleet, ...]":
    """The clusters with Kubernetes that stacks describe, for the pods of other files."""
    from muster.policies.engine.described_fleet import described_fleet

    known = (each.derive() for each in opened if each.described is not None and each.knows_cluster)
    return tuple(described_fleet(each, as_of) for each in known if each.on_kubernetes)


def report_of(opened: StackFile, as_of: date, configuration: "Configuration") -> StackReport:
    """The report of one stack among several. An exception becomes a bug in the report of that stack, so that the other
    stacks are also evaluated; with MUSTER_DEBUG it propagates."""
    try:
        return judge_stack(opened, as_of, configuration=configuration).report
    except WrongInput:
        raise
    except Exception as bug:
        if crash_list() is None:
            raise
        return crashed_report(opened, bug)


def crash_list() -> "list[RuleCrashed] | None":
    """A list for the exceptions of rules, so that the other rules also run. None with MUSTER_DEBUG: the first exception
    then propagates."""
    return None if os.environ.get("MUSTER_DEBUG") else []


def judge_cluster(opened: StackFile, as_of: date) -> JudgedStack:
    """Evaluates a stack whose cluster is known. The blueprint is None only if the files have schema errors.

    Raises:
        WrongInput: the stack has only add-ons for an unknown cluster.
        OurBug: a rule raised.
    """
    require_cluster(opened)
    judged = judge_stack(opened, as_of)
    if judged.report.bugs:
        raise OurBug("; ".join(judged.report.bugs))
    return judged


def require_cluster(opened: StackFile) -> None:
    """Refuses a stack whose cluster is unknown.

    Raises:
        WrongInput: the stack has only add-ons for an unknown cluster.
    """
    if opened.described is not None and not opened.knows_cluster:
        unknown = opened.unknown_cluster
        raise WrongInput(f"{opened.stack} has only add-ons, and Muster does not know their cluster: {unknown}")


def require_passing(opened: StackFile, as_of: date) -> "ClusterBlueprint":
    """The blueprint of a stack without mandatory findings. `muster job` and the `config` commands print nothing for a
    cluster that cannot be created.

    Raises:
        typer.Exit: its files have schema errors, or it has mandatory findings; they are on stderr.
        WrongInput: the stack has only add-ons for an unknown cluster.
        OurBug: a rule raised.
    """
    import typer

    judged = judge_cluster(opened, as_of)
    code = judged.report.exit()
    if judged.blueprint is not None and code is Exit.CLEAN:
        return judged.blueprint
    style = terminal.error_style()
    stopping = [found for found in judged.report.findings if found.level is Level.MANDATORY]
    details = f"`muster check {judged.report.argument} -v`"
    terminal.complain(*text.findings(stopping, style), text.summary(judged.report, style, details))
    raise typer.Exit(code)


def require_kubernetes(blueprint: "ClusterBlueprint") -> "Blueprint":
    """A blueprint of a cluster with a Kubernetes control plane.

    Raises:
        WrongInput: the cluster runs Slurm.
    """
    if blueprint.on_kubernetes:
        return blueprint
    has = f"{blueprint.stack} has backend: {blueprint.backend}, which uses Slurm and not Kubernetes"
    raise WrongInput(f"{has}; give a stack on eks or hyperpod")


def require_backend(opened: StackFile, name: str, *more: str) -> None:
    """Refuses a stack on another backend than the one that a command is for.

    Raises:
        WrongInput: the stack is on another backend, or has add-ons only.
    """
    backend = getattr(opened.described, "backend", None)
    if backend in (name, *more) or opened.described is None:
        return
    has = f"has backend: {backend}" if backend else "has only add-ons"
    others = [each.stack for each in open_all() if getattr(each.described, "backend", None) in (name, *more)]
    give = f"give one of {', '.join(others)}" if others else "no stack of this project has it"
    raise WrongInput(f"{opened.stack} {has}, but this command needs backend: {or_list((name, *more))}; {give}")
