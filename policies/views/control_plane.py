"""`aws.eks.Cluster` and `aws.eks.Addon`."""

import re
from collections.abc import Mapping

from muster.fleet.resources import ControlPlane, EksAddon
from muster.fleet.resources.ref import CLUSTER, SECURITY_GROUP, SUBNET
from muster.policies.views.view import Properties, Reader, View, several

_PREFIX_DELEGATION = re.compile(r"""ENABLE_PREFIX_DELEGATION["']?\s*:\s*["']?(\w+)""")

control_plane = View(
    ControlPlane,
    kubernetes="version",
    subnets=several("vpcConfig.subnetIds", SUBNET),
    security_groups=several("vpcConfig.securityGroupIds", SECURITY_GROUP),
    endpoint_public="vpcConfig.endpointPublicAccess",
    public_networks=lambda of: tuple(sorted(of.texts("vpcConfig.publicAccessCidrs"))),
    name="name",
    authentication="accessConfig.authenticationMode",
)


def _prefixes(of: Properties) -> bool:
    """Whether an add-on's configuration (JSON or YAML, as in EKS's API) turns prefix delegation on."""
    found = _PREFIX_DELEGATION.search(str(of.get("configurationValues")))
    return found is not None and found[1].lower() == "true"


eks_addon = View(EksAddon, name="addonName", version="addonVersion", prefix_delegation=_prefixes)

VIEWS: Mapping[str, Reader] = {CLUSTER: control_plane}
