"""`aws.eks.Cluster` and `aws.eks.Addon` as judged things."""

from muster.fleet.registration import Registration
from muster.fleet.resources import ControlPlane, EksAddon, Place
from policies.views.node_group import SUBNET
from policies.views.references import References, block


def control_plane(resource: Registration, references: References) -> ControlPlane:
    """Reads an EKS cluster's inputs."""
    subnets = block(resource.inputs, "vpcConfig").get("subnetIds")
    return ControlPlane(
        ref=resource.ref,
        kubernetes=resource.inputs.get("version"),
        subnets=references.several(subnets, resource, "vpcConfig", (SUBNET,)),
        place=Place(resource.urn),
    )


def eks_addon(resource: Registration, _references: References) -> EksAddon:
    """Reads an EKS add-on's inputs."""
    return EksAddon(
        ref=resource.ref,
        name=resource.inputs["addonName"],
        version=resource.inputs.get("addonVersion"),
        place=Place(resource.urn),
    )
