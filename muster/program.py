"""The program of every project: it judges the description, then registers its resources."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pulumi

from muster.blueprint.account_references import placeholder_findings
from muster.clock import VARIABLE, is_set, today
from muster.config.description.kubernetes_cluster import AddonsOf
from muster.config.document import CLUSTER_KEY, LocatedFinding
from muster.contract import Cluster
from muster.deploy import deploy
from muster.deploy.addons import deploy_addons
from muster.finding import Finding, Level, WrongInput
from muster.message_text import did_you_mean
from muster.offline.own_program import REGISTER, ProgramFailed
from muster.policies.engine.catalogue import all_rules, rules_about
from muster.policies.engine.configuration import checked
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import ABOUT_ADDONS, Judgement, judge_stack
from muster.stack.own_program import own_program
from muster.stack.project import display_path, facts_file, stack_file
from muster.stack.stack_file import StackFile, load_values, with_outputs
from muster.terminal import text_of


@dataclass(frozen=True, slots=True)
class Registered:
    """What Muster registered, for resources of your own beside it."""

    outputs: Mapping[str, Any]
    """What the stack exports, by name: ``outputs["cluster"]["name"]``. A value that AWS creates is an Output."""
    resources: tuple[pulumi.Resource, ...]
    """All resources, in the order of their registration. Not those that a stack of add-ons registers once the outputs
    of its cluster are read."""

    def resource(self, type: str, name: str) -> Any:
        """The resource of a type and a name, as `muster plan` prints them.

        Raises:
            pulumi.RunError: there is none; the message has the names of that type, or the nearest type.
        """
        named = {(each.pulumi_resource_type, each.pulumi_resource_name): each for each in self.resources}
        if (type, name) in named:
            return named[type, name]
        names = sorted(other for kind, other in named if kind == type)
        kinds = {kind for kind, _ in named}
        there = f" (there are: {', '.join(names)})" if names else did_you_mean(type, kinds)
        raise pulumi.RunError(f"Muster registers no {type} '{name}'{there}; `muster plan` lists types and names")


def run() -> Registered:
    """Registers what the stack describes. Runs inside `pulumi up`, in the folder of the project.

    Raises:
        pulumi.RunError: the description is refused, or what the project's own program adds. Nothing was registered.
    """
    found: list[pulumi.Resource] = []

    def add(args: pulumi.ResourceTransformationArgs) -> None:
        found.append(args.resource)

    pulumi.runtime.register_stack_transformation(add)
    register = REGISTER.get() or _register
    return Registered(register(), tuple(found))


def _register() -> Mapping[str, Any]:
    stack = this_stack()
    if isinstance(stack.described, AddonsOf):
        return deploy_addons(stack.stack, stack.described, approve=partial(judge_deployed, stack))
    blueprint = stack.derive()
    if blueprint.note:
        pulumi.log.info(blueprint.note)
    return deploy(blueprint)


def this_stack() -> StackFile:
    """Judges the stack that the engine runs, and returns it.

    Add-ons for a cluster that another project describes are judged when its outputs are read (`judge_deployed`).

    Raises:
        pulumi.RunError: the description has faults, there are mandatory findings, or placeholders are not filled in.
            The message states where and what to do, and nothing has been registered.
    """
    opened = _open()
    if (described := opened.described) is None:
        raise pulumi.RunError(_refusal(opened.faults))
    opened, judgement = _judged(opened, _day()) if opened.knows_cluster else (opened, _NOTHING)
    found = [opened.locate(each) for each in judgement.findings]
    found += [opened.locate(each) for each in placeholder_findings(described)]
    stopping = [each for each in found if _stops(opened, each)]
    _refuse(stopping)
    _tell([each for each in found if each not in stopping], judgement)
    return opened


def _judged(opened: StackFile, day: date) -> tuple[StackFile, Judgement]:
    """The judgement of a stack, with what its project's own program registers. That is planned in a thread, because
    this one has the event loop of the real run."""
    if own_program(opened) is None:
        return opened, judge_stack(opened, described_fleet(opened.derive(), day))
    from muster.offline.plan import plan_stack  # noqa: PLC0415  (only a project with an own program needs it)

    with ThreadPoolExecutor(1) as thread:
        try:
            plan = thread.submit(plan_stack, opened, day).result()
        except ProgramFailed as fault:  # it may work where AWS answers
            pulumi.log.info(_text([f"not evaluated: what the program adds: it fails offline: {fault}"]))
            return opened, judge_stack(opened, described_fleet(opened.derive(), day))
    return replace(opened, sources=plan.sources), plan.judgement


def judge_deployed(opened: StackFile, cluster: Cluster) -> None:
    """Judges add-ons with the outputs of the cluster's stack: the deployed cluster may differ from its file here.

    Raises:
        pulumi.RunError: the add-ons do not fit the cluster; none of them has been registered.
    """
    known = with_outputs(opened, cluster)
    if known.described is None:
        raise pulumi.RunError(_refusal(known.faults))
    judgement = judge_stack(known, described_fleet(known.derive(), _day()))
    found = [known.locate(each) for each in judgement.findings]
    _refuse([each for each in found if each.finding.level is Level.MANDATORY])
    if not opened.knows_cluster:
        _tell(found, judgement)


def _stops(opened: StackFile, each: LocatedFinding) -> bool:
    """Whether a finding stops the deployment. A fault of an existing cluster (its Capacity Block has ended) does not
    stop a change of its add-ons: the cluster's stack is refused, and this stack only prints the finding."""
    if each.finding.level is not Level.MANDATORY:
        return False
    of_cluster = {rule.id for rule in all_rules()} - {rule.id for rule in rules_about(ABOUT_ADDONS)}
    return not isinstance(opened.described, AddonsOf) or each.finding.rule not in of_cluster


