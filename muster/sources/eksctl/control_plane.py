"""The EKS cluster with its security groups (`addResourcesForControlPlane` in cluster.go)."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.resources.ref import CLUSTER, SECURITY_GROUP
from muster.sources.eksctl.network import Network
from muster.sources.eksctl.resources import Resources, block, first, is_given
from muster.sources.eksctl.templates import CONTROL_PLANE, SHARED_NODES
from muster.unknown import UNKNOWN

_BOTH = "API_AND_CONFIG_MAP"


def cluster_group_id(name: str) -> str:
    """The id, in the program, of the security group that EKS creates for a cluster."""
    return f"cluster group of {name}"


def add_control_plane(resources: Resources, network: Network) -> str:
    """Adds the cluster and returns its URN."""
    config = resources.config
    vpc, chosen = block(config, "vpc"), network.of_control_plane
    endpoints, is_private = block(vpc, "clusterEndpoints"), block(config, "privateCluster").get("enabled", False)
    connection = {
        "subnetIds": chosen.ids,
        "securityGroupIds": _security_groups(resources, network, vpc),
        "endpointPublicAccess": _switch(is_private, endpoints.get("publicAccess", True), private=False),
        "endpointPrivateAccess": _switch(is_private, endpoints.get("privateAccess", False), private=True),
        "publicAccessCidrs": vpc.get("publicAccessCIDRs"),
    }
    connection = {key: each for key, each in connection.items() if each is not None}
    access = block(config, "accessConfig")
    name = resources.name
    inputs = {
        "name": name,
        "version": block(config, "metadata").get("version", UNKNOWN),
        "vpcConfig": connection,
        "accessConfig": {"authenticationMode": access.get("authenticationMode", _BOTH)},
    }
    outputs = {"vpcConfig": {**connection, "clusterSecurityGroupId": cluster_group_id(name)}}
    return resources.add(CLUSTER, name, inputs, ("metadata",), id_=name, outputs=outputs)


def _switch(is_private: Any, given: Any, *, private: bool) -> Any:
    """An endpoint; a fully private cluster has only the private one."""
    return UNKNOWN if is_private is UNKNOWN else private if is_private else given


def _security_groups(resources: Resources, network: Network, vpc: Mapping[str, Any]) -> list[Any]:
    """The groups of the control plane. eksctl also creates the group that all self-managed nodes share."""
    path = ("vpc",) if "vpc" in resources.config else ("metadata",)
    everything = [{"protocol": "-1", "fromPort": 0, "toPort": 0, "cidrBlocks": ["0.0.0.0/0"]}]
    made = {"vpcId": network.vpc, "egress": everything}
    if vpc.get("sharedNodeSecurityGroup") is None and is_given(resources.config.get("nodeGroups")):
        among = [{"protocol": "-1", "fromPort": 0, "toPort": 0, "self": True}]
        resources.add(SECURITY_GROUP, "shared nodes", {**made, "ingress": among}, path, id_=SHARED_NODES)
    given = first(vpc.get("securityGroup"), vpc.get("controlPlaneSecurityGroupIDs"))
    if given is not None:
        return given if isinstance(given, list) else [given]
    resources.add(SECURITY_GROUP, "control plane", made, path, id_=CONTROL_PLANE)
    return [CONTROL_PLANE]
