"""Plans one stack: the real program on the offline monitor, judged twice, and the two readings compared."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from addons.judged import described_fleet
from muster.fleet.blueprint import Blueprint
from muster.fleet.registration import Registration
from muster.fleet.stack_file import StackFile
from muster.offline.recording import record
from policies.judgement import Judgement, judge
from policies.views.fleet import described_by, differences, fleet_of


@dataclass(frozen=True, slots=True)
class Plan:
    """What a stack would register, and what the rules say of it."""

    stack: str
    backend: str
    blueprint: Blueprint
    registrations: tuple[Registration, ...]
    """Sorted by URN."""
    outputs: Mapping[str, Any]
    secret_outputs: frozenset[str]
    judgement: Judgement
    broken_laws: tuple[str, ...]
    """Where what was registered is not what was derived: a bug of ours, never a pass."""


def plan_stack(opened: StackFile, as_of: date, *, preview: bool = False) -> Plan:
    """Runs the program of a stack that has no shape faults.

    The registered resources are judged with the description's places; what the rules find there and on the blueprint
    is one set, as both say the same.

    Raises:
        ValueError: the stack file has shape faults.
        RuleCrashed: a rule raised.
    """
    blueprint = opened.derive()

    def program() -> None:
        from deploy import deploy

        deploy(blueprint)

    recording = record(
        program,
        stack=opened.stack,
        region=opened.region,
        preview=preview,
        existing_clusters=existing_clusters(blueprint),
    )
    derived = described_fleet(blueprint, as_of)
    registered = described_by(fleet_of(recording.registrations), derived)
    suppressions = blueprint.described.suppress
    first, second = judge(derived, suppressions), judge(registered, suppressions)
    laws = differences(registered, derived)
    laws += tuple(f"only one reading has {each}" for each in sorted(set(first.findings) ^ set(second.findings)))
    return Plan(
        stack=opened.stack,
        backend=blueprint.described.backend,
        blueprint=blueprint,
        registrations=recording.registrations,
        outputs=recording.outputs,
        secret_outputs=recording.secret_outputs,
        judgement=first,
        broken_laws=laws,
    )


def existing_clusters(blueprint: Blueprint) -> dict[str, dict[str, Any]]:
    """The cluster that exists, as AWS would speak of it were it as the description says."""
    existing, plane = blueprint.described.control_plane.existing, blueprint.control_plane
    if existing is None:
        return {}
    said = {
        "version": plane.kubernetes,
        "authenticationMode": plane.authentication,
        "securityGroup": existing.security_group,
        "vpc": str(blueprint.network.vpc),
    }
    return {existing.name: said}
