"""EKS: clusters, add-ons, managed node groups, and Auto Scaling groups of nodes, with their labels and taints."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.resources import (
    AccessEntry,
    AccessPolicyGrant,
    CapacityTarget,
    ControlPlane,
    EksAddon,
    NodeGroup,
    Reference,
    Taint,
)
from muster.fleet.resources.eks import ACCESS_POLICIES, EKS_EFFECTS, ROLE_OF_NODES, RepairLimit
from muster.fleet.resources.ref import (
    ACCESS_ENTRY,
    ACCESS_POLICY,
    AUTO_SCALING_GROUP,
    CAPACITY_BLOCK,
    CAPACITY_RESERVATION,
    CLUSTER,
    LAUNCH_TEMPLATE,
    NODE_GROUP,
    RESOURCE_GROUP,
    ROLE,
    SECURITY_GROUP,
    SUBNET,
)
from muster.plain_data import value_at
from muster.policies.views.view import Properties, Reader, View, known, one, several, unknown
from muster.unknown import UNKNOWN, NotKnown, UnknownType, if_known
from muster.yaml_text import NotYaml, load_all

SCHEDULE = "aws:autoscaling/schedule:Schedule"
CLUSTER_TAG = "kubernetes.io/cluster/"
LABEL_TAG = "k8s.io/cluster-autoscaler/node-template/label/"
TAINT_TAG = "k8s.io/cluster-autoscaler/node-template/taint/"
_POLICY, _TEMPLATE = "mixedInstancesPolicy", "mixedInstancesPolicy.launchTemplate"
_OVERRIDES = f"{_TEMPLATE}.overrides"
_ALL = 100


def _template(of: Properties) -> Reference | None:
    """Unknown if there are several, or only a launch configuration."""
    if of.raw(_POLICY) is not None:
        if any(each.raw("launchTemplateSpecification") is not None for each in of.blocks(_OVERRIDES)):
            unknown()
        named = f"{_TEMPLATE}.launchTemplateSpecification"
        return of.one(f"{named}.launchTemplateId|{named}.launchTemplateName", LAUNCH_TEMPLATE)
    if of.raw("launchTemplate") is None and of.raw("launchConfiguration") is not None:
        unknown()
    return of.one("launchTemplate.id|launchTemplate.name", LAUNCH_TEMPLATE)


def _types(of: Properties) -> tuple[str, ...]:
    """The types in the mixed instances policy, which override the template's: by name, once each. For requirements,
    EC2 chooses the types at every launch."""
    overrides = of.blocks(_OVERRIDES)
    if any(each.raw("instanceRequirements") is not None for each in overrides):
        unknown()
    return tuple(dict.fromkeys(str(each) for entry in overrides if (each := entry.get("instanceType")) is not None))


def _capacity_type(of: Properties) -> str | None:
    """``SPOT`` if some instances are spot instances."""
    on_demand = of.integer(f"{_POLICY}.instancesDistribution.onDemandPercentageAboveBaseCapacity")
    return None if on_demand in (None, _ALL) else "SPOT"


def _counted(path: str) -> Reader:
    """A number of the group, where it counts instances, not the weights of their types."""

    def read(of: Properties) -> int | None:
        if any(each.integer("weightedCapacity") not in (None, 1) for each in of.blocks(_OVERRIDES)):
            unknown()
        return of.integer(path)

    return read


def _own_target(of: Properties) -> CapacityTarget[UnknownType] | None:
    """The reservation that the group itself targets, which overrides its template's. None if it targets none."""
    of = of.block("capacityReservationSpecification")
    target, preference = of.block("capacityReservationTarget"), of.raw("capacityReservationPreference")
    try:
        preference = of.text("capacityReservationPreference")
        ids = target.several("capacityReservationIds", CAPACITY_RESERVATION, CAPACITY_BLOCK)
        groups = target.several("capacityReservationResourceGroupArns", RESOURCE_GROUP)
    except NotKnown:
        return CapacityTarget(preference if isinstance(preference, str) else None, reservation=UNKNOWN)
    if len(ids) + len(groups) > 1:
        return CapacityTarget(preference, reservation=UNKNOWN)
    if not ids and not groups and preference in (None, "default"):
        return None
    return CapacityTarget(preference, ids[0] if ids else None, groups[0] if groups else None)


