"""`aws.eks.NodeGroup` as a judged thing."""

from muster.fleet.registration import Registration
from muster.fleet.resources import NodeGroup, Place
from muster.fleet.resources.node_group import EKS_EFFECTS
from muster.fleet.resources.place import LAUNCH_TEMPLATE, SUBNET
from policies.views.node_labels import labels, taints
from policies.views.references import References, block, first, flag, size, texts, whole

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
        labels=labels(inputs.get("labels")),
        taints=taints(inputs.get("taints"), _KUBERNETES_EFFECTS),
        place=Place(resource.urn),
        update_strategy=updates.get("updateStrategy"),
        repair=flag(repairs.get("enabled")),
        repair_limits=tuple((name, whole(repairs.get(name))) for name in _LIMITS if repairs.get(name) is not None),
        max_unavailable=whole(updates.get("maxUnavailable")),
        max_unavailable_percentage=whole(updates.get("maxUnavailablePercentage")),
    )
