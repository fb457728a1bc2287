"""AWS PCS: clusters, compute node groups and queues of AWS's native provider, and clusters of Cloud Control."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.resources import ComputeNodeGroup, PcsCluster, PcsQueue, Reference
from muster.fleet.resources.ref import (
    CLOUD_CONTROL,
    INSTANCE_PROFILE,
    LAUNCH_TEMPLATE,
    PCS_CLUSTER,
    PCS_NODE_GROUP,
    PCS_QUEUE,
    SUBNET,
)
from muster.policies.views.references import GROUPS
from muster.policies.views.view import Properties, Reader, View, one, several, unknown
from muster.unknown import UnknownType

CLUSTER_TYPE = "AWS::PCS::Cluster"
CLUSTERS = (PCS_CLUSTER, CLOUD_CONTROL)


def of_cloud_control(of: Properties) -> PcsCluster[UnknownType] | None:
    """A cluster of PCS that is registered with the properties of CloudFormation; None for another type."""
    if of.raw("type") != CLUSTER_TYPE:
        return None
    inside = of.block("properties")
    inside.values = _lower(inside.values)
    return pcs_cluster(inside)


def _lower(value: Any) -> Any:
    """Properties of CloudFormation with the names of Pulumi: the first letter of a key is lower case."""
    if isinstance(value, Mapping):
        return {f"{key[:1].lower()}{key[1:]}": _lower(inner) for key, inner in value.items()}
    return [_lower(each) for each in value] if isinstance(value, list) else value


def _keep_days(of: Properties) -> int | None:
    days = of.integer("slurmConfiguration.accounting.defaultPurgeTimeInDays")
    return None if days == -1 else days


def _settings(of: Properties) -> tuple[tuple[str, str], ...]:
    listed = of.blocks("slurmConfiguration.slurmCustomSettings")
    return tuple(sorted((str(each.get("parameterName")), str(each.get("parameterValue"))) for each in listed))


pcs_cluster = View(
    PcsCluster,
    name="name",
    size="size",
    version="scheduler.version",
    subnets=several("networking.subnetIds", SUBNET),
    security_groups=several("networking.securityGroupIds", *GROUPS),
    accounting=lambda of: of.get("slurmConfiguration.accounting.mode", "NONE") != "NONE",
    keep_days=_keep_days,
    idle_seconds="slurmConfiguration.scaleDownIdleTimeInSeconds",
    settings=_settings,
)


def _template(of: Properties) -> Reference | None:
    """Unknown if PCS manages the template: no page states what it contains."""
    if of.raw("launchTemplateMode") not in (None, "", "CUSTOM"):
        unknown()
    return of.one("customLaunchTemplate.templateId", LAUNCH_TEMPLATE)


compute_node_group = View(
    ComputeNodeGroup,
    cluster=one("clusterId", *CLUSTERS),
    name="name",
    template=_template,
    instance_types=lambda of: tuple(str(each.needed("instanceType")) for each in of.blocks("instanceConfigs")),
    subnets=several("subnetIds", SUBNET),
    capacity_type="purchaseOption",
    nodes_min="scalingConfiguration.minInstanceCount",
    nodes_max="scalingConfiguration.maxInstanceCount",
    security_groups=lambda of: of.several("securityGroupIds", *GROUPS) if of.get("securityGroupIds") else None,
    image="amiId",
    profile=one("iamInstanceProfileArn", INSTANCE_PROFILE),
    idle_seconds="slurmConfiguration.scaleDownIdleTimeInSeconds",
    settings=_settings,
    subnets_among=lambda of: of.among("subnetIds", SUBNET),
)


def _groups(of: Properties) -> tuple[Reference, ...]:
    ids = [each.raw("computeNodeGroupId") for each in of.blocks("computeNodeGroupConfigurations")]
    return of.resources(ids, "computeNodeGroupConfigurations", PCS_NODE_GROUP)


pcs_queue = View(
    PcsQueue,
    cluster=one("clusterId", *CLUSTERS),
    name="name",
    groups=_groups,
    settings=_settings,
)

VIEWS: Mapping[str, Reader] = {
    PCS_CLUSTER: pcs_cluster,
    CLOUD_CONTROL: of_cloud_control,
    PCS_NODE_GROUP: compute_node_group,
    PCS_QUEUE: pcs_queue,
}
