"""`aws.eks.Cluster` and `aws.eks.Addon` as judged things."""

from muster.fleet.registration import Registration
from muster.fleet.resources import ControlPlane, EksAddon, Place
from muster.fleet.resources.place import SECURITY_GROUP
from muster.fleet.unknown import UNKNOWN
from policies.views.node_group import SUBNET
from policies.views.references import References, block


def control_plane(resource: Registration, references: References) -> ControlPlane:
    """Reads an EKS cluster's inputs."""
    network = block(resource.inputs, "vpcConfig")
    return ControlPlane(
        ref=resource.ref,
        kubernetes=resource.inputs.get("version"),
        subnets=references.several(network.get("subnetIds"), resource, "vpcConfig", (SUBNET,)),
        place=Place(resource.urn),
        security_groups=references.several(network.get("securityGroupIds"), resource, "vpcConfig", (SECURITY_GROUP,)),
    )


def eks_addon(resource: Registration, _references: References) -> EksAddon:
    """Reads an EKS add-on's inputs."""
    return EksAddon(
        ref=resource.ref,
        name=resource.inputs.get("addonName", UNKNOWN),
        version=resource.inputs.get("addonVersion"),
        place=Place(resource.urn),
    )
