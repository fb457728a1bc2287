"""Plans one stack: runs the real program on the offline monitor, applies the rules to the description and to the
registered resources, and compares the two results."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from muster.blueprint.cluster import ClusterBlueprint
from muster.config.description.kubernetes_cluster import AddonsOf
from muster.contract import SECRETS
from muster.finding import NOT_MODELLED, NotEvaluated
from muster.fleet.registration import Registration
from muster.message_text import raised
from muster.offline.monitor import NotModelled, StackOutputs
from muster.offline.own_program import ProgramFailed, run_own
from muster.offline.recording import Recording, record
from muster.offline.resource_changes import ResourceChange, resource_changes
from muster.policies.engine.configuration import Configuration
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import DEFAULT_CONFIGURATION, Judgement, RuleCrashed, judge_stack
from muster.policies.views.fleet import differences, fleet_of, with_description
from muster.policies.views.unread import unread_lines
from muster.stack.own_program import OwnProgram, own_program
from muster.stack.project import display_path
from muster.stack.stack_file import StackFile
from muster.terminal import others_print

_PACKAGE = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Plan:
    """The resources that a stack would register, and the findings of the rules."""

    stack: str
    backend: str
    blueprint: ClusterBlueprint
    registrations: tuple[Registration, ...]
    """Sorted by URN."""
    outputs: Mapping[str, Any]
    secret_outputs: frozenset[str]
    judgement: Judgement
    objects: int
    """The number of objects that the rules evaluated."""
    broken_laws: tuple[str, ...]
    """The differences between the registered and the derived resources: bugs in Muster. A plan with any never
    passes."""
    own: tuple[ResourceChange, ...] = ()
    """What the project's own program adds to Muster's resources, and what it changes of them."""
    sources: Mapping[str, tuple[Path, int]] = field(default_factory=dict)
    """URN -> the file and the line that register it."""


def plan_stack(
    opened: StackFile,
    as_of: date,
    *,
    preview: bool = False,
    configuration: Configuration = DEFAULT_CONFIGURATION,
    crashes: list[RuleCrashed] | None = None,
) -> Plan:
    """Runs the program of a stack that has no schema errors, and whose cluster is known.

    The findings on the registered resources, with places in the description, and the findings on the blueprint are
    equal, so the plan has one set of findings.

    If the project has its own program, the findings are those on all that it registers, and on Muster's resources as it
    leaves them. Of one that needs what only AWS or a provider knows, only Muster's resources are planned.

    Args:
        opened: the stack.
        as_of: the date that the rules use.
        preview: as in `record`.
        configuration: the selected rules and their levels.
        crashes: a list that receives the exceptions of rules, one for each rule; the other rules still run.

    Raises:
        ValueError: the stack file has schema errors, or its cluster is unknown.
        RuleCrashed: a rule raised, and `crashes` is not given.
        ProgramFailed: the own program raised, or does not call `run`.
    """
    blueprint, own = opened.derive(), own_program(opened)
    whole = alone = record_stack(opened, blueprint, as_of, preview=preview, own=own, alone=True)
    derived = described_fleet(blueprint, as_of)
    registered = with_description(opened, derived, fleet_of(alone.registrations))
    raised: list[RuleCrashed] | None = None if crashes is None else []
    first, second = (judge_stack(opened, each, configuration, crashes=raised) for each in (derived, registered))
    by_rule = {each.rule: each for each in reversed(raised or ())}
    if crashes is not None:
        crashes += by_rule.values()
    laws = differences(registered, derived)
    only = {each for each in set(first.findings) ^ set(second.findings) if each.rule not in by_rule}
    laws += tuple(f"only one of the two results contains {each}" for each in sorted(only))
    # Some rules evaluate resources that no blueprint contains.
    judged = {rule: max(count, second.judged.get(rule, 0)) for rule, count in first.judged.items()}
    judgement = replace(first, judged=judged)
    if own:
        try:
            whole = record_stack(opened, blueprint, as_of, preview=preview, own=own)
            seen = fleet_of(whole.registrations)
            judgement = judge_stack(opened, with_description(opened, derived, seen), configuration, crashes=crashes)
            known = {each.urn for each in alone.registrations}
            gaps = unread_lines(each for each in whole.registrations if each.urn not in known)
            gaps += tuple(NotEvaluated(NOT_MODELLED, urn, why) for urn, why in seen.unreadable.items())
        except NotModelled as missing:
            why = f"it needs {missing}; `pulumi preview --policy-pack` judges what it registers"
            gaps = (NotEvaluated(NOT_MODELLED, own.file.name, why),)
        judgement = replace(judgement, not_evaluated=tuple(sorted({*judgement.not_evaluated, *gaps})))
    return Plan(
        stack=opened.stack,
        backend=blueprint.described.backend,
        blueprint=blueprint,
        registrations=whole.registrations,
        outputs=whole.outputs,
        secret_outputs=whole.secret_outputs,
        judgement=judgement,
        objects=len(derived.objects),
        broken_laws=laws,
        own=tuple(resource_changes(alone.registrations, whole.registrations)),
        sources={
            each.urn: (display_path(Path(each.source[0])), each.source[1])
            for each in whole.registrations
            if each.source and _PACKAGE not in Path(each.source[0]).parents
        },
    )


def record_stack(
    opened: StackFile,
    blueprint: ClusterBlueprint,
    as_of: date,
    *,
    preview: bool = False,
    own: OwnProgram | None = None,
    alone: bool = False,
) -> Recording:
    """Runs the program of such a stack, without the rules.

    Args:
        opened: the stack.
        blueprint: its blueprint.
        as_of: the date that the rules use.
        preview: as in `record`.
        own: the own program of its project.
        alone: whether only Muster's resources are registered, in the project of the own program.

    Raises:
        RuleCrashed: a rule raised on the cluster's stack, if this stack has only add-ons.
        NotModelled: the own program needs what only AWS or a provider knows.
        ProgramFailed: the own program raised, or does not call `run`.
    """

    def register() -> Any:
        from muster.addons import overlay
        from muster.deploy import deploy
        from muster.deploy.addons import deploy_addons

        overlay.WRITES.set(False)
        if isinstance(opened.described, AddonsOf):
            return deploy_addons(opened.stack, opened.described)
        return deploy(blueprint)

    program = register if own is None or alone else partial(run_own, own, register)
    names: dict[str, Any] = {"project": own.project, "config": own.config} if own else {}
    others = _outputs_of_others(opened, as_of)
    try:
        with others_print():
            return record(
                program,
                **names,
                stack=opened.stack,
                region=opened.region,
                preview=preview,
                existing_clusters=existing_clusters(blueprint),
                stack_outputs=others,
            )
    except Exception as fault:
        # Else it is of a transform: Muster's resources alone have none.
        if own is None or alone or isinstance(fault, NotModelled | ProgramFailed):
            raise
        raise ProgramFailed(raised(fault, own.file.name)) from fault


def _outputs_of_others(opened: StackFile, as_of: date) -> dict[str, StackOutputs]:
    """The outputs of the cluster's stack, which a stack of add-ons reads: from a plan, or as they were saved."""
    if not isinstance(opened.described, AddonsOf):
        return {}
    if opened.joined.cluster is not None:
        return {opened.described.addons_of: plan_stack(opened.joined.cluster, as_of)}
    assert opened.facts is not None
    assert opened.facts.outputs is not None
    saved = opened.facts.outputs.model_dump(mode="json", exclude_none=True)
    # Outputs must be saved without secrets.
    return {opened.described.addons_of: Recording((), {**saved, "kubeconfig": "{}"}, SECRETS)}


def existing_clusters(blueprint: ClusterBlueprint) -> dict[str, dict[str, Any]]:
    """The existing cluster, as `aws.eks.get_cluster` would return it according to the description."""
    if not blueprint.on_kubernetes:
        return {}
    existing, plane = blueprint.described.control_plane.existing, blueprint.cluster
    if existing is None:
        return {}
    properties = {
        "version": plane.kubernetes,
        "authenticationMode": plane.authentication,
        "securityGroup": existing.security_group,
        "vpc": str(blueprint.network.vpc),
    }
    return {existing.name: properties}
