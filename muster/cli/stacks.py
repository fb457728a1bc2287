"""Opens stacks by name, judges them, and makes the report of each."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from muster import backends
from muster.cli.exits import OurBug, WrongInput
from muster.cli.findings import PlaceholderValue, ReportedFinding, StackReport, SuppressedFinding, Where
from muster.config import project
from muster.config.account_references import placeholder_findings
from muster.config.description.kubernetes_cluster import AddonsOf
from muster.config.document import LocatedFinding
from muster.config.stack_file import StackFile
from muster.finding import Finding, Level

if TYPE_CHECKING:
    from muster.config.description.root import Description


def find_project() -> Path:
    """The folder with Pulumi.yaml.

    Raises:
        WrongInput: there is none here or above.
    """
    try:
        return project.root()
    except project.NoProject as fault:
        raise WrongInput(str(fault)) from None


def open_stacks(names: Iterable[str]) -> list[StackFile]:
    """The stacks of these names or files, each once, in the order given.

    Raises:
        WrongInput: there is no project, or not one of the stacks; every unknown name is told at once.
    """
    opened: dict[Path, StackFile] = {}
    faults = []
    for name in names:
        try:
            root = _root_of(name)
            stack = project.open_stack(root, name)
        except project.NoStack as fault:
            faults.append(_not_read(root, name) if _is_description(name) else str(fault))
        except (OSError, ValueError) as fault:  # a name no file can have
            faults.append(f"no stack '{name}': {fault}")
        else:
            if _outside_project(root, name):
                missing = f"'{name}' is not in {project.display_path(root / 'stacks')}, and there is no such file"
                faults.append(_not_read(root, name) if _is_description(name) else missing)
            opened.setdefault(stack.document.file, _checked(stack))
    if faults:
        raise WrongInput("\n".join(faults))
    return list(opened.values())


def project_of(opened: StackFile) -> Path:
    """The folder with the Pulumi.yaml that a stack's file belongs to."""
    return opened.document.file.absolute().parent.parent


def require_description(opened: StackFile) -> "Description":
    """What a stack describes, for who can do nothing with one whose form is wrong.

    Raises:
        typer.Exit: its files have faults of form; they are told.
    """
    import sys

    import typer

    from muster.cli import terminal
    from muster.cli.writers import text

    if opened.described is not None:
        return opened.described
    told = faulty_report(opened, opened.faults)
    terminal.complain(*text.stack_lines(told, terminal.style_of(sys.stderr)))
    raise typer.Exit(told.exit())


def without_faulty_facts(opened: StackFile) -> tuple[StackFile, tuple[LocatedFinding, ...]]:
    """For who asks AWS anew: a stack that has faults in nothing but its facts, read without them; and those faults."""
    if not opened.faults or any(each.file != opened.facts_file for each in opened.faults):
        return opened, ()
    return _checked(project.open_stack(project_of(opened), opened.stack, without_facts=True)), opened.faults


def _checked(opened: StackFile) -> StackFile:
    """A stack with the faults of its `muster:policies`, where it has any: the rules are loaded for nothing else."""
    if opened.policies is None:
        return opened
    from policies.engine.configuration import checked

    return checked(opened)


def _root_of(name: str) -> Path:
    """The project that a stack is in: that of a file in a project's stacks/, wherever it is; else the one around us."""
    given = Path(name)
    if _is_description(name):
        folder = given.parent.resolve()
        try:
            if (root := project.root(folder)) / "stacks" == folder:
                return root
        except project.NoProject:
            pass
    return find_project()


def _is_description(name: str) -> bool:
    """Whether a file is named that is there, and may be a stack's."""
    return Path(name).suffix in {".yaml", ".yml", ".json"} and Path(name).exists()


def _not_read(root: Path, name: str) -> str:
    stacks = project.display_path(root / "stacks")
    return f"'{name}' is there, but only files Pulumi.NAME.yaml in {stacks} are read; copy it there"


def _outside_project(root: Path, name: str) -> bool:
    """Whether a file is named that only shares its name with one of our stacks: it must not be judged as ours."""
    given = Path(name)
    return given.suffix == ".yaml" and given.name != name and given.parent.resolve() != (root / "stacks").resolve()


def open_all() -> list[StackFile]:
    """Every stack there is.

    Raises:
        WrongInput: there is none.
    """
    names = known_stacks()
    if not names:
        raise WrongInput(f"no stack in {find_project() / 'stacks'}; add a file Pulumi.NAME.yaml there")
    return open_stacks(names)


def known_stacks() -> list[str]:
    """The names of all stacks."""
    return project.stacks(find_project())


if TYPE_CHECKING:
    from policies.engine.judgement import Judgement, RuleCrashed


STACK_FORM = "the form of a stack file (`muster schema stack` prints it)"
FACTS_FORM = "the form of facts (`muster schema facts` prints it)"


def faulty_report(opened: StackFile, faults: Iterable[LocatedFinding]) -> StackReport:
    """The report of a stack whose files cannot be read."""
    told = (reported_finding(each, FACTS_FORM if each.file.suffix == ".json" else STACK_FORM) for each in faults)
    return StackReport(opened.stack, findings=tuple(told), readable=False, file=str(opened.document.file))


