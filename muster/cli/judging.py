"""Opens stacks by name and judges them: files in, report out."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from muster import project
from muster.cli.exits import WrongInput
from muster.cli.report import Found, Silenced, StackReport, Where
from muster.fleet.finding import SHAPE, Finding, Level
from muster.fleet.hardware import Incomplete
from muster.fleet.stack_file import CLUSTER_PATH, Located, StackFile, path_of

if TYPE_CHECKING:
    from muster.fleet.blueprint import Blueprint
    from policies.judgement import Judgement

SHAPE_SOURCE = "the form of the file (`muster schema` prints it)"


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
            opened.setdefault(stack.stack, stack)
    if faults:
        raise WrongInput("\n".join(faults))
    return list(opened.values())


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


@dataclass(frozen=True, slots=True)
class Judged:
    """A stack, what it comes to, and what was found. No blueprint where the files' form is wrong."""

    opened: StackFile
    blueprint: "Blueprint | None"
    report: StackReport


def judge_stack(opened: StackFile, as_of: date) -> Judged:
    """Derives the blueprint and asks every rule about it.

    Raises:
        RuleCrashed: a rule raised.
    """
    if opened.described is None:
        return Judged(opened, None, faulty(opened, opened.faults))
    from muster.fleet.derive import derive
    from policies.judgement import judge

    facts_file = str(project.shown(project.facts_file(find_project(), opened.stack)))
    try:
        blueprint = derive(opened.described, opened.stack, opened.region, opened.facts, facts_file)
    except Incomplete as fault:
        return Judged(opened, None, faulty(opened, _incomplete(opened, fault)))
    fleet = blueprint.fleet(as_of)
    judgement = judge(fleet, opened.described.suppress)
    return Judged(opened, blueprint, report(opened, judgement, len(fleet.objects)))


def faulty(opened: StackFile, faults: Iterable[Located]) -> StackReport:
    """The report of a stack whose files cannot be read."""
    return StackReport(opened.stack, findings=tuple(_found(each, SHAPE_SOURCE) for each in faults), readable=False)


def report(opened: StackFile, judgement: "Judgement", objects: int) -> StackReport:
    """The report of a judged stack."""
    from policies.catalogue import rules

    sources = {rule.id: rule.source for rule in rules()}
    found = (_found(opened.locate(each), sources.get(each.rule, "")) for each in judgement.findings)
    return StackReport(
        stack=opened.stack,
        judged=judgement.judged,
        objects=objects,
        findings=tuple(sorted(found)),
        not_evaluated=judgement.not_evaluated,
        suppressed=tuple(
            Silenced(each.finding.rule, each.finding.resource, each.reason, each.until) for each in judgement.suppressed
        ),
    )


def _found(located: Located, source: str) -> Found:
    finding = located.finding
    where = Where(str(located.file), located.position.line, located.position.column, finding.where)
    return Found(where, finding.rule, finding.level, finding.resource, finding.got, finding.remedy, source)


def _incomplete(opened: StackFile, fault: Incomplete) -> Iterator[Located]:
    """A type is catalogued, but no source states a number that a node of it needs: said at each group that has it."""
    from muster.fleet.hardware import hardware
    from muster.fleet.interfaces import slots
    from muster.fleet.node import Node
    from muster.fleet.quantity import Size

    assert opened.described is not None
    for name, group in opened.described.groups.items():
        try:
            machine = hardware(group.instance)
            Node.of(machine, slots(machine, group.layout), group.huge_pages or Size(0))
        except Incomplete as gap:
            where = f"groups.{name}.instance"
            remedy = "choose another type, or add the number and its source to muster/fleet/hardware/catalogue.csv"
            finding = Finding(where, SHAPE, Level.MANDATORY, str(gap), remedy, f"groups.{name}")
            position = opened.document.position((*CLUSTER_PATH, *path_of(where)))
            assert position is not None, "the group stands in the file"
            yield Located(opened.document.file, position, finding)
