"""The property of a resource that has a field of the description: the one table from which findings about programs, and
about files of other tools, name what to change."""

from collections.abc import Mapping

from muster.fleet.resources import (
    CapacityBlockPurchase,
    ComputeNodeGroup,
    ComputeResource,
    ControlPlane,
    CountedResource,
    EksAddon,
    HeadNode,
    HyperPodCluster,
    InstanceGroup,
    LaunchTemplate,
    LoginPool,
    LustreFileSystem,
    NodeGroup,
    ParallelCluster,
    Queue,
    SharedFileSystem,
    TrackingServer,
)


def _launched(subnets: str, most: str, least: str, start: str, placement: str, reservation: str) -> Mapping[str, str]:
    """The properties for the number of nodes of a group, and for what they are launched into.

    Args:
        subnets: the property with the group's subnets.
        most: with its maximum number of nodes.
        least: with its minimum.
        start: with the number that it starts with.
        placement: with its placement group.
        reservation: the begin of the properties of its target.
    """
    of_each = {"zone": subnets, "count": most, "placement-group": placement}
    kinds = ("reservation", "reservation-group", "capacity-block")
    return {
        **{f"capacity.{kind}.{key}": each for kind in kinds for key, each in of_each.items()},
        "capacity.reservation": f"{reservation}Id",
        "capacity.reservation.id": f"{reservation}Id",
        "capacity.reservation-group.arn": f"{reservation}ResourceGroupArn",
        "capacity.reservation-group.create": f"{reservation}ResourceGroupArn",
        "capacity.capacity-block.active": start,
        "capacity.capacity-block.buy": f"{reservation}Id",
        "capacity.capacity-block.id": f"{reservation}Id",
        "nodes": most,
        "nodes.min": least,
        "nodes.start": start,
        "nodes.max": most,
        "subnets": subnets,
        "zone": subnets,
    }


