"""Plans one stack: the real program on the offline monitor, judged twice, and the two readings compared."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from muster.blueprint.cluster import ClusterBlueprint
from muster.blueprint.kubernetes import Blueprint
from muster.config.description.kubernetes_cluster import AddonsOf
from muster.config.stack_file import StackFile
from muster.contract import SECRETS
from muster.fleet.registration import Registration
from muster.offline.monitor import StackOutputs
from muster.offline.recording import Recording, record
from policies.engine.configuration import Configuration
from policies.engine.described_fleet import described_fleet
from policies.engine.judgement import DEFAULT_CONFIGURATION, Judgement, RuleCrashed, judge_stack
from policies.views.fleet import differences, fleet_of, with_description


@dataclass(frozen=True, slots=True)
class Plan:
    """What a stack would register, and what the rules find."""

    stack: str
    backend: str
    blueprint: ClusterBlueprint
    registrations: tuple[Registration, ...]
    """Sorted by URN."""
    outputs: Mapping[str, Any]
    secret_outputs: frozenset[str]
    judgement: Judgement
    objects: int
    """The number of objects that the rules judged."""
    broken_laws: tuple[str, ...]
    """Where what was registered is not what was derived: a bug of ours, never a pass."""


def plan_stack(
    opened: StackFile,
    as_of: date,
    *,
    preview: bool = False,
    configuration: Configuration = DEFAULT_CONFIGURATION,
    crashes: list[RuleCrashed] | None = None,
) -> Plan:
    """Runs the program of a stack that has no shape faults, and whose cluster is known.

    The findings on the registered resources, with places in the description, and those on the blueprint are one set,
    because both are equal.

    Args:
        opened: the stack.
        as_of: the date that the rules use.
        preview: as in `record`.
        configuration: the selected rules and their levels.
        crashes: a list to collect the exceptions of rules in, once for each rule; the other rules still run.

    Raises:
        ValueError: the stack file has shape faults, or its cluster is unknown.
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
    laws += tuple(f"only one reading has {each}" for each in sorted(only))
    return Plan(
        stack=opened.stack,
        backend=blueprint.described.backend,
        blueprint=blueprint,
        registrations=recording.registrations,
        outputs=recording.outputs,
        secret_outputs=recording.secret_outputs,
        # Of what no blueprint has, only the registered resources have something to be judged.
        judgement=replace(
            first, judged={rule: max(count, second.judged.get(rule, 0)) for rule, count in first.judged.items()}
        ),
        objects=len(derived.objects),
        broken_laws=laws,
    )


def record_stack(opened: StackFile, blueprint: ClusterBlueprint, as_of: date, *, preview: bool = False) -> Recording:
    """Runs the program of such a stack, without the rules.

    Raises:
        RuleCrashed: a rule raised on the cluster's stack, where this one has add-ons only.
    """

    def program() -> None:
        from deploy import deploy
        from deploy.addons import deploy_addons

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
    """What a stack of add-ons reads: the outputs of the cluster's stack, planned, or as they were saved."""
    if not isinstance(opened.described, AddonsOf):
        return {}
    if opened.joined.cluster is not None:
        return {opened.described.addons_of: plan_stack(opened.joined.cluster, as_of)}
    assert opened.facts is not None
    assert opened.facts.outputs is not None
    saved = opened.facts.outputs.model_dump(mode="json", exclude_none=True)
    # Saved without secrets, as is right.
    return {opened.described.addons_of: Recording((), {**saved, "kubeconfig": "{}"}, SECRETS)}


def existing_clusters(blueprint: ClusterBlueprint) -> dict[str, dict[str, Any]]:
    """The cluster that exists, as `aws.eks.get_cluster` would describe it by the description."""
    if not isinstance(blueprint, Blueprint):
        return {}
    existing, plane = blueprint.described.control_plane.existing, blueprint.control_plane
    if existing is None:
        return {}
    properties = {
        "version": plane.kubernetes,
        "authenticationMode": plane.authentication,
        "securityGroup": existing.security_group,
        "vpc": str(blueprint.network.vpc),
    }
    return {existing.name: properties}
