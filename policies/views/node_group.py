"""`aws.eks.NodeGroup` as a judged thing."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import NodeGroup, Place, Taint
from muster.fleet.resources.node_group import EKS_EFFECTS
from muster.fleet.resources.place import LAUNCH_TEMPLATE, SUBNET
from muster.fleet.unknown import UNKNOWN
from policies.views.references import References, block, blocks, first, flag, size, texts, whole

_KUBERNETES_EFFECTS = {theirs: ours for ours, theirs in EKS_EFFECTS.items()}
_LIMITS = (
    "maxParallelNodesRepairedCount",
    "maxParallelNodesRepairedPercentage",
    "maxUnhealthyNodeThresholdCount",
    "maxUnhealthyNodeThresholdPercentage",
)


def node_group(resource: Registration, references: References) -> NodeGroup:
    """Reads a managed node group's inputs."""
    inputs = resource.inputs
    template = block(inputs, "launchTemplate")
    scaling = block(inputs, "scalingConfig")
    updates, repairs = block(inputs, "updateConfig"), block(inputs, "nodeRepairConfig")
    labels, taints = block(inputs, "labels"), blocks(inputs.get("taints"))
    return NodeGroup(
        ref=references.ref(resource),
        template=references.one(first(template, "id", "name"), resource, "launchTemplate", (LAUNCH_TEMPLATE,)),
        instance_types=texts(inputs.get("instanceTypes")),
        subnets=references.several(inputs.get("subnetIds"), resource, "subnetIds", (SUBNET,)),
        ami_type=inputs.get("amiType"),
        capacity_type=inputs.get("capacityType"),
        nodes_min=size(scaling.get("minSize")),
        nodes_start=size(scaling.get("desiredSize")),
        nodes_max=size(scaling.get("maxSize")),
        disk_size=inputs.get("diskSize"),
        remote_access=inputs.get("remoteAccess") is not None,
        release_version=inputs.get("releaseVersion"),
        version=inputs.get("version"),
        labels=frozenset((key, str(value)) for key, value in labels.items()),
        taints=frozenset() if taints is UNKNOWN else frozenset(_taint(entry) for entry in taints),
        place=Place(resource.urn),
        update_strategy=updates.get("updateStrategy"),
        repair=flag(repairs.get("enabled")),
        repair_limits=tuple((name, whole(repairs.get(name))) for name in _LIMITS if repairs.get(name) is not None),
        max_unavailable=whole(updates.get("maxUnavailable")),
        max_unavailable_percentage=whole(updates.get("maxUnavailablePercentage")),
    )


def _taint(entry: Mapping[str, Any]) -> Taint:
    effect = str(entry.get("effect", ""))
    return Taint(str(entry.get("key", "")), str(entry.get("value", "")), _KUBERNETES_EFFECTS.get(effect, effect))
