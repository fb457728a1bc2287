"""AWS PCS: clusters, compute node groups and queues of AWS's native provider, and clusters of Cloud Control."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import ComputeNodeGroup, PcsCluster, PcsQueue, Place
from muster.fleet.resources.ref import (
    CLOUD_CONTROL,
    INSTANCE_PROFILE,
    LAUNCH_TEMPLATE,
    PCS_CLUSTER,
    PCS_NODE_GROUP,
    SUBNET,
)
from muster.policies.views.references import (
    GROUPS,
    References,
    block,
    blocks,
    integer,
    node_count,
    text_list,
    text_value,
)
from muster.unknown import UNKNOWN, UnknownType

CLUSTER_TYPE = "AWS::PCS::Cluster"
CLUSTERS = (PCS_CLUSTER, CLOUD_CONTROL)
_OFF = "NONE"


def of_cloud_control(resource: Registration, references: References) -> PcsCluster[UnknownType] | None:
    """A cluster of PCS that is registered with the properties of CloudFormation; None for another type."""
    if resource.inputs.get("type") != CLUSTER_TYPE:
        return None
    return _cluster(resource, _lower(block(resource.inputs, "properties")), references, "properties")


def pcs_cluster(resource: Registration, references: References) -> PcsCluster[UnknownType]:
    """Reads a cluster's inputs."""
    return _cluster(resource, resource.inputs, references, "networking")


def _lower(value: Any) -> Any:
    """Properties of CloudFormation with the names of Pulumi: the first letter of a key is lower case."""
    if isinstance(value, Mapping):
        return {f"{key[:1].lower()}{key[1:]}": _lower(inner) for key, inner in value.items()} if value else value
    return [_lower(each) for each in value] if isinstance(value, list) else value


def _cluster(
    resource: Registration, inputs: Mapping[str, Any], references: References, within: str
) -> PcsCluster[UnknownType]:
    network, slurm = block(inputs, "networking"), block(inputs, "slurmConfiguration")
    accounting, keep = block(slurm, "accounting"), integer(block(slurm, "accounting").get("defaultPurgeTimeInDays"))
    return PcsCluster(
        ref=references.ref(resource),
        name=inputs.get("name"),
        size=inputs.get("size"),
        version=block(inputs, "scheduler").get("version"),
        subnets=references.several(network.get("subnetIds"), resource, within, (SUBNET,)),
        security_groups=references.several(network.get("securityGroupIds"), resource, within, GROUPS),
        place=Place(resource.urn),
        accounting=_on(accounting.get("mode")),
        keep_days=None if keep == -1 else keep,
        idle_seconds=integer(slurm.get("scaleDownIdleTimeInSeconds")),
        settings=_settings(slurm),
    )


def _on(mode: Any) -> bool | UnknownType:
    return UNKNOWN if mode is UNKNOWN else mode not in (None, _OFF)


def _settings(slurm: Mapping[str, Any]) -> tuple[tuple[str, str], ...] | UnknownType:
    listed = blocks(slurm.get("slurmCustomSettings"))
    if listed is UNKNOWN or any(UNKNOWN in each.values() for each in listed):
        return UNKNOWN
    return tuple(sorted((str(each.get("parameterName")), str(each.get("parameterValue"))) for each in listed))


def compute_node_group(resource: Registration, references: References) -> ComputeNodeGroup[UnknownType]:
    """Reads a compute node group's inputs."""
    inputs = resource.inputs
    template, scaling = block(inputs, "customLaunchTemplate"), block(inputs, "scalingConfiguration")
    slurm = block(inputs, "slurmConfiguration")
    subnets, groups = inputs.get("subnetIds"), inputs.get("securityGroupIds")
    return ComputeNodeGroup(
        ref=references.ref(resource),
        cluster=references.one(inputs.get("clusterId"), resource, "clusterId", CLUSTERS),
        name=inputs.get("name"),
        # PCS manages the template if the mode is MANAGED: no page states what it contains.
        template=UNKNOWN
        if inputs.get("launchTemplateMode", "") not in ("", "CUSTOM")
        else references.one(template.get("templateId"), resource, "customLaunchTemplate", (LAUNCH_TEMPLATE,)),
        instance_types=_types(inputs.get("instanceConfigs")),
        subnets=references.several(subnets, resource, "subnetIds", (SUBNET,)),
        capacity_type=inputs.get("purchaseOption"),
        nodes_min=node_count(scaling.get("minInstanceCount")),
        nodes_max=node_count(scaling.get("maxInstanceCount")),
        place=Place(resource.urn),
        security_groups=references.several(groups, resource, "securityGroupIds", GROUPS) if groups else None,
        image=inputs.get("amiId"),
        profile=references.one(
            inputs.get("iamInstanceProfileArn"), resource, "iamInstanceProfileArn", (INSTANCE_PROFILE,)
        ),
        idle_seconds=integer(slurm.get("scaleDownIdleTimeInSeconds")),
        settings=_settings(slurm),
        subnets_among=references.among(subnets, resource, "subnetIds", (SUBNET,)),
    )


def _types(configs: Any) -> tuple[str, ...] | UnknownType:
    listed = blocks(configs)
    return UNKNOWN if listed is UNKNOWN else text_list([each.get("instanceType", UNKNOWN) for each in listed])


def pcs_queue(resource: Registration, references: References) -> PcsQueue[UnknownType]:
    """Reads a queue's inputs."""
    inputs, name = resource.inputs, "computeNodeGroupConfigurations"
    listed = blocks(inputs.get(name))
    ids = UNKNOWN if listed is UNKNOWN else [each.get("computeNodeGroupId") for each in listed]
    return PcsQueue(
        ref=references.ref(resource),
        cluster=references.one(inputs.get("clusterId"), resource, "clusterId", CLUSTERS),
        name=text_value(inputs.get("name")),
        groups=references.several(ids, resource, name, (PCS_NODE_GROUP,)),
        place=Place(resource.urn),
        settings=_settings(block(inputs, "slurmConfiguration")),
    )
