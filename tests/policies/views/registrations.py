"""Resources as a program registers them, and what is seen in them."""

from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import Fleet
from muster.fleet.resources.ref import LAUNCH_TEMPLATE
from muster.policies.views import fleet_of
from muster.unknown import UNKNOWN

PREFIX = "urn:pulumi:dev::test::"
INGRESS_RULE = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"


def registered(type_: str, logical: str, /, below: str = "", *, id: Any = UNKNOWN, **inputs: Any) -> Registration:
    """A resource, with what its inputs depend on under `needs`: property -> references."""
    needs = inputs.pop("needs", {})
    urns = {key: tuple(f"{PREFIX}{ref.type}::{ref.name}" for ref in refs) for key, refs in needs.items()}
    return Registration(
        urn=f"{PREFIX}{below}{type_}::{logical}",
        type=type_,
        name=logical,
        inputs=inputs,
        id=id,
        property_dependencies=urns,
    )


def template(**inputs: Any) -> Registration:
    """The launch template of the group."""
    return registered(LAUNCH_TEMPLATE, "gpu", **inputs)


def seen(*resources: Registration) -> Fleet:
    """The fleet of some resources, each of which could be read."""
    fleet = fleet_of(resources)
    assert fleet.unreadable == {}
    return fleet
