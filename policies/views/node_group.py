"""`aws.eks.NodeGroup` as a judged thing."""

from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import NodeGroup, Place, Taint
from muster.fleet.resources.node_group import EKS_EFFECTS
from muster.fleet.resources.place import LAUNCH_TEMPLATE
from muster.fleet.unknown import UNKNOWN
from policies.views.references import References, block, first

_KUBERNETES_EFFECTS = {theirs: ours for ours, theirs in EKS_EFFECTS.items()}
SUBNET = "aws:ec2/subnet:Subnet"


def node_group(resource: Registration, references: References) -> NodeGroup:
    """Reads a managed node group's inputs."""
    inputs = resource.inputs
    template = block(inputs, "launchTemplate")
    scaling = block(inputs, "scalingConfig")
    types = inputs.get("instanceTypes")
    return NodeGroup(
        ref=resource.ref,
        template=references.one(first(template, "id", "name"), resource, "launchTemplate", (LAUNCH_TEMPLATE,)),
        instance_types=UNKNOWN if types is UNKNOWN or UNKNOWN in (types or ()) else tuple(types or ()),
        subnets=references.several(inputs.get("subnetIds"), resource, "subnetIds", (SUBNET,)),
        ami_type=inputs.get("amiType"),
        capacity_type=inputs.get("capacityType"),
        nodes_min=scaling.get("minSize", UNKNOWN),
        nodes_start=scaling.get("desiredSize", UNKNOWN),
        nodes_max=scaling.get("maxSize", UNKNOWN),
        disk_size=inputs.get("diskSize"),
        remote_access=inputs.get("remoteAccess") is not None,
        release_version=inputs.get("releaseVersion"),
        version=inputs.get("version"),
        labels=frozenset((inputs.get("labels") or {}).items()) if inputs.get("labels") is not UNKNOWN else frozenset(),
        taints=frozenset(_taint(entry) for entry in inputs.get("taints") or () if isinstance(entry, dict)),
        place=Place(resource.urn),
    )


def _taint(entry: dict[str, Any]) -> Taint:
    effect = str(entry.get("effect", ""))
    return Taint(str(entry.get("key", "")), str(entry.get("value", "")), _KUBERNETES_EFFECTS.get(effect, effect))
