"""Plans one stack: runs the real program on the offline monitor, applies the rules to the description and to the
registered resources, and compares the two results."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from muster.blueprint.cluster import ClusterBlueprint
from muster.config.description.kubernetes_cluster import AddonsOf
from muster.contract import SECRETS
from muster.fleet.registration import Registration
from muster.offline.monitor import StackOutputs
from muster.offline.recording import Recording, record
from muster.policies.engine.configuration import Configuration
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import DEFAULT_CONFIGURATION, Judgement, RuleCrashed, judge_stack
from muster.policies.views.fleet import differences, fleet_of, with_description
from muster.stack.stack_file import StackFile


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

    Args:
        opened: the stack.
        as_of: the date that the rules use.
        preview: as in `record`.
        configuration: the selected rules and their levels.
        crashes: a list that receives the exceptions of rules, one for each rule; the other rules still run.

    Raises:
        ValueError: the stack file has schema errors, or its cluster is unknown.
        RuleCrashed: a rule raised, and `crashes` is not given.
    """
    blueprint = opened.derive()
    recording = record_stack(opened, blueprint, as_of, preview=preview)
    derived, seen = described_fleet(blueprint, as_of), fleet_of(recording.registrations)
    registered = with_description(opened, derived, seen)
    raised: list[RuleCrashed] | None = None if crashes is None else []
    first, second = (judge_stack(opened, each, configuration, crashes=raised) for each in (derived, registered))
    by_rule = {each.rule: each for each in reversed(raised or ())}
    if crashes is not None:
        crashes += by_rule.values()
    laws = differences(registered, derived)
    only = {each for each in set(first.findings) ^ set(second.findings) if each.rule not in by_rule}
    laws += tuple(f"only one of the two results contains {each}" for each in sorted(only))
    return Plan(
        stack=opened.stack,
        backend=blueprint.described.backend,
        blueprint=blueprint,
        registrations=recording.registrations,
        outputs=recording.outputs,
        secret_outputs=recording.secret_outputs,
        # Some rules evaluate resources that no blueprint contains.
        judgement=replace(
            first, judged={rule: max(count, second.judged.get(rule, 0)) for rule, count in first.judged.items()}
        ),
        objects=len(derived.objects),
        broken_laws=laws,
    )


def record_stack(opened: StackFile, blueprint: ClusterBlueprint, as_of: date, *, preview: bool = False) -> Recording:
    """Runs the program of such a stack, without the rules.

    Raises:
        RuleCrashed: a rule raised on the cluster's stack, if this stack has only add-ons.
    """

    def program() -> None:
        from muster.addons import overlay
        from muster.deploy import deploy
        from muster.deploy.addons import deploy_addons

        overlay.WRITES.set(False)
        if isinstance(opened.described, AddonsOf):
            deploy_addons(opened.stack, opened.described)
        else:
            deploy(blueprint)

    return record(
        program,
        stack=opened.stack,
        region=opened.region,
        preview=preview,
        existing_clusters=existing_clusters(blueprint),
        stack_outputs=_outputs_of_others(opened, as_of),
    )


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