def labels(path: str) -> Reader:
    """Labels; unknown if one of their values is, because such a value must not be compared."""

    def read(of: Properties) -> frozenset[tuple[str, str]]:
        given = of.get(path) if isinstance(of.get(path), Mapping) else {}
        return frozenset((key, str(known(each))) for key, each in given.items())

    return read


def taints(path: str, effects: Mapping[str, str]) -> Reader:
    """The taints in a list of blocks.

    Args:
        path: its path.
        effects: a service's name of an effect -> Kubernetes' name. Other effects are kept.
    """
    return lambda of: frozenset(_taint(each.values, effects) for each in of.blocks(path))


def _taint(entry: Mapping[str, Any], effects: Mapping[str, str]) -> Taint:
    entry = {name: known(value) for name, value in entry.items()}
    key, value, effect = (str(entry.get(name) or "") for name in ("key", "value", "effect"))
    return Taint(key, value, effects.get(effect, effect))


def _tags(of: Properties, prefix: str) -> dict[str, str]:
    """The tags with a prefix, which is removed from their keys."""
    tags = {str(each.values.get("key", "")): each.values.get("value", "") for each in of.blocks("tags")}
    return {key.removeprefix(prefix): str(known(value)) for key, value in tags.items() if key.startswith(prefix)}


def _taint_of_tag(key: str, setting: str) -> Taint:
    """``true:NoSchedule``."""
    value, _, effect = setting.rpartition(":")
    return Taint(key, value, effect)


def _zero_at(of: Properties) -> tuple[str, ...]:
    """The times at which schedules scale the group to 0 nodes. Unknown if a schedule may be of this group, or may scale
    it to 0."""
    return tuple(sorted(str(moment) for each in of.others() if (moment := _zero(each, of.ref)) is not None))


def _zero(schedule: Properties, group: object) -> Any:
    """When a schedule scales a group to 0 nodes. If the schedule depends on groups of the program, it is of one of
    those."""
    name, start = "autoscalingGroupName", schedule.raw("startTime")
    if start is None and schedule.raw("recurrence") in (None, ""):
        return None
    named = schedule.named(name, AUTO_SCALING_GROUP)
    among = schedule.behind((name,), AUTO_SCALING_GROUP)
    elsewhere = bool(among) and group not in among if named is UNKNOWN else named != group
    desired = if_known(lambda: schedule.integer("desiredCapacity"), UNKNOWN)
    if elsewhere or (desired is not UNKNOWN and desired != 0):
        return None
    known(named), known(desired)
    return known(UNKNOWN if start is None else start)


_AUTO_SCALING_GROUP = View(
    NodeGroup,
    template=_template,
    instance_types=_types,
    subnets=several("vpcZoneIdentifiers", SUBNET),
    capacity_type=_capacity_type,
    nodes_min=_counted("minSize"),
    nodes_start=_counted("desiredCapacity|minSize"),
    nodes_max=_counted("maxSize"),
    labels=lambda of: frozenset(_tags(of, LABEL_TAG).items()),
    taints=lambda of: frozenset(_taint_of_tag(*each) for each in _tags(of, TAINT_TAG).items()),
    managed=lambda _: False,
    role=one(ROLE_OF_NODES, ROLE),
    zero_at=_zero_at,
    target=_own_target,
)


def auto_scaling_group(of: Properties) -> NodeGroup | None:
    """A node group from an Auto Scaling group whose tags name an EKS cluster; None for any other group.

    Labels and taints are in the tags that a cluster autoscaler reads. An unknown tag that depends on an EKS cluster
    names the cluster of the nodes.
    """
    keys = if_known(lambda: [each.raw("key") for each in of.blocks("tags")], [UNKNOWN])
    if any(str(each).startswith(CLUSTER_TAG) for each in keys) or (UNKNOWN in keys and of.behind(("tags",), CLUSTER)):
        return _AUTO_SCALING_GROUP(of)
    return None


