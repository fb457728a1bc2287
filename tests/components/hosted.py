"""The component host on the offline monitor. On the engine it is in `tests/pulumi_engine/test_components.py`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import pulumi

from muster.components.host import PACKAGE, Components
from muster.fleet.registration import Registration
from muster.offline.recording import record

STACK, PROJECT, REGION = "dev", "theirs", "us-west-2"


@dataclass(frozen=True, slots=True)
class Constructed:
    """What came of it."""

    registrations: tuple[Registration, ...]
    """Without the stack and the component itself."""
    component: Registration | None
    outputs: Mapping[str, Any]
    secret: frozenset[str]
    """The outputs that are secrets."""
    refused: str
    """The engine's words, where it was refused."""
    arguments: Mapping[str, str]
    """Refused argument -> why."""


def construct(
    kind: str,
    name: str,
    arguments: Mapping[str, Any],
    *,
    project: str = PROJECT,
    existing: Mapping[str, Any] | None = None,
    region: str = REGION,
) -> Constructed:
    """Makes a component of arguments in the schema's spelling."""
    refused: list[pulumi.InputPropertiesError] = []
    type_ = f"{PACKAGE}:index:{kind}"

    def program() -> None:
        try:
            made = _provider().construct(name, type_, arguments)
        except pulumi.InputPropertiesError as fault:
            refused.append(fault)
        except pulumi.InputPropertyError as fault:  # the SDK's, of one that is missing
            one: Any = {"property_path": fault.property_path, "reason": fault.reason}
            refused.append(pulumi.InputPropertiesError(fault.reason, [one]))
        else:
            for key, value in made.state.items():
                pulumi.export(key, value)

    recording = record(program, project=project, stack=STACK, region=region, existing_clusters=existing)
    beside = {"pulumi:pulumi:Stack", type_}
    (component,) = [each for each in recording.registrations if each.type == type_] or [None]
    return Constructed(
        tuple(each for each in recording.registrations if each.type not in beside),
        component,
        recording.outputs,
        recording.secret_outputs,
        "".join(each.message for each in refused),
        {each["property_path"]: each["reason"] for fault in refused for each in fault.errors or ()},
    )


@cache
def _provider() -> Components:
    return Components()
