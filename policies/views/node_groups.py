"""Managed node groups (`aws.eks.NodeGroup`) and Auto Scaling groups of EKS nodes, with their labels and taints."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import CapacityTarget, NodeGroup, Place, Reference, Taint
from muster.fleet.resources.eks import EKS_EFFECTS, RepairLimit
from muster.fleet.resources.ref import (
    AUTO_SCALING_GROUP,
    CAPACITY_BLOCK,
    CAPACITY_RESERVATION,
    CLUSTER,
    LAUNCH_TEMPLATE,
    RESOURCE_GROUP,
    SUBNET,
)
from muster.policies.views.references import (
    References,
    block,
    blocks,
    boolean,
    first_set,
    integer,
    known_items,
    node_count,
    text_list,
)
from muster.unknown import UNKNOWN, UnknownType

_POLICY, _RESERVED = "mixedInstancesPolicy", "capacityReservationSpecification"
_ALL = 100


@dataclass(frozen=True, slots=True)
class Launched:
    """From what the instances of a group are launched."""

    template: Reference | None | UnknownType
    """Also unknown if there are several, or only a launch configuration."""
    instance_types: tuple[str, ...] | UnknownType = ()
    """The types in the mixed instances policy, which override the template's type."""
    capacity_type: str | None | UnknownType = None
    """``SPOT`` if some instances are spot instances."""
    counted: bool = True
    """Whether the group's numbers count instances, not the weights of their types."""


def launched(resource: Registration, references: References) -> Launched:
    """Reads `launchTemplate`, or the policy instead of it."""
    inputs = resource.inputs
    if inputs.get(_POLICY) is not None:
        return _of_policy(block(inputs, _POLICY), resource, references)
    if inputs.get("launchTemplate") is None and inputs.get("launchConfiguration") is not None:
        return Launched(UNKNOWN)
    named = first_set(block(inputs, "launchTemplate"), "id", "name")
    return Launched(references.one(named, resource, "launchTemplate", (LAUNCH_TEMPLATE,)))


def _of_policy(policy: Mapping[str, Any], resource: Registration, references: References) -> Launched:
    template, distribution = block(policy, "launchTemplate"), block(policy, "instancesDistribution")
    named = first_set(block(template, "launchTemplateSpecification"), "launchTemplateId", "launchTemplateName")
    overrides = blocks(template.get("overrides"))
    listed = [] if overrides is UNKNOWN else overrides
    several = overrides is UNKNOWN or any(each.get("launchTemplateSpecification") is not None for each in listed)
    on_demand = integer(distribution.get("onDemandPercentageAboveBaseCapacity"))
    weights = [integer(each.get("weightedCapacity")) for each in listed]
    return Launched(
        template=UNKNOWN if several else references.one(named, resource, _POLICY, (LAUNCH_TEMPLATE,)),
        instance_types=UNKNOWN if overrides is UNKNOWN else _types(listed),
        capacity_type=UNKNOWN if on_demand is UNKNOWN else None if on_demand in (None, _ALL) else "SPOT",
        counted=overrides is not UNKNOWN and all(each in (None, 1) for each in weights),
    )


def _types(overrides: list[Mapping[str, Any]]) -> tuple[str, ...] | UnknownType:
    """The types by name, once each. For requirements, EC2 chooses the types at every launch."""
    if any(each.get("instanceRequirements") is not None for each in overrides):
        return UNKNOWN
    named = text_list([each["instanceType"] for each in overrides if each.get("instanceType") is not None])
    return named if named is UNKNOWN else tuple(dict.fromkeys(named))


def own_target(resource: Registration, references: References) -> CapacityTarget[UnknownType] | None:
    """The reservation that the group itself targets, which overrides its template's. None if it targets none."""
    setting = resource.inputs.get(_RESERVED)
    if setting is None:
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
    if UNKNOWN in (setting, preference, given) or ids is UNKNOWN or groups is UNKNOWN or len(ids) + len(groups) > 1:
        return CapacityTarget(None if preference is UNKNOWN else preference, reservation=UNKNOWN)
    if not ids and not groups and preference in (None, "default"):
        return None
    return CapacityTarget(preference, ids[0] if ids else None, groups[0] if groups else None)


