"""What is read of the files that the engine saves, and of Muster's own plan (pulumi/pulumi
`sdk/go/common/apitype/{plan,deployments,events}.go`, 3.260)."""

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from muster.fleet.form import Form, Many, Named

_PARTS = 4
"""Of a URN: the stack, the project, the chain of types, the name."""
_STATE_VERSION = 3


def _urn(text: str) -> str:
    if text and len(text.split("::", 3)) < _PARTS:
        raise ValueError("is no URN: urn:pulumi:STACK::PROJECT::TYPE::NAME")
    return text


def _of_today(version: int) -> int:
    if version < _STATE_VERSION:
        raise ValueError(f"is {version}, which Pulumi of today does not write")
    return version


Urn = Annotated[str, AfterValidator(_urn), Field(min_length=1)]
UrnOrNothing = Annotated[str, AfterValidator(_urn)]
Values = dict[str, Any]


class Difference(Form):
    """What a plan changes of a resource's inputs."""

    adds: Values | None = None


class Kin(Form):
    """What all forms say of a resource."""

    type: str
    custom: bool | None = None
    parent: UrnOrNothing | None = None
    provider: str | None = None
    dependencies: Many[Urn] | None = None
    property_dependencies: Named[Many[Urn] | None] | None = None


class Goal(Kin):
    """What a plan makes of a resource."""

    input_diff: Difference | None = None


class ResourcePlan(Form):
    """What a plan does with a resource."""

    goal: Goal | None = None
    steps: Many[str] | None = None
    state: Values | None = None


class Plan(Form):
    """A saved plan."""

    resource_plans: Annotated[dict[Urn, ResourcePlan], Field(fail_fast=True)]
    config: Values | None = None


class Resource(Kin):
    """A resource in a state or a preview."""

    urn: Urn
    id: str | None = None
    inputs: Values | None = None
    outputs: Values | None = None
    delete: bool | None = None
    external: bool | None = None


class Deployment(Form):
    """The resources of a state."""

    resources: Many[Resource] | None = None


class State(Form):
    """A state."""

    version: Annotated[int, AfterValidator(_of_today)]
    deployment: Deployment | None = None


class Before(Form):
    """A resource before a step."""

    id: str | None = None
    outputs: Values | None = None


class Step(Form):
    """One step of a preview."""

    op: str
    urn: str
    old_state: Before | None = None
    new_state: Resource | None = None


class Summary(Form):
    """How many resources a preview leaves alone."""

    same: int | None = None


class Diagnostic(Form):
    """What the engine says."""

    severity: str | None = None
    message: str | None = None


class Preview(Form):
    """A preview."""

    steps: Many[Step]
    change_summary: Summary | None = None
    config: Values | None = None
    diagnostics: Many[Diagnostic] | None = None


class Planned(Kin):
    """A resource in a plan of Muster's."""

    urn: Urn
    name: str
    id: str
    inputs: Values


class MusterPlan(Form):
    """A plan of Muster's own."""

    stack: str
    region: str | None = None
    resources: Many[Planned]
