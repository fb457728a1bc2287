"""`aws.eks.NodeGroup` as a judged thing."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import NodeGroup, Place, Taint
from muster.fleet.resources.node_group import EKS_EFFECTS
from muster.fleet.resources.place import LAUNCH_TEMPLATE
from muster.fleet.unknown import UNKNOWN, UnknownType
from policies.views.references import References, block, blocks, first, flag, texts, whole

_KUBERNETES_EFFECTS = {theirs: ours for ours, theirs in EKS_EFFECTS.items()}
SUBNET = "aws:ec2/subnet:Subnet"


def node_group(resource: Registration, references: References) -> NodeGroup:
    """Reads a managed node group's inputs."""
    inputs = resource.inputs
    template = block(inputs, "launchTemplate")
    scaling = block(inputs, "scalingConfig")
    labels, taints = block(inputs, "labels"), blocks(inputs.get("taints"))
    return NodeGroup(
        ref=references.ref(resource),
        template=references.one(first(template, "id", "name"), resource, "launchTemplate", (LAUNCH_TEMPLATE,)),
        instance_types=texts(inputs.get("instanceTypes")),
        subnets=references.several(inputs.get("subnetIds"), resource, "subnetIds", (SUBNET,)),
        ami_type=inputs.get("amiType"),
        capacity_type=inputs.get("capacityType"),
        nodes_min=_size(scaling.get("minSize")),
        nodes_start=_size(scaling.get("desiredSize")),
        nodes_max=_size(scaling.get("maxSize")),
        disk_size=inputs.get("diskSize"),
        remote_access=inputs.get("remoteAccess") is not None,
        release_version=inputs.get("releaseVersion"),
        version=inputs.get("version"),
        labels=frozenset((key, str(value)) for key, value in labels.items()),
        taints=frozenset() if taints is UNKNOWN else frozenset(_taint(entry) for entry in taints),
        place=Place(resource.urn),
        update_strategy=block(inputs, "updateConfig").get("updateStrategy"),
        repair=flag(block(inputs, "nodeRepairConfig").get("enabled")),
    )


def _size(value: Any) -> int | UnknownType:
    """A number of nodes; one that is not given is as little known as one that is not yet known."""
    number = whole(value)
    return UNKNOWN if number is None or number is UNKNOWN else int(number)


def _taint(entry: Mapping[str, Any]) -> Taint:
    effect = str(entry.get("effect", ""))
    return Taint(str(entry.get("key", "")), str(entry.get("value", "")), _KUBERNETES_EFFECTS.get(effect, effect))
