"""The children of pulumi-eks's managed and self-managed node groups, and of their security group component."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.hardware.catalogue import UnknownInstance, hardware
from muster.hardware.default_types import EKS_MANAGED_NODES
from muster.offline.eks_child_resources import (
    ClusterCore,
    ComponentResource,
    core_of,
    group_id,
    id_of,
    is_set,
    registration_reference,
    security_group_rule,
    value_or,
)
from muster.unknown import UNKNOWN

ROOT_VOLUME = {
    "nodeRootVolumeSize": "volumeSize",
    "nodeRootVolumeType": "volumeType",
    "nodeRootVolumeIops": "iops",
    "nodeRootVolumeThroughput": "throughput",
    "nodeRootVolumeEncrypted": "encrypted",
    "nodeRootVolumeDeleteOnTermination": "deleteOnTermination",
}


_AL2, _AL2023, _BOTTLEROCKET = "AL2", "AL2023", "Bottlerocket"
_IMAGES = {"AL2_": _AL2, "amazon-linux-2-": _AL2, "AL2023_": _AL2023, "amazon-linux-2023/": _AL2023}
"""The beginnings of image types in pulumi-eks, current and old (`nodejs/eks/nodes/ami.ts`, 4.3.0)."""
_DEVICES = {_AL2: "/dev/xvda", _AL2023: "/dev/xvda", _BOTTLEROCKET: "/dev/xvdb"}
"""The device of the volume that the arguments describe, in EKS images: the root volume; for Bottlerocket the data
volume (`nodegroup.ts`)."""


def _operating_system(args: Mapping[str, Any]) -> Any:
    """The operating system of the image: from its type, else from `operatingSystem`. Default: Amazon Linux 2023."""
    image = args.get("amiType")
    if image is None:
        return value_or(args.get("operatingSystem"), _AL2023)
    text = str(image)
    if text.startswith("BOTTLEROCKET_"):
        return _BOTTLEROCKET
    if text == "amazon-linux-2":
        return _AL2
    return next((os for begins, os in _IMAGES.items() if text.startswith(begins)), UNKNOWN)


def root_volume(args: Mapping[str, Any]) -> Any:
    """The volume of `createNodeGroupV2`: for Amazon Linux 2 with all settings, else with those that are set.

    Its device is that of the image; for a custom image, only AWS knows it.
    """
    given = {theirs: args[ours] for ours, theirs in ROOT_VOLUME.items() if args.get(ours) is not None}
    system = _operating_system(args)
    if system is UNKNOWN:
        return UNKNOWN
    if system == _AL2:
        given = {"encrypted": False, "volumeSize": 20, "volumeType": "gp2", "deleteOnTermination": True, **given}
    for flag in {"encrypted", "deleteOnTermination"} & given.keys():
        given[flag] = given[flag] if given[flag] is UNKNOWN else str(bool(given[flag])).lower()
    device = UNKNOWN if args.get("amiId") is not None else _DEVICES.get(system, UNKNOWN)
    return [{"deviceName": device, "ebs": given}] if given else []


def device_of(args: Mapping[str, Any]) -> Any:
    """The device of that volume in an EKS image."""
    return _DEVICES.get(_operating_system(args), UNKNOWN)


def nodes_group(making: ComponentResource, core: ClusterCore) -> tuple[Registration, Registration]:
    """Registers the security group of the nodes with its rules, and the rule that allows it to reach the control
    plane."""
    name, plane = making.name, core.group or core.cluster
    group = making.child(
        "aws:ec2/securityGroup:SecurityGroup",
        f"{name}-nodeSecurityGroup",
        {"vpcId": core.vpc, "revokeRulesOnDelete": True},
        {"vpcId": core.uses.get("vpcId", ())},
    )
    everything: dict[str, Any] = {"fromPort": 0, "toPort": 0, "protocol": "-1"}
    https: dict[str, Any] = {"fromPort": 443, "toPort": 443, "protocol": "tcp"}
    kubelet: dict[str, Any] = {"fromPort": 1025, "toPort": 65535, "protocol": "tcp"}
    security_group_rule(making, f"{name}-eksNodeIngressRule", group, type="ingress", self=True, **everything)
    security_group_rule(making, f"{name}-eksNodeClusterIngressRule", group, type="ingress", source=plane, **kubelet)
    security_group_rule(
        making, f"{name}-eksExtApiServerClusterIngressRule", group, type="ingress", source=plane, **https
    )
    security_group_rule(
        making, f"{name}-eksNodeInternetEgressRule", group, type="egress", cidrBlocks=["0.0.0.0/0"], **everything
    )
    return group, security_group_rule(
        making, f"{name}-eksClusterIngressRule", plane, type="ingress", source=group, **https
    )


OF_NODE_GROUP = frozenset(
    {
        *ROOT_VOLUME,
        "amiId",
        "amiType",
        "autoScalingGroupTags",
        "bootstrapExtraArgs",
        "bottlerocketSettings",
        "cloudFormationTags",
        "cluster",
        "clusterIngressRule",
        "clusterIngressRuleId",
        "desiredCapacity",
        "extraNodeSecurityGroups",
        "gpu",
        "instanceProfile",
        "instanceProfileName",
        "instanceType",
        "keyName",
        "kubeletExtraArgs",
        "labels",
        "launchTemplateTagSpecifications",
        "maxSize",
        "metadataOptions",
        "minSize",
        "nodeAssociatePublicIpAddress",
        "nodePublicKey",
        "nodeSecurityGroup",
        "nodeSecurityGroupId",
        "nodeSubnetIds",
        "nodeUserData",
        "nodeUserDataOverride",
        "nodeadmExtraOptions",
        "operatingSystem",
        "spotPrice",
        "taints",
        "version",
    }
)
"""The arguments of `eks.NodeGroupV2`, and of a cluster's default node group, that Muster reads, or that affect only the
image and user data, which are unknown, or the order of operations."""


def auto_scaling(
    making: ComponentResource, core: ClusterCore, args: Mapping[str, Any], ingress: Registration | None
) -> Registration:
    """`createNodeGroupV2`: a launch template, and an Auto Scaling group of nodes."""
    making.record_unread(OF_NODE_GROUP, args)
    name, eks = making.name, core.cluster
    given = args.get("nodeSecurityGroup")
    own = making.monitor.known(given) if isinstance(given, str) and given else None
    nodes: Any = own
    if own is None and ingress is not None:
        nodes = core.node_group
    elif own is None and given is not UNKNOWN and "nodeSecurityGroupId" not in args:
        nodes, ingress = nodes_group(making, core)
    extra = value_or(args.get("extraNodeSecurityGroups"), [])
    groups = [id_of(nodes) if nodes else args.get("nodeSecurityGroupId", UNKNOWN)]
    behind = [nodes.urn] if nodes else list(making.uses.get("nodeSecurityGroupId", ()))
    for each in extra if isinstance(extra, list) else [UNKNOWN]:
        found = making.monitor.known(each) if isinstance(each, str) else None
        groups.append(id_of(found) if found else UNKNOWN)
        behind += [found.urn] if found else []
    key = args.get("keyName")
    if is_set(args.get("nodePublicKey")):
        pair = making.child("aws:ec2/keyPair:KeyPair", f"{name}-keyPair", {"publicKey": args["nodePublicKey"]})
        key = pair.outputs.get("keyName", UNKNOWN)
    public = args.get("nodeAssociatePublicIpAddress", True)
    spot = args.get("spotPrice")
    options: Any = {"marketType": "spot", "spotOptions": {"maxPrice": spot}} if is_set(spot) else None
    inputs: dict[str, Any] = {
        "imageId": value_or(args.get("amiId"), UNKNOWN),
        "instanceType": value_or(args.get("instanceType"), EKS_MANAGED_NODES),
        "iamInstanceProfile": {"name": UNKNOWN},
        "keyName": key,
        "instanceMarketOptions": options,
        "blockDeviceMappings": root_volume(args),
        "networkInterfaces": [
            {
                "associatePublicIpAddress": UNKNOWN if public is UNKNOWN else str(public).lower(),
                "securityGroups": groups,
            }
        ],
        "metadataOptions": args.get("metadataOptions"),
        "userData": UNKNOWN,
        "tagSpecifications": args.get("launchTemplateTagSpecifications"),
    }
    template = making.child(
        "aws:ec2/launchTemplate:LaunchTemplate",
        f"{name}-launchTemplate",
        inputs,
        {
            "networkInterfaces": [*behind, *([ingress.urn] if ingress else [])],
            "userData": [eks.urn],
            "iamInstanceProfile": making.uses.get("instanceProfile", [core.profile.urn] if core.profile else ()),
        },
    )
    subnets, subnet_uses = args.get("nodeSubnetIds"), making.uses.get("nodeSubnetIds", ())
    if subnets is None:
        chosen = next((each for each in ("privateSubnetIds", "publicSubnetIds") if each in core.args), None)
        # Of `subnetIds`, the component takes the private ones; only route tables show which these are.
        subnets = core.args[chosen] if chosen else UNKNOWN
        subnet_uses = core.uses.get(chosen, ()) if chosen else core.subnet_uses()
    tags = args.get("autoScalingGroupTags")
    own_tags: Mapping[str, Any] = tags if isinstance(tags, Mapping) else {}
    listed: Any = [
        *({"key": one, "value": value, "propagateAtLaunch": True} for one, value in own_tags.items()),
        {"key": UNKNOWN, "value": "owned", "propagateAtLaunch": True},
        {"key": "Name", "value": UNKNOWN, "propagateAtLaunch": True},
    ]
    return making.child(
        "aws:autoscaling/group:Group",
        name,
        {
            "minSize": args.get("minSize", 1),
            "maxSize": args.get("maxSize", 2),
            "desiredCapacity": args.get("desiredCapacity", 2),
            "launchTemplate": {"name": UNKNOWN, "version": UNKNOWN},
            "vpcZoneIdentifiers": subnets,
            "tags": UNKNOWN if tags is UNKNOWN else listed,
        },
        {"launchTemplate": [template.urn], "vpcZoneIdentifiers": subnet_uses, "tags": [eks.urn]},
        after=core.access,
    )


def node_group_v2(making: ComponentResource) -> dict[str, Any]:
    """`eks.NodeGroupV2`."""
    core = core_of(making)
    if core is None:
        return {}
    group = auto_scaling(making, core, making.args, None)
    return {"autoScalingGroup": registration_reference(group), "extraNodeSecurityGroups": []}


def node_group(making: ComponentResource) -> dict[str, Any]:
    """`eks.NodeGroup`, the old one: a launch configuration, and CloudFormation, which creates the Auto Scaling
    group."""
    missing = "its nodes, because CloudFormation creates them from a launch configuration; use NodeGroupV2"
    making.monitor.not_modelled(making.urn, missing)
    return {}


OF_NODE_GROUP_SECURITY_GROUP = frozenset({"clusterSecurityGroup", "eksCluster", "vpcId"})


def node_security_group(making: ComponentResource) -> dict[str, Any]:
    """`eks.NodeGroupSecurityGroup`."""
    making.record_unread(OF_NODE_GROUP_SECURITY_GROUP)
    given = making.monitor.known(str(making.args.get("eksCluster", "")))
    core = next((each for each in making.monitor.eks.values() if given and each.cluster.urn == given.urn), None)
    group = making.monitor.known(str(making.args.get("clusterSecurityGroup", "")))
    if given is None:
        making.monitor.not_modelled(making.urn, "the cluster of this component, and so the resources that it creates")
        return {}
    vpc = making.args.get("vpcId", UNKNOWN)
    of = core.group if core else None
    made, ingress = nodes_group(
        making, ClusterCore("", {}, making.uses, vpc, UNKNOWN, given, group or of, None, None, ())
    )
    return {"securityGroup": registration_reference(made), "securityGroupRule": registration_reference(ingress)}


_SUBNET = "aws:ec2/subnet:Subnet"
_WITH_USER_DATA = ("kubeletExtraArgs", "bootstrapExtraArgs", "bottlerocketSettings", "nodeadmExtraOptions", "userData")
_WITH_TEMPLATE = (*_WITH_USER_DATA, "enableIMDSv2", "amiId", "enableEfaSupport")
_PASSED_ON = (
    "amiType",
    "capacityType",
    "diskSize",
    "forceUpdateVersion",
    "instanceTypes",
    "labels",
    "nodeGroupName",
    "nodeGroupNamePrefix",
    "releaseVersion",
    "remoteAccess",
    "tags",
    "taints",
    "updateConfig",
    "version",
)


OF_MANAGED_NODE_GROUP = frozenset(
    {
        *_WITH_TEMPLATE,
        *_PASSED_ON,
        "cluster",
        "clusterName",
        "launchTemplate",
        "nodeRole",
        "nodeRoleArn",
        "placementGroupAvailabilityZone",
        "scalingConfig",
        "subnetIds",
    }
)
"""The arguments of `eks.ManagedNodeGroup` that Muster reads. `operatingSystem`, which selects an image, is not one of
them."""


def managed_node_group(making: ComponentResource) -> dict[str, Any]:
    """`eks.ManagedNodeGroup`."""
    core, args, name = core_of(making), making.args, making.name
    if core is None:
        return {}
    subnets, uses = args.get("subnetIds"), making.uses.get("subnetIds", ())
    if subnets is None:
        subnets, uses = core.subnets, core.subnet_uses()
    placement = None
    if making.is_true("enableEfaSupport"):
        placement = making.child(
            "aws:ec2/placementGroup:PlacementGroup", name, {"strategy": "cluster", "tags": args.get("tags")}
        )
        subnets, uses = _in_zone(making, uses, args.get("placementGroupAvailabilityZone"))
    making.record_unread(OF_MANAGED_NODE_GROUP)
    inputs = {key: args[key] for key in _PASSED_ON if key in args}
    if is_set(args.get("operatingSystem")) and "amiType" not in args:
        inputs["amiType"] = UNKNOWN
    launch, launch_uses = args.get("launchTemplate"), making.uses.get("launchTemplate", ())
    if launch is None and "version" not in inputs:
        inputs["version"] = core.cluster.inputs.get("version", UNKNOWN)
    if any(key in args for key in _WITH_TEMPLATE):
        template = _managed_template(making, core, placement)
        inputs.pop("diskSize", None)
        launch, launch_uses = {"id": id_of(template), "version": UNKNOWN}, (template.urn,)
    if any(key in args for key in (*_WITH_USER_DATA, "amiId")):
        for key in ("version", "releaseVersion", "amiType"):
            inputs.pop(key, None)
    role_arn, role_uses = args.get("nodeRoleArn"), making.uses.get("nodeRoleArn", ())
    if role_arn is None:
        role = making.monitor.known(str(args.get("nodeRole", "")))
        role_arn = role.outputs.get("arn", UNKNOWN) if role else UNKNOWN
        role_uses = (role.urn,) if role else making.uses.get("nodeRole", ())
    scaling = args.get("scalingConfig")
    sizes: Any = {"desiredSize": 2, "minSize": 1, "maxSize": 2, **(scaling if isinstance(scaling, Mapping) else {})}
    group = making.child(
        "aws:eks/nodeGroup:NodeGroup",
        name,
        {
            **inputs,
            "clusterName": value_or(args.get("clusterName"), core.cluster.outputs.get("name", UNKNOWN)),
            "nodeRoleArn": role_arn,
            "scalingConfig": UNKNOWN if scaling is UNKNOWN else sizes,
            "subnetIds": subnets,
            "launchTemplate": launch,
        },
        {
            "clusterName": [core.cluster.urn],
            "nodeRoleArn": role_uses,
            "subnetIds": uses,
            "launchTemplate": launch_uses,
            **{key: making.uses.get(key, ()) for key in _PASSED_ON},
        },
        after=core.access,
    )
    return {"nodeGroup": registration_reference(group), "placementGroupName": UNKNOWN if placement else ""}


def _in_zone(making: ComponentResource, uses: tuple[str, ...], zone: Any) -> tuple[Any, tuple[str, ...]]:
    """The subnets in a zone, among those that the program creates; only AWS knows the zones of others."""
    known = [making.monitor.known(urn) for urn in uses]
    subnets = [each for each in known if each is not None and each.type == _SUBNET]
    zones = {each.inputs.get("availabilityZone", UNKNOWN) for each in subnets}
    if not subnets or zone is UNKNOWN or UNKNOWN in zones:
        return UNKNOWN, uses
    there = [each for each in subnets if each.inputs["availabilityZone"] == zone]
    return [id_of(each) for each in there], tuple(each.urn for each in there)


def _managed_template(making: ComponentResource, core: ClusterCore, placement: Registration | None) -> Registration:
    """`createMNGCustomLaunchTemplate`."""
    args = making.args
    own_data = any(key in args for key in (*_WITH_USER_DATA, "amiId"))
    v2, disk = args.get("enableIMDSv2"), args.get("diskSize")
    device = device_of(args)
    tokens = "required" if v2 is True else "optional"
    metadata = {"httpTokens": tokens, "httpPutResponseHopLimit": 2, "httpEndpoint": "enabled"}
    return making.child(
        "aws:ec2/launchTemplate:LaunchTemplate",
        f"{making.name}-launchTemplate",
        {
            "blockDeviceMappings": [{"deviceName": device, "ebs": {"volumeSize": disk}}] if is_set(disk) else None,
            "userData": UNKNOWN if own_data else None,
            "metadataOptions": metadata if v2 is not None else None,
            "imageId": value_or(args.get("amiId"), UNKNOWN) if own_data else None,
            "placement": {"groupName": placement.outputs.get("name", UNKNOWN)} if placement else None,
            "networkInterfaces": _efa_interfaces(making, core) if placement else None,
        },
        {
            "networkInterfaces": [core.cluster.urn],
            "placement": [placement.urn] if placement else (),
            "userData": [core.cluster.urn],
        },
    )


def _efa_interfaces(making: ComponentResource, core: ClusterCore) -> Any:
    """EFA on the first network card, efa-only at device 1 on each other card."""
    types = making.args.get("instanceTypes")
    first = types[0] if isinstance(types, list) and types else EKS_MANAGED_NODES
    try:
        cards = hardware(first).network_cards if first is not UNKNOWN else None
    except UnknownInstance:
        cards = None
    if cards is None:
        making.monitor.not_modelled(
            making.urn, (f"the network interfaces, because the network cards of {first} are unknown")
        )
        return UNKNOWN
    return [
        {
            "deleteOnTermination": "true",
            "networkCardIndex": card,
            "deviceIndex": 1 if card else 0,
            "interfaceType": "efa-only" if card else "efa",
            "securityGroups": [group_id(core.cluster)],
        }
        for card in range(max(cards, 1))
    ]