_TARGET = "capacityReservationTarget.capacityReservation"
_MANAGED: Mapping[str, str] = {
    **_launched(
        "subnetIds",
        "scalingConfig.maxSize",
        "scalingConfig.minSize",
        "scalingConfig.desiredSize",
        "placement.groupName",
        _TARGET,
    ),
    "image": "amiType",
}
_SELF_MANAGED: Mapping[str, str] = {
    **_launched("vpcZoneIdentifiers", "maxSize", "minSize", "desiredCapacity", "placement.groupName", _TARGET),
    "image": "imageId",
    "image.custom.ssm": "imageId",
    "instance": "instanceType",
}
_OF_POOL = {"subnets": "subnetSelectorTerms", "instance": "the values of node.kubernetes.io/instance-type"}
_OF_PARALLELCLUSTER = {
    "image": "Image.CustomAmi",
    "os": "Image.Os",
    "post-install": "CustomActions.OnNodeConfigured",
}
_OF_OWN_NETWORK = {"security-groups": "overrideVpcConfig.securityGroupIds", "subnets": "overrideVpcConfig.subnets"}
_PROPERTIES: Mapping[type, Mapping[str, str]] = {
    CapacityBlockPurchase: {"approved": "tags", "offering": "capacityBlockOfferingId"},
    NodeGroup: {"capacity.spot": "capacityType", "instance": "instanceType", "interfaces": "networkInterfaces"},
    LaunchTemplate: {
        "capacity": "capacityReservationSpecification",
        "capacity.capacity-block": "placement",
        "capacity.reservation.id": f"{_TARGET}Id",
        "capacity.reservation-group.arn": f"{_TARGET}ResourceGroupArn",
        "efa": "networkInterfaces",
        "image": "imageId",
        "image.custom.id": "imageId",
        "instance": "instanceType",
        "interfaces": "networkInterfaces",
        "scripts": "userData",
    },
    InstanceGroup: {
        "nodes": "instanceCount",
        "nodes.min": "minInstanceCount",
        "nodes.start": "instanceCount",
        "nodes.max": "instanceCount",
        "zone": "overrideVpcConfig.subnets",
        "instance": "instanceType",
        "capacity.spot": "capacityRequirements.spot",
        "capacity.training-plan": "trainingPlanArn",
        "capacity.training-plan.arn": "trainingPlanArn",
        "hyperpod.interface": "networkInterface.interfaceType",
        "hyperpod.lifecycle": "lifeCycleConfig",
        "labels": "kubernetesConfig.labels",
        "nodes.minimum": "minInstanceCount",
        "/hyperpod.provisioning": "nodeProvisioningMode",
        "security-groups": "vpcConfig.securityGroupIds",
        "subnets": "vpcConfig.subnets",
        "taints": "kubernetesConfig.taints",
    },
    HyperPodCluster: {
        "autoscaling": "autoScaling",
        "cluster-role": "clusterRole",
        "node-recovery": "nodeRecovery",
        "provisioning": "nodeProvisioningMode",
        "task-governance.teams": "",
    },
    ComputeResource: {
        **_launched(
            "Networking.SubnetIds",
            "MaxCount",
            "MinCount",
            "MinCount",
            "Networking.PlacementGroup.Name",
            "CapacityReservationTarget.CapacityReservation",
        ),
        "capacity": "CapacityReservationTarget",
        "capacity.capacity-block": "Networking.PlacementGroup",
        "capacity.spot": "CapacityType",
        "placement": "Networking.PlacementGroup.Enabled",
        "alternatives": "Instances",
        "efa": "Efa.Enabled",
        "security-groups": "Networking.SecurityGroups",
        "zones": "Networking.SubnetIds",
        "instance": "InstanceType",
        **_OF_PARALLELCLUSTER,
    },
    HeadNode: {
        "instance": "InstanceType",
        "subnets": "Networking.SubnetId",
        "zone": "Networking.SubnetId",
        "post-install.timeout-minutes": "DevSettings.Timeouts.HeadNodeBootstrapTimeout",
        **_OF_PARALLELCLUSTER,
    },
    LoginPool: {"instance": "InstanceType", "zone": "Networking.SubnetIds", **_OF_PARALLELCLUSTER},
    ParallelCluster: _OF_PARALLELCLUSTER,
    Queue: {"allocation": "AllocationStrategy", "zones": "Networking.SubnetIds", **_OF_PARALLELCLUSTER},
    ComputeNodeGroup: {
        **_launched(
            "subnetIds",
            "scalingConfiguration.maxInstanceCount",
            "scalingConfiguration.minInstanceCount",
            "scalingConfiguration.minInstanceCount",
            "placement.groupName",
            _TARGET,
        ),
        "capacity.spot": "purchaseOption",
        "instance": "instanceType",
        "capacity": "purchaseOption",
        "image": "amiId",
    },
    ControlPlane: {
        "api": "vpcConfig.endpointPublicAccess",
        "api.public": "vpcConfig.publicAccessCidrs",
        "control-plane": "",
        "control-plane.existing.authentication": "accessConfig.authenticationMode",
        "kubernetes": "version",
        "network.create.zones": "vpcConfig.subnetIds",
        "network.existing.private": "vpcConfig.subnetIds",
    },
    CountedResource: {"cidr": "cidrBlock"},
    EksAddon: {"": "addonVersion"},
    LustreFileSystem: {"version": "fileSystemTypeVersion", "zone": "subnetIds"},
    SharedFileSystem: {"zone": "subnetIds"},
    TrackingServer: {"version": "mlflowVersion"},
}
"""Type -> field -> property with Pulumi's name; empty for the whole resource."""


def property_path(thing: object, field: str) -> str:
    """The property that has a field; the field itself where it already is the name of a property."""
    if isinstance(thing, NodeGroup):
        by_kind = _OF_POOL if thing.pool else _MANAGED if thing.managed else _SELF_MANAGED
        if field in by_kind:
            return by_kind[field]
    if isinstance(thing, InstanceGroup) and thing.own_network and field in _OF_OWN_NETWORK:
        return _OF_OWN_NETWORK[field]
    return _PROPERTIES.get(type(thing), {}).get(field, field)
