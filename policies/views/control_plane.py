"""`aws.eks.Cluster` and `aws.eks.Addon`."""

import re

from muster.fleet.registration import Registration
from muster.fleet.resources import ControlPlane, EksAddon, Place
from muster.fleet.resources.ref import SECURITY_GROUP, SUBNET
from muster.policies.views.references import References, block, boolean, text_list
from muster.unknown import UNKNOWN, UnknownType

_PREFIX_DELEGATION = re.compile(r"""ENABLE_PREFIX_DELEGATION["']?\s*:\s*["']?(\w+)""")


def control_plane(resource: Registration, references: References) -> ControlPlane[UnknownType]:
    """Reads an EKS cluster's inputs."""
    network = block(resource.inputs, "vpcConfig")
    return ControlPlane(
        ref=references.ref(resource),
        kubernetes=resource.inputs.get("version"),
        subnets=references.several(network.get("subnetIds"), resource, "vpcConfig", (SUBNET,)),
        place=Place(resource.urn),
        security_groups=references.several(network.get("securityGroupIds"), resource, "vpcConfig", (SECURITY_GROUP,)),
        endpoint_public=_switch(network.get("endpointPublicAccess"), without=True),
        public_networks=_sorted(text_list(network.get("publicAccessCidrs"))),
        name=resource.inputs.get("name"),
        authentication=block(resource.inputs, "accessConfig").get("authenticationMode"),
    )


def _switch(value: object, *, without: bool) -> bool | UnknownType:
    """A boolean setting; AWS's default, `without`, if it is unset."""
    setting = boolean(value)
    return without if setting is None else setting


def _sorted(given: tuple[str, ...] | UnknownType) -> tuple[str, ...] | UnknownType:
    return UNKNOWN if given is UNKNOWN else tuple(sorted(given))


def _prefixes(configuration: object) -> bool | UnknownType:
    """Whether an add-on's configuration (JSON or YAML, as in EKS's API) turns prefix delegation on."""
    if configuration is None or configuration is UNKNOWN:
        return UNKNOWN if configuration is UNKNOWN else False
    found = _PREFIX_DELEGATION.search(str(configuration))
    return found is not None and found[1].lower() == "true"


def eks_addon(resource: Registration, references: References) -> EksAddon[UnknownType]:
    """Reads an EKS add-on's inputs."""
    return EksAddon(
        ref=references.ref(resource),
        name=resource.inputs.get("addonName", UNKNOWN),
        version=resource.inputs.get("addonVersion"),
        place=Place(resource.urn),
        prefix_delegation=_prefixes(resource.inputs.get("configurationValues")),
    )