_NOTHING = Judgement({}, (), (), ())


def _refuse(found: list[LocatedFinding]) -> None:
    if found:
        raise pulumi.RunError(_refusal(found))


def _tell(found: list[LocatedFinding], judgement: Judgement) -> None:
    """Prints findings that do not stop a deployment."""
    for each in found:
        pulumi.log.warn(_text(_words(each)))
    for suppressed in judgement.suppressed:
        where = suppressed.finding.where or _CLUSTER
        pulumi.log.info(_text([f"suppressed until {suppressed.until}: {suppressed.finding.rule} at {where}"]))
    for missing in judgement.not_evaluated:
        where = missing.resource or _CLUSTER
        pulumi.log.info(_text([f"not evaluated: {missing.rule} at {where}: {missing.missing}"]))


_CLUSTER = "the cluster"
"""The place of a finding about the whole description, which has no path."""


def _day() -> date:
    """The day to judge by.

    A day that the environment sets is printed: if it stays set in a shell, it hides what has changed since.

    Raises:
        pulumi.RunError: the day that is set is not a date.
    """
    try:
        day = today()
    except WrongInput as fault:
        raise pulumi.RunError(str(fault)) from None
    if is_set():
        pulumi.log.warn(f"the rules use the date {day}, because {VARIABLE} is set; unset it to use today's date")
    return day


def _open() -> StackFile:
    """The description from the engine's configuration, with positions from the stack's file."""
    stack, project = pulumi.get_stack(), Path.cwd()
    given = pulumi.Config("muster").get_object("cluster")
    region = pulumi.Config("aws").get("region")
    if given is None or region is None:
        missing = CLUSTER_KEY if given is None else "aws:region"
        raise pulumi.RunError(
            f"stack '{stack}' does not set {missing}: add it to {display_path(stack_file(project, stack))}"
        )
    file, facts = display_path(stack_file(project, stack)), display_path(facts_file(project, stack))
    policies = pulumi.Config("muster").get_object("policies")
    return checked(load_values(stack, given, region, file, facts, pulumi.get_organization(), policies))


def _refusal(found: "tuple[LocatedFinding, ...] | list[LocatedFinding]") -> str:
    count = f"{len(found)} finding" + ("s" if len(found) > 1 else "")
    lines = [line for located in sorted(found) for line in _words(located)]
    return _text([f"Muster refuses this description ({count}); nothing was registered.", *lines])


def _words(located: LocatedFinding) -> list[str]:
    finding: Finding = located.finding
    return [f"{located}: {finding.rule}: {finding.got}", f"  fix: {finding.remedy}"]


def _text(lines: list[str]) -> str:
    """A message for the engine, which prints it as it is."""
    return text_of(lines).removesuffix("\n")