def crashed_report(opened: StackFile, bug: Exception) -> StackReport:
    """The report of a stack that Muster itself fails on: no rule was asked."""
    return StackReport(opened.stack, file=str(opened.document.file), bugs=(f"{type(bug).__name__}: {bug}",))


def judgement_report(
    opened: StackFile,
    judgement: "Judgement",
    objects: int,
    crashes: "Iterable[RuleCrashed] | None" = None,
    laws: Iterable[str] = (),
) -> StackReport:
    """The report of a judged stack, with the rules that raised, and what else Muster contradicts itself in."""
    from policies.engine.catalogue import all_rules

    sources = {rule.id: rule.source for rule in all_rules()}

    def placed(finding: Finding) -> ReportedFinding:
        return reported_finding(opened.locate(finding), sources.get(finding.rule, ""))

    told = map(placed, judgement.findings)
    return StackReport(
        stack=opened.stack,
        file=str(opened.document.file),
        judged=judgement.judged,
        objects=objects,
        findings=tuple(sorted(told)),
        not_evaluated=judgement.not_evaluated,
        placeholders=_placeholders(opened),
        suppressed=tuple(
            SuppressedFinding(
                each.finding.rule, each.finding.resource, each.reason, each.until, each.by.at, placed(each.finding)
            )
            for each in judgement.suppressed
        ),
        bugs=(*map(str, crashes or ()), *laws),
    )


def _placeholders(opened: StackFile) -> tuple[PlaceholderValue, ...]:
    """Every value that is still to be filled in, in the order of the file."""
    if opened.described is None:
        return ()
    located = (opened.locate(each) for each in placeholder_findings(opened.described))
    # Such a finding quotes the value, and says nothing else in quotes.
    return tuple(sorted(PlaceholderValue(_where(each), each.finding.got[1:].rpartition("'")[0]) for each in located))


def _where(located: LocatedFinding) -> Where:
    return Where(str(located.file), located.position.line, located.position.column, located.finding.where)


def place_in_file(opened: StackFile, path: str) -> Where:
    """Where a dotted path of the description stands in its file: the value there, or the nearest block around it."""
    return _where(opened.locate(Finding(path, "", Level.MANDATORY, "", "")))


def reported_finding(located: LocatedFinding, source: str) -> ReportedFinding:
    """A finding as reports have it: with its place in the file, and who says so."""
    finding = located.finding
    return ReportedFinding(
        _where(located), finding.rule, finding.level, finding.resource, finding.got, finding.remedy, source
    )


if TYPE_CHECKING:
    from muster.blueprint.cluster import ClusterBlueprint
    from muster.blueprint.kubernetes import Blueprint
    from muster.fleet.unanswered_queries import UnansweredQuery
    from policies.engine.configuration import Configuration
    from policies.engine.judgement import RuleCrashed


def open_kubernetes(stack: str, instead: str) -> tuple[StackFile, "Blueprint"]:
    """A stack and what it comes to, whatever the rules find.

    Args:
        stack: its name, or file.
        instead: what to do with a cluster without Kubernetes.

    Raises:
        typer.Exit: its files have faults of form; they are told.
        WrongInput: a cluster with Slurm; or a stack of add-ons, and nothing is known of the cluster that they are for.
    """
    opened = open_stacks([stack])[0]
    require_description(opened)
    if not opened.knows_cluster:
        raise WrongInput(_unknown(opened))
    return opened, require_kubernetes(opened.derive(), instead)


@dataclass(frozen=True, slots=True)
class JudgedStack:
    """A stack, what it comes to, and what was found. No blueprint where the files' form is wrong, and of add-ons for a
    cluster of which nothing is known."""

    opened: StackFile
    blueprint: "ClusterBlueprint | None"
    report: StackReport


def judge_stack(
    opened: StackFile,
    as_of: date,
    *,
    ask_aws: bool = False,
    configuration: "Configuration | None" = None,
    unanswered: "tuple[UnansweredQuery, ...] | None" = None,
) -> JudgedStack:
    """Derives the blueprint and asks every rule about it.

    Args:
        opened: the stack.
        as_of: the day it is.
        ask_aws: whether AWS's own package is asked, too, where there is one for the backend: it takes seconds.
        configuration: how the rules are asked; by their sheets and the stack's own `muster:policies` without it.
        unanswered: what AWS did not answer, where its facts were asked for just now.

    A rule that raises is among the report's bugs; with MUSTER_DEBUG it is raised, with its trace.
    """
    if opened.described is None:
        return JudgedStack(opened, None, faulty_report(opened, opened.faults))
    from policies.engine.described_fleet import described_fleet
    from policies.engine.judgement import DEFAULT_CONFIGURATION, unevaluated_addons
    from policies.engine.judgement import judge_stack as judge

    asked = configuration or DEFAULT_CONFIGURATION
    if not opened.knows_cluster:
        return JudgedStack(
            opened,
            None,
            judgement_report(
                opened,
                unevaluated_addons(opened, asked),
                len(opened.described.addons.chosen) if isinstance(opened.described, AddonsOf) else 0,
            ),
        )
    blueprint = opened.derive()
    fleet = replace(described_fleet(blueprint, as_of), unanswered=unanswered)
    package_report = backends.of(blueprint).package_report
    if ask_aws and package_report:
        fleet = replace(fleet, objects=(*fleet.objects, package_report.load()(blueprint)))
    crashes = crash_list()
    judgement = judge(opened, fleet, asked, crashes=crashes)
    return JudgedStack(opened, blueprint, judgement_report(opened, judgement, len(fleet.objects), crashes))