_LIMITS = {
    name: View(RepairLimit, number=f"nodeRepairConfig.{name}")
    for name in (
        "maxParallelNodesRepairedCount",
        "maxParallelNodesRepairedPercentage",
        "maxUnhealthyNodeThresholdCount",
        "maxUnhealthyNodeThresholdPercentage",
    )
}


def _limits(of: Properties) -> tuple[RepairLimit[UnknownType], ...]:
    return tuple(
        read(of, name=name) for name, read in _LIMITS.items() if of.raw(f"nodeRepairConfig.{name}") is not None
    )


node_group = View(
    NodeGroup,
    template=one("launchTemplate.id|launchTemplate.name", LAUNCH_TEMPLATE),
    instance_types="instanceTypes",
    subnets=several("subnetIds", SUBNET),
    ami_type="amiType",
    capacity_type="capacityType",
    nodes_min="scalingConfig.minSize",
    nodes_start="scalingConfig.desiredSize",
    nodes_max="scalingConfig.maxSize",
    disk_size="diskSize",
    release_version="releaseVersion",
    version="version",
    role=one(ROLE_OF_NODES, ROLE),
    labels=labels("labels"),
    taints=taints("taints", {theirs: ours for ours, theirs in EKS_EFFECTS.items()}),
    update_strategy="updateConfig.updateStrategy",
    repair="nodeRepairConfig.enabled",
    repair_limits=_limits,
    max_unavailable="updateConfig.maxUnavailable",
    max_unavailable_percentage="updateConfig.maxUnavailablePercentage",
)


control_plane = View(
    ControlPlane,
    kubernetes="version",
    subnets=several("vpcConfig.subnetIds", SUBNET),
    security_groups=several("vpcConfig.securityGroupIds", SECURITY_GROUP),
    endpoint_public="vpcConfig.endpointPublicAccess",
    public_networks=lambda of: tuple(sorted(of.texts("vpcConfig.publicAccessCidrs"))),
    name="name",
    role=one("roleArn", ROLE),
    authentication="accessConfig.authenticationMode",
)


def _values(of: Properties) -> Mapping[str, Any]:
    """An add-on's configuration: JSON or YAML, as in EKS's API."""
    try:
        given = load_all(of.text("configurationValues") or "{}")
    except NotYaml:
        return unknown()
    values = given[0] if given and isinstance(given[0], Mapping) else unknown()
    subnets = value_at(values, "eniConfig", "subnets")
    for each in subnets.values() if isinstance(subnets, Mapping) else ():
        if isinstance(each, dict) and "id" in each:
            each["id"] = of.references.of(each["id"], (SUBNET,))
    return values


eks_addon = View(EksAddon, name="addonName", version="addonVersion", values=_values)


def _people(of: Properties) -> AccessEntry[UnknownType] | None:
    """An access entry of people; those of nodes have no groups."""
    return _entry(of) if of.raw("type") in (None, "STANDARD") else None


def _of_people(of: Properties) -> AccessPolicyGrant[UnknownType] | None:
    """An access policy for people; others are for Karpenter and services."""
    policy = of.raw("policyArn")
    known = policy is UNKNOWN or str(policy).rpartition("/")[2] in ACCESS_POLICIES.values()
    return _grant(of) if known else None


_entry = View(
    AccessEntry, principal=one("principalArn", ROLE), groups=lambda of: tuple(sorted(of.texts("kubernetesGroups")))
)
_grant = View(
    AccessPolicyGrant,
    principal=one("principalArn", ROLE),
    policy=lambda of: of.needed("policyArn").rpartition("/")[2],
    namespaces=lambda of: tuple(sorted(of.texts("accessScope.namespaces"))),
)

VIEWS: Mapping[str, Reader] = {
    ACCESS_ENTRY: _people,
    ACCESS_POLICY: _of_people,
    CLUSTER: control_plane,
    NODE_GROUP: node_group,
    AUTO_SCALING_GROUP: auto_scaling_group,
}
BESIDE = {AUTO_SCALING_GROUP: {SCHEDULE: "autoscalingGroupName"}}