_TARGET = "capacityReservationTarget"


def labels_of(given: Any) -> frozenset[tuple[str, str]] | UnknownType:
    """A block of labels; unknown if one of its values is unknown, because such a value must not be compared."""
    if given is UNKNOWN or (isinstance(given, Mapping) and UNKNOWN in given.values()):
        return UNKNOWN
    return frozenset((key, str(value)) for key, value in given.items()) if isinstance(given, Mapping) else frozenset()


def taints_of(given: Any, effects: Mapping[str, str]) -> frozenset[Taint] | UnknownType:
    """The taints in a list of blocks.

    Args:
        given: the list.
        effects: a service's name of an effect -> Kubernetes' name. Other effects are kept.
    """
    listed = blocks(given)
    if listed is UNKNOWN or any(UNKNOWN in each.values() for each in listed):
        return UNKNOWN
    return frozenset(_taint(each, effects) for each in listed)


def _taint(entry: Mapping[str, Any], effects: Mapping[str, str]) -> Taint:
    key, value, effect = (str(entry.get(name) or "") for name in ("key", "value", "effect"))
    return Taint(key, value, effects.get(effect, effect))


SCHEDULE = "aws:autoscaling/schedule:Schedule"
CLUSTER_TAG = "kubernetes.io/cluster/"
LABEL_TAG = "k8s.io/cluster-autoscaler/node-template/label/"
TAINT_TAG = "k8s.io/cluster-autoscaler/node-template/taint/"


def auto_scaling_group(
    resource: Registration, references: References, schedules: Iterable[Registration]
) -> NodeGroup[UnknownType] | None:
    """A node group from an Auto Scaling group whose tags name an EKS cluster; None for any other group.

    Labels and taints are in the tags that a cluster autoscaler reads.
    """
    inputs = resource.inputs
    listed = blocks(inputs.get("tags"))
    tags = {str(each.get("key", "")): each.get("value", "") for each in known_items(listed)}
    if not any(key.startswith(CLUSTER_TAG) for key in tags) and not _made_of_a_cluster(resource, references, listed):
        return None
    labels, taints = _after(LABEL_TAG, tags), _after(TAINT_TAG, tags)
    made_of = launched(resource, references)
    first = inputs.get("desiredCapacity", inputs.get("minSize"))
    return NodeGroup(
        ref=references.ref(resource),
        template=made_of.template,
        instance_types=made_of.instance_types,
        subnets=references.several(inputs.get("vpcZoneIdentifiers"), resource, "vpcZoneIdentifiers", (SUBNET,)),
        ami_type=None,
        capacity_type=made_of.capacity_type,
        nodes_min=node_count(inputs.get("minSize")) if made_of.counted else UNKNOWN,
        nodes_start=node_count(first) if made_of.counted else UNKNOWN,
        nodes_max=node_count(inputs.get("maxSize")) if made_of.counted else UNKNOWN,
        disk_size=None,
        release_version=None,
        version=None,
        labels=UNKNOWN if listed is UNKNOWN else labels_of(labels),
        taints=UNKNOWN
        if UNKNOWN in (listed, *taints.values())
        else frozenset(map(_taint_of_tag, taints, taints.values())),
        place=Place(resource.urn),
        managed=False,
        zero_at=_zero_at(resource, references, schedules),
        target=own_target(resource, references),
    )


def _made_of_a_cluster(
    resource: Registration, references: References, tags: list[Mapping[str, Any]] | UnknownType
) -> bool:
    """Whether unknown tags depend on an EKS cluster. One of them then names the cluster of the nodes."""
    unknown = tags is UNKNOWN or any(each.get("key") is UNKNOWN for each in tags)
    return unknown and bool(references.behind(resource, ("tags",), (CLUSTER,)))