def report_of(opened: StackFile, as_of: date, configuration: "Configuration") -> StackReport:
    """The report of one stack among several. What raises is a bug in the report of that stack, so that the others keep
    their verdicts; with MUSTER_DEBUG it is raised, with its trace."""
    try:
        return judge_stack(opened, as_of, ask_aws=True, configuration=configuration).report
    except WrongInput:
        raise
    except Exception as bug:
        if crash_list() is None:
            raise
        return crashed_report(opened, bug)


def crash_list() -> "list[RuleCrashed] | None":
    """Where rules that raise are told of, with all others judged. None where whoever mends one wants its trace."""
    return None if os.environ.get("MUSTER_DEBUG") else []


def judge_cluster(opened: StackFile, as_of: date, configuration: "Configuration | None" = None) -> JudgedStack:
    """The same, for those who need the cluster; no blueprint only where the files' form is wrong.

    Raises:
        WrongInput: a stack of add-ons, and nothing is known of the cluster that they are for.
        OurBug: a rule raised.
    """
    require_cluster(opened)
    judged = judge_stack(opened, as_of, configuration=configuration)
    if judged.report.bugs:
        raise OurBug("; ".join(judged.report.bugs))
    return judged


def require_cluster(opened: StackFile) -> None:
    """For those who can do nothing without the cluster.

    Raises:
        WrongInput: a stack of add-ons, and nothing is known of the cluster that they are for.
    """
    if opened.described is not None and not opened.knows_cluster:
        raise WrongInput(_unknown(opened))


def require_passing(opened: StackFile, as_of: date) -> "ClusterBlueprint":
    """The blueprint of a stack that no mandatory rule refuses: a job for a cluster that never comes up helps nobody,
    nor does a request that AWS does not take.

    Raises:
        typer.Exit: its form is wrong, or such a rule refuses it; the findings are told on stderr.
        WrongInput: a stack of add-ons, and nothing is known of the cluster that they are for.
        OurBug: a rule raised.
    """
    import sys

    import typer

    from muster.cli import terminal
    from muster.cli.exits import Exit
    from muster.cli.writers import text

    judged = judge_cluster(opened, as_of)
    code = judged.report.exit()
    if judged.blueprint is not None and code is Exit.CLEAN:
        return judged.blueprint
    style = terminal.style_of(sys.stderr)
    stopping = [found for found in judged.report.findings if found.level is Level.MANDATORY]
    terminal.complain(*text.findings(stopping, style), text.summary(judged.report, style))
    raise typer.Exit(code)


def require_kubernetes(
    blueprint: "ClusterBlueprint | None", instead: str = "give a stack on eks or hyperpod"
) -> "Blueprint":
    """A blueprint, for who needs a Kubernetes control plane.

    Args:
        blueprint: of any backend.
        instead: what to do with a cluster that has none.

    Raises:
        WrongInput: it is that of a cluster with Slurm.
    """
    from muster.blueprint.kubernetes import Blueprint

    assert blueprint is not None, "whoever asks has told the faults of form"
    if isinstance(blueprint, Blueprint):
        return blueprint
    raise WrongInput(without_kubernetes(blueprint.stack, blueprint.described.backend, instead))


def require_backend(opened: StackFile, name: str) -> None:
    """A stack on a backend, for a command that is for that backend alone.

    Raises:
        WrongInput: the stack is on another backend, or has add-ons only.
    """
    backend = getattr(opened.described, "backend", None)
    if backend == name or opened.described is None:
        return
    if backend and (command := backends.named(backend).config_command):
        raise WrongInput(f"{opened.stack} has backend: {backend}; `{command} {opened.stack}` is for it")
    has = f"has backend: {backend}" if backend else "has add-ons only"
    others = [each.stack for each in open_all() if getattr(each.described, "backend", None) == name]
    give = f"give one that has, as {', '.join(others)}" if others else "no stack here has"
    raise WrongInput(f"{opened.stack} {has}, and this is about backend: {name}; {give}")


def without_kubernetes(stack: str, backend: str, instead: str) -> str:
    """Words for whoever asks something about Kubernetes of a stack that has none."""
    return f"{stack} has backend: {backend}, a cluster with Slurm and without Kubernetes; {instead}"


def _unknown(opened: StackFile) -> str:
    return f"{opened.stack} has add-ons only, and nothing is known here of {opened.unknown_cluster}"
