"""What an Auto Scaling group says beside its launch template: a mixed instances policy, reservations of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import CapacityTarget, Reference
from muster.fleet.resources.place import CAPACITY_BLOCK, CAPACITY_RESERVATION, LAUNCH_TEMPLATE, RESOURCE_GROUP
from muster.fleet.unknown import UNKNOWN, UnknownType
from policies.views.references import References, block, blocks, first, texts, whole

_POLICY, _RESERVED = "mixedInstancesPolicy", "capacityReservationSpecification"
_ALL = 100


@dataclass(frozen=True, slots=True)
class Launched:
    """What the instances of a group are launched from."""

    template: Reference | None | UnknownType
    """Unknown, too, where there are several, or none but a launch configuration."""
    instance_types: tuple[str, ...] | UnknownType = ()
    """Those of the policy; they stand before the template's own."""
    capacity_type: str | None | UnknownType = None
    """``SPOT`` where some of them are."""
    counted: bool = True
    """Whether the group's numbers count instances, not the weights of their types."""


def launched(resource: Registration, references: References) -> Launched:
    """Reads `launchTemplate`, or the policy that stands instead of it."""
    inputs = resource.inputs
    if inputs.get(_POLICY) is not None:
        return _of_policy(block(inputs, _POLICY), resource, references)
    if inputs.get("launchTemplate") is None and inputs.get("launchConfiguration") is not None:
        return Launched(UNKNOWN)
    named = first(block(inputs, "launchTemplate"), "id", "name")
    return Launched(references.one(named, resource, "launchTemplate", (LAUNCH_TEMPLATE,)))


def _of_policy(policy: Mapping[str, Any], resource: Registration, references: References) -> Launched:
    template, distribution = block(policy, "launchTemplate"), block(policy, "instancesDistribution")
    named = first(block(template, "launchTemplateSpecification"), "launchTemplateId", "launchTemplateName")
    overrides = blocks(template.get("overrides"))
    listed = [] if overrides is UNKNOWN else overrides
    several = overrides is UNKNOWN or any(each.get("launchTemplateSpecification") is not None for each in listed)
    on_demand = whole(distribution.get("onDemandPercentageAboveBaseCapacity"))
    weights = [whole(each.get("weightedCapacity")) for each in listed]
    return Launched(
        template=UNKNOWN if several else references.one(named, resource, _POLICY, (LAUNCH_TEMPLATE,)),
        instance_types=UNKNOWN if overrides is UNKNOWN else _types(listed),
        capacity_type=UNKNOWN if on_demand is UNKNOWN else None if on_demand in (None, _ALL) else "SPOT",
        counted=overrides is not UNKNOWN and all(each in (None, 1) for each in weights),
    )


def _types(overrides: list[Mapping[str, Any]]) -> tuple[str, ...] | UnknownType:
    """The types by name, once each. Which ones requirements come to, EC2 decides at every launch."""
    if any(each.get("instanceRequirements") is not None for each in overrides):
        return UNKNOWN
    named = texts([each["instanceType"] for each in overrides if each.get("instanceType") is not None])
    return named if named is UNKNOWN else tuple(dict.fromkeys(named))


def own_target(resource: Registration, references: References) -> CapacityTarget | None:
    """The reservations that the group itself names: its word stands before its template's. None where it says none."""
    said = resource.inputs.get(_RESERVED)
    if said is None:
        return None
    specification = block(resource.inputs, _RESERVED)
    preference, given = specification.get("capacityReservationPreference"), specification.get(_TARGET)
    target = block(specification, _TARGET)
    ids = references.several(
        target.get("capacityReservationIds"), resource, _RESERVED, (CAPACITY_RESERVATION, CAPACITY_BLOCK)
    )
    groups = references.several(
        target.get("capacityReservationResourceGroupArns"), resource, _RESERVED, (RESOURCE_GROUP,)
    )
    if UNKNOWN in (said, preference, given) or ids is UNKNOWN or groups is UNKNOWN or len(ids) + len(groups) > 1:
        return CapacityTarget(None if preference is UNKNOWN else preference, reservation=UNKNOWN)
    if not ids and not groups and preference in (None, "default"):
        return None
    return CapacityTarget(preference, ids[0] if ids else None, groups[0] if groups else None)


_TARGET = "capacityReservationTarget"