def _after(prefix: str, tags: Mapping[str, Any]) -> dict[str, str | UnknownType]:
    """The tags with a prefix, which is removed from their keys."""
    return {
        key.removeprefix(prefix): value if value is UNKNOWN else str(value)
        for key, value in tags.items()
        if key.startswith(prefix)
    }


def _taint_of_tag(key: str, setting: object) -> Taint:
    """``true:NoSchedule``."""
    value, _, effect = str(setting).rpartition(":")
    return Taint(key, value, effect)


def _zero_at(
    group: Registration, references: References, schedules: Iterable[Registration]
) -> tuple[str, ...] | UnknownType:
    """The times at which schedules scale the group to 0 nodes. Unknown if a schedule may be of this group, or may scale
    it to 0."""
    moments: list[Any] = []
    for each in schedules:
        start = each.inputs.get("startTime", UNKNOWN if each.inputs.get("recurrence") else None)
        desired = integer(each.inputs.get("desiredCapacity"))
        answers = (_is_about(group, each, references), UNKNOWN if desired is UNKNOWN else desired == 0)
        if start is not None and not any(answer is False for answer in answers):
            moments.append(UNKNOWN if UNKNOWN in answers else start)
    if any(each is UNKNOWN for each in moments):
        return UNKNOWN
    return tuple(sorted(map(str, moments)))


_NAME = "autoscalingGroupName"


def _is_about(group: Registration, schedule: Registration, references: References) -> bool | UnknownType:
    """Whether it is a group's schedule. If its group's name depends on groups of the program, it belongs to one of
    those."""
    own = references.ref(group)
    named = references.one(schedule.inputs.get(_NAME), schedule, _NAME, (AUTO_SCALING_GROUP,))
    if named is not UNKNOWN:
        return named == own
    candidates = references.behind(schedule, (_NAME,), (AUTO_SCALING_GROUP,))
    return UNKNOWN if not candidates or own in candidates else False


_KUBERNETES_EFFECTS = {theirs: ours for ours, theirs in EKS_EFFECTS.items()}
_LIMITS = (
    "maxParallelNodesRepairedCount",
    "maxParallelNodesRepairedPercentage",
    "maxUnhealthyNodeThresholdCount",
    "maxUnhealthyNodeThresholdPercentage",
)


def node_group(resource: Registration, references: References) -> NodeGroup[UnknownType]:
    """Reads a managed node group's inputs."""
    inputs = resource.inputs
    template = block(inputs, "launchTemplate")
    scaling = block(inputs, "scalingConfig")
    updates, repairs = block(inputs, "updateConfig"), block(inputs, "nodeRepairConfig")
    return NodeGroup(
        ref=references.ref(resource),
        template=references.one(first_set(template, "id", "name"), resource, "launchTemplate", (LAUNCH_TEMPLATE,)),
        instance_types=text_list(inputs.get("instanceTypes")),
        subnets=references.several(inputs.get("subnetIds"), resource, "subnetIds", (SUBNET,)),
        ami_type=inputs.get("amiType"),
        capacity_type=inputs.get("capacityType"),
        nodes_min=node_count(scaling.get("minSize")),
        nodes_start=node_count(scaling.get("desiredSize")),
        nodes_max=node_count(scaling.get("maxSize")),
        disk_size=inputs.get("diskSize"),
        release_version=inputs.get("releaseVersion"),
        version=inputs.get("version"),
        labels=labels_of(inputs.get("labels")),
        taints=taints_of(inputs.get("taints"), _KUBERNETES_EFFECTS),
        place=Place(resource.urn),
        update_strategy=updates.get("updateStrategy"),
        repair=boolean(repairs.get("enabled")),
        repair_limits=tuple(
            RepairLimit(each, integer(repairs.get(each))) for each in _LIMITS if repairs.get(each) is not None
        ),
        max_unavailable=integer(updates.get("maxUnavailable")),
        max_unavailable_percentage=integer(updates.get("maxUnavailablePercentage")),
    )
