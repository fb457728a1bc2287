"""Opens stacks by name and judges them: files in, report out."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from muster import project
from muster.cli.exits import OurBug, WrongInput
from muster.cli.report import Blank, Found, Silenced, StackReport, Where
from muster.fleet.description import AddonsOf
from muster.fleet.finding import Finding, Level
from muster.fleet.placeholders import placeholders
from muster.fleet.stack_file import Located, StackFile

if TYPE_CHECKING:
    from muster.fleet.blueprint import Blueprint
    from muster.fleet.silence import Silence
    from muster.fleet.slurm_blueprint import AnyBlueprint
    from policies.configuration import Configuration
    from policies.judgement import Judgement, RuleCrashed

STACK_FORM = "the form of a stack file (`muster schema stack` prints it)"
FACTS_FORM = "the form of facts (`muster schema facts` prints it)"


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
    """The stacks of these names, each once, in the order given.

    Raises:
        WrongInput: there is no project, or not one of the stacks; every unknown name is told at once.
    """
    root = find_project()
    opened: dict[str, StackFile] = {}
    faults = []
    for name in names:
        try:
            stack = project.open_stack(root, name)
        except project.NoStack as fault:
            faults.append(str(fault))
        except (OSError, ValueError) as fault:  # a name no file can have
            faults.append(f"no stack '{name}': {fault}")
        else:
            if _elsewhere(root, name):
                faults.append(f"'{name}' is not in {project.shown(root / 'stacks')}; change into the project it is in")
            opened.setdefault(stack.stack, _checked(stack))
    if faults:
        raise WrongInput("\n".join(faults))
    return list(opened.values())


def despite_facts(opened: StackFile) -> tuple[StackFile, tuple[Located, ...]]:
    """For who asks AWS anew: a stack that has faults in nothing but its facts, read without them; and those faults."""
    if not opened.faults or any(each.file != opened.facts_file for each in opened.faults):
        return opened, ()
    return _checked(project.open_stack(find_project(), opened.stack, without_facts=True)), opened.faults


def _checked(opened: StackFile) -> StackFile:
    """A stack with the faults of its `muster:policies`, where it has any: the rules are loaded for nothing else."""
    if opened.policies is None:
        return opened
    from policies.configuration import checked

    return checked(opened)


def _elsewhere(root: Path, name: str) -> bool:
    """Whether a file is named that only shares its name with one of our stacks: it must not be judged as ours."""
    given = Path(name)
    return given.suffix == ".yaml" and given.name != name and given.resolve().parent != (root / "stacks").resolve()


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


def described(stack: str, instead: str) -> tuple[StackFile, "Blueprint"]:
    """A stack and what it comes to, whatever the rules find.

    Args:
        stack: its name, or file.
        instead: what to do with a cluster without Kubernetes.

    Raises:
        typer.Exit: its files have faults of form; they are told.
        WrongInput: a cluster with Slurm; or a stack of add-ons, and nothing is known of the cluster that they are for.
    """
    import sys

    import typer

    from muster.cli import terminal
    from muster.cli.writers import text

    opened = open_stacks([stack])[0]
    if opened.described is None:
        told = faulty(opened, opened.faults)
        terminal.complain(*text.stack_lines(told, terminal.style_of(sys.stderr)))
        raise typer.Exit(told.exit())
    if not opened.knows_cluster:
        raise WrongInput(_unknown(opened))
    return opened, on_kubernetes(opened.derive(), instead)


@dataclass(frozen=True, slots=True)
class Judged:
    """A stack, what it comes to, and what was found. No blueprint where the files' form is wrong, and of add-ons for a
    cluster of which nothing is known."""

    opened: StackFile
    blueprint: "AnyBlueprint | None"
    report: StackReport


def judge_stack(
    opened: StackFile,
    as_of: date,
    *,
    ask_aws: bool = False,
    configuration: "Configuration | None" = None,
    silences: "tuple[Silence, ...] | None" = None,
) -> Judged:
    """Derives the blueprint and asks every rule about it.

    Args:
        opened: the stack.
        as_of: the day it is.
        ask_aws: whether AWS's own package is asked, too, where there is one for the backend: it takes seconds.
        configuration: how the rules are asked; by their sheets and the stack's own `muster:policies` without it.
        silences: what AWS did not answer, where its facts were asked for just now.

    A rule that raises is among the report's bugs; with MUSTER_DEBUG it is raised, with its trace.
    """
    if opened.described is None:
        return Judged(opened, None, faulty(opened, opened.faults))
    from addons.judged import described_fleet
    from muster.fleet.slurm_blueprint import SlurmBlueprint
    from policies.stack import AS_IN_SHEETS, unjudged
    from policies.stack import judge_stack as judge

    asked = configuration or AS_IN_SHEETS
    if not opened.knows_cluster:
        return Judged(
            opened,
            None,
            report(
                opened,
                unjudged(opened, asked),
                len(opened.described.addons.chosen) if isinstance(opened.described, AddonsOf) else 0,
            ),
        )
    blueprint = opened.derive()
    fleet = replace(described_fleet(blueprint, as_of), silences=silences)
    if ask_aws and isinstance(blueprint, SlurmBlueprint):
        from muster.authority.report import report as aws_says

        fleet = replace(fleet, objects=(*fleet.objects, aws_says(blueprint)))
    crashes = collected()
    judgement = judge(opened, fleet, asked, crashes=crashes)
    return Judged(opened, blueprint, report(opened, judgement, len(fleet.objects), crashes))


def collected() -> "list[RuleCrashed] | None":
    """Where rules that raise are told of, with all others judged. None where whoever mends one wants its trace."""
    return None if os.environ.get("MUSTER_DEBUG") else []


def judge_cluster(opened: StackFile, as_of: date, configuration: "Configuration | None" = None) -> Judged:
    """The same, for those who need the cluster; no blueprint only where the files' form is wrong.

    Raises:
        WrongInput: a stack of add-ons, and nothing is known of the cluster that they are for.
        OurBug: a rule raised.
    """
    needs_cluster(opened)
    judged = judge_stack(opened, as_of, configuration=configuration)
    if judged.report.bugs:
        raise OurBug("; ".join(judged.report.bugs))
    return judged


def needs_cluster(opened: StackFile) -> None:
    """For those who can do nothing without the cluster.

    Raises:
        WrongInput: a stack of add-ons, and nothing is known of the cluster that they are for.
    """
    if opened.described is not None and not opened.knows_cluster:
        raise WrongInput(_unknown(opened))


def passed(opened: StackFile, as_of: date) -> "AnyBlueprint":
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


def on_kubernetes(blueprint: "AnyBlueprint | None", instead: str = "give a stack on eks or hyperpod") -> "Blueprint":
    """A blueprint, for who needs a Kubernetes control plane.

    Args:
        blueprint: of any backend.
        instead: what to do with a cluster that has none.

    Raises:
        WrongInput: it is that of a cluster with Slurm.
    """
    from muster.fleet.blueprint import Blueprint

    assert blueprint is not None, "whoever asks has told the faults of form"
    if isinstance(blueprint, Blueprint):
        return blueprint
    raise WrongInput(without_kubernetes(blueprint.stack, blueprint.described.backend, instead))


def without_kubernetes(stack: str, backend: str, instead: str) -> str:
    """Words for whoever asks something about Kubernetes of a stack that has none."""
    return f"{stack} has backend: {backend}, a cluster with Slurm and without Kubernetes; {instead}"


def _unknown(opened: StackFile) -> str:
    return f"{opened.stack} has add-ons only, and nothing is known here of {opened.unknown_cluster}"


def faulty(opened: StackFile, faults: Iterable[Located]) -> StackReport:
    """The report of a stack whose files cannot be read."""
    told = (found(each, FACTS_FORM if each.file.suffix == ".json" else STACK_FORM) for each in faults)
    return StackReport(opened.stack, findings=tuple(told), readable=False, file=str(opened.document.file))


def report(
    opened: StackFile,
    judgement: "Judgement",
    objects: int,
    crashes: "Iterable[RuleCrashed] | None" = None,
    laws: Iterable[str] = (),
) -> StackReport:
    """The report of a judged stack, with the rules that raised, and what else Muster contradicts itself in."""
    from policies.catalogue import rules

    sources = {rule.id: rule.source for rule in rules()}

    def placed(finding: Finding) -> Found:
        return found(opened.locate(finding), sources.get(finding.rule, ""))

    told = map(placed, judgement.findings)
    return StackReport(
        stack=opened.stack,
        file=str(opened.document.file),
        judged=judgement.judged,
        objects=objects,
        findings=tuple(sorted(told)),
        not_evaluated=judgement.not_evaluated,
        placeholders=_blanks(opened),
        suppressed=tuple(
            Silenced(
                each.finding.rule, each.finding.resource, each.reason, each.until, each.by.at, placed(each.finding)
            )
            for each in judgement.suppressed
        ),
        bugs=(*map(str, crashes or ()), *laws),
    )


def _blanks(opened: StackFile) -> tuple[Blank, ...]:
    """Every value that is still to be filled in, in the order of the file."""
    if opened.described is None:
        return ()
    located = (opened.locate(each) for each in placeholders(opened.described))
    # Such a finding quotes the value, and says nothing else in quotes.
    return tuple(sorted(Blank(_where(each), each.finding.got[1:].rpartition("'")[0]) for each in located))


def _where(located: Located) -> Where:
    return Where(str(located.file), located.position.line, located.position.column, located.finding.where)


def place_of(opened: StackFile, path: str) -> Where:
    """Where a dotted path of the description stands in its file: the value there, or the nearest block around it."""
    return _where(opened.locate(Finding(path, "", Level.MANDATORY, "", "")))


def found(located: Located, source: str) -> Found:
    """A finding as reports have it: with its place in the file, and who says so."""
    finding = located.finding
    return Found(_where(located), finding.rule, finding.level, finding.resource, finding.got, finding.remedy, source)
